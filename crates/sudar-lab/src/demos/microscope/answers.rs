//! What the engine says about the pair.

use sudar::convex::{Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use sudar::effort::{Budget, Statistics};
use sudar::motion::Motion;
use sudar::pair::{TriangleIntersection, triangle_intersection};
use sudar::query::{
    Contact, Distance, DistanceOptions, Intersection, LocalMinimum, Penetration, Sweep, SweepOptions, Work,
};
use sudar::{DVec3, Pose, Triangle};

use super::model::Model;

/// What is asked and shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown {
    pub first: bool,
    pub contacts: bool,
    pub distance: bool,
    pub minima: bool,
    pub plane: bool,
    pub manifold: bool,
    pub penetration: bool,
    pub impact: bool,
    /// How far minima and manifolds look, in metres.
    pub reach: f64,
}

/// A separating plane of the convex hulls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Halfway between the hulls.
    pub at: DVec3,
    /// From the first to the second.
    pub normal: DVec3,
    /// How far the hulls are apart.
    pub gap: f64,
}

/// Triangles that meet the other body.
#[derive(Debug, Clone, PartialEq)]
pub enum Contacts {
    /// Pairs of two bodies with triangles, and whether these are all.
    Pairs(Vec<[u32; 2]>, bool),
    /// Those of the body of this number: the other is round and has none.
    OfOne(usize, Vec<u32>),
    /// Neither has any.
    None,
}

impl Contacts {
    /// The triangles of a body that meet the other; some more than once.
    pub fn of(&self, side: usize) -> Vec<u32> {
        match self {
            Self::Pairs(pairs, _) => pairs.iter().map(|pair| pair[side]).collect(),
            Self::OfOne(one, triangles) if *one == side => triangles.clone(),
            Self::OfOne(..) | Self::None => Vec::new(),
        }
    }
}

/// Answers to what is asked; `None` to what is not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answers {
    /// Whether they meet, and two triangles that do.
    pub first: Option<(Intersection, Option<[Triangle; 2]>)>,
    pub contacts: Option<Contacts>,
    /// What these triangles have in common.
    pub curve: Vec<[DVec3; 2]>,
    pub distance: Option<Distance>,
    pub minima: Option<Vec<LocalMinimum>>,
    /// `Some(None)`: the hulls meet.
    pub plane: Option<Option<Plane>>,
    pub manifold: Option<Vec<Contact>>,
    pub penetration: Option<Penetration>,
    pub impact: Option<Sweep>,
    /// What the search for all contacts took, or that for the first hit.
    pub effort: Statistics,
}

/// A question may open so many nodes: some tenths of a second at worst.
const BUDGET: Budget = Budget::nodes(400_000);

/// More pairs than this are not drawn.
const MOST_PAIRS: usize = 4000;

/// Answers all that is asked about two models at their poses; the second moves from where it is at first to its end.
pub fn ask(models: [&Model; 2], poses: [&Pose; 2], way: &Motion, shown: &Shown) -> Answers {
    let [a, b] = [0, 1].map(|k| models[k].body.at(poses[k]));
    let mut answers = Answers::default();
    let mut work = Work::new(BUDGET);
    if shown.first {
        let found = work.intersects(a, b);
        answers.effort = work.statistics();
        answers.first = Some((found, meeting(models, poses, found)));
    }
    if shown.contacts {
        let mut work = Work::new(BUDGET);
        let found = match [models[0].is_round(), models[1].is_round()] {
            [false, false] => {
                let found = work.contacts_up_to(a, b, MOST_PAIRS);
                answers.curve = curve(models, poses, &found.found);
                Contacts::Pairs(found.found, found.complete)
            }
            [false, true] => Contacts::OfOne(0, work.triangles_touching(a, b).found),
            [true, false] => Contacts::OfOne(1, work.triangles_touching(b, a).found),
            [true, true] => Contacts::None,
        };
        answers.effort = work.statistics();
        answers.contacts = Some(found);
    }
    answers.distance = shown.distance.then(|| work.distance(a, b, &DistanceOptions::EXACT));
    answers.minima = shown.minima.then(|| work.local_minima(a, b, shown.reach).found);
    answers.plane = shown.plane.then(|| plane(models, poses));
    answers.manifold = shown.manifold.then(|| work.manifold(a, b, shown.reach).found);
    answers.penetration = shown.penetration.then(|| work.penetration(a, b));
    let still = Motion::still(poses[0]);
    answers.impact = shown.impact.then(|| {
        let moving = [models[0].body.moving(&still), models[1].body.moving(way)];
        work.sweep(moving[0], moving[1], &SweepOptions::of_scene(moving))
    });
    answers
}

/// The triangles of the first hit, if the bodies have any.
fn meeting(models: [&Model; 2], poses: [&Pose; 2], found: Intersection) -> Option<[Triangle; 2]> {
    let Intersection::Touching { features } = found else { return None };
    let triangle = |k: usize| models[k].body.posed_triangle(poses[k], features[k]);
    Some([triangle(0)?, triangle(1)?])
}

