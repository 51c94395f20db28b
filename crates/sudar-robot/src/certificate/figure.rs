//! Shapes for the checker: how far they reach in a direction, and balls around their pieces.

use sudar::{DMat3, DVec3};

use super::error::{CertificateError, malformed};
use super::model::{CertificateBody, CertificateShape};

/// A shape in the frame that carries it.
#[derive(Debug)]
pub(super) struct Figure {
    pub form: Form,
    /// How far it reaches beyond what `form` says.
    pub radius: f64,
    /// Balls around the ranges of pieces, numbered as [`Range::id`].
    balls: Vec<Ball>,
    /// The most that its pose is off from a rigid one.
    pub shear: f64,
}

#[derive(Debug)]
pub(super) enum Form {
    /// The corners of the pieces, one piece after another, and where each piece begins.
    Hulls { corners: Vec<DVec3>, first: Vec<u32> },
    /// Centres, and radii across the unit direction.
    Discs { discs: Vec<(DVec3, f64)>, along: DVec3 },
    /// The centre, and the half axes.
    Ellipsoid { center: DVec3, axes: DMat3 },
    /// The normal, and the offset.
    Halfspace { normal: DVec3, offset: f64 },
}

/// A ball around the corners of a range of pieces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    pub center: DVec3,
    pub radius: f64,
}

/// A range of pieces, from the first to before the last, that halving gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    /// 1 for all; the halves of i are 2 i and 2 i + 1.
    pub id: usize,
    pub from: u32,
    pub to: u32,
}

impl Range {
    pub fn count(&self) -> u32 {
        self.to - self.from
    }

    /// Both halves, if there is more than one piece.
    pub fn halves(self) -> Option<[Self; 2]> {
        let Self { id, from, to } = self;
        let middle = from + (to - from) / 2;
        let halves = [Self { id: 2 * id, from, to: middle }, Self { id: 2 * id + 1, from: middle, to }];
        (to - from > 1).then_some(halves)
    }
}

/// Rotation and translation of twelve numbers.
pub(super) fn frame_of(numbers: &[f64; 12]) -> (DMat3, DVec3) {
    let column = |k: usize| DVec3::new(numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]);
    (DMat3::from_cols(column(0), column(1), column(2)), column(3))
}

/// How far a matrix is from a rotation; an error beyond a millionth.
pub(super) fn shear_of(numbers: &[f64; 12]) -> Result<f64, CertificateError> {
    let (r, _) = frame_of(numbers);
    let off = r.transpose() * r - DMat3::IDENTITY;
    let shear = off.to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let is_rotation = numbers.iter().all(|x| x.is_finite()) && shear < 1e-6 && r.determinant() > 0.0;
    if is_rotation { Ok(shear) } else { Err(malformed("a matrix that is no rotation")) }
}

impl Figure {
    pub fn new(body: &CertificateBody) -> Result<Self, CertificateError> {
        let shear = shear_of(&body.pose)?;
        let (rotation, translation) = frame_of(&body.pose);
        let place = |p: &[f64; 3]| rotation * DVec3::from(*p) + translation;
        let mut radius = 0.0;
        let form = match &body.shape {
            CertificateShape::Hulls { points, pieces, radius: around, .. } => {
                radius = length(*around)?;
                hulls(&points.iter().map(place).collect::<Vec<DVec3>>(), pieces)?
            }
            CertificateShape::Discs(discs) => {
                let radii =
                    discs.iter().map(|(_, radius)| length(*radius)).collect::<Result<Vec<f64>, _>>()?;
                let discs = discs.iter().map(|(p, _)| place(p)).zip(radii).collect();
                Form::Discs { discs, along: rotation.z_axis }
            }
            CertificateShape::Ellipsoid(radii) => {
                for radius in radii {
                    length(*radius)?;
                }
                let axes = rotation * DMat3::from_diagonal(DVec3::from(*radii));
                Form::Ellipsoid { center: translation, axes }
            }
            CertificateShape::Halfspace { normal, offset } => {
                let normal = rotation * DVec3::from(*normal);
                let length = normal.length();
                if !((length - 1.0).abs() < 1e-6 && offset.is_finite()) {
                    return Err(malformed("the normal of a half-space"));
                }
                Form::Halfspace {
                    normal: normal / length,
                    offset: (offset + normal.dot(translation)) / length,
                }
            }
        };
        let mut figure = Self { form, radius, balls: Vec::new(), shear };
        figure.surround()?;
        Ok(figure)
    }

    /// All its pieces.
    pub fn all(&self) -> Range {
        Range { id: 1, from: 0, to: self.count() }
    }

    fn count(&self) -> u32 {
        if let Form::Hulls { first, .. } = &self.form { first.len() as u32 - 1 } else { 1 }
    }

    /// The ball around a range of pieces, without `radius`.
    pub fn ball(&self, range: Range) -> Ball {
        self.balls[range.id]
    }

    /// The corners of a range of pieces; none of shapes that have none.
    pub fn corners(&self, range: Range) -> &[DVec3] {
        let Form::Hulls { corners, first } = &self.form else { return &[] };
        &corners[first[range.from as usize] as usize..first[range.to as usize] as usize]
    }

    /// The most of direction · x over its points, without `radius`.
    pub fn support(&self, range: Range, direction: DVec3) -> f64 {
        match &self.form {
            Form::Hulls { .. } => {
                let along = self.corners(range).iter().map(|corner| corner.dot(direction));
                along.fold(f64::NEG_INFINITY, f64::max)
            }
            Form::Discs { discs, along } => {
                // Of a direction along the axis only rounding is left across it: its length does no harm.
                let across = (direction - *along * along.dot(direction)).length();
                let reach = discs.iter().map(|(center, radius)| center.dot(direction) + radius * across);
                reach.fold(f64::NEG_INFINITY, f64::max)
            }
            Form::Ellipsoid { center, axes } => {
                center.dot(direction) + (axes.transpose() * direction).length()
            }
            Form::Halfspace { .. } => f64::INFINITY,
        }
    }

