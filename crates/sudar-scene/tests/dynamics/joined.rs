//! What joints hold together rests, and gets no energy from nowhere.

use sudar::DVec3;
use sudar::broad::Filter;
use sudar::dynamics::{DynamicsError, RigidBody, Settings, World};
use sudar::shape::Sphere;
use sudar_classic::ALL_RESPONSES;
use sudar_classic::response::response;
use sudar_scene::{Scene, SceneError, card_house, cars, crane, crawler, net, ragdolls, ropes};
use sudar_testing::joints::{Jumble, Outcome};
use sudar_testing::oracle::setting;

fn places(world: &World) -> Vec<DVec3> {
    world.bodies().map(|(body, _)| world.motion(body).unwrap().center).collect()
}

/// How far a body moves in ten seconds after it has had some to come to rest, and the largest gap and twist on the way.
fn moved(scene: &Scene, seconds: u32) -> [f64; 3] {
    let mut scene = scene.clone();
    scene.settings.sleeps = false;
    let mut world = scene.world().unwrap();
    let mut off = [0.0_f64; 2];
    let mut run = |world: &mut World, seconds: u32| {
        for _ in 0..60 * seconds {
            let report = world.step(1.0 / 60.0).unwrap();
            off = [off[0].max(report.gap), off[1].max(report.twist)];
        }
    };
    run(&mut world, seconds);
    let before = places(&world);
    let mut most: f64 = 0.0;
    for _ in 0..10 {
        run(&mut world, 1);
        let there = places(&world);
        most = before.iter().zip(&there).map(|(a, b)| a.distance(*b)).fold(most, f64::max);
    }
    [most, off[0], off[1]]
}

fn rests(name: &str, scene: &Scene, seconds: u32) {
    let [moved, gap, twist] = moved(scene, seconds);
    println!("{name}: moved {moved:e}, gap {gap:e}, twist {twist:e}");
    assert!(moved < 1e-4 && gap < 1e-6 && twist < 1e-6, "{name}: {moved} {gap} {twist}");
}

#[test]
fn a_house_of_hinged_cards_rests() {
    rests("card house", &card_house(3).unwrap(), 2);
}

#[test]
fn a_car_on_tracks_rests() {
    rests("crawler", &crawler(22).unwrap(), 4);
}

#[test]
fn ragdolls_rest() {
    // Limbs are round, and some roll for a minute.
    for count in [1, 2, 3, 6, 7] {
        rests("ragdolls", &ragdolls(count).unwrap(), 100);
    }
}

/// `SUDAR_SECONDS=3600` runs for an hour.
#[test]
fn long_runs_lose_nothing_and_gain_no_energy() {
    let scenes = [ragdolls(3), cars(3), ropes(2, 20), crane(20)].map(Result::unwrap);
    for (name, mut scene) in ["ragdolls", "cars", "ropes", "crane"].into_iter().zip(scenes) {
        scene.settings.sleeps = false;
        let mut world = scene.world().unwrap();
        // Until the motors of the cars have brought them to their speed.
        (0..300).for_each(|_| drop(world.step(1.0 / 60.0).unwrap()));
        let start = world.energy().total();
        let (mut gap, mut most, mut fastest) = (0.0_f64, start, 0.0_f64);
        for _ in 0..setting("SUDAR_SECONDS", 10.0) as u32 {
            for _ in 0..60 {
                gap = gap.max(world.step(1.0 / 60.0).unwrap().gap);
            }
            most = most.max(world.energy().total());
            let motions: Vec<_> = world.bodies().map(|(body, _)| world.motion(body).unwrap()).collect();
            fastest = motions.iter().map(|motion| motion.velocity.length()).fold(fastest, f64::max);
            // On the floor, and the cars no farther than they can have driven.
            let is_here = |center: DVec3| center.is_finite() && center.z > -1.0 && center.length() < 1e5;
            assert!(motions.iter().all(|motion| is_here(motion.center)), "{name}");
        }
        println!(
            "{name}: gap {gap:e}, energy {start} to {most} and {}, {fastest} m/s",
            world.energy().total()
        );
        // The motor of the crane works on.
        let may = if name == "crane" { 0.02 } else { 1e-3 };
        assert!(
            most <= start + may * start.abs() && gap < 1e-6 && fastest < 60.0,
            "{name}: {most} {gap} {fastest}"
        );
    }
}

