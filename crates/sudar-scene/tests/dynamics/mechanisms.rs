//! Mechanisms beside reference values: of the IFToMM library of computational benchmark problems, of the test set for
//! initial value problem solvers, and by arithmetic–geometric means and integrators of high order.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use sudar::DVec3;
use sudar::dynamics::DynamicsError;
use sudar_scene::mechanisms::{
    Mechanism, bricard, double_pendulum, four_bar, four_bars, governor, gyroscope, pendulum, slider_crank,
    squeezer,
};

const STEP: f64 = 1.0 / 240.0;

type Model = fn(u32) -> Result<Mechanism, DynamicsError>;

fn xy(x: f64, y: f64) -> DVec3 {
    DVec3::new(x, y, 0.0)
}

/// How far the watched point is from where it is known to be at some times.
fn off(model: Model, substeps: u32, expected: &[(f64, DVec3)]) -> Vec<f64> {
    let mut mechanism = model(substeps).unwrap();
    let mut found = Vec::new();
    for &(time, place) in expected {
        mechanism.run(time - mechanism.world.time(), STEP).unwrap();
        found.push((mechanism.point().unwrap()[0] - place).length());
    }
    found
}

/// The error at the last time falls with the square of the sub-step, and with 16 of them is below a bound.
fn is_of_second_order(name: &str, model: Model, expected: &[(f64, DVec3)], bound: f64) {
    let errors = [1, 4, 16].map(|substeps| off(model, substeps, expected));
    println!("{name}: {errors:?}");
    for (k, _) in expected.iter().enumerate() {
        let [coarse, middle, fine] = [0, 1, 2].map(|i| errors[i][k]);
        assert!(fine < bound, "{name} at {}: {fine}", expected[k].0);
        let orders = [coarse / middle, middle / fine].map(|ratio| ratio.log(4.0));
        assert!(orders.iter().all(|order| (1.8..2.3).contains(order)), "{name}: {orders:?}");
    }
}

#[test]
fn pendulums_are_where_they_are_known_to_be() {
    let level: Model = |substeps| pendulum(FRAC_PI_2, substeps);
    let a01 = [
        (1.0, xy(0.986_291_751_13, -0.165_010_853_13)),
        (5.0, xy(-0.942_305_435_04, -0.334_754_338_41)),
        (10.0, xy(-0.275_087_462_58, -0.961_419_205_10)),
    ];
    is_of_second_order("A01", level, &a01, 5e-6);
    let double =
        [(1.0, xy(-1.444_818_849_9, -1.321_794_461_4)), (3.0, xy(1.876_250_850_7, -0.224_038_497_9))];
    is_of_second_order("double pendulum", double_pendulum, &double, 2e-6);
}

#[test]
fn the_period_of_a_pendulum_is_that_of_the_elliptic_integral() {
    let ratios = [
        (30.0_f64, 1.017_408_797_596),
        (90.0, 1.180_340_599_016),
        (150.0, 1.762_203_729_504),
        (179.0, 3.901_065_160_389),
    ];
    for (angle, ratio) in ratios {
        let period = ratio * TAU / 9.81_f64.sqrt();
        let mut swing = pendulum(angle.to_radians(), 16).unwrap();
        // It passes the lowest place after a quarter of the period.
        let mut last = swing.point().unwrap()[0];
        let found = loop {
            swing.world.step(STEP).unwrap();
            let now = swing.point().unwrap()[0];
            if now.x >= 0.0 {
                break swing.world.time() - STEP * now.x / (now.x - last.x);
            }
            last = now;
        };
        assert!((4.0 * found / period - 1.0).abs() < 2e-5, "{angle}: {} {period}", 4.0 * found);
    }
}

#[test]
fn bricards_mechanism_moves_as_it_is_known_to() {
    let a04 = [
        (1.0, DVec3::new(0.510_501_461, -1.649_167_599, 0.140_123_115)),
        (2.0, DVec3::new(-0.969_340_345, -1.221_246_895, 0.754_278_011)),
    ];
    is_of_second_order("A04", bricard, &a04, 1e-7);
    // The last reference has eight digits.
    let end = [(10.0, DVec3::new(0.999_999_96, -1.000_269_01, 0.999_730_95))];
    assert!(off(bricard, 4, &end)[0] < 2e-7);
}

