//! What holds for the contacts of any two bodies.

use glam::DVec3;
use rand::RngExt;
use sudar::query::{Body, Contact, manifold, penetration};
use sudar::{Halfspace, Pose};
use sudar_testing::Random;
use sudar_testing::oracle::setting;

use super::{off_surface, zoo};

/// Bodies whose support points are only found to the accuracy asked for.
fn is_smooth(name: &str) -> bool {
    matches!(name, "cylinder" | "cone" | "ellipsoid")
}

#[track_caller]
fn check(a: (&Body, &Pose), b: (&Body, &Pose), contacts: &[Contact], margin: f64, accuracy: f64, what: &str) {
    for c in contacts {
        let what = format!("{what} {c:?}");
        assert!((c.normal.length() - 1.0).abs() < 1e-12, "{what}");
        assert!((c.depth - c.normal.dot(c.point_a - c.point_b)).abs() < 1e-12, "{what}");
        let aside = (c.point_a - c.point_b) - c.normal * c.depth;
        // The points are on the bodies, and above each other as well as the normal is known: of smooth bodies to the
        // root of what the depth is off, which is up to 1e-12.
        let above = if accuracy > 1e-9 { 1e-5 } else { 1e-9 };
        assert!(aside.length() < above, "{what} {aside}");
        assert!(c.depth >= -margin - accuracy, "{what}");
        for (body, pose, p) in [(a.0, a.1, c.point_a), (b.0, b.1, c.point_b)] {
            let off = off_surface(body, pose, p);
            // Where a search ended it may be inside by what that left open, and never outside.
            assert!((-accuracy..1e-12).contains(&off), "{off} {what}");
        }
    }
    assert!(contacts.len() <= 4);
}

#[test]
fn contacts_lie_on_both_surfaces_and_the_deepest_is_that_of_the_penetration() {
    let rounds: usize =
        std::env::var("SUDAR_ORACLE_MANIFOLD").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let mut rng = Random::new(11);
    let zoo = zoo(&mut rng);
    let mut counts = [0usize; 5];
    for (name_a, a) in &zoo {
        for (name_b, b) in &zoo {
            for round in 0..rounds {
                let (pose_a, pose_b) = (rng.any_pose(0.7), rng.any_pose(0.7));
                let margin = [0.0, 0.3][round % 2];
                let found = penetration(a.at(&pose_a), b.at(&pose_b));
                let contacts = manifold(a.at(&pose_a), b.at(&pose_b), margin);
                let what = format!("{name_a}-{name_b} {round}: {found:?} {contacts:?}");
                counts[contacts.len()] += 1;
                if found.signed.lower > margin {
                    assert!(contacts.is_empty(), "{what}");
                    continue;
                }
                let accuracy = if is_smooth(name_a) || is_smooth(name_b) { 1e-7 } else { 1e-12 };
                check((a, &pose_a), (b, &pose_b), &contacts, margin, accuracy, &what);
                let deepest = contacts.iter().map(|c| c.depth).fold(f64::NEG_INFINITY, f64::max);
                assert!(deepest == contacts[0].depth || contacts[0].depth > deepest - accuracy, "{what}");
                let signed = found.signed.lower + found.signed.width() * 0.5;
                assert!((deepest + signed).abs() < accuracy, "{deepest} {what}");
                let closest =
                    contacts.iter().map(|c| (c.point_a - found.point_a).length()).fold(9.0, f64::min);
                assert!(closest < 1e-3 || deepest_elsewhere(&contacts, accuracy), "{closest} {what}");
            }
        }
    }
    assert!(counts.iter().all(|n| *n > 5 * rounds), "{counts:?}");
}

/// Whether several contacts are equally deep: then the penetration may have found any point between.
fn deepest_elsewhere(contacts: &[Contact], accuracy: f64) -> bool {
    contacts.iter().filter(|c| c.depth > contacts[0].depth - accuracy).count() > 1
}

#[test]
fn swapping_the_bodies_turns_the_normal_and_nothing_else() {
    let mut rng = Random::new(12);
    let zoo = zoo(&mut rng);
    for (name_a, a) in &zoo {
        for (name_b, b) in &zoo {
            let accuracy = if is_smooth(name_a) || is_smooth(name_b) { 1e-3 } else { 1e-9 };
            for _ in 0..setting("SUDAR_ORACLE_MANIFOLD", 20) {
                let (pose_a, pose_b) = (rng.any_pose(0.7), rng.any_pose(0.7));
                let there = manifold(a.at(&pose_a), b.at(&pose_b), 0.2);
                let back = manifold(b.at(&pose_b), a.at(&pose_a), 0.2);
                same(&there, &back, -1.0, accuracy, &format!("{name_a}-{name_b}"));
            }
        }
    }
}

