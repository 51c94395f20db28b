//! Directional depth: how far to move in one direction to get out.

use glam::DVec3;

use crate::convex::Accuracy;
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::query::answer::{DistanceOptions, Intersection, rounding};
use crate::query::bodies::{Part, Placed, visit_pairs_by};
use crate::query::distance::Measure;
use crate::query::intersects::Intersects;
use crate::query::penetration::Depth;
use crate::query::penetration_bounds::Extent;
use crate::query::verb::PairVerb;
use crate::shape::Aabb;

/// The **directional depth** of two posed bodies: how far the second has to be moved along a direction u to be clear of
/// the first for good,
///
/// > sup { t ≥ 0 : A and B + t·u have a point in common },
///
/// and 0 if they have none at any t ≥ 0. So for every longer way they are apart. Bodies that are not convex may be
/// apart at a shorter one too, and meet again after it, as a finger on its way out of a row of rings does.
///
/// For solids this is about what is inside, for meshes about their surfaces; the answer is the same, as the last that
/// touches is surface. The length of `direction` plays no part, zero counts as x. Infinite for half-spaces that the way
/// does not lead out of.
///
/// The interval is as narrow as requested unless rounding, the budget or a thousand steps end the search. At
/// its lower end bodies posed there do meet (or it is 0), beyond its upper end they are apart by more than
/// rounding. So it is wide where the last touch is a mere moment, as of two segments that cross: no shift
/// that is a number hits it. Found by conservative advancement from far out (Mirtich 1996, "Impulse-based
/// dynamic simulation of rigid body systems"): bodies that are d apart stay so for a way of d. That takes a
/// distance query a step, and about 21/c steps for nine digits, with c the cosine of the angle between u and
/// the normal where they touch last: slow only where that is a grazing touch.
///
/// ```
/// use sudar::convex::Accuracy;
/// use sudar::query::{Body, depth_along};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let half_way = Pose::from_translation(DVec3::new(0.5, 0.0, 0.0))?;
/// let depth = depth_along(cube.at(&Pose::IDENTITY), cube.at(&half_way), DVec3::X, &Accuracy::default());
/// assert!(depth.contains(0.5) && depth.width() < 1e-9);
/// # Ok::<(), sudar::PoseError>(())
/// ```
pub fn depth_along(a: Placed, b: Placed, direction: DVec3, accuracy: &Accuracy) -> Interval {
    metered(a, b, direction, accuracy, &mut Meter::unlimited())
}

pub(in crate::query) fn metered(
    a: Placed,
    b: Placed,
    direction: DVec3,
    accuracy: &Accuracy,
    meter: &mut Meter,
) -> Interval {
    let size = direction.abs().max_element();
    let direction = if size > 0.0 && size.is_finite() { direction / size } else { DVec3::X };
    let direction = direction / direction.length();
    let mut deepest = Interval::point(0.0);
    // The last part to come clear counts: those that reach farthest towards each other are tested first.
    let rest = visit_pairs_by(
        [a, b],
        0.0,
        |a, b| -overlap(a, b, direction),
        meter,
        |pair, meter| {
            let found = of_parts(pair, direction, accuracy, meter);
            let (lower, upper) = (deepest.lower.max(found.lower), deepest.upper.max(found.upper));
            deepest = Interval { lower, upper };
            -lower
        },
    );
    Interval { upper: deepest.upper.max(-rest), ..deepest }
}

/// How far two boxes reach beyond each other along a unit direction at most, rounded up.
fn overlap(a: &Aabb, b: &Aabb, direction: DVec3) -> f64 {
    if a.reach().max(b.reach()) == f64::INFINITY {
        return f64::INFINITY;
    }
    let top = |aabb: &Aabb, n: DVec3| n.dot(aabb.center()) + n.abs().dot(aabb.extent() * 0.5);
    let rounding = 16.0 * f64::EPSILON * (a.reach() + b.reach());
    top(a, direction) + top(b, -direction) + rounding
}

fn of_parts([p, q]: [&Part; 2], direction: DVec3, accuracy: &Accuracy, meter: &mut Meter) -> Interval {
    match (p.at().farthest(direction), q.at().farthest(-direction)) {
        (Some((top, _)), Some((bottom, _))) => {
            // What rounding may make of a distance of posed bodies.
            let slack = rounding(p.at().aabb().reach() + q.at().aabb().reach());
            let way = Way { p, q, direction, slack };
            // Both are heights rounded up, along the direction and against it.
            way.last_touch((top + bottom).next_up(), accuracy, meter)
        }
        (None, _) | (_, None) => out_of_halfspace([p, q], direction, meter),
    }
}