/// The governor in the angle of its shaft, that of its rods and the height of its slider: accelerations by Lagrange's
/// equations.
fn governor_accelerations([_, lean, height]: [f64; 3], [turn, leaning, rising]: [f64; 3]) -> [f64; 3] {
    let (sine, cosine) = lean.sin_cos();
    // Rods and balls about the top, across their axis and along it; shaft and slider about the vertical.
    let across = 2.0 * (0.3 * 1.0001 / 12.0 + 0.3 * 0.25 + 5.0 + 0.4 * 5.0 * 0.01);
    let along = 2.0 * (0.3 * 2e-4 / 12.0 + 0.4 * 5.0 * 0.01);
    let own = 0.3 * 2e-4 / 12.0 + 3.0 * 0.02 / 12.0;
    // A spring from the slider to the middle of a rod.
    let way = [0.5 * sine, 1.0 - 0.5 * cosine - height];
    let length = way[0].hypot(way[1]);
    let [of_lean, of_height] = [(way[0] * 0.5 * cosine + way[1] * 0.5 * sine) / length, -way[1] / length];
    let pull = 8e5 * (length - 0.5) + 4e4 * (of_lean * leaning + of_height * rising);
    let inertia = across * sine * sine + along * cosine * cosine + own;
    let spun = 2.0 * (across - along) * sine * cosine;
    let weight = 9.81 * sine * 2.0 * (0.3 * 0.5 + 5.0);
    [
        -spun * leaning * turn / inertia,
        (0.5 * spun * turn * turn - weight - 2.0 * pull * of_lean) / across,
        (-3.0 * 9.81 - 2.0 * pull * of_height) / 3.0,
    ]
}

/// Where the slider of the governor is after each of so many seconds, by the method of Runge and Kutta in short steps.
fn governor_slider(seconds: usize) -> Vec<DVec3> {
    let mut state = ([0.0, PI / 6.0, 1.0 - 0.75_f64.sqrt()], [TAU, 0.0, 0.0]);
    let (steps, mut places) = (50_000, Vec::new());
    let step = 1.0 / f64::from(steps);
    let add = |a: [f64; 3], b: [f64; 3], t: f64| [0, 1, 2].map(|k| a[k] + t * b[k]);
    while places.len() < seconds {
        for _ in 0..steps {
            let slope = |(at, rate): ([f64; 3], [f64; 3])| (rate, governor_accelerations(at, rate));
            let moved =
                |(at, rate): ([f64; 3], [f64; 3]), t: f64| (add(state.0, at, t), add(state.1, rate, t));
            let first = slope(state);
            let second = slope(moved(first, 0.5 * step));
            let third = slope(moved(second, 0.5 * step));
            let fourth = slope(moved(third, step));
            for (slope, share) in [(first, 1.0), (second, 2.0), (third, 2.0), (fourth, 1.0)] {
                let part = share * step / 6.0;
                state = (add(state.0, slope.0, part), add(state.1, slope.1, part));
            }
        }
        places.push(DVec3::Z * state.0[2]);
    }
    places
}

/// No digits are published; its springs are stiff and its dampers strong.
#[test]
fn the_governor_is_where_an_integrator_of_high_order_has_it() {
    let slider = governor_slider(5);
    let expected = [1, 3, 5].map(|time| (time as f64, slider[time - 1]));
    let errors = [1, 4, 16].map(|substeps| off(governor, substeps, &expected));
    println!("A05: {slider:.13?} {errors:?}");
    for k in 0..3 {
        let [coarse, middle, fine] = [0, 1, 2].map(|i| errors[i][k]);
        // Springs that are too quick for the sub-step are damped, so that it falls by more than the square.
        assert!(fine < 1e-7 && coarse > 16.0 * middle && middle > 16.0 * fine, "{errors:?}");
    }
}

/// Each time all rods lie on a line the mechanism could go on in several ways.
#[test]
fn four_bars_in_a_row_pass_where_they_are_singular() {
    let two: Model = |substeps| four_bars(2, substeps);
    for (substeps, bound) in [(4, 1e-4), (16, 1e-5)] {
        let error = off(two, substeps, &[(10.0, xy(0.328_458_11, 0.944_518_54))])[0];
        println!("A02, N = 2, {substeps} sub-steps: {error:e}");
        assert!(error < bound, "{substeps}: {error}");
    }
}

#[test]
#[ignore = "takes a minute; the same with forty"]
fn forty_four_bars_in_a_row() {
    let forty: Model = |substeps| four_bars(40, substeps);
    let error = off(forty, 4, &[(20.0, xy(0.410_901_15, 0.911_679_90))])[0];
    println!("A02, N = 40: {error:e}");
    assert!(error < 1e-3, "{error}");
}

