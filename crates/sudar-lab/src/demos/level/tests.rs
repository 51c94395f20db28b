use sudar::dynamics::Axis;

use super::*;

const STEP: f64 = 1.0 / 60.0;

fn begun(choice: Choice) -> Level {
    let mut level = Level { choice, ..Level::default() };
    level.begin().unwrap();
    level
}

fn stand(level: &Level) -> &Stand {
    level.stand.as_ref().unwrap()
}

/// Steps with keys held, and looks after each step that the player is in nothing.
fn hold(level: &mut Level, keys: &[Key], steps: u32) {
    for _ in 0..steps {
        level.step(&Input::of_held(keys), STEP);
        check(level);
    }
}

fn check(level: &Level) {
    assert_eq!(level.problem, None);
    let hero = &stand(level).hero;
    let walk = hero.walk.as_ref().unwrap();
    assert!(walk.gap > 0.0 && !walk.is_crushed, "{walk:?} at {}", hero.position());
}

/// The whole course: on what the player stands, in order.
#[test]
fn the_computer_walks_the_course_and_is_never_in_anything() {
    let mut level = begun(Choice { play: true, ..Choice::default() });
    let mut grounds: Vec<String> = Vec::new();
    // Where it went through the wall with the doors, and the greatest turn of a door.
    let (mut through, mut turned) = (None, 0.0_f64);
    let door = stand(&level).world.joints().next().unwrap().0;
    for _ in 0..6000 {
        hold(&mut level, &[], 1);
        let Stand { hero, world, pilot, .. } = stand(&level);
        through = through.or((hero.position().y > rooms::WALL).then_some(hero.position()));
        turned = turned.max(world.joint_state(door).unwrap().coordinates[Axis::Twist as usize].abs());
        let ground = hero.stands_on(world).unwrap_or("air");
        if grounds.last().is_none_or(|last| last != ground) {
            grounds.push(ground.to_owned());
        }
        if pilot.is_over() {
            break;
        }
    }
    let Stand { hero, gate, pilot, .. } = stand(&level);
    assert!(pilot.is_over(), "{} {grounds:?}", hero.position());
    let [door, width] = rooms::DOOR;
    assert!(
        (through.unwrap().x - door).abs() < 0.5 * width - hero::RADIUS && turned > 0.5,
        "{through:?} {turned}"
    );
    let mut rest = grounds.iter();
    for name in [
        "floor",
        "stairs",
        "terrace",
        "lift",
        "gallery",
        "one-way platform",
        "belt",
        "landing",
        "slope",
        "floor",
    ] {
        assert!(rest.any(|ground| ground == name), "{name}: {grounds:?}");
    }
    assert!(level.tasks()[1].is_done && level.tasks()[2].is_done);
    assert_eq!((gate.presses, gate.goals), (1, 1));
    assert!(hero.position().y < -8.0);
}

#[test]
fn keys_walk_up_the_stairs_and_jump() {
    let mut level = begun(Choice::default());
    hold(&mut level, &[Key::W], 190);
    assert_eq!(stand(&level).hero.stands_on(&stand(&level).world), Some("terrace"));
    hold(&mut level, &[Key::Space], 20);
    assert!(stand(&level).hero.feet() > rooms::TERRACE + 1.0);
    level.step(&Input::of_keys(&[Key::Enter]), STEP);
    assert!(stand(&level).hero.position().distance(hero::START) < 0.1);
}

/// What stops the player: its step height, a slope, a gap that is too narrow.
#[test]
fn steps_slopes_and_gaps_stop_the_player() {
    let mut level = begun(Choice { step: 0.1, ..Choice::default() });
    hold(&mut level, &[Key::W], 200);
    assert!(stand(&level).hero.feet() < 0.1 && stand(&level).hero.position().y < 4.0);
    let walk_from = |choice: Choice, at: DVec3| {
        let mut level = begun(choice);
        level.stand.as_mut().unwrap().hero.character.set_position(at);
        hold(&mut level, &[Key::W], 200);
        stand(&level).hero.position()
    };
    let steep = DVec3::new(3.5, 4.0, 0.9);
    assert!(walk_from(Choice::default(), steep).z < 1.2);
    assert!(walk_from(Choice { slope: 65.0, ..Choice::default() }, steep).z > 2.0);
    let gap = walk_from(Choice::default(), DVec3::new(rooms::GAP[0], 9.0, 2.6));
    assert!(gap.y < rooms::WALL, "{gap}");
}

#[test]
fn crates_are_pushed_by_walking() {
    let mut level = begun(Choice::default());
    level.stand.as_mut().unwrap().hero.character.set_position(DVec3::new(1.3, 0.0, 0.9));
    hold(&mut level, &[Key::W], 120);
    assert!(level.tasks()[0].is_done, "{}", stand(&level).pushed());
}

/// Somebody stands below the lift when it comes down.
#[test]
fn the_lift_comes_down_on_nobody() {
    let mut level = begun(Choice::default());
    hold(&mut level, &[], 380);
    assert!(stand(&level).lift.height() > 4.0);
    level.stand.as_mut().unwrap().hero.character.set_position(DVec3::new(0.0, 19.3, 2.4));
    hold(&mut level, &[], 600);
    let Stand { lift, hero, .. } = stand(&level);
    assert!(lift.is_blocked && lift.height() > hero.position().z + 0.85, "{}", lift.height());
}

#[test]
fn equal_inputs_make_equal_levels() {
    let run = || {
        let mut level = begun(Choice { play: true, ..Choice::default() });
        hold(&mut level, &[], 400);
        let stand = stand(&level);
        (stand.hero.position(), stand.world.fingerprint())
    };
    assert!(run() == run());
}