/// Where triangles meet: segments, and the borders of what coplanar ones share.
fn curve(models: [&Model; 2], poses: [&Pose; 2], pairs: &[[u32; 2]]) -> Vec<[DVec3; 2]> {
    let mut curve = Vec::new();
    for [i, j] in pairs {
        let triangles =
            (models[0].body.posed_triangle(poses[0], *i), models[1].body.posed_triangle(poses[1], *j));
        let (Some(s), Some(t)) = triangles else { continue };
        match triangle_intersection(&s, &t) {
            Some(TriangleIntersection::Segment(segment)) => curve.push([segment.a, segment.b]),
            Some(TriangleIntersection::Polygon(corners)) => {
                curve.extend((0..corners.len()).map(|k| [corners[k], corners[(k + 1) % corners.len()]]));
            }
            Some(TriangleIntersection::Point(_)) | None => {}
        }
    }
    curve
}

/// Between the convex hulls, where these are apart.
fn plane(models: [&Model; 2], poses: [&Pose; 2]) -> Option<Plane> {
    let (a, b) = (models[0].convex.as_ref()?, models[1].convex.as_ref()?);
    let difference = Difference::new(PosedConvex::new(a, poses[0]), PosedConvex::new(b, poses[1]));
    let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
    let margins = [a.margin(), b.margin()];
    let gap = found.distance.lower - margins[0] - margins[1];
    let normal = (-found.nearest).try_normalize().filter(|_| gap > 0.0)?;
    let (offset, _) = found.simplex.witnesses();
    let on_first = difference.a.center() + offset + normal * margins[0];
    Some(Plane { at: on_first + normal * (0.5 * gap), normal, gap })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::microscope::model::built_in;
    use crate::demos::microscope::stand::Stand;

    const ALL: Shown = Shown {
        first: true,
        contacts: true,
        distance: true,
        minima: true,
        plane: true,
        manifold: true,
        penetration: true,
        impact: true,
        reach: 5.0,
    };

    fn answers(a: &str, b: &str, from: Stand, to: Stand) -> Answers {
        let models = [built_in(a).unwrap(), built_in(b).unwrap()];
        let (start, end) = (from.pose(), to.pose());
        let way = Motion::between(&start, &end);
        ask([&models[0], &models[1]], [&Pose::IDENTITY, &start], &way, &ALL)
    }

    /// Two balls of radius 0.8 with their middles 3 apart, one of which moves 2 towards the other.
    #[test]
    fn of_two_balls_everything_is_known() {
        let found = answers("ball", "ball", Stand::new(3.0, 0.0, 0.0), Stand::new(1.0, 0.0, 0.0));
        assert_eq!(found.first, Some((Intersection::Apart, None)));
        assert!((found.distance.unwrap().interval.contains(1.4)));
        assert!((found.penetration.unwrap().signed.contains(1.4)));
        let plane = found.plane.unwrap().unwrap();
        assert!((plane.at - DVec3::X * 1.5).length() < 1e-9 && (plane.normal - DVec3::X).length() < 1e-9);
        assert!((plane.gap - 1.4).abs() < 1e-9);
        let time = found.impact.unwrap().impact().unwrap().time;
        assert!(time.lower <= 0.7 && time.upper >= 0.7 - 1e-5, "{time:?}");
        assert_eq!(found.minima.unwrap().len(), 1);
        assert_eq!(found.contacts, Some(Contacts::None));
    }

    /// A ball of radius 0.8 whose middle is 0.7 above the upper face of a box: triangles of that face alone.
    #[test]
    fn a_round_body_marks_the_triangles_of_the_other() {
        let stand = Stand::new(0.0, 0.0, 1.15);
        for (names, side) in [(["box", "ball"], 0), (["ball", "box"], 1)] {
            let place = if side == 0 { stand } else { Stand::new(0.0, 0.0, -1.15) };
            let found = answers(names[0], names[1], place, place);
            let contacts = found.contacts.unwrap();
            assert_eq!(contacts, Contacts::OfOne(side, vec![10, 11]));
            assert!(contacts.of(side) == [10, 11] && contacts.of(1 - side).is_empty());
        }
    }

    /// Boxes of half sides 0.9, 0.6 and 0.45, the second 0.1 deep in the first along x.
    #[test]
    fn of_two_boxes_depth_and_curve_are_known() {
        let found = answers("box", "box", Stand::new(1.7, 0.1, 0.05), Stand::new(1.7, 0.1, 0.05));
        assert!(found.penetration.unwrap().signed.contains(-0.1));
        assert_eq!(found.plane, Some(None));
        let (_, triangles) = found.first.unwrap();
        assert!(triangles.is_some());
        // The curve lies on both boxes: within the overlap of 0.1, 1.1 and 0.85.
        assert!(!found.curve.is_empty());
        for point in found.curve.concat() {
            assert!((0.8 - 1e-9..=0.9 + 1e-9).contains(&point.x), "{point}");
        }
        assert!(found.manifold.unwrap().iter().all(|contact| contact.normal.x > 0.99));
        assert!(found.effort.nodes > 0);
    }
}
