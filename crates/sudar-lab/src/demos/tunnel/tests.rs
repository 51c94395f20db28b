//! Flights against closed forms, and through whole tunnels.

use egui::Key;
use sudar::dynamics::{BodyType, Filter};
use sudar::{DVec3, Ray};

use super::autopilot::Cruise;
use super::course::{Course, TUNNELS};
use super::flight::{Flight, Handling, Phase};
use super::missiles::MISSILE;
use super::wish::Wish;
use super::{TUNNEL, Tunnel};
use crate::demo::Demo;
use crate::input::Input;

const STEP: f64 = 1.0 / 60.0;

const HANDLING: Handling = Handling {
    is_stabilised: false,
    cruise: Cruise { speed: 15.0, spin: 1.6 },
    thrust: 15.0,
    drag: 0.0,
    missile_speed: 80.0,
};

/// Twenty empty cubes along −z.
fn straight() -> Flight {
    let cube =
        |(letter, angle, i): (char, f64, u32)| format!("{letter} (0 0 -{i})(0 1 0) {angle:.1} END END\n");
    let inner = (1..19).map(|i| ('I', 0.0, i));
    let text: String = [('S', 1.0, 0)].into_iter().chain(inner).chain([('S', 0.0, 19)]).map(cube).collect();
    Flight::new(Course::read(&text).unwrap()).unwrap()
}

fn along(along: DVec3) -> Wish {
    Wish { along, ..Wish::default() }
}

fn about(about: DVec3) -> Wish {
    Wish { about, ..Wish::default() }
}

/// The velocity of the fighter in its own frame.
fn velocity(flight: &Flight) -> DVec3 {
    flight.motion().rotation.inverse() * flight.motion().velocity
}

fn spin(flight: &Flight) -> DVec3 {
    flight.motion().rotation.inverse() * flight.motion().angular_velocity
}

fn run(flight: &mut Flight, wish: &Wish, handling: &Handling, steps: u32) {
    (0..steps).for_each(|_| flight.step(wish, handling, STEP).unwrap());
}

#[test]
fn the_fighter_begins_at_rest_in_the_middle_with_its_nose_towards_the_way_out() {
    let flight = straight();
    let motion = flight.motion();
    assert!(motion.center.length() < 1e-12 && motion.velocity == DVec3::ZERO);
    assert!((motion.rotation * DVec3::X - DVec3::NEG_Z).length() < 1e-12);
    assert!((motion.rotation * DVec3::Z - DVec3::Y).length() < 1e-12);
    assert_eq!(flight.phase(), Phase::Ready);
}

/// v = a/c·(1 − e^(−ct)), which ends at a/c.
#[test]
fn a_force_against_drag_ends_at_its_terminal_velocity() {
    for (axis, seconds) in [(DVec3::X, 6.0), (DVec3::NEG_Y, 0.5), (DVec3::Z, 0.5)] {
        let mut flight = straight();
        let (thrust, drag) = (15.0, 1.5);
        let handling = Handling { thrust, drag, ..HANDLING };
        run(&mut flight, &along(axis), &handling, (seconds / STEP).round() as u32);
        let expected = axis * (thrust / drag * (1.0 - libm::exp(-drag * seconds)));
        assert!((velocity(&flight) - expected).length() < 1e-6, "{axis}: {} {expected}", velocity(&flight));
        if seconds > 5.0 {
            assert!((velocity(&flight).x - thrust / drag).abs() < 2e-3);
        }
        assert!(spin(&flight).length() < 1e-9);
    }
}

#[test]
fn engines_turn_about_each_axis_as_the_inertia_tensor_says() {
    for axis in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
        let mut flight = straight();
        let before = flight.motion().rotation;
        flight.step(&about(axis), &HANDLING, STEP).unwrap();
        let tensor = flight.inertia().tensor;
        let moment = axis.dot(tensor * axis);
        // The torque stands still in the world during the step.
        let motion = flight.motion();
        let momentum = motion.rotation * (tensor * (motion.rotation.inverse() * motion.angular_velocity));
        let expected = before * axis * (moment * super::engines::TURN * STEP);
        assert!((momentum - expected).length() < 1e-9 * expected.length(), "{axis}");
        assert!((spin(&flight).dot(axis) / (super::engines::TURN * STEP) - 1.0).abs() < 0.01);
        assert!(flight.motion().velocity.length() < 1e-12);
    }
}

/// Without a wish the autopilot ends drift and spin within two seconds, and goes at most two percent beyond.
#[test]
fn the_autopilot_brings_spin_and_drift_to_rest() {
    for drag in [0.0, 0.5] {
        let mut flight = straight();
        let turn = flight.motion().rotation;
        let (v, w) = (DVec3::new(9.0, -2.5, 2.0), DVec3::new(2.5, -1.0, 1.5));
        flight.throw(turn * v, turn * w);
        let handling = Handling { is_stabilised: true, drag, ..HANDLING };
        let mut beyond: f64 = 0.0;
        for _ in 0..120 {
            flight.step(&Wish::default(), &handling, STEP).unwrap();
            let (drift, turning) =
                (flight.motion().velocity.dot(turn * v), flight.motion().angular_velocity.dot(turn * w));
            beyond = beyond.min(drift / v.length_squared()).min(turning / w.length_squared());
        }
        let (drift, turning) = (flight.motion().velocity.length(), flight.motion().angular_velocity.length());
        assert!(drift < 0.01 * v.length() && turning < 0.01 * w.length(), "{drift} {turning}");
        assert!(beyond > -0.02, "{beyond}");
    }
}

