//! Profiles: what is swept to a solid.

use std::f64::consts::PI;

use sudar::DVec3;
use sudar::glam::{DAffine3, DVec2};

use super::curve::{Curves, endless};
use super::units::{DEEPEST, Units};
use super::value::{Entry, Found};

/// A region of a plane: a ring counter-clockwise, and rings of holes clockwise.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Region {
    pub outer: Vec<DVec2>,
    pub holes: Vec<Vec<DVec2>>,
}

/// Regions, and how far the true boundary is from theirs at most.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Profile {
    pub regions: Vec<Region>,
    pub deviation: f64,
}

/// A corner, and the radius by which it is rounded.
pub(super) type Corner = (f64, f64, f64);

impl Region {
    pub fn new(mut outer: Vec<DVec2>, mut holes: Vec<Vec<DVec2>>) -> Self {
        if area(&outer) < 0.0 {
            outer.reverse();
        }
        for hole in &mut holes {
            if area(hole) > 0.0 {
                hole.reverse();
            }
        }
        Self { outer, holes }
    }
}

/// Twice the area, above zero if counter-clockwise.
fn area(ring: &[DVec2]) -> f64 {
    let origin = ring.first().copied().unwrap_or_default();
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| (*a - origin).perp_dot(*b - origin)).sum()
}

impl Profile {
    fn one(outer: Vec<DVec2>, holes: Vec<Vec<DVec2>>, deviation: f64) -> Self {
        Self { regions: vec![Region::new(outer, holes)], deviation }
    }

    fn moved(mut self, frame: &DAffine3) -> Self {
        let moved = |p: &mut DVec2| *p = frame.transform_point3(p.extend(0.0)).truncate();
        for region in &mut self.regions {
            region.outer.iter_mut().for_each(moved);
            region.holes.iter_mut().flatten().for_each(moved);
            *region = Region::new(std::mem::take(&mut region.outer), std::mem::take(&mut region.holes));
        }
        self.deviation *= stretch(frame);
        self
    }
}

/// By how much a transformation makes lengths longer at most, about.
pub(super) fn stretch(frame: &DAffine3) -> f64 {
    let m = frame.matrix3;
    m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length())
}

impl Curves<'_> {
    pub fn profile(&self, number: u32) -> Found<Profile> {
        self.profile_within(number, DEEPEST)
    }

    fn profile_within(&self, number: u32, depth: usize) -> Found<Profile> {
        let entry = self.step.entry(number)?;
        let depth = depth.checked_sub(1).ok_or_else(|| endless(&entry))?;
        match &*entry.class {
            "IFCARBITRARYCLOSEDPROFILEDEF" => self.rings(entry.reference(2)?, &[]),
            "IFCARBITRARYPROFILEDEFWITHVOIDS" => self.rings(entry.reference(2)?, &entry.references(3)?),
            "IFCCENTERLINEPROFILEDEF" => self.center_line(&entry),
            "IFCDERIVEDPROFILEDEF" => {
                let operator = self.step.operator(entry.reference(3)?)?;
                Ok(self.profile_within(entry.reference(2)?, depth)?.moved(&operator))
            }
            "IFCMIRROREDPROFILEDEF" => {
                let mirror = DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0));
                Ok(self.profile_within(entry.reference(2)?, depth)?.moved(&mirror))
            }
            "IFCCOMPOSITEPROFILEDEF" => {
                let mut all = Profile::default();
                for part in entry.references(2)? {
                    let part = self.profile_within(part, depth)?;
                    all.regions.extend(part.regions);
                    all.deviation = all.deviation.max(part.deviation);
                }
                Ok(all)
            }
            _ => {
                let frame = self.step.axes(entry.get(2).reference())?;
                Ok(self.units.shape(&entry)?.moved(&frame))
            }
        }
    }

    fn rings(&self, outer: u32, holes: &[u32]) -> Found<Profile> {
        let mut deviation = 0.0_f64;
        let mut ring = |number: u32| {
            let row = self.ring(number)?;
            deviation = deviation.max(row.deviation);
            Ok(row.points.into_iter().map(DVec3::truncate).collect())
        };
        let outer = ring(outer)?;
        let holes = holes.iter().map(|hole| ring(*hole)).collect::<Found<_>>()?;
        Ok(Profile::one(outer, holes, deviation))
    }

    /// A band along a curve, half its thickness to either side.
    fn center_line(&self, entry: &Entry<'_>) -> Found<Profile> {
        let row = self.row(entry.reference(2)?)?;
        let half = entry.length(3)? / 2.0;
        let points: Vec<DVec2> = row.points.into_iter().map(DVec3::truncate).collect();
        if points.len() < 2 {
            return Err(entry.wrong(2, "curve of some length"));
        }
        let count = points.len();
        let left = (0..count).map(|i| beside(&points, i, half));
        let right = (0..count).rev().map(|i| beside(&points, i, -half));
        let outer = left.chain(right).collect();
        Ok(Profile::one(outer, Vec::new(), row.deviation))
    }
}

