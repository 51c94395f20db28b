//! Free flight against closed forms.

use super::*;
use sudar::DMat3;
use sudar::dynamics::{MassSpec, ThrusterPair};

#[test]
fn a_projectile_flies_a_parabola_whatever_the_response() {
    for response in ALL_RESPONSES {
        let mut world = World::new(settings(response)).unwrap();
        let mut body = cuboid("stone", [0.1, 0.2, 0.3]);
        (body.position, body.velocity) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 30.0));
        body.angular_velocity = DVec3::new(0.1, 3.0, 0.2);
        world.add(body).unwrap();
        run(&mut world, 5.0, STEP);
        let t = 5.0;
        let expected = DVec3::new(1.0 + 4.0 * t, 2.0 + 5.0 * t, 3.0 + 30.0 * t - 0.5 * 9.81 * t * t);
        // The spring sums sub-steps, which are parabolas too.
        assert!((place(&world, "stone") - expected).length() < 1e-10, "{response}");
    }
}

#[test]
fn drag_forces_and_engines_act_as_their_equations_say() {
    let mut world = World::new(weightless("solver")).unwrap();
    let mut body = ball("ball", 0.5);
    body.matter = MassSpec::Mass(2.0);
    (body.velocity, body.linear_drag, body.force) = (DVec3::X * 3.0, 0.5, DVec3::Y * 4.0);
    body.thrusters = ThrusterPair::twelve(1.0, 0.5);
    body.thrusters[10].throttle = 1.0;
    world.add(body).unwrap();
    run(&mut world, 2.0, 0.1);
    // v = v₀ e^(−ct) + F/(m c)(1 − e^(−ct)).
    let fade = (-1.0_f64).exp();
    let expected = DVec3::new(3.0 * fade, 4.0 / (2.0 * 0.5) * (1.0 - fade), 0.0);
    assert!((velocity(&world, "ball") - expected).length() < 1e-12);
    // Torque 2·1·0.5 about z, I = 2/5·2·0.25.
    let spin = world.motion(id(&world, "ball")).unwrap().angular_velocity;
    assert!((spin - DVec3::Z * (1.0 / 0.2 * 2.0)).length() < 1e-12);
}

#[test]
fn a_heavy_top_precesses_steadily() {
    // A symmetric top under the torque m g l sin θ across its axis: I₃ ω₃ Ω − I₁ Ω² cos θ = m g l.
    let (across, along, precession, spin, tilt) = (1.0, 1.5, 0.5, 20.0, 0.5_f64);
    let pull = along * spin * precession - across * precession * precession * tilt.cos();
    let mut world = World::new(weightless("impulse")).unwrap();
    let mut top = ball("top", 0.5);
    let inertia = DMat3::from_diagonal(DVec3::new(across, across, along));
    top.matter = MassSpec::Given { mass: 1.0, inertia, center: DVec3::ZERO };
    top.rotation = sudar::DQuat::from_rotation_y(tilt);
    let axis = top.rotation * DVec3::Z;
    top.angular_velocity = DVec3::Z * precession + axis * (spin - precession * tilt.cos());
    let top = world.add(top).unwrap();
    let step = 1e-3;
    for _ in 0..4000 {
        let motion = world.motion(top).unwrap();
        // In the middle of the step it will have precessed by half a step.
        let axis = sudar::DQuat::from_rotation_z(0.5 * precession * step) * (motion.rotation * DVec3::Z);
        world.add_force(top, DVec3::ZERO, DVec3::Z.cross(axis) * pull).unwrap();
        world.step(step).unwrap();
    }
    let axis = world.motion(top).unwrap().rotation * DVec3::Z;
    assert!((axis.z - tilt.cos()).abs() < 1e-6, "{axis}");
    assert!((axis.y.atan2(axis.x) - 4.0 * precession).abs() < 1e-6, "{axis}");
}

#[test]
fn torque_free_rotation_conserves_what_it_must() {
    let mut world = World::new(weightless("solver")).unwrap();
    let mut body = cuboid("slab", [0.1, 0.5, 1.0]);
    body.angular_velocity = DVec3::new(0.01, 5.0, 0.02);
    world.add(body).unwrap();
    let first = world.energy();
    run(&mut world, 60.0, STEP);
    let last = world.energy();
    let change = last.kinetic / first.kinetic - 1.0;
    assert!(change.abs() < 1e-12, "{change:e}");
    assert!(
        (last.angular_momentum - first.angular_momentum).length() < 1e-12 * first.angular_momentum.length()
    );
}

#[test]
fn kinematic_bodies_move_with_their_velocities_whatever_is_in_the_way() {
    for response in ALL_RESPONSES {
        let mut world = World::new(weightless(response)).unwrap();
        let mut piston = cuboid("piston", [0.5, 1.0, 1.0]);
        piston.kind = sudar::dynamics::BodyType::Kinematic;
        (piston.velocity, piston.angular_velocity) = (DVec3::X, DVec3::X * 0.5);
        world.add(piston).unwrap();
        let mut ball = ball("ball", 0.5);
        (ball.position, ball.restitution) = (DVec3::X * 2.0, 1.0);
        world.add(ball).unwrap();
        run(&mut world, 3.0, STEP);
        assert!((place(&world, "piston") - DVec3::X * 3.0).length() < 1e-9, "{response}");
        assert!(place(&world, "ball").x > 3.99, "{response}: {}", place(&world, "ball"));
        if !matches!(response, "momentum" | "spring" | "solver") {
            // Elastic: twice the speed of the piston, from t = 1 on.
            assert!((velocity(&world, "ball") - DVec3::X * 2.0).length() < 1e-9, "{response}");
        }
    }
}