    /// Its farthest point in a direction, without `radius`, as far as rounding tells: for the search of directions.
    pub fn farthest(&self, range: Range, direction: DVec3) -> DVec3 {
        match &self.form {
            Form::Hulls { .. } => {
                let (mut best, mut most) = (DVec3::ZERO, f64::NEG_INFINITY);
                for corner in self.corners(range) {
                    let along = corner.dot(direction);
                    if along > most {
                        (best, most) = (*corner, along);
                    }
                }
                best
            }
            Form::Discs { discs, along } => {
                let across = direction - *along * along.dot(direction);
                let out = across.try_normalize().unwrap_or(DVec3::ZERO);
                let rims = discs.iter().map(|(center, radius)| *center + out * *radius);
                rims.max_by(|p, q| p.dot(direction).total_cmp(&q.dot(direction))).unwrap_or(DVec3::ZERO)
            }
            Form::Ellipsoid { center, axes } => {
                let local = (axes.transpose() * direction).try_normalize().unwrap_or(DVec3::ZERO);
                *center + *axes * local
            }
            Form::Halfspace { normal, offset } => *normal * *offset,
        }
    }

    /// Balls around the ranges.
    fn surround(&mut self) -> Result<(), CertificateError> {
        if let Form::Hulls { .. } = &self.form {
            let count = (self.count() as usize).next_power_of_two();
            self.balls = vec![Ball { center: DVec3::ZERO, radius: 0.0 }; 2 * count];
            let mut open = vec![self.all()];
            while let Some(range) = open.pop() {
                self.balls[range.id] = around(self.corners(range));
                open.extend(range.halves().into_iter().flatten());
            }
            return Ok(());
        }
        let ball = match &self.form {
            Form::Discs { discs, .. } => {
                let Some(&(center, _)) = discs.first() else { return Err(malformed("no discs")) };
                let reach = discs.iter().map(|(p, radius)| (*p - center).length() + radius);
                Ball { center, radius: reach.fold(0.0, f64::max) }
            }
            Form::Ellipsoid { center, axes } => {
                let reach = axes.x_axis.length().max(axes.y_axis.length()).max(axes.z_axis.length());
                Ball { center: *center, radius: reach }
            }
            Form::Halfspace { .. } | Form::Hulls { .. } => Ball { center: DVec3::ZERO, radius: 0.0 },
        };
        self.balls = vec![ball; 2];
        Ok(())
    }

    /// How far anything of it is from the origin of its frame; of a half-space its plane.
    pub fn reach(&self) -> f64 {
        let ball = self.ball(self.all());
        let offset = if let Form::Halfspace { offset, .. } = &self.form { offset.abs() } else { 0.0 };
        ball.center.length() + ball.radius + self.radius + offset
    }
}

fn hulls(points: &[DVec3], pieces: &[Vec<u32>]) -> Result<Form, CertificateError> {
    let (mut corners, mut first) = (Vec::new(), vec![0]);
    for piece in pieces {
        if piece.is_empty() {
            return Err(malformed("a piece without points"));
        }
        for &i in piece {
            let point = points.get(i as usize).filter(|p| p.is_finite());
            corners.push(*point.ok_or_else(|| malformed("a point of a piece"))?);
        }
        first.push(u32::try_from(corners.len()).map_err(|_| malformed("too many corners"))?);
    }
    if pieces.is_empty() {
        Err(malformed("a body without pieces"))
    } else {
        Ok(Form::Hulls { corners, first })
    }
}

fn around(corners: &[DVec3]) -> Ball {
    let center = sudar::Aabb::around(corners.iter().copied()).center();
    let radius = corners.iter().map(|p| (*p - center).length()).fold(0.0, f64::max);
    Ball { center, radius }
}

fn length(value: f64) -> Result<f64, CertificateError> {
    if value >= 0.0 && value.is_finite() { Ok(value) } else { Err(malformed("a length")) }
}

#[cfg(test)]
mod tests {
    use super::super::model::CertificateBody;
    use super::*;

    /// A cylinder of radius 0.2 and length 1 along its axis reaches half of it that way, and 0.2 across.
    #[test]
    fn a_cylinder_reaches_as_far_along_its_axis_as_it_is_long() {
        for k in 0..200 {
            let (s, c) = libm::sincos(0.37 * f64::from(k));
            let (t, d) = libm::sincos(0.11 * f64::from(k) + 0.2);
            let (x, y) = (DVec3::new(c, s, 0.0), DVec3::new(-s * d, c * d, t));
            let z = x.cross(y);
            let pose = [x, y, z, DVec3::new(0.1, 0.2, 0.3)];
            let pose = std::array::from_fn(|i| pose[i / 3][i % 3]);
            let discs = vec![([0.0, 0.0, -0.5], 0.2), ([0.0, 0.0, 0.5], 0.2)];
            let shape = CertificateShape::Discs(discs);
            let figure = Figure::new(&CertificateBody { owner: 0, node: None, pose, shape }).unwrap();
            let center = DVec3::new(0.1, 0.2, 0.3);
            for (direction, expected) in [(z, 0.5), (-z, 0.5), (x, 0.2), (y, 0.2), (0.6 * x + 0.8 * z, 0.52)]
            {
                let found = figure.support(figure.all(), direction) - center.dot(direction);
                assert!((found - expected).abs() < 1e-12, "{k}: {found} {expected}");
            }
        }
    }
}