/// The point beside a corner of a row at which lines beside its two sides meet.
fn beside(points: &[DVec2], i: usize, by: f64) -> DVec2 {
    let way = |a: usize, b: usize| (points[b] - points[a]).normalize_or_zero();
    let last = points.len() - 1;
    let (before, after) = (way(i.saturating_sub(1), i.max(1)), way(i.min(last - 1), (i + 1).min(last)));
    let (n, m) = (before.perp(), after.perp());
    let middle = (n + m) / (1.0 + n.dot(m)).max(1e-3);
    points[i] + middle * by
}

/// Profiles by their sizes, about their middle.
impl Units {
    fn shape(self, entry: &Entry<'_>) -> Found<Profile> {
        let size = |i: usize| entry.length(i);
        match &*entry.class {
            "IFCRECTANGLEPROFILEDEF" => Ok(self.polygon(&rectangle(size(3)?, size(4)?, 0.0))),
            "IFCROUNDEDRECTANGLEPROFILEDEF" => {
                Ok(self.polygon(&rectangle(size(3)?, size(4)?, entry.radius(5))))
            }
            "IFCRECTANGLEHOLLOWPROFILEDEF" => self.hollow_rectangle(entry),
            "IFCCIRCLEPROFILEDEF" => Ok(self.round([size(3)?; 2], None)),
            "IFCCIRCLEHOLLOWPROFILEDEF" => {
                let inner = size(3)? - size(4)?;
                if inner <= 0.0 {
                    return Err(entry.wrong(4, "thickness below the radius"));
                }
                Ok(self.round([size(3)?; 2], Some(inner)))
            }
            "IFCELLIPSEPROFILEDEF" => Ok(self.round([size(3)?, size(4)?], None)),
            "IFCTRAPEZIUMPROFILEDEF" => {
                let (bottom, top, height, shift) = (size(3)?, size(4)?, size(5)? / 2.0, entry.number(6)?);
                let left = -bottom / 2.0;
                Ok(self.polygon(&[
                    (left, -height, 0.0),
                    (left + bottom, -height, 0.0),
                    (left + shift + top, height, 0.0),
                    (left + shift, height, 0.0),
                ]))
            }
            _ => Ok(self.polygon(&self.section(entry)?)),
        }
    }

    fn hollow_rectangle(self, entry: &Entry<'_>) -> Found<Profile> {
        let (x, y, thickness) = (entry.length(3)?, entry.length(4)?, entry.length(5)?);
        let inside = [x - 2.0 * thickness, y - 2.0 * thickness];
        if inside[0] <= 0.0 || inside[1] <= 0.0 {
            return Err(entry.wrong(5, "thickness below half the sizes"));
        }
        let outer = self.polygon(&rectangle(x, y, entry.radius(7)));
        let inner = self.polygon(&rectangle(inside[0], inside[1], entry.radius(6)));
        let deviation = outer.deviation.max(inner.deviation);
        let ring = |profile: Profile| profile.regions.into_iter().next().unwrap_or_default().outer;
        Ok(Profile::one(ring(outer), vec![ring(inner)], deviation))
    }

    fn round(self, radii: [f64; 2], inner: Option<f64>) -> Profile {
        let outer = self.ellipse(radii);
        let inner = inner.map(|radius| self.ellipse([radius; 2]));
        let deviation = inner.iter().fold(outer.deviation, |sum, row| sum.max(row.deviation));
        let flat = |points: Vec<DVec3>| points.into_iter().map(DVec3::truncate).collect();
        Profile::one(flat(outer.points), inner.into_iter().map(|row| flat(row.points)).collect(), deviation)
    }

    /// A polygon whose corners are rounded.
    fn polygon(self, corners: &[Corner]) -> Profile {
        let point = |i: usize| DVec2::new(corners[i].0, corners[i].1);
        let n = corners.len();
        let (mut ring, mut deviation) = (Vec::new(), 0.0_f64);
        for (i, &(_, _, radius)) in corners.iter().enumerate() {
            let (u, v) = ((point((i + n - 1) % n) - point(i)), (point((i + 1) % n) - point(i)));
            // Without room for the whole radius there is what there is room for.
            let (u, room) = (u.normalize_or_zero(), u.length().min(v.length()));
            let v = v.normalize_or_zero();
            let half = u.angle_to(v).abs() / 2.0;
            let reach = radius / libm::tan(half);
            if radius <= 0.0 || !(1e-6..=PI / 2.0 - 1e-6).contains(&half) || reach > room {
                ring.push(point(i));
                continue;
            }
            let middle = point(i) + (u + v).normalize() * (radius / libm::sin(half));
            let start = point(i) + u * reach - middle;
            let turn = start.angle_to(point(i) + v * reach - middle);
            let (count, off) = self.pieces(radius, turn);
            deviation = deviation.max(off);
            ring.extend((0..=count).map(|k| {
                let (sin, cos) = libm::sincos(turn * k as f64 / count as f64);
                middle + DVec2::new(cos, sin).rotate(start)
            }));
        }
        Profile::one(ring, Vec::new(), deviation)
    }
}

fn rectangle(x: f64, y: f64, radius: f64) -> [Corner; 4] {
    let (x, y) = (x / 2.0, y / 2.0);
    [(-x, -y, radius), (x, -y, radius), (x, y, radius), (-x, y, radius)]
}
