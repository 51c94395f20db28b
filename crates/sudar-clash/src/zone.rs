//! Clearance zones: room beside parts that others have to leave free, as the swing of a door and the space before a
//! cabinet.

use sudar::glam::{DMat3, DVec2};
use sudar::query::{Body, DistanceOptions, Intersection, distance, intersects};
use sudar::{Aabb, Cuboid, DVec3, Pose, Shape};

use crate::found::Clash;
use crate::options::{ClashKind, ClashOptions, PartSet};
use crate::part::{Assembly, Part};
use crate::report::ClashReport;

/// Room beside parts that others have to leave free.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// What it is called.
    pub name: String,
    /// The parts that have it.
    pub of: PartSet,
    /// The parts that have to leave it free.
    pub against: PartSet,
    /// How far it reaches.
    pub room: Room,
}

/// How far a zone reaches beyond the upright box with the least area on the ground that holds a part.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Room {
    /// To both sides across the longer side of the box, seen from above: before and behind a door.
    pub across: f64,
    /// At both ends of its longer side.
    pub along: f64,
    /// Above it.
    pub above: f64,
    /// Below it.
    pub below: f64,
}

/// Adds clashes of kind clearance for parts that are in a zone of another and do not clash with it otherwise. Gives,
/// for each clash that is in a zone, its pair and the number of the zone. What reaches in by no more than the band of
/// what counts as touching is not in. Costs O(z·n) for z parts with zones of n, and exact tests where boxes meet.
pub(crate) fn add(
    report: &mut ClashReport,
    assembly: &Assembly,
    zones: &[Zone],
    options: &ClashOptions,
) -> Vec<([usize; 2], usize)> {
    let boxes: Vec<Aabb> = assembly.parts.iter().map(|part| part.body.aabb(&part.pose)).collect();
    let mut found = Vec::new();
    for (number, zone) in zones.iter().enumerate() {
        for owner in (0..assembly.parts.len()).filter(|&i| zone.of.contains(i)) {
            let Some((body, pose)) = upright(&assembly.parts[owner], zone.room, options.touch()) else {
                continue;
            };
            let around = body.aabb(&pose);
            let others = (0..boxes.len()).filter(|&i| i != owner && zone.against.contains(i));
            for other in others.filter(|&i| overlap(&boxes[i], &around)) {
                let pair = [owner.min(other), owner.max(other)];
                let part = &assembly.parts[other];
                if options.is_wanted(pair[0], pair[1])
                    && intersects(body.at(&pose), part.body.at(&part.pose)) != Intersection::Apart
                {
                    found.push((pair, number));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|(pair, _)| *pair);
    found.retain(|(pair, _)| is_reported(report, assembly, *pair, options));
    report.clashes.sort_by_key(|clash| (clash.a, clash.b));
    found
}

fn overlap(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

/// Whether a pair is among the clashes, or is added to them.
fn is_reported(
    report: &mut ClashReport,
    assembly: &Assembly,
    [a, b]: [usize; 2],
    options: &ClashOptions,
) -> bool {
    if let Some(known) = report.clashes.iter().find(|clash| [clash.a, clash.b] == [a, b]) {
        return known.kind == ClashKind::Clearance;
    }
    if options.is_left_out(a, b, ClashKind::Clearance, 0.0) {
        return false;
    }
    let [first, second] = [a, b].map(|i| &assembly.parts[i]);
    let found = distance(first.body.at(&first.pose), second.body.at(&second.pose), &DistanceOptions::EXACT);
    // Parts that meet, and are no clash since a rule says so, are none here either.
    if found.interval.upper == 0.0 {
        return false;
    }
    let normal = (found.point_b - found.point_a).try_normalize();
    let clash = Clash::new([a, b], ClashKind::Clearance, found.point_a.midpoint(found.point_b));
    report.clashes.push(Clash { distance: found.interval, normal, ..clash });
    true
}

/// The upright box with the least area on the ground around a part, with its room, less the band.
fn upright(part: &Part, room: Room, band: f64) -> Option<(Body, Pose)> {
    let mesh = part.body.mesh()?;
    let corners: Vec<DVec3> = mesh.vertices().iter().map(|p| part.pose.apply(*p)).collect();
    let (low, high) = corners
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p.z), high.max(p.z)));
    let (way, min, max) = least_rectangle(&corners)?;
    let size = max - min;
    let (x, y) = if size.x >= size.y { (room.along, room.across) } else { (room.across, room.along) };
    let (min, max) =
        (min.extend(low) - DVec3::new(x, y, room.below), max.extend(high) + DVec3::new(x, y, room.above));
    let half = (max - min) / 2.0 - band;
    let across = DVec2::new(-way.y, way.x);
    let turn = DMat3::from_cols(way.extend(0.0), across.extend(0.0), DVec3::Z);
    let cuboid = Cuboid::new(half).ok()?;
    let pose = Pose::from_matrix(turn, turn * ((min + max) / 2.0)).ok()?;
    Some((Body::new(Shape::Cuboid(cuboid)), pose))
}

/// Of the rectangles around points seen from above that with the least area: the way of its first axis, and its corners
/// along both. One of its sides lies along the hull (H. Freeman and R. Shapira 1975, "Determining the minimum-area
/// encasing rectangle for an arbitrary closed curve").
fn least_rectangle(points: &[DVec3]) -> Option<(DVec2, DVec2, DVec2)> {
    let hull = hull(points.iter().map(|p| p.truncate()).collect());
    let sides = hull.iter().zip(hull.iter().cycle().skip(1)).filter_map(|(a, b)| (*b - *a).try_normalize());
    // Along the axes first, so that these stay exact where no other is smaller.
    let ways = std::iter::once(DVec2::X).chain(sides);
    let bounds = |way: DVec2| {
        let across = DVec2::new(-way.y, way.x);
        let along = hull.iter().map(|p| DVec2::new(p.dot(way), p.dot(across)));
        along.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(min, max), p| (min.min(p), max.max(p)))
    };
    let all = ways.map(|way| (way, bounds(way)));
    let area = |(min, max): (DVec2, DVec2)| (max - min).element_product();
    let mut best: Option<(DVec2, (DVec2, DVec2))> = None;
    for (way, found) in all {
        if best.is_none_or(|(_, known)| area(found) < area(known) * (1.0 - 1e-9)) {
            best = Some((way, found));
        }
    }
    best.map(|(way, (min, max))| (way, min, max))
}

