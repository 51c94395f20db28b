//! Input from a file: what a user would do, frame by frame.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2};

/// What happens in which frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// By frame, in order.
    events: Vec<(u64, Event)>,
}

/// A line that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}: {problem}; a line is: FRAME press|release|key KEY, FRAME move|click X Y, or FRAME drag X Y X Y"
)]
pub struct ScriptError {
    line: usize,
    problem: String,
}

impl Script {
    /// Reads one event a line, `#` begins a comment. Keys have the names of `egui`: `W`, `F1`, `Space`, `ArrowUp`.
    ///
    /// ```text
    /// 10 press W
    /// 70 release W
    /// 75 key F1
    /// 80 click 640 360
    /// 90 drag 640 360 700 380
    /// ```
    ///
    /// # Errors
    /// [`ScriptError`] with the number of the line.
    pub fn read(text: &str) -> Result<Self, ScriptError> {
        let mut events = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            if !words.is_empty() {
                let read = one(&words).map_err(|problem| ScriptError { line: number, problem })?;
                events.extend(read);
            }
        }
        events.sort_by_key(|(frame, _)| *frame);
        Ok(Self { events })
    }

    /// What happens in a frame.
    pub fn at(&self, frame: u64) -> impl Iterator<Item = Event> {
        let first = self.events.partition_point(|(at, _)| *at < frame);
        self.events[first..].iter().take_while(move |(at, _)| *at == frame).map(|(_, event)| event.clone())
    }
}

fn one(words: &[&str]) -> Result<Vec<(u64, Event)>, String> {
    let frame = number(words[0], "the frame")?;
    let event = |event| Ok(vec![(frame, event)]);
    match words[1..] {
        ["press", name] => event(key(name, true)?),
        ["release", name] => event(key(name, false)?),
        ["key", name] => Ok(vec![(frame, key(name, true)?), (frame + 1, key(name, false)?)]),
        ["move", x, y] => event(Event::PointerMoved(place(x, y)?)),
        ["click", x, y] => {
            let at = place(x, y)?;
            let [down, up] = [true, false].map(|pressed| button(at, pressed));
            Ok(vec![(frame, Event::PointerMoved(at)), (frame + 1, down), (frame + 2, up)])
        }
        ["drag", x, y, u, v] => {
            let (from, to) = (place(x, y)?, place(u, v)?);
            Ok(vec![
                (frame, Event::PointerMoved(from)),
                (frame + 1, button(from, true)),
                (frame + 2, Event::PointerMoved(from.lerp(to, 0.5))),
                (frame + 3, Event::PointerMoved(to)),
                (frame + 4, button(to, false)),
            ])
        }
        _ => Err(format!("{:?} is no event", words[1..].join(" "))),
    }
}

fn number<T: std::str::FromStr>(text: &str, what: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{what} is a number, not {text:?}"))
}

fn place(x: &str, y: &str) -> Result<Pos2, String> {
    Ok(pos2(number(x, "x")?, number(y, "y")?))
}

fn key(name: &str, pressed: bool) -> Result<Event, String> {
    let key = Key::from_name(name).ok_or_else(|| format!("there is no key {name:?}"))?;
    Ok(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE })
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_their_frames() {
        let script = Script::read("# a walk\n10 press W # on\n5 key F1\n 20 release W\n").unwrap();
        assert_eq!(script.at(5).count(), 1);
        assert_eq!(script.at(6).count(), 1);
        assert!(matches!(script.at(10).next(), Some(Event::Key { key: Key::W, pressed: true, .. })));
        assert!(matches!(script.at(20).next(), Some(Event::Key { key: Key::W, pressed: false, .. })));
        assert_eq!(script.at(11).count(), 0);
    }

    #[test]
    fn what_is_no_event_is_refused_with_its_line() {
        for (text, says) in [
            ("1 press W\nx press W", "line 2: the frame is a number, not \"x\""),
            ("1 press Foo", "line 1: there is no key \"Foo\""),
            ("1 jump", "line 1: \"jump\" is no event"),
            ("1 click a 3", "line 1: x is a number, not \"a\""),
        ] {
            assert!(Script::read(text).unwrap_err().to_string().starts_with(says));
        }
    }
}
