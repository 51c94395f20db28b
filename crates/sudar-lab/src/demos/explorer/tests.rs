//! The explorer as a whole.

use super::*;

fn explorer(change: impl FnOnce(&mut Settings)) -> Explorer {
    let mut explorer = Explorer::new();
    change(&mut explorer.settings);
    explorer.begin().unwrap();
    explorer
}

fn run(explorer: &mut Explorer, steps: u32) {
    let idle = Input::of_keys(&[]);
    (0..steps).for_each(|_| explorer.step(&idle, 1.0 / 60.0));
}

#[test]
fn the_recorder_writes_the_algorithm_that_auto_used() {
    let mut explorer = explorer(|s| s.objects = 200);
    explorer.record(true);
    run(&mut explorer, 5);
    let rows = explorer.rows();
    assert!(rows.len() == 5 && rows.iter().all(|row| !row.contains(",auto,")), "{rows:?}");
    assert!(rows[4].contains(&format!(",{},", explorer.engine.choice().algorithm)), "{rows:?}");
}

#[test]
fn every_option_can_change_while_it_runs() {
    let mut explorer = explorer(|s| s.objects = 200);
    for (name, value) in [
        ("algorithm", "sap"),
        ("algorithm", "octree"),
        ("leaf-size", "4"),
        ("algorithm", "none"),
        ("algorithm", "auto"),
        ("size", "2"),
        ("speed", "6"),
        ("speed", "0"),
        ("speed", "3"),
        ("container", "40"),
        ("objects", "50"),
        ("resolution", "springs"),
        ("resolution", "solver"),
        ("shapes", "mixed"),
        ("algorithm", "kd"),
        ("speed", "1"),
        ("resolution", "off"),
        ("shapes", "boxes"),
        ("objects", "0"),
        ("objects", "300"),
    ] {
        crate::options::assign(name, value, |visit| explorer.options(visit)).unwrap();
        run(&mut explorer, 3);
        assert_eq!(explorer.problem, None, "{name} {value}");
        assert_eq!(explorer.engine.boxes().len(), explorer.applied.count() as usize, "{name} {value}");
    }
}

#[test]
fn a_faster_crowd_is_the_same_crowd() {
    let mut explorer = explorer(|s| s.objects = 100);
    run(&mut explorer, 10);
    let before = explorer.engine.boxes();
    explorer.settings.speed *= 2.0;
    explorer.apply();
    assert_eq!(explorer.engine.boxes(), before);
}

#[test]
fn all_come_toward_the_observer() {
    let mut explorer = explorer(|s| (s.objects, s.resolution) = (200, "off"));
    let mean =
        |e: &Explorer| e.engine.boxes().iter().map(|b| (b.center() - e.observer.at).length()).sum::<f64>();
    let before = mean(&explorer);
    explorer.step(&Input::of_keys(&[Key::T]), 1.0 / 60.0);
    run(&mut explorer, 120);
    assert!(mean(&explorer) < 0.8 * before);
}

#[test]
fn no_row_is_lost() {
    let mut explorer = explorer(|s| s.objects = 20);
    explorer.record(true);
    run(&mut explorer, 25);
    let rows = explorer.rows();
    assert_eq!(rows.len(), 25);
    assert!(rows[24].starts_with("25,"));
    run(&mut explorer, 5);
    assert_eq!(explorer.rows().len(), 5);
}

#[test]
fn auto_says_why() {
    let mut explorer = explorer(|s| s.objects = 500);
    run(&mut explorer, 10);
    let choice = explorer.engine.choice();
    assert!(choice.reason.starts_with("strips because 5") && choice.algorithm == "strips", "{choice:?}");
}

/// Each call comes a millisecond after the last.
fn ticking() -> f64 {
    use std::cell::Cell;
    thread_local!(static NOW: Cell<f64> = const { Cell::new(0.0) });
    NOW.set(NOW.get() + 1e-3);
    NOW.get()
}

#[test]
fn a_frame_lasts_from_one_picture_to_the_next() {
    let mut explorer = explorer(|s| s.objects = 20);
    explorer.set_clock(Clock(Some(ticking)));
    explorer.begin().unwrap();
    let mut draw = || {
        let before = ticking();
        explorer.draw(&mut Scene::new(explorer.observer.camera()));
        run(&mut explorer, 3);
        (before, explorer.taken[2])
    };
    let (first, _) = draw();
    let (second, frame) = draw();
    assert!((frame - (second - first)).abs() < 1e-9, "{frame}");
    assert!(explorer.status().last().unwrap().contains(" frames a second; step "));
}

#[test]
fn at_most_eight_lamps_hang() {
    let mut explorer = explorer(|s| s.lamps = 6);
    for count in [7, 8, 6, 7] {
        explorer.hang_lamp();
        assert_eq!(lamps(&explorer.blocks, &explorer.hung, &explorer.applied).len(), count);
    }
}
