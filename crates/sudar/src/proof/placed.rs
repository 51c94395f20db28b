//! Bodies where they stand, cut into convex pieces; the checker's own copy of the pose formula.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::round::{Round, extent_of_round};
use crate::math::Pose;
use crate::shape::Shape;

/// A posed body as a list of convex pieces.
#[derive(Debug)]
pub(crate) struct Placed {
    points: Vec<DVec3>,
    /// Numbers of points, piece by piece.
    corners: Vec<u32>,
    pieces: Vec<Piece>,
    /// Pieces that bound a solid.
    solids: Vec<Range<u32>>,
    reach: f64,
}

#[derive(Debug)]
struct Piece {
    corners: Range<u32>,
    form: Form,
}

/// What kind of set a piece is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// All points within a radius of the hull of the corners.
    Hull { radius: f64 },
    /// The image of a round shape under a real linear map and the shift to its corner.
    Round(Round, DMat3),
    /// The points at or below a plane; no corners.
    Halfspace { normal: DVec3, offset: f64 },
}

/// Rotation and translation of a pose; of a part of a compound the product, each entry rounded as written.
#[derive(Clone, Copy)]
struct Place {
    columns: [DVec3; 3],
    translation: DVec3,
}

impl Place {
    fn of(pose: &Pose) -> Self {
        let r = pose.rotation();
        Self { columns: [r.x_axis, r.y_axis, r.z_axis], translation: pose.translation() }
    }

    fn rotate(&self, v: DVec3) -> DVec3 {
        let [x, y, z] = self.columns;
        DVec3::from([0, 1, 2].map(|k| (x[k] * v.x + y[k] * v.y) + z[k] * v.z))
    }

    fn apply(&self, p: DVec3) -> DVec3 {
        let rotated = self.rotate(p);
        DVec3::from([0, 1, 2].map(|k| rotated[k] + self.translation[k]))
    }

    fn after(&self, inner: &Self) -> Self {
        Self { columns: inner.columns.map(|c| self.rotate(c)), translation: self.apply(inner.translation) }
    }
}

impl Placed {
    pub fn new(shape: &Shape, pose: &Pose) -> Self {
        let mut placed = Self {
            points: Vec::new(),
            corners: Vec::new(),
            pieces: Vec::new(),
            solids: Vec::new(),
            reach: 0.0,
        };
        placed.add(shape, &Place::of(pose));
        let extent = |piece: &Piece| match piece.form {
            Form::Hull { radius } => radius,
            Form::Round(round, _) => extent_of_round(round),
            Form::Halfspace { offset, .. } => offset.abs(),
        };
        let around = placed.pieces.iter().map(extent).fold(0.0, f64::max);
        placed.reach = placed.points.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element())) + around;
        placed
    }

    fn add(&mut self, shape: &Shape, place: &Place) {
        let flat = Form::Hull { radius: 0.0 };
        match shape {
            Shape::Mesh(mesh) => self.add_mesh(mesh.vertices(), mesh.triangles(), place),
            Shape::HeightField(field) => {
                self.add_mesh(field.mesh().vertices(), field.mesh().triangles(), place);
            }
            Shape::PointCloud(cloud) => {
                self.add_mesh(cloud.mesh().vertices(), cloud.mesh().triangles(), place);
            }
            Shape::Solid(solid) => {
                let first = self.count();
                self.add_mesh(solid.mesh().vertices(), solid.mesh().triangles(), place);
                self.solids.push(first..self.count());
            }
            Shape::Triangle(t) => self.add_piece(&t.corners(), place, flat),
            Shape::Segment(s) => self.add_piece(&[s.a, s.b], place, flat),
            Shape::Point(p) => self.add_piece(&[*p], place, flat),
            Shape::Sphere(s) => self.add_piece(&[s.center], place, Form::Hull { radius: s.radius }),
            Shape::Capsule(c) => {
                let end = DVec3::new(0.0, 0.0, c.half_length);
                self.add_piece(&[-end, end], place, Form::Hull { radius: c.radius });
            }
            Shape::Cuboid(c) => {
                let side = |i: usize, k: usize| if i >> k & 1 == 1 { c.half[k] } else { -c.half[k] };
                let corners: [DVec3; 8] =
                    std::array::from_fn(|i| DVec3::new(side(i, 0), side(i, 1), side(i, 2)));
                self.add_piece(&corners, place, flat);
            }
            Shape::Hull(hull) => self.add_piece(hull.vertices(), place, flat),
            Shape::Cylinder(c) => self.add_round(Round::Cylinder(*c), place),
            Shape::Cone(c) => self.add_round(Round::Cone(*c), place),
            Shape::Ellipsoid(e) => self.add_round(Round::Ellipsoid(*e), place),
            Shape::Halfspace(h) => {
                let normal = place.rotate(h.normal);
                let t = place.translation;
                let along = normal.x * t.x + normal.y * t.y + normal.z * t.z;
                self.add_piece(&[], place, Form::Halfspace { normal, offset: h.offset + along });
            }
            Shape::Compound(compound) => {
                for (part, pose) in compound.parts() {
                    self.add(part, &place.after(&Place::of(pose)));
                }
            }
        }
    }

    fn add_mesh(&mut self, vertices: &[DVec3], triangles: &[[u32; 3]], place: &Place) {
        let first = self.points.len() as u32;
        self.points.extend(vertices.iter().map(|&p| place.apply(p)));
        for triangle in triangles {
            let start = self.corners.len() as u32;
            self.corners.extend(triangle.map(|i| first + i));
            self.pieces.push(Piece { corners: start..start + 3, form: Form::Hull { radius: 0.0 } });
        }
    }

    fn add_piece(&mut self, corners: &[DVec3], place: &Place, form: Form) {
        let (first, start) = (self.points.len() as u32, self.corners.len() as u32);
        self.points.extend(corners.iter().map(|&p| place.apply(p)));
        self.corners.extend((0..corners.len() as u32).map(|i| first + i));
        self.pieces.push(Piece { corners: start..self.corners.len() as u32, form });
    }

    fn add_round(&mut self, round: Round, place: &Place) {
        let [x, y, z] = place.columns;
        self.add_piece(&[DVec3::ZERO], place, Form::Round(round, DMat3::from_cols(x, y, z)));
    }

    /// How many pieces there are.
    pub fn count(&self) -> u32 {
        self.pieces.len() as u32
    }

    /// What piece `i < count()` is.
    pub fn form(&self, i: u32) -> Form {
        self.pieces[i as usize].form
    }

    /// Its corners.
    pub fn corners(&self, i: u32) -> impl ExactSizeIterator<Item = DVec3> + Clone + '_ {
        self.corner_numbers(i).iter().map(|&k| self.points[k as usize])
    }

    /// Its corners by number in [`Placed::points`].
    pub fn corner_numbers(&self, i: u32) -> &[u32] {
        let Range { start, end } = self.pieces[i as usize].corners;
        &self.corners[start as usize..end as usize]
    }

    /// All posed points.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Ranges of pieces that bound a solid.
    pub fn solids(&self) -> &[Range<u32>] {
        &self.solids
    }

    /// The middle of the box around all corners; the origin if there are none.
    pub fn middle(&self) -> DVec3 {
        let box_of = |[low, high]: [DVec3; 2], p: &DVec3| [low.min(*p), high.max(*p)];
        let [low, high] = self.points.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], box_of);
        if low.cmple(high).all() { low + (high - low) * 0.5 } else { DVec3::ZERO }
    }

    /// Bound on the absolute coordinates of all bounded pieces.
    pub fn reach(&self) -> f64 {
        self.reach
    }
}