/// That each contact of one list has one of the other at its place, the deepest first.
#[track_caller]
fn same(one: &[Contact], other: &[Contact], sign: f64, accuracy: f64, what: &str) {
    let what = format!("{what} {one:?}\n{other:?}");
    let middle = |c: &Contact| (c.point_a + c.point_b) * 0.5;
    let has =
        |list: &[Contact], c: &Contact| list.iter().any(|d| (middle(c) - middle(d)).length() < accuracy);
    assert!(one.iter().all(|c| has(other, c)) && other.iter().all(|c| has(one, c)), "{what}");
    // Curved bodies may have two contacts closer to each other than they are known, or one.
    assert!(one.len() == other.len() || accuracy > 1e-6, "{what}");
    if let (Some(c), Some(d)) = (one.first(), other.first()) {
        assert!((c.normal - d.normal * sign).length() < accuracy, "{what}");
        assert!((c.depth - d.depth).abs() < accuracy, "{what}");
    }
}

#[test]
fn moving_both_bodies_moves_the_contacts() {
    let mut rng = Random::new(13);
    let zoo = zoo(&mut rng);
    for (name_a, a) in &zoo {
        for (name_b, b) in &zoo {
            let accuracy = if is_smooth(name_a) || is_smooth(name_b) { 1e-3 } else { 1e-9 };
            for _ in 0..setting("SUDAR_ORACLE_MANIFOLD", 10) {
                let (pose_a, pose_b) = (rng.any_pose(0.7), rng.any_pose(0.7));
                let motion = rng.any_pose(5.0);
                let still = manifold(a.at(&pose_a), b.at(&pose_b), 0.2);
                let mut moved = manifold(a.at(&motion.after(&pose_a)), b.at(&motion.after(&pose_b)), 0.2);
                for c in &mut moved {
                    (c.point_a, c.point_b) = (motion.unapply(c.point_a), motion.unapply(c.point_b));
                    c.normal = motion.unrotate(c.normal);
                }
                same(&still, &moved, 1.0, accuracy, &format!("{name_a}-{name_b}"));
            }
        }
    }
}

#[test]
fn on_a_half_space_the_deepest_point_is_that_of_the_penetration() {
    let mut rng = Random::new(14);
    let zoo = zoo(&mut rng);
    for (name, body) in &zoo {
        for round in 0..100 {
            let normal = rng.point() * rng.random_range(0.1..10.0);
            let wall = Body::new(Halfspace::new(normal, rng.random_range(-1.0..1.0)).unwrap());
            let pose = rng.any_pose(1.0);
            let margin = [0.0, 0.3][round % 2];
            let found = penetration(body.at(&pose), wall.at(&Pose::IDENTITY));
            let contacts = manifold(body.at(&pose), wall.at(&Pose::IDENTITY), margin);
            let what = format!("{name} {found:?} {contacts:?}");
            assert_eq!(contacts.is_empty(), found.signed.lower > margin, "{what}");
            for c in &contacts {
                assert!(off_surface(body, &pose, c.point_a).abs() < 1e-12, "{what}");
                assert!(c.depth <= contacts[0].depth + 1e-12 && c.depth >= -margin - 1e-12, "{what}");
                assert!((c.point_a - c.point_b - c.normal * c.depth).length() < 1e-12, "{what}");
            }
            if let Some(c) = contacts.first() {
                assert!((c.depth + found.signed.lower).abs() < 1e-12, "{what}");
            }
        }
    }
}

#[test]
fn scale_changes_nothing_but_the_unit() {
    let contacts = |scale: f64| {
        let slab = super::cuboid(3.0 * scale, 2.0 * scale, scale);
        let turn = super::turned(0.4, DVec3::Z, DVec3::new(0.1, 0.2, 1.9) * scale);
        manifold(slab.at(&Pose::IDENTITY), super::cuboid(scale, scale, scale).at(&turn), 0.0)
    };
    let unit = contacts(1.0);
    assert_eq!(unit.len(), 4);
    for exponent in [-270, -60, 60, 270] {
        let scale = 2.0f64.powi(exponent);
        let scaled: Vec<_> = contacts(scale).iter().map(|c| (c.point_a / scale, c.id)).collect();
        assert_eq!(scaled, unit.iter().map(|c| (c.point_a, c.id)).collect::<Vec<_>>(), "{exponent}");
    }
}
