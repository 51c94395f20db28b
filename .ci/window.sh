#!/usr/bin/env bash
# Real keys in a real window: the laboratory on a display of its own (Xvfb), driven by xdotool. The program is the first
# argument. Pictures that must differ are compared by ImageMagick, as counts of pixels.
set -euo pipefail
lab="$1"
folder="$(mktemp -d)"
export XDG_DATA_HOME="$folder" HOME="$folder"
program=
server=
trap 'kill $program $server 2> /dev/null || true; rm -rf "$folder"' EXIT

# display: a server on a free display, which says which when it is ready; whether programs reach it. Without -noreset it
# begins anew where its last program ends, and throws out the next one that comes meanwhile.
display() {
    : > "$folder/display"
    Xvfb -noreset -displayfd 3 -screen 0 1280x720x24 3> "$folder/display" > /dev/null 2>&1 &
    server=$!
    for _ in $(seq 300); do
        DISPLAY=":$(head -1 "$folder/display")"
        export DISPLAY
        [ "$DISPLAY" != : ] && xdotool getdisplaygeometry > /dev/null 2>&1 && return
        sleep 0.1
    done
    kill "$server" 2> /dev/null
    return 1
}
display || display || display || { echo "window: there is no display" >&2; exit 1; }

fail() {
    echo "window: $*" >&2
    exit 1
}

shot() {
    import -window root "$folder/$1.png"
}

# Pixels in which two pictures differ.
differ() {
    compare -metric AE "$folder/$1.png" "$folder/$2.png" null: 2>&1 | cut -d' ' -f1 | cut -d. -f1 || true
}

# open ARGUMENTS…: starts the laboratory and waits for its window.
open() {
    "$lab" "$@" > "$folder/out" 2>&1 &
    program=$!
    for _ in $(seq 100); do
        window="$(xdotool search --onlyvisible --name '^Sudar laboratory$' 2> /dev/null | head -1 || true)"
        [ -n "$window" ] && break
        sleep 0.1
    done
    [ -n "$window" ] || fail "no window came: $(cat "$folder/out")"
    # It may take a while to draw; there is no window manager that would give it the keys then.
    for _ in $(seq 100); do
        sleep 0.2
        shot now
        [ "$(differ empty now)" -ge 100000 ] && break
    done
    xdotool windowfocus "$window"
    sleep 1
}

# comes FROM TO COUNT WHAT: takes pictures until so many pixels differ from an earlier one; a loaded machine takes longer.
comes() {
    local count=0
    for _ in $(seq 60); do
        shot "$2"
        count="$(differ "$1" "$2")"
        [ "${count:-0}" -ge "$3" ] && return
        sleep 0.5
    done
    fail "$4: ${count:-0} pixels differ between $1 and $2, expected $3"
}

# rests NAME: takes pictures until two that follow each other are the same, or some seconds have passed.
rests() {
    for _ in $(seq 12); do
        shot "$1"
        sleep 0.4
        shot again
        [ "$(differ "$1" again)" -le 20 ] && return
    done
    true
}

shot empty
# 1. Held keys walk, dragging turns, F1 shows the keys.
open explorer --objects 100 --speed 0 --time-step fixed
# The picture alone: plots and figures of times never rest.
xdotool key F11
rests begin
xdotool keydown w
comes begin walking 8000 "W walks"
xdotool keyup w
rests walked
# The first button may take hold of a box.
xdotool mousemove 700 300 sleep 0.3 mousedown 3 sleep 0.3 mousemove 800 300 sleep 0.3 mousemove 900 310 sleep 0.3 \
    mousemove 1000 310 sleep 0.3 mouseup 3
comes walked turned 8000 "dragging turns"
rests turned
xdotool key F1
comes turned help 5000 "F1 shows the keys"
# 2. Escape leads to the gallery, whose demos open with keys.
xdotool key Escape
rests closed
xdotool key Escape
comes turned gallery 100000 "Escape leads to the gallery"
sleep 1
shot gallery
xdotool key Right Return
comes gallery other 50000 "Enter opens a demo"
kill "$program"
wait "$program" || true
# 3. A script acts in the window too. Keys of a game reach no control that was clicked.
printf '5 key F11\n20 press W\n50 release W\n' > "$folder/keys"
open explorer --objects 100 --speed 0 --time-step fixed --script "$folder/keys"
comes begin scripted 8000 "a script walks in a window"
kill "$program"
wait "$program" || true
open tunnel
xdotool mousemove 20 342 click 1
rests clicked
xdotool key space
rests braked
count="$(differ clicked braked)"
[ "${count:-99999}" -le 20 ] || fail "Space presses the control that was clicked: $count pixels differ"
kill "$program"
wait "$program" || true
# 4. Recorded to its last row at Ctrl-C.
open explorer --objects 50 --columns "$folder/steps.csv"
sleep 3
kill -INT "$program"
wait "$program" || fail "it ended with $? at Ctrl-C: $(cat "$folder/out")"
rows="$(grep -vc '^#' "$folder/steps.csv")"
last="$(tail -1 "$folder/steps.csv" | cut -d, -f1)"
[ "$rows" -ge 30 ] && [ "$last" -eq "$((rows - 1))" ] || fail "rows are lost: $rows lines, the last is $last"
echo "window: keys, mouse, help, gallery and recorder work"
