//! What was found of two parts.

use serde::Serialize;
use sudar::{DVec3, Interval};

use crate::options::ClashKind;
use crate::regions::{Form, Region};

/// In the place of a kind, where the exact one is none.
pub(crate) const APART: &str = "apart";

/// A clash of two parts, `a < b`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Clash {
    /// Number of the first part.
    pub a: usize,
    /// Number of the second part.
    pub b: usize,
    /// What is the matter.
    pub kind: ClashKind,
    /// Whether it may be of another kind, for surfaces deviate from their triangles
    /// ([`ClashOptions::set_deviations`](crate::ClashOptions::set_deviations)): a touch may be an overlap or a gap.
    pub uncertain: bool,
    /// The distance between the two: exactly 0 except for [`ClashKind::Clearance`] and touches that are
    /// [`uncertain`](Self::uncertain), whose triangles may be apart.
    pub distance: Interval,
    /// How deep they overlap, by the measure that `depth_is` names. None for kinds without overlap.
    pub depth: Option<Interval>,
    /// The measure of `depth`. `"region"`, of two solids: that of the deepest [`Region`]. `"penetration"`, if
    /// it was asked for: the length of the shortest translation of `b` that separates the two, see
    /// [`penetration`](fn@sudar::query::penetration). `"box"`, of parts that are no solids and where a budget ran
    /// out: at most the length of the shortest translation along a world axis that separates the bounding boxes
    /// of the two parts; it may be far above any depth.
    pub depth_is: Option<&'static str>,
    /// The shortest translation that takes the parts out of each other as wholes. None for kinds without overlap.
    pub separation: Option<Separation>,
    /// In which way the parts are in each other where they are deepest. None for kinds without overlap and for
    /// parts that are no solids.
    pub form: Option<Form>,
    /// With a band of what counts as touching ([`ClashOptions::set_touch`](crate::ClashOptions::set_touch)): the
    /// name of the exact kind, or `"apart"`. None of solids that overlap, if they do, by no more than some 1e-12 of
    /// their coordinates: these touch by the band, and only a check without one finds out more.
    pub verdict_without_band: Option<&'static str>,
    /// The connected parts of what two solids have in common, the deepest first. None where the band decides.
    pub regions: Vec<Region>,
    /// A point common to both, rounded; for [`ClashKind::Clearance`] the middle between two nearest points.
    pub point: DVec3,
    /// Unit vector from `a` to `b`. Where there is a `depth`, the direction of that; for parts apart, from nearest
    /// point to nearest point. For touching parts the axis along which the bounding boxes only touch, if
    /// there is one; else normal to the plane that separates the first pair of touching triangles that the
    /// plane of one of them separates (where both lie in it, the way the triangle of `a` faces); none if
    /// there is no such pair.
    pub normal: Option<DVec3>,
    /// How many pairs of triangles, one of each part, have a point in common; 0 where the band decides and they are not
    /// counted.
    pub triangle_pairs: usize,
}

impl Clash {
    /// A clash of which no more is known.
    pub(crate) fn new([a, b]: [usize; 2], kind: ClashKind, point: DVec3) -> Self {
        Self {
            a,
            b,
            kind,
            uncertain: false,
            distance: Interval::point(0.0),
            depth: None,
            depth_is: None,
            separation: None,
            form: None,
            verdict_without_band: None,
            regions: Vec::new(),
            point,
            normal: None,
            triangle_pairs: 0,
        }
    }

    /// The same clash with the parts exchanged.
    pub(crate) fn turned(&self) -> Self {
        // Zero minus it, and not its negation, whose zeros would be negative.
        let back = |way: DVec3| DVec3::ZERO - way;
        let turned = |region: &Region| Region { direction: back(region.direction), ..region.clone() };
        let regions = self.regions.iter().map(turned).collect();
        let separation = self.separation.map(|way| Separation { direction: back(way.direction), ..way });
        Self { a: self.b, b: self.a, normal: self.normal.map(back), regions, separation, ..self.clone() }
    }

    /// Whether nothing wider than that was found in what the two have in common. Where they are no solids, whether
    /// their boxes overlap by no more.
    pub(crate) fn is_shallow(&self, band: f64) -> bool {
        if self.regions.is_empty() {
            self.depth.is_some_and(|depth| depth.upper <= band)
        } else {
            self.regions.iter().all(|region| region.depth.lower <= band)
        }
    }
}

/// The shortest translation that takes two parts out of each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Separation {
    /// How long it is: `upper` is long enough, no translation shorter than `lower` is.
    pub length: Interval,
    /// Where `b` moves to: by `length.upper` along this unit vector, and nothing is inside both any more.
    pub direction: DVec3,
}

impl Separation {
    /// The direction in words: `x`, `-z`, or its three numbers.
    pub fn along(&self) -> String {
        let axes = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];
        let nearest = axes.into_iter().find(|(_, axis)| self.direction.dot(*axis).abs() > AXIS);
        match nearest {
            Some((name, axis)) if self.direction.dot(axis) < 0.0 => format!("-{name}"),
            Some((name, _)) => name.to_owned(),
            // Plus zero, for what rounds to -0.
            None => {
                let [x, y, z] = self.direction.to_array().map(|x| (x * 1e3).round() / 1e3 + 0.0);
                format!("({x}, {y}, {z})")
            }
        }
    }
}

/// A direction whose cosine with an axis is above this is called by the name of the axis.
const AXIS: f64 = 0.999_999;
