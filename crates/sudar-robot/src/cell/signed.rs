//! Signed distances of pairs, negative in contact, and how they change with the joints: what optimising planners push
//! against.
//!
//! With n the unit direction from the first body to the second along which they are apart, or along which the second is
//! pushed out by the least translation, the signed distance changes by n · (v₂ − v₁), the velocities of the points at
//! its ends: where these are unique it is the derivative (John M. Danskin, "The theory of max-min, with applications",
//! 1966), elsewhere one of several.

use sudar::convex::Accuracy;
use sudar::query::{Batch, Penetration, Placed, Work};
use sudar::{DVec3, Interval};

use super::scratch::{Near, NearOther, Scratch};
use super::{CLEARANCE_CHUNK, Other, RobotCell};
use crate::RobotError;

/// What is wanted of signed distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedOptions {
    /// Pairs farther apart than this, in metres, are left out.
    pub max: f64,
    /// Whether gradients are computed.
    pub gradient: bool,
}

impl Default for SignedOptions {
    fn default() -> Self {
        Self { max: f64::INFINITY, gradient: true }
    }
}

/// The signed distance of a pair that is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct SignedDistance {
    /// The part, by its number in [`RobotCell::parts`].
    pub part: usize,
    /// The object, or the other part.
    pub other: Other,
    /// Holds the least signed distance of their bodies, one by one, less the padding: the distance of those apart, and
    /// minus the length of the least translation that separates those in contact.
    pub signed: Interval,
    /// Unit direction from the part towards the other.
    pub normal: DVec3,
    /// The point of the part that is nearest to the other, or deepest in it.
    pub point: DVec3,
    /// The same of the other.
    pub other_point: DVec3,
    /// How the signed distance changes with each number of the configuration, in metres per radian or metre; empty
    /// unless wanted.
    pub gradient: Vec<f64>,
}

impl RobotCell {
    /// For each configuration the signed distances of the checked pairs that are no farther apart than wanted, in the
    /// order of [`first_contact`](Self::first_contact). O(bodies) queries a pair; of meshes in contact these cost much
    /// more than [`clearance`](Self::clearance), which is 0 there.
    ///
    /// # Errors
    /// [`RobotError::Rows`], [`RobotError::Value`], [`RobotError::NotALength`] for a `max` that is NaN.
    pub fn signed_distances(
        &self,
        q: &[f64],
        options: &SignedOptions,
        batch: &Batch<'_>,
    ) -> Result<Vec<Vec<SignedDistance>>, RobotError> {
        if options.max.is_nan() {
            return Err(RobotError::NotALength { what: "max".to_owned(), value: options.max });
        }
        let rows = self.robot.rows(q)?;
        Ok(self.each_row(rows, CLEARANCE_CHUNK, batch, |work, scratch, row| {
            self.stand(self.robot.row(q, row), &mut scratch.places);
            self.parts.iter().enumerate().for_each(|(i, part)| scratch.places.ready(i, part));
            self.checked_pairs().filter_map(|pair| self.signed(work, scratch, pair, options)).collect()
        }))
    }

    /// The signed distance of a pair; none if it is too far.
    fn signed(
        &self,
        work: &mut Work<'_>,
        scratch: &Scratch,
        (part, other): (usize, Other),
        options: &SignedOptions,
    ) -> Option<SignedDistance> {
        let mut least: Option<Penetration> = None;
        let padding = if matches!(other, Other::Object(_)) { self.parts[part].padding } else { 0.0 };
        for (near, known) in self.bodies_of(scratch, part, other) {
            // What balls show to be apart and farther than another pair of bodies cannot be the least; of what overlaps
            // they bound no depth.
            let most = (options.max + padding).min(least.map_or(f64::INFINITY, |least| least.signed.upper));
            if known > most.max(0.0) {
                continue;
            }
            let ask = |work: &mut Work<'_>, a: Placed<'_>, b: Placed<'_>| {
                work.penetration_within(a, b, &Accuracy::DEFAULT)
            };
            let Some(found) = self.asked(work, &scratch.places.frames, near, ask) else { continue };
            least = Some(match least {
                None => found,
                Some(known) => nearer(known, found),
            });
        }
        let Penetration { signed, normal, point_a, point_b } = least?;
        let signed = Interval { lower: signed.lower - padding, upper: signed.upper - padding };
        if signed.lower > options.max {
            return None;
        }
        let mut gradient = Vec::new();
        if options.gradient {
            gradient = vec![0.0; self.robot.dof()];
            self.add_motion(&scratch.places.frames, part, point_a, -normal, &mut gradient);
            if let Other::Part(i) = other {
                self.add_motion(&scratch.places.frames, i, point_b, normal, &mut gradient);
            }
        }
        Some(SignedDistance { part, other, signed, normal, point: point_a, other_point: point_b, gradient })
    }

    /// The pairs of bodies of a pair, and distances that they are at least apart.
    fn bodies_of(&self, scratch: &Scratch, part: usize, other: Other) -> Vec<(Near, f64)> {
        let places = &scratch.places;
        let one = &self.parts[part];
        let near = |k: usize, other| Near { part: part as u32, piece: k as u32, other };
        let mut found = Vec::new();
        for (k, piece) in one.pieces.iter().enumerate() {
            match other {
                Other::Object(i) => {
                    let known = places.least(piece, &self.objects[i].core);
                    found.push((near(k, NearOther::Object(i as u32)), known));
                }
                Other::Part(i) => {
                    for (l, its) in self.parts[i].pieces.iter().enumerate() {
                        let other = NearOther::Piece { part: i as u32, piece: l as u32 };
                        found.push((near(k, other), places.least_of(piece, its)));
                    }
                }
            }
        }
        found
    }
}

/// The one whose interval ends lower, with the bound that holds for both.
fn nearer(one: Penetration, other: Penetration) -> Penetration {
    let lower = one.signed.lower.min(other.signed.lower);
    let least = if other.signed.upper < one.signed.upper { other } else { one };
    Penetration { signed: Interval { lower, upper: least.signed.upper }, ..least }
}