/// Of two half-spaces, or one and a bounded body: the height over the plane changes evenly along the way.
fn out_of_halfspace(pair: [&Part; 2], direction: DVec3, meter: &mut Meter) -> Interval {
    let found = Depth { accuracy: Accuracy::DEFAULT }.ask_parts(pair, meter);
    let rate = found.normal.dot(direction);
    let Interval { lower, upper } = found.signed;
    let forever = lower == f64::NEG_INFINITY || rate < 0.0 || (rate == 0.0 && lower <= 0.0);
    if forever {
        return Interval::point(f64::INFINITY);
    }
    if rate == 0.0 {
        return Interval::point(0.0);
    }
    // The normal is off by a few ulp, and so is the rate.
    let doubt = 8.0 * f64::EPSILON;
    let least = ((-upper) / (rate + doubt)).max(0.0);
    let most = if rate > doubt { ((-lower) / (rate - doubt)).max(0.0) } else { f64::INFINITY };
    Interval { lower: least, upper: if lower > 0.0 { 0.0 } else { most } }
}

/// The second of two bounded bodies on its way.
struct Way<'a> {
    p: &'a Part<'a>,
    q: &'a Part<'a>,
    direction: DVec3,
    slack: f64,
}

/// Steps after which the search for the last touch gives up.
const STEPS: usize = 1000;

