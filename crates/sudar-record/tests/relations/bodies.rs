//! Bodies of every kind in every style of input.

use std::sync::Arc;

use rand::RngExt;
use sudar::glam::DVec2;
use sudar::hull::convex_hull;
use sudar::{
    Aabb, Capsule, Compound, Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Halfspace, HeightField, Mesh,
    PointCloud, Pose, Segment, Shape, Solid, Sphere, Triangle,
};
use sudar_testing::Random;
use sudar_testing::meshes::ball;
use sudar_testing::zoo::corners;

/// Every variant of `Shape`, and of hulls and compounds more than one.
pub const KINDS: [&str; 20] = [
    "mesh",
    "solid",
    "height field",
    "point cloud",
    "triangle",
    "segment",
    "point",
    "sphere",
    "box",
    "capsule",
    "cylinder",
    "cone",
    "ellipsoid",
    "hull",
    "flat hull",
    "line hull",
    "halfspace",
    "compound",
    "compound of meshes",
    "soup",
];

/// What is special about the coordinates of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    Plain,
    /// Aspect ratios down to 1e-4.
    Slender,
    /// Few different numbers, rotations without rounding: parallel and common planes, exact touching.
    Coplanar,
    /// Triangles, points and parts that occur more than once or have no area.
    Repeated,
    /// About 1e9 large.
    Huge,
    /// About 1e-12 large.
    Tiny,
    /// 1e6 times their size away from the origin.
    FarOff,
    /// One body 1e-8 to 1e-3 times as large as the other.
    Uneven,
}

pub const STYLES: [Style; 8] = [
    Style::Plain,
    Style::Slender,
    Style::Coplanar,
    Style::Repeated,
    Style::Huge,
    Style::Tiny,
    Style::FarOff,
    Style::Uneven,
];

impl Style {
    pub fn size(self) -> f64 {
        match self {
            Self::Huge => 1e9,
            Self::Tiny => 1e-12,
            Self::Plain | Self::Slender | Self::Coplanar | Self::Repeated | Self::FarOff | Self::Uneven => {
                1.0
            }
        }
    }

    pub fn is_on_grid(self) -> bool {
        matches!(self, Self::Coplanar | Self::Repeated)
    }
}

/// Where the numbers of a body come from.
pub struct Maker<'r> {
    pub rng: &'r mut Random,
    pub style: Style,
    pub size: f64,
}