#[test]
fn the_squeezer_of_andrews_has_its_published_angles() {
    let expected = [
        15.810_771_196_299_04,
        -15.756_371_059_842_98,
        0.040_822_240_133_073_101,
        -0.534_730_116_322_694_8,
        0.524_409_965_880_530_4,
        0.534_730_116_322_694_8,
        1.048_080_741_042_263,
    ];
    let error = |substeps| {
        let mut it = squeezer(substeps).unwrap();
        it.mechanism.run(0.03, 1e-4).unwrap();
        let [angles, rates] = it.coordinates().unwrap();
        let off = |(a, b): (f64, f64)| ((a - b + PI).rem_euclid(TAU) - PI).abs();
        let angle = angles.into_iter().zip(expected).map(off).fold(0.0, f64::max);
        [angle, (rates[0] - 1_139.920_302_151_208).abs()]
    };
    let errors = [1, 4, 16].map(error);
    println!("A03: {errors:?}");
    assert!(errors[2][0] < 2e-5 && errors[2][1] < 4e-3);
    let orders = [0, 1].map(|k| (errors[k][0] / errors[k + 1][0]).log(4.0));
    assert!(orders.iter().all(|order| (1.9..2.1).contains(order)), "{orders:?}");
}

/// I₁Ω² cos θ − I₃ω₃Ω + m g l = 0, with I₁ about the joint.
#[test]
fn a_gyroscope_on_a_ball_joint_precesses_steadily() {
    let (along, across, distance, angle, turn) = (0.02, 0.015, 0.3, 1.0_f64, 2.0);
    let about_joint = across + distance * distance;
    let momentum = (about_joint * turn * turn * angle.cos() + 9.81 * distance) / turn;
    // Of the spin about its own axis the precession has a part.
    let spin = momentum / along - turn * angle.cos();
    let mut top = gyroscope([along, across], distance, angle, [spin, turn], 4).unwrap();
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..480 {
        top.world.step(STEP).unwrap();
        let height = top.point().unwrap()[0].z;
        (lowest, highest) = (lowest.min(height), highest.max(height));
    }
    let [place, _] = top.point().unwrap();
    // In two seconds it goes on by four radians.
    let off = (place.y.atan2(place.x) - 4.0 + PI).rem_euclid(TAU) - PI;
    println!("gyroscope: {off} {}", highest - lowest);
    assert!(off.abs() < 2e-3 && highest - lowest < 2e-4, "{off} {}", highest - lowest);
}

/// x = r cos φ + √(l² − r² sin² φ), and the four-bar by circles that meet.
#[test]
fn driven_linkages_follow_their_kinematics() {
    let [crank, rod] = [0.3, 0.8];
    let mut it = slider_crank([crank, rod], 5.0, 4).unwrap();
    for _ in 0..480 {
        it.world.step(STEP).unwrap();
        let angle = 5.0 * it.world.time();
        let expected = crank * angle.cos() + (rod * rod - (crank * angle.sin()).powi(2)).sqrt();
        let found = it.point().unwrap()[0];
        assert!((found - DVec3::X * expected).length() < 1e-8, "{angle}: {found} {expected}");
    }
    let [ground, crank, coupler, rocker] = [1.0, 0.3, 0.9, 0.7];
    let mut it = four_bar([ground, crank, coupler, rocker], 3.0, 4).unwrap();
    for _ in 0..960 {
        it.world.step(STEP).unwrap();
        let top = it.point().unwrap()[0];
        let angle = 3.0 * it.world.time();
        let elbow = xy(crank * angle.cos(), crank * angle.sin());
        let lengths = [(top - elbow).length() - coupler, (top - DVec3::X * ground).length() - rocker];
        assert!(lengths.iter().all(|off| off.abs() < 1e-8) && top.y > 0.0, "{angle}: {lengths:?}");
    }
}

#[test]
fn frictionless_mechanisms_keep_their_energy_and_their_gaps_closed() {
    let models: [(&str, Model); 4] = [
        ("pendulum", |substeps| pendulum(FRAC_PI_2, substeps)),
        ("double pendulum", double_pendulum),
        ("four-bars", |substeps| four_bars(2, substeps)),
        ("Bricard", bricard),
    ];
    for (name, model) in models {
        let mut it = model(4).unwrap();
        let (start, mut most, mut gap) = (it.world.energy(), 0.0_f64, 0.0_f64);
        let mut scale = start.kinetic;
        for _ in 0..2400 {
            let report = it.world.step(STEP).unwrap();
            gap = gap.max(report.gap).max(report.twist);
            let now = it.world.energy();
            scale = scale.max(now.kinetic);
            most = most.max((now.total() - start.total()).abs());
        }
        println!("{name}: energy {:e} of {scale}, gap {gap:e}", most / scale);
        assert!(most < 1e-3 * scale && gap < 1e-8, "{name}: {most} {scale} {gap}");
    }
}