impl Way<'_> {
    /// Where the bodies touch last, which is not beyond `top`.
    fn last_touch(&self, top: f64, accuracy: &Accuracy, meter: &mut Meter) -> Interval {
        let mut depth = Interval { lower: 0.0, upper: top };
        let mut before: Option<[f64; 2]> = None;
        for _ in 0..STEPS {
            if depth.upper <= 0.0 {
                return Interval::point(0.0);
            }
            let wide = depth.upper - depth.lower > accuracy.width(depth.upper);
            let Some(pose) = self.at(depth.upper).filter(|_| wide) else { break };
            let (p, q) = (self.p.at(), self.q.body.at(&pose));
            let found = meter.in_part(|meter| Measure { search: DistanceOptions::EXACT }.ask(p, q, meter));
            if found.interval.upper == 0.0 {
                depth.lower = depth.upper;
                break;
            }
            let now = [depth.upper, found.interval.upper];
            self.probe(before, now, &mut depth, meter);
            before = Some(now);
            let step = found.interval.lower - self.slack;
            // What may be rounding is no way; and a meter that has stopped makes no more steps.
            if step <= 0.0 {
                break;
            }
            depth.upper = (depth.upper - step).max(depth.lower);
        }
        depth.upper = depth.upper.max(0.0);
        self.probe_below(&mut depth, accuracy, meter);
        depth
    }

    /// Tests whether the bodies meet a little way before the upper end, then at twice that way and so on.
    fn probe_below(&self, depth: &mut Interval, accuracy: &Accuracy, meter: &mut Meter) {
        let mut back = 4.0 * self.slack;
        while depth.upper - depth.lower > accuracy.width(depth.upper).max(back) && back > 0.0 {
            self.try_at(depth.upper - back, depth, meter);
            back *= 2.0;
        }
    }

    /// Where the bodies would touch if they went on coming nearer as they did from one step to the next: on flat faces
    /// they do. If they meet there, the depth is no less.
    fn probe(&self, before: Option<[f64; 2]>, [t, d]: [f64; 2], depth: &mut Interval, meter: &mut Meter) {
        let Some([earlier, far]) = before.filter(|[earlier, far]| *earlier > t && *far > d) else { return };
        self.try_at(t - d * (earlier - t) / (far - d) - 4.0 * self.slack, depth, meter);
    }

    /// If the bodies meet at `t`, the depth is no less.
    fn try_at(&self, t: f64, depth: &mut Interval, meter: &mut Meter) {
        if t <= depth.lower || !t.is_finite() {
            return;
        }
        let Some(pose) = self.at(t) else { return };
        if let Intersection::Touching { .. } = Intersects.ask(self.p.at(), self.q.body.at(&pose), meter) {
            depth.lower = t.min(depth.upper);
        }
    }

    /// The second body moved by `t`; `None` if that is out of range.
    fn at(&self, t: f64) -> Option<Pose> {
        Pose::from_translation(self.direction * t).ok().map(|shift| shift.after(&self.q.pose))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Body;
    use crate::shape::{Aabb, Capsule, Cuboid, Halfspace, Mesh, Sphere};
    use crate::testing::at;
    use glam::DQuat;

    fn along(a: &Body, b: &Body, pose_b: &Pose, direction: DVec3) -> Interval {
        depth_along(a.at(&Pose::IDENTITY), b.at(pose_b), direction, &Accuracy::default())
    }

    #[test]
    fn balls_and_boxes_in_closed_form() {
        let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
        // Centres 0.6 apart across the way: they touch last at √(4 − 0.36) along it.
        let found = along(&ball, &ball, &at(0.0, 0.6, 0.0), DVec3::X * 1e-40);
        assert!(found.contains(3.64f64.sqrt()) && found.width() < 1e-8, "{found:?}");
        // Off by one already.
        assert!(along(&ball, &ball, &at(1.0, 0.0, 0.0), DVec3::X).contains(1.0));
        assert_eq!(along(&ball, &ball, &at(3.0, 0.0, 0.0), DVec3::X), Interval::point(0.0));
        let back = along(&ball, &ball, &at(3.0, 0.0, 0.0), -DVec3::X);
        assert!(back.contains(5.0) && back.width() < 1e-8, "{back:?}");
        let cube = Body::new(Cuboid::new(DVec3::ONE).unwrap());
        // Edge against edge along the diagonal: to x = 2 and y = 2 at once, 2√2.
        let found = along(&cube, &cube, &Pose::IDENTITY, DVec3::new(1.0, 1.0, 0.0));
        assert!(found.contains(8f64.sqrt()) && found.width() < 1e-8, "{found:?}");
    }

    #[test]
    fn a_hook_holds_until_it_is_past() {
        // A bar between two walls, moved along x: it is clear of the second wall for good at 7, though it is apart
        // between them from 2 on.
        let wall = |x: f64| Aabb { min: DVec3::new(x, -5.0, -5.0), max: DVec3::new(x + 1.0, 5.0, 5.0) };
        let walls = Mesh::joined(&[wall(0.0), wall(5.0)].map(Mesh::from_aabb)).unwrap();
        let bar = Mesh::from_aabb(Aabb { min: DVec3::new(-1.0, 0.0, 0.0), max: DVec3::ONE });
        let (walls, bar) = (Body::new(walls), Body::new(bar));
        let found = along(&walls, &bar, &Pose::IDENTITY, DVec3::X);
        assert!(found.contains(7.0) && found.width() < 1e-8, "{found:?}");
        // Turned as a whole nothing changes.
        let turn = Pose::new(DVec3::new(3.0, 1.0, -2.0), DQuat::from_scaled_axis(DVec3::new(0.3, 1.0, -2.0)))
            .unwrap();
        let found = depth_along(walls.at(&turn), bar.at(&turn), turn.rotate(DVec3::X), &Accuracy::default());
        assert!((found.lower - 7.0).abs() < 1e-8 && (found.upper - 7.0).abs() < 1e-8, "{found:?}");
    }

    #[test]
    fn the_way_out_of_a_halfspace_may_be_endless() {
        let ground = Body::new(Halfspace { normal: DVec3::Z * 3.0, offset: 0.0 });
        let pill = Body::new(Capsule::new(0.5, 1.0).unwrap());
        // Its lowest point is 1.5 below its centre at 1: half a metre up, or along a slope of 30° a whole one.
        assert!(along(&ground, &pill, &at(0.0, 0.0, 1.0), DVec3::Z).contains(0.5));
        let slope = DVec3::new(3f64.sqrt(), 0.0, 1.0);
        assert!(along(&ground, &pill, &at(0.0, 0.0, 1.0), slope).contains(1.0));
        for way in [DVec3::X, -DVec3::Z] {
            assert_eq!(along(&ground, &pill, &at(0.0, 0.0, 1.0), way).lower, f64::INFINITY);
        }
        assert_eq!(along(&ground, &pill, &at(0.0, 0.0, 4.0), DVec3::X), Interval::point(0.0));
        // Moving the ground instead, down.
        assert!(
            depth_along(
                pill.at(&at(0.0, 0.0, 1.0)),
                ground.at(&Pose::IDENTITY),
                -DVec3::Z,
                &Accuracy::default()
            )
            .contains(0.5)
        );
    }
}