impl Maker<'_> {
    /// Between −1 and 1; on the grid a multiple of a quarter.
    fn number(&mut self) -> f64 {
        if self.style.is_on_grid() {
            f64::from(self.rng.random_range(-4..=4)) / 4.0
        } else {
            self.rng.random_range(-1.0..1.0)
        }
    }

    /// Between 0 and 1, not zero.
    fn length(&mut self) -> f64 {
        let length = if self.style.is_on_grid() {
            f64::from(self.rng.random_range(1..=4)) / 4.0
        } else {
            self.rng.random_range(0.2..1.0)
        };
        let thin = self.style == Style::Slender && self.rng.random_bool(0.5);
        let aspect = if thin { f64::powf(10.0, self.rng.random_range(-4.0..0.0)) } else { 1.0 };
        length * aspect * self.size
    }

    fn extents(&mut self) -> DVec3 {
        DVec3::new(self.length(), self.length(), self.length())
    }

    fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number()) * self.size
    }

    fn points(&mut self, count: usize) -> Vec<DVec3> {
        let extents = self.extents() / self.size;
        (0..count).map(|_| self.point() * extents).collect()
    }

    /// Two of three points the same now and then, where input repeats itself.
    fn three(&mut self) -> [DVec3; 3] {
        let [a, b, c] = [self.point(), self.point(), self.point()];
        let repeats = self.style == Style::Repeated;
        match self.rng.random_range(0..6) {
            0 if repeats => [a, a, c],
            1 if repeats => [a, a, a],
            2 if repeats => [a, b, a + (b - a) * 2.0],
            _ => [a, b, c],
        }
    }

    fn soup(&mut self) -> Mesh {
        let mut triangles: Vec<_> = (0..self.rng.random_range(1..6)).map(|_| self.three()).collect();
        if self.style == Style::Repeated {
            triangles = triangles.repeat(3);
        }
        let count = triangles.len() as u32;
        Mesh::new(triangles.concat(), (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap()
    }

    /// A closed mesh: an ellipsoid, on the grid a box.
    fn closed(&mut self) -> Mesh {
        let half = self.extents();
        if self.style.is_on_grid() {
            return Mesh::from_aabb(Aabb { min: -half, max: half });
        }
        ball(self.rng.random_range(0..3), half)
    }

    fn terrain(&mut self) -> HeightField {
        let (columns, rows) = (self.rng.random_range(2..5), self.rng.random_range(2..5));
        let heights: Vec<_> = (0..columns * rows).map(|_| Some(self.number() * self.size)).collect();
        HeightField::new(columns, &heights, DVec2::new(self.length(), self.length())).unwrap()
    }

    fn cloud(&mut self) -> PointCloud {
        let count = self.rng.random_range(1..12);
        let points = self.points(count);
        PointCloud::new(if self.style == Style::Repeated { points.repeat(3) } else { points }).unwrap()
    }

    fn hull(&mut self) -> Shape {
        let count = self.rng.random_range(4..16);
        let points = if self.style.is_on_grid() || self.rng.random_bool(0.5) {
            self.points(count)
        } else {
            let extents = self.extents();
            corners(count, self.rng.random()).into_iter().map(|p| p * extents).collect()
        };
        Shape::Hull(Arc::new(convex_hull(&points).unwrap()))
    }

    /// In a plane through the origin, on the grid along the axes.
    fn flat_hull(&mut self) -> Shape {
        let points: Vec<_> = self.points(6).into_iter().map(|p| p.with_z(0.0)).collect();
        Shape::Hull(Arc::new(convex_hull(&points).unwrap()))
    }

    fn line_hull(&mut self) -> Shape {
        let along = self.number() * self.size;
        let points = [DVec3::ZERO, DVec3::Z * along, DVec3::Z * (along * 0.5)];
        Shape::Hull(Arc::new(convex_hull(&points).unwrap()))
    }

    fn compound(&mut self, kinds: [&str; 2]) -> Shape {
        let mut part = |kind: &str| {
            let shape = self.shape(kind);
            (shape, Pose::from_translation(self.point()).unwrap())
        };
        let [first, second] = kinds.map(&mut part);
        let parts = if self.style == Style::Repeated {
            vec![first.clone(), second, first]
        } else {
            vec![first, second]
        };
        Shape::Compound(Arc::new(Compound::new(parts).unwrap()))
    }

    fn normal(&mut self) -> DVec3 {
        let normal = self.point() / self.size;
        if normal == DVec3::ZERO || self.style.is_on_grid() { DVec3::Z } else { normal }
    }

    /// A shape of the kind, about as large as the size.
    pub fn shape(&mut self, kind: &str) -> Shape {
        match kind {
            "mesh" => self.closed().into(),
            "solid" => Solid::new(Arc::new(self.closed())).unwrap().into(),
            "height field" => self.terrain().into(),
            "point cloud" => self.cloud().into(),
            "triangle" => {
                let [a, b, c] = self.three();
                Triangle::new(a, b, c).unwrap().into()
            }
            "segment" => {
                let [a, b, _] = self.three();
                Segment::new(a, b).unwrap().into()
            }
            "point" => self.point().into(),
            "sphere" => Sphere::new(self.point(), self.length()).unwrap().into(),
            "box" => Cuboid::new(self.extents()).unwrap().into(),
            "capsule" => Capsule::new(self.length(), self.length()).unwrap().into(),
            "cylinder" => Cylinder::new(self.length(), self.length()).unwrap().into(),
            "cone" => Cone::new(self.length(), self.length()).unwrap().into(),
            "ellipsoid" => Ellipsoid::new(self.extents()).unwrap().into(),
            "hull" => self.hull(),
            "flat hull" => self.flat_hull(),
            "line hull" => self.line_hull(),
            "halfspace" => Halfspace::new(self.normal(), self.number() * self.size).unwrap().into(),
            "compound" => {
                let round = ["sphere", "capsule", "cylinder", "cone", "ellipsoid"];
                let first = round[self.rng.random_range(0..round.len())];
                self.compound([first, "box"])
            }
            "compound of meshes" => self.compound(["soup", "solid"]),
            "soup" => self.soup().into(),
            unknown => panic!("{unknown} is no kind"),
        }
    }
}