#[test]
fn the_autopilot_brings_about_what_the_pilot_wants() {
    let mut flight = straight();
    let handling = Handling { is_stabilised: true, drag: 0.3, ..HANDLING };
    let mut fastest: f64 = 0.0;
    for _ in 0..180 {
        flight.step(&along(DVec3::X), &handling, STEP).unwrap();
        fastest = fastest.max(velocity(&flight).x);
    }
    assert!((velocity(&flight).x - 15.0).abs() < 0.02 && fastest < 15.02, "{fastest}");
    run(&mut flight, &about(DVec3::Z), &handling, 60);
    assert!((spin(&flight) - DVec3::Z * 1.6).length() < 0.02, "{}", spin(&flight));
}

#[test]
fn the_brake_ends_all_motion_in_either_control() {
    for is_stabilised in [false, true] {
        let mut flight = straight();
        let handling = Handling { is_stabilised, ..HANDLING };
        run(&mut flight, &Wish { along: DVec3::X, about: DVec3::X, ..Wish::default() }, &handling, 60);
        assert!(velocity(&flight).x > 10.0 && spin(&flight).x > 1.0);
        run(&mut flight, &Wish { brakes: true, along: DVec3::X, ..Wish::default() }, &handling, 150);
        assert!(velocity(&flight).length() < 0.01 && spin(&flight).length() < 0.01);
    }
}

#[test]
fn by_force_alone_motion_lasts() {
    let mut flight = straight();
    run(&mut flight, &along(DVec3::X), &HANDLING, 30);
    let (before, engines) = (velocity(&flight), flight.engines().to_vec());
    assert!(engines[0].throttle == 1.0 && engines[1..].iter().all(|engine| engine.throttle == 0.0));
    run(&mut flight, &Wish::default(), &HANDLING, 120);
    assert_eq!(velocity(&flight), before);
}

#[test]
fn time_counts_from_the_first_wish_and_the_end_of_the_tunnel_ends_it() {
    let mut flight = straight();
    run(&mut flight, &Wish::default(), &HANDLING, 60);
    assert_eq!((flight.phase(), flight.tally().seconds), (Phase::Ready, 0.0));
    let handling = Handling { is_stabilised: true, ..HANDLING };
    let mut steps = 0;
    while flight.phase() != Phase::Passed {
        flight.step(&along(DVec3::X), &handling, STEP).unwrap();
        steps += 1;
        assert!(steps < 1200);
    }
    // 190 m at 15 m/s, and half a second more to get there.
    let seconds = flight.tally().seconds;
    assert!((seconds - (190.0 / 15.0 + 0.5)).abs() < 0.3, "{seconds}");
    assert_eq!((flight.cube(), flight.tally().damage), (20, 0.0));
    let points = flight.tally().points();
    assert_eq!(points, (2000.0 - 5.0 * seconds).round());
    // Then the engines brake, and nothing counts any more.
    run(&mut flight, &along(DVec3::X), &handling, 180);
    assert!(flight.motion().velocity.length() < 0.01 && flight.tally().points() == points);
}

#[test]
fn hard_hits_damage_and_wreck() {
    let mut flight = straight();
    let side = flight.motion().rotation * DVec3::Y;
    flight.throw(side * 6.0, DVec3::ZERO);
    run(&mut flight, &along(DVec3::X), &HANDLING, 60);
    let damage = flight.tally().damage;
    assert!(damage > 10.0 && damage < 80.0 && flight.phase() == Phase::Flying, "{damage}");
    flight.throw(side * -60.0, DVec3::ZERO);
    run(&mut flight, &along(DVec3::X), &HANDLING, 60);
    assert_eq!((flight.phase(), flight.tally().damage), (Phase::Wrecked, 100.0));
    assert!(flight.fighter().is_none() && flight.fires().seen().count() == 1);
    run(&mut flight, &along(DVec3::X), &HANDLING, 120);
    assert_eq!(flight.fires().seen().count(), 0);
}

#[test]
fn missiles_leave_one_after_the_other_and_burn_where_they_hit() {
    let course = Course::built_in("easy").unwrap();
    let mut flight = Flight::new(course).unwrap();
    let fires = Wish { fires: true, ..Wish::default() };
    run(&mut flight, &fires, &HANDLING, 30);
    let count = flight.missiles().count() + flight.fires().seen().count();
    assert!((3..=4).contains(&count), "{count}");
    // What the nose points at when all stands still is where the first of them burns.
    let ahead = Ray::new(flight.motion().center, flight.motion().rotation * DVec3::X).unwrap();
    let hit = flight.world().ray(&ahead, 100.0, Filter::new(1, !(MISSILE | 1))).unwrap().1;
    let burning = |flight: &Flight| flight.fires().seen().any(|fire| (fire.at - hit.point).length() < 0.3);
    let seen = (0..60).any(|_| {
        run(&mut flight, &Wish::default(), &HANDLING, 1);
        burning(&flight)
    });
    assert!(seen, "{}", hit.point);
}

