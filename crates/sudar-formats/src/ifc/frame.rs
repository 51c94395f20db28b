//! Points, directions, placements and transformations.

use std::collections::HashMap;

use sudar::DVec3;
use sudar::glam::{DAffine3, DMat3};

use super::value::{Entry, Found, Lost};
use crate::step::Step;

/// Longer chains of placements are none.
const LONGEST: usize = 1000;

impl Step<'_> {
    /// A point; one in a plane has z = 0.
    pub(super) fn point(&self, number: u32) -> Found<DVec3> {
        let entry = self.entry(number)?;
        vector(&entry, 0)
    }

    /// A direction of length 1.
    pub(super) fn direction(&self, number: u32) -> Found<DVec3> {
        let entry = self.entry(number)?;
        let found = vector(&entry, 0)?;
        // Scaled first, for numbers whose squares are too large or small.
        let scaled = found / found.abs().max_element();
        scaled.try_normalize().ok_or_else(|| Lost(format!("#{number} {}: has no direction", entry.class)))
    }

    fn direction_or(&self, entry: &Entry<'_>, i: usize, usual: DVec3) -> Found<DVec3> {
        entry.get(i).reference().map_or(Ok(usual), |number| self.direction(number))
    }

    /// An axis placement, in a plane or in space; none is the identity.
    pub(super) fn axes(&self, number: Option<u32>) -> Found<DAffine3> {
        let Some(number) = number else { return Ok(DAffine3::IDENTITY) };
        let entry = self.entry(number)?;
        let origin = self.point(entry.reference(0)?)?;
        let axes = match &*entry.class {
            "IFCAXIS2PLACEMENT2D" => {
                let x = self.direction_or(&entry, 1, DVec3::X)?;
                DMat3::from_cols(x, DVec3::new(-x.y, x.x, 0.0), DVec3::Z)
            }
            "IFCAXIS1PLACEMENT" => axes(self.direction_or(&entry, 1, DVec3::Z)?, None),
            "IFCAXIS2PLACEMENT3D" => {
                let z = self.direction_or(&entry, 1, DVec3::Z)?;
                let x = entry.get(2).reference().map(|x| self.direction(x)).transpose()?;
                axes(z, x)
            }
            _ => return Err(entry.unread()),
        };
        Ok(DAffine3::from_mat3_translation(axes, origin))
    }

    /// A transformation operator, which may scale and mirror.
    pub(super) fn operator(&self, number: u32) -> Found<DAffine3> {
        let entry = self.entry(number)?;
        let is_plane = entry.class.starts_with("IFCCARTESIANTRANSFORMATIONOPERATOR2D");
        if !is_plane && !entry.class.starts_with("IFCCARTESIANTRANSFORMATIONOPERATOR3D") {
            return Err(entry.unread());
        }
        let origin = self.point(entry.reference(2)?)?;
        let scale = |i: usize, usual: f64| entry.get(i).number().unwrap_or(usual);
        let first = scale(3, 1.0);
        let given = |i: usize| entry.get(i).reference().map(|x| self.direction(x)).transpose();
        let (x, y) = (given(0)?, given(1)?);
        if is_plane {
            let x = x.unwrap_or(DVec3::X);
            let left = DVec3::new(-x.y, x.x, 0.0);
            let y = y.map_or(left, |y| if y.dot(left) < 0.0 { -left } else { left });
            let second = scale(4, first);
            return Ok(DAffine3::from_mat3_translation(
                DMat3::from_cols(x * first, y * second, DVec3::Z),
                origin,
            ));
        }
        let z = given(4)?.unwrap_or(DVec3::Z);
        let turned = axes(z, x);
        let left = turned.y_axis;
        let y = y.map_or(left, |y| if y.dot(left) < 0.0 { -left } else { left });
        let (second, third) = (scale(5, first), scale(6, first));
        let matrix = DMat3::from_cols(turned.x_axis * first, y * second, turned.z_axis * third);
        Ok(DAffine3::from_mat3_translation(matrix, origin))
    }
}

fn vector(entry: &Entry<'_>, i: usize) -> Found<DVec3> {
    match entry.numbers(i)?[..] {
        [x, y] => Ok(DVec3::new(x, y, 0.0)),
        [x, y, z] => Ok(DVec3::new(x, y, z)),
        _ => Err(entry.wrong(i, "list of two or three numbers")),
    }
}

/// Axes of a z and, about, an x, as the standard builds them.
pub(super) fn axes(z: DVec3, x: Option<DVec3>) -> DMat3 {
    let usual = if z == DVec3::X || z == DVec3::NEG_X { DVec3::Y } else { DVec3::X };
    let across = |x: DVec3| {
        let across = x - z * x.dot(z);
        (across.length() > 1e-9).then(|| across.normalize())
    };
    let x = x.and_then(across).or_else(|| across(usual)).unwrap_or_else(|| z.any_orthonormal_vector());
    DMat3::from_cols(x, z.cross(x), z)
}

/// Where products stand; each placement is worked out once.
#[derive(Debug, Default)]
pub(super) struct Places(HashMap<u32, DAffine3>);

impl Places {
    /// Where a placement is in the world; none is the origin.
    pub fn world(&mut self, step: &Step<'_>, number: Option<u32>) -> Found<DAffine3> {
        let mut chain = Vec::new();
        let mut next = number;
        let mut known = DAffine3::IDENTITY;
        while let Some(number) = next {
            if let Some(found) = self.0.get(&number) {
                known = *found;
                break;
            }
            if chain.len() == LONGEST {
                return Err(Lost(format!("#{number}: placements refer to each other without end")));
            }
            let (own, parent) = own(step, number)?;
            chain.push((number, own));
            next = parent;
        }
        for (number, own) in chain.into_iter().rev() {
            known *= own;
            self.0.insert(number, known);
        }
        Ok(known)
    }

    /// Where a placement is as seen from another: without rounding through the world where it hangs on it.
    pub fn relative(&mut self, step: &Step<'_>, number: Option<u32>, to: Option<u32>) -> Found<DAffine3> {
        let (mut next, mut place) = (number, DAffine3::IDENTITY);
        for _ in 0..LONGEST {
            if next == to {
                return Ok(place);
            }
            let Some(number) = next else { break };
            let (own, parent) = own(step, number)?;
            (place, next) = (own * place, parent);
        }
        Ok(self.world(step, to)?.inverse() * self.world(step, number)?)
    }
}

/// A placement by itself, and the one that it hangs on.
fn own(step: &Step<'_>, number: u32) -> Found<(DAffine3, Option<u32>)> {
    let entry = step.entry(number)?;
    let parent = entry.get(0).reference();
    match &*entry.class {
        "IFCLOCALPLACEMENT" => Ok((step.axes(Some(entry.reference(1)?))?, parent)),
        // Its place in the world stands beside it, where the program that wrote it knew it.
        "IFCLINEARPLACEMENT" if entry.get(2).reference().is_some() => {
            Ok((step.axes(entry.get(2).reference())?, None))
        }
        _ => Err(entry.unread()),
    }
}