/// Tension turns the knots of a net so quickly that they are given moments of inertia, which come and go.
#[test]
fn nets_that_fall_get_no_energy() {
    for substeps in [1, 4] {
        let mut scene = net(8).unwrap();
        scene.settings.substeps = substeps;
        scene.bodies.iter_mut().for_each(|body| body.filter = Filter { mask: 0, ..Filter::ALL });
        let mut world = scene.world().unwrap();
        let (mut least, mut gap) = (world.energy().total(), 0.0_f64);
        for step in 0..300 {
            gap = gap.max(world.step(1.0 / 60.0).unwrap().gap);
            let energy = world.energy();
            // One per cent of what moves, in any step, is the error of the method.
            assert!(energy.total() < least + 0.02 * energy.kinetic + 1e-6, "{step}: {energy:?} {least}");
            least = least.min(energy.total());
        }
        assert!(gap < if substeps == 1 { 1e-4 } else { 1e-6 }, "{gap}");
    }
}

/// Of nets whose factors would fill, rows yield: the net hangs, and falls over a ball, at gaps of millimetres.
#[test]
fn large_nets_lose_energy_alone_and_hold_to_millimetres() {
    let mut scene = net(16).unwrap();
    let ball = RigidBody::fixed("ball", Sphere::new(DVec3::ZERO, 4.0).unwrap());
    scene.bodies.push(RigidBody { position: DVec3::new(9.0, 7.0, 9.0), ..ball });
    let mut world = scene.world().unwrap();
    let (mut least, mut gap, mut touched) = (world.energy().total(), 0.0_f64, 0);
    for step in 0..600 {
        let report = world.step(1.0 / 60.0).unwrap();
        (gap, touched) = (gap.max(report.gap), touched.max(report.touches.len()));
        let energy = world.energy();
        assert!(energy.total() < least + 0.02 * energy.kinetic + 1e-6, "{step}: {energy:?} {least}");
        least = least.min(energy.total());
    }
    println!("gap {gap:e}, {touched} contacts, {:?}", world.energy());
    assert!(gap < 5e-3 && touched > 10, "{gap} {touched}");
}

/// `SUDAR_JUMBLES=10000` tries so many. Joints that contradict each other have gaps, but nobody runs away.
#[test]
fn random_joints_of_every_kind_lose_nothing() {
    let mut sane = 0;
    for seed in 0..setting("SUDAR_JUMBLES", 30.0) as u64 {
        let outcome = Jumble::new(seed).run(120, seed % 2 == 1);
        println!("{seed}: {outcome:?}");
        let Outcome { speed, is_passive, is_sane, energy, .. } = outcome;
        if is_sane {
            sane += 1;
            assert!(speed < 60.0, "{seed}: {outcome:?}");
        }
        if is_passive {
            assert!(energy[1] <= energy[0] + 0.01 * energy[0].abs() + 1e-3, "{seed}: {outcome:?}");
        }
    }
    assert!(sane > 5);
}

#[test]
fn responses_that_go_from_contact_to_contact_refuse_joints() {
    let mut refused = 0;
    for name in ALL_RESPONSES {
        let response = response(name).unwrap();
        if response.keeps_joints() {
            continue;
        }
        refused += 1;
        let mut scene = card_house(1).unwrap();
        let mut world = scene.world().unwrap();
        scene.settings.response = response.clone();
        let error = scene.world().unwrap_err();
        let is_named = matches!(error, SceneError::World(DynamicsError::Setting { key: "response", .. }));
        assert!(is_named, "{name}: {error:?}");
        // A world that has joints stays as it is.
        let before = world.energy();
        assert!(world.set_settings(Settings { response, ..Settings::default() }).is_err(), "{name}");
        assert!(world.joints().count() == 1 && world.energy() == before);
        world.step(1.0 / 60.0).unwrap();
    }
    assert!(refused > 2, "{refused}");
}