/// Numbers between −1 and 1, the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// The centre of every body that moves is in some cube.
fn assert_all_inside(flight: &Flight, what: &str) {
    for (id, body) in flight.world().bodies().filter(|(_, body)| body.kind == BodyType::Dynamic) {
        let center = flight.world().motion(id).unwrap().center;
        assert!(flight.course().contains(center, 0.0), "{what}: {} at {center}", body.name);
    }
}

/// A minute in each tunnel, at full thrust and thrown with 1000 m/s each second, in changing directions, with a
/// missile every other step.
#[test]
fn nothing_ever_leaves_a_tunnel() {
    for tunnel in &TUNNELS[..3] {
        for speed in [0.0, 1000.0] {
            let mut flight = Flight::new(Course::built_in(tunnel).unwrap()).unwrap();
            let handling = Handling { thrust: 100.0, missile_speed: 1000.0, ..HANDLING };
            let mut numbers = Numbers(5);
            let mut wish = Wish::default();
            let mut missiles = 0;
            for step in 0..3600 {
                if step % 60 == 0 {
                    let (along, about) = (numbers.vector().signum(), numbers.vector());
                    wish = Wish { along, about, ..Wish::default() };
                    if speed > 0.0 {
                        flight.throw(numbers.vector().normalize() * speed, numbers.vector() * 5.0);
                    }
                }
                wish.fires = step % 2 == 0;
                missiles += u32::from(wish.fires);
                flight.endure(&wish, &handling, STEP);
                assert_all_inside(&flight, &format!("{tunnel} at {speed} m/s, step {step}"));
            }
            assert!(missiles == 1800 && flight.missiles().count() < 100);
        }
    }
}

fn key(demo: &mut Tunnel, key: Key) {
    demo.step(&Input::of_keys(&[key]), STEP);
}

#[test]
fn keys_choose_control_turning_camera_and_aim() {
    let mut demo = Tunnel::default();
    demo.begin().unwrap();
    key(&mut demo, Key::Num1);
    assert_eq!(demo.choice.control, "force");
    key(&mut demo, Key::Num2);
    assert_eq!(demo.choice.control, "stabilised");
    key(&mut demo, Key::M);
    assert_eq!(demo.choice.turning, "mouse");
    key(&mut demo, Key::Tab);
    assert!(!demo.choice.aim);
    let cameras = [0; 3].map(|_| {
        key(&mut demo, Key::V);
        demo.choice.camera
    });
    assert_eq!(cameras, ["fixed", "free", "chase"]);
    let before = (demo.choice.distance, demo.choice.drag);
    (0..30).for_each(|_| demo.step(&Input::of_held(&[Key::C, Key::T]), STEP));
    assert!(
        (demo.choice.distance - before.0 - 4.0).abs() < 1e-9
            && (demo.choice.drag - before.1 - 0.25).abs() < 1e-9
    );
    (0..600).for_each(|_| demo.step(&Input::of_held(&[Key::X, Key::R]), STEP));
    assert_eq!((demo.choice.distance, demo.choice.drag), (0.0, 0.0));
}

#[test]
fn a_tunnel_of_another_day_is_no_hindrance() {
    let mut demo = Tunnel::default();
    demo.choice.tunnel = "file";
    demo.begin().unwrap();
    assert_eq!(demo.choice.tunnel, "easy");
    assert!(demo.status()[0].starts_with("drop a tunnel file"));
}

/// Keys and for how many steps.
const SCRIPT: [(&[Key], u32); 9] = [
    (&[Key::W], 121),
    (&[], 60),
    (&[Key::ArrowLeft], 61),
    (&[], 30),
    (&[Key::W], 121),
    (&[], 60),
    (&[Key::ArrowRight], 61),
    (&[], 30),
    (&[Key::W], 200),
];

/// The easy tunnel from its first cube to its last.
#[test]
fn the_easy_tunnel_is_flown_by_its_keys() {
    let mut demo = (TUNNEL.make)();
    demo.begin().unwrap();
    for (keys, steps) in SCRIPT {
        (0..steps).for_each(|_| demo.step(&Input::of_held(keys), STEP));
    }
    let status = demo.status();
    assert!(status[0].starts_with("cube 10 of 10") && status[0].contains("damage 0 %"), "{status:?}");
    let banner = demo.banner().unwrap();
    let points: f64 = banner.lines[0].split(' ').next().unwrap().parse().unwrap();
    assert_eq!(demo.score(), Some(points));
    assert!(points > 900.0 && demo.tasks()[0].is_done, "{points}");
    // The best of earlier days stays if it was better.
    demo.set_best(5000.0);
    demo.step(&Input::of_held(&[]), STEP);
    assert_eq!(demo.score(), Some(5000.0));
}