/// The corners of the convex hull of points of a plane, counter-clockwise (A. M. Andrew 1979, "Another efficient
/// algorithm for convex hulls in two dimensions"), rounded: it decides nothing but the way of a box.
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    points.dedup();
    let mut hull: Vec<DVec2> = Vec::new();
    for is_back in [false, true] {
        let start = hull.len();
        let mut add = |p: DVec2| {
            while let [.., a, b] = hull[start.min(hull.len())..] {
                if (b - a).perp_dot(p - b) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(p);
        };
        if is_back {
            points.iter().rev().for_each(|p| add(*p));
        } else {
            points.iter().for_each(|p| add(*p));
        }
        hull.pop();
    }
    if hull.is_empty() { points } else { hull }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sudar::{DQuat, Mesh};

    use super::*;
    use crate::{body_of, find_clashes};

    fn block(name: &str, min: DVec3, max: DVec3, pose: Pose) -> Part {
        Part { name: name.to_owned(), body: body_of(Arc::new(Mesh::from_aabb(Aabb { min, max }))), pose }
    }

    /// A door of 1 × 0.05 × 2, turned in plan, whose swing reaches 0.9 to both sides: posts before it are in, or not.
    #[test]
    fn what_stands_in_a_swing_is_found_however_the_door_is_turned() {
        for angle in [0.0, 0.3, 1.2, 2.0] {
            let pose = Pose::new(DVec3::new(100.0, -50.0, 3.0), DQuat::from_rotation_z(angle)).unwrap();
            let post = |name: &str, x: f64, y: f64, z: f64| {
                let at = DVec3::new(x, y, z);
                block(name, at - DVec3::new(0.05, 0.05, 0.0), at + DVec3::new(0.05, 0.05, 1.0), pose)
            };
            let parts = vec![
                block("door", DVec3::ZERO, DVec3::new(1.0, 0.05, 2.0), pose),
                post("before", 0.5, 0.8, 0.0),
                post("behind", 0.5, -0.9, 0.0),
                post("beside", 1.3, 0.5, 0.0),
                post("too far", 0.5, 1.02, 0.0),
                post("above", 0.5, 0.5, 2.01),
            ];
            let assembly = Assembly { parts };
            let options = ClashOptions::new(0.0).unwrap();
            let mut report = find_clashes(&assembly, &options, &|_, _| {}).unwrap();
            assert!(report.clashes.is_empty());
            let zone = Zone {
                name: "swing".to_owned(),
                of: (0..6).map(|i| i == 0).collect(),
                against: (0..6).map(|_| true).collect(),
                room: Room { across: 0.9, ..Room::default() },
            };
            let found = add(&mut report, &assembly, &[zone], &options);
            assert_eq!(found, [([0, 1], 0), ([0, 2], 0)], "{angle}");
            let gaps: Vec<f64> = report.clashes.iter().map(|clash| clash.distance.lower).collect();
            assert!((gaps[0] - 0.7).abs() < 1e-9 && (gaps[1] - 0.85).abs() < 1e-9, "{gaps:?}");
        }
    }
}
