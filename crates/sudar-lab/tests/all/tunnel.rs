//! Pictures of the tunnel.

use egui::{Event, Key, Modifiers};

use crate::gl;

fn key(key: Key, pressed: bool) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE }
}

#[test]
fn the_fighter_is_seen_in_its_tunnel_from_each_camera() {
    if !gl::is_there() {
        return;
    }
    for camera in ["chase", "fixed", "free"] {
        let mut lab = gl::lab(&format!("tunnel&camera={camera}"));
        let seen = gl::go_on(&mut lab, Vec::new(), 3);
        let background = gl::count(&seen, gl::near([24, 28, 36], 4));
        // From inside walls are everywhere; from outside there is something around them.
        assert!(
            if camera == "free" { background > 20_000 } else { background < 20_000 },
            "{camera} {background}"
        );
        assert!(camera == "free" || gl::count(&seen, gl::near([86, 180, 233], 70)) > 500, "{camera}");
    }
}

#[test]
fn a_missile_flies_and_its_explosion_is_seen() {
    if !gl::is_there() {
        return;
    }
    let run = |name: Key| {
        let mut lab = gl::lab("tunnel&aim=off");
        gl::go_on(&mut lab, Vec::new(), 2);
        gl::go_on(&mut lab, vec![key(name, true)], 1);
        // 33 m to the far wall of the bend at 80 m/s: after 26 frames it burns.
        gl::go_on(&mut lab, vec![key(name, false)], 1);
        gl::go_on(&mut lab, Vec::new(), 35)
    };
    let [quiet, burning] = [Key::Space, Key::F].map(run);
    assert!(gl::difference(&quiet, &burning) > 300, "{}", gl::difference(&quiet, &burning));
    // Its fire is bright yellow and orange, as nothing else ahead.
    let hot = |picture| {
        gl::count(picture, gl::near([255, 240, 180], 40)) + gl::count(picture, gl::near([255, 150, 40], 50))
    };
    assert!(hot(&burning) > hot(&quiet) + 50, "{} {}", hot(&burning), hot(&quiet));
}

#[test]
fn tunnels_that_are_dropped_are_opened_or_refused() {
    if !gl::is_there() {
        return;
    }
    let mut lab = gl::lab("tunnel");
    let demo = lab.lab.demo().unwrap();
    demo.open(
        "tunnel.txt",
        b"S (0 0 0)(0 1 0) 1.0 END END\nS (0 0 -1)(0 1 0) 0.0 END Kostka.wrl (0 0 0)(0 0 1) 0.0 END",
    )
    .unwrap();
    assert!(demo.status()[0].starts_with("cube 1 of 2"), "{:?}", demo.status());
    for (bytes, says) in [
        (
            &b"S (0 0 0)(0 1 0) 1.0 END Kuzel.wrl (0 0 0)(0 0 1) 0.0 END"[..],
            "t.txt: line 1: \"Kuzel.wrl\" is no model",
        ),
        (b"Q", "t.txt: line 1: a piece is S, I, L or R"),
        (b"\xff\xfe", "t.txt: is not UTF-8 text"),
    ] {
        let error = demo.open("t.txt", bytes).unwrap_err().0;
        assert!(error.starts_with(says) && !error.contains('\n'), "{error}");
    }
    assert!(demo.status()[0].starts_with("cube 1 of 2"));
    let seen = gl::go_on(&mut lab, Vec::new(), 2);
    assert!(gl::count(&seen, gl::near([86, 180, 233], 70)) > 500);
}
