//! How support points move on the pieces of a boundary as the direction turns.

use glam::{DMat3, DVec3};

use crate::convex::{Core, PosedConvex, Vertex};
use crate::kind::Piece;

/// The support point of a piece, as seen from the centre of the body, and how it moves when the direction turns. Of
/// lines it is a point that the line is measured from.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub at: DVec3,
    bend: Bend,
}

/// The derivative of the support point by the direction, which is symmetric.
#[derive(Clone, Copy)]
enum Bend {
    Sharp,
    /// `radius·u·uᵀ`.
    Along {
        u: DVec3,
        radius: f64,
    },
    /// (M² − at·atᵀ)/height along the axes of an ellipsoid.
    Ellipsoid {
        squares: DVec3,
        at: DVec3,
        height: f64,
        rotation: DMat3,
    },
}

/// The unit directions n with n·axis = height.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circle {
    pub axis: DVec3,
    pub height: f64,
}

/// The points `start + t·way`, for t in the range, as seen from the centre.
pub(crate) struct Line {
    pub start: DVec3,
    pub way: DVec3,
    pub range: [f64; 2],
}

impl View {
    /// The second derivative of the height along two directions.
    #[inline]
    pub fn bend(&self, s: DVec3, t: DVec3) -> f64 {
        match &self.bend {
            Bend::Sharp => 0.0,
            Bend::Along { u, radius } => radius * u.dot(s) * u.dot(t),
            Bend::Ellipsoid { squares, at, height, rotation } => {
                let (s, t) = (local(rotation, s), local(rotation, t));
                ((*squares * s).dot(t) - at.dot(s) * at.dot(t)) / height
            }
        }
    }
}

/// A direction of the world in the frame of the body.
#[inline]
fn local(rotation: &DMat3, v: DVec3) -> DVec3 {
    DVec3::new(rotation.x_axis.dot(v), rotation.y_axis.dot(v), rotation.z_axis.dot(v))
}

/// The piece of a body that is nearest to the other, judged by points that a search found on it. `side` is 0 for the
/// first body of a difference; `facing` is a unit direction close to that sought.
pub fn piece(body: &PosedConvex, simplex: &[Vertex], side: usize, facing: DVec3) -> Option<Piece> {
    match body.convex().core() {
        Core::Point(_) => Some(Piece::Corner(DVec3::ZERO)),
        Core::Segment(_) | Core::Triangle(_) | Core::Polytope(_) => of_vertices(body, simplex, side),
        Core::Cuboid(half, _) => of_cuboid(body, *half, simplex, side),
        Core::Round(round) => {
            let axis = body.pose().rotation().z_axis;
            let heights = simplex.iter().map(|v| axis.dot(offset(v, side)));
            let range = heights
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], z| [least.min(z), most.max(z)]);
            Some(round.kind().piece(body.pose(), range, axis.dot(facing)))
        }
    }
}

fn offset(vertex: &Vertex, side: usize) -> DVec3 {
    if side == 0 { vertex.a } else { vertex.b }
}

/// The different vertices among the points, at most three.
fn different(simplex: &[Vertex], side: usize) -> Option<([u32; 3], usize)> {
    let (mut numbers, mut count) = ([0; 3], 0);
    for vertex in simplex {
        let number = vertex.vertices[side];
        if !numbers[..count].contains(&number) {
            *numbers.get_mut(count)? = number;
            count += 1;
        }
    }
    Some((numbers, count))
}

fn of_vertices(body: &PosedConvex, simplex: &[Vertex], side: usize) -> Option<Piece> {
    let (numbers, count) = different(simplex, side)?;
    Some(match count {
        1 => Piece::Corner(body.offset(numbers[0])),
        2 => between(body, numbers[0], numbers[1]),
        _ => Piece::Triangle(numbers.map(|i| body.offset(i))),
    })
}

fn between(body: &PosedConvex, i: u32, j: u32) -> Piece {
    let (p, q) = (body.offset(i), body.offset(j));
    let half = (q - p) * 0.5;
    Piece::Edge { middle: p + half, half }
}

/// Vertices of a box are numbered by three bits: those that all have in common tell corner, edge and face.
fn of_cuboid(body: &PosedConvex, half: DVec3, simplex: &[Vertex], side: usize) -> Option<Piece> {
    let first = simplex.first()?.vertices[side];
    let differ = simplex.iter().fold(0, |bits, v| bits | (v.vertices[side] ^ first));
    match differ.count_ones() {
        0 => Some(Piece::Corner(body.offset(first))),
        1 => Some(between(body, first & !differ, first | differ)),
        2 => {
            let axis = (!differ & 7).trailing_zeros() as usize;
            Some(Piece::Face { half, axis, sign: if first >> axis & 1 == 1 { 1.0 } else { -1.0 } })
        }
        _ => None,
    }
}

impl Piece {
    /// The support point in a unit direction.
    pub fn view(&self, body: &PosedConvex, facing: DVec3) -> View {
        let sharp = |at: DVec3| View { at, bend: Bend::Sharp };
        let turned = |x: f64, y: f64, z: f64| body.pose().rotate(DVec3::new(x, y, z));
        match *self {
            Self::Corner(at) | Self::Edge { middle: at, .. } | Self::Triangle([at, ..]) => sharp(at),
            Self::Rim { radius, z } => rim(body, radius, z, facing),
            Self::Wall { radius, .. } => rim(body, radius, 0.0, facing),
            Self::Slope { half_length, .. } => sharp(turned(0.0, 0.0, half_length)),
            Self::Disc { z, .. } => sharp(turned(0.0, 0.0, z)),
            Self::Face { half, axis, sign } => sharp(body.pose().rotation().col(axis) * (half[axis] * sign)),
            Self::Ellipsoid(radii) => ellipsoid(body, radii, facing),
        }
    }

    /// The directions in which a line is farthest with all its points; `None` for other pieces.
    pub fn circle(&self, body: &PosedConvex) -> Option<Circle> {
        let axis = body.pose().rotation().z_axis;
        match *self {
            Self::Edge { half, .. } => Some(Circle { axis: half / half.length(), height: 0.0 }),
            Self::Wall { .. } => Some(Circle { axis, height: 0.0 }),
            Self::Slope { radius, half_length } => {
                Some(Circle { axis, height: Self::rise(radius, half_length) })
            }
            Self::Corner(_) | Self::Triangle(_) | Self::Ellipsoid(_) => None,
            Self::Rim { .. } | Self::Disc { .. } | Self::Face { .. } => None,
        }
    }

    /// The line that is farthest in a unit direction; `None` for other pieces.
    pub fn line(&self, body: &PosedConvex, facing: DVec3) -> Option<Line> {
        let turned = |v: DVec3| body.pose().rotate(v);
        match *self {
            Self::Edge { middle, half } => Some(Line { start: middle, way: half, range: [-1.0, 1.0] }),
            Self::Wall { radius, half_length } => {
                let way = turned(DVec3::new(0.0, 0.0, half_length));
                Some(Line { start: rim(body, radius, 0.0, facing).at, way, range: [-1.0, 1.0] })
            }
            Self::Slope { radius, half_length } => {
                let start = turned(DVec3::new(0.0, 0.0, half_length));
                let way = rim(body, radius, -half_length, facing).at - start;
                Some(Line { start, way, range: [0.0, 1.0] })
            }
            Self::Corner(_) | Self::Triangle(_) | Self::Ellipsoid(_) => None,
            Self::Rim { .. } | Self::Disc { .. } | Self::Face { .. } => None,
        }
    }

    /// What is beyond the end of a line.
    pub fn beyond(&self, body: &PosedConvex, t: f64) -> Self {
        match *self {
            Self::Edge { middle, half } => Self::Corner(middle + half * t.signum()),
            Self::Wall { radius, half_length } => Self::Rim { radius, z: half_length.copysign(t) },
            Self::Slope { half_length, .. } if t < 0.5 => {
                Self::Corner(body.pose().rotate(DVec3::new(0.0, 0.0, half_length)))
            }
            Self::Slope { radius, half_length } => Self::Rim { radius, z: -half_length },
            Self::Corner(_) | Self::Triangle(_) | Self::Ellipsoid(_) => *self,
            Self::Rim { .. } | Self::Disc { .. } | Self::Face { .. } => *self,
        }
    }

    /// The piece that takes over when the direction turns from one to another.
    pub fn after(&self, body: &PosedConvex, from: DVec3, to: DVec3) -> Option<Self> {
        let Self::Rim { radius, z } = *self else { return None };
        let rotation = body.pose().rotation();
        let (from, to) = (local(&rotation, from), local(&rotation, to));
        let side = body.convex().core().round().and_then(|round| round.kind().beside_rim(z, to));
        let across_the_axis = from.truncate().dot(to.truncate()) < 0.0;
        side.or_else(|| across_the_axis.then_some(Self::Disc { radius, z }))
    }

    /// The outward unit normal of a flat piece, turned to the side of a direction if it has two; `None` for others.
    pub fn normal(&self, body: &PosedConvex, facing: DVec3) -> Option<DVec3> {
        let rotation = body.pose().rotation();
        match *self {
            Self::Disc { z, .. } => Some(rotation.z_axis * z.signum()),
            Self::Face { axis, sign, .. } => Some(rotation.col(axis) * sign),
            Self::Triangle([a, b, c]) => {
                let normal = (b - a).cross(c - a).try_normalize()?;
                Some(if normal.dot(facing) < 0.0 { -normal } else { normal })
            }
            Self::Corner(_) | Self::Edge { .. } | Self::Ellipsoid(_) => None,
            Self::Rim { .. } | Self::Wall { .. } | Self::Slope { .. } => None,
        }
    }

    /// The foot of a point on a flat piece, both as seen from the centre; `None` if it falls beside it.
    pub fn foot(&self, body: &PosedConvex, p: DVec3) -> Option<DVec3> {
        let there = local(&body.pose().rotation(), p);
        match *self {
            Self::Disc { radius, z } => {
                let inside = there.x * there.x + there.y * there.y <= radius * radius;
                inside.then(|| body.pose().rotate(there.with_z(z)))
            }
            Self::Face { half, axis, sign } => {
                let mut foot = there;
                foot[axis] = half[axis] * sign;
                let inside = (foot.abs() - half).max_element() <= 0.0;
                inside.then(|| body.pose().rotate(foot))
            }
            Self::Triangle([a, b, c]) => {
                let normal = (b - a).cross(c - a);
                let part = |q: DVec3, r: DVec3| normal.dot((q - p).cross(r - p)) / normal.length_squared();
                let [u, v, w] = [part(b, c), part(c, a), part(a, b)];
                (u >= 0.0 && v >= 0.0 && w >= 0.0).then(|| (a * u + b * v + c * w) / ((u + v) + w))
            }
            Self::Corner(_) | Self::Edge { .. } | Self::Ellipsoid(_) => None,
            Self::Rim { .. } | Self::Wall { .. } | Self::Slope { .. } => None,
        }
    }

    /// Whether a ball inside of the body can touch the piece from inside.
    pub fn holds_balls(&self) -> bool {
        !matches!(self, Self::Corner(_) | Self::Edge { .. } | Self::Triangle(_) | Self::Rim { .. })
    }

    /// A large ball inside of the body that touches it from inside at a point of the piece with this outward
    /// normal: its centre, as seen from that of the body, and its radius; the point alone where there is
    /// none.
    pub fn ball(&self, body: &PosedConvex, at: DVec3, facing: DVec3) -> (DVec3, f64) {
        let there = local(&body.pose().rotation(), at);
        let across = there.truncate().length();
        let radius = match *self {
            Self::Wall { radius, half_length } => radius.min(half_length - there.z.abs()),
            Self::Slope { radius, half_length } => {
                // The ball may touch the base, or all of the slope around the axis.
                let sine = Self::rise(radius, half_length);
                let cosine = (1.0 - sine * sine).sqrt();
                ((there.z + half_length) / (1.0 + sine)).min(across / cosine)
            }
            Self::Disc { .. } => {
                body.convex().core().round().map_or(0.0, |round| round.kind().ball_on_disc(across))
            }
            Self::Face { half, axis, .. } => {
                let mut sides = half - there.abs();
                sides[axis] = half[axis];
                sides.min_element()
            }
            // With Q = M⁻² and the normal Q·at/|Q·at|, x = at + d is on the ball if facing·d = −d²/2R. There
            // xᵀQx = 1 − |Q·at|·d²/R + dᵀQd ≤ 1 if R ≤ |Q·at|·min(radii)², and |Q·at| is one over the height
            // of the point.
            Self::Ellipsoid(radii) => radii.min_element() * radii.min_element() / at.dot(facing),
            Self::Corner(_) | Self::Edge { .. } | Self::Triangle(_) | Self::Rim { .. } => 0.0,
        };
        let radius = radius.max(0.0);
        (at - facing * radius, radius)
    }

    /// The symmetric matrix that makes of the unit ball the disc of a rim, or the longest part of an edge
    /// that has a point of it for its middle; `None` for other pieces.
    pub fn image_of_ball(&self, body: &PosedConvex, at: DVec3) -> Option<DMat3> {
        let projector = |unit: DVec3| DMat3::from_cols(unit * unit.x, unit * unit.y, unit * unit.z);
        match *self {
            Self::Rim { radius, .. } => {
                Some((DMat3::IDENTITY - projector(body.pose().rotation().z_axis)) * radius)
            }
            Self::Edge { middle, half } => {
                let length = half.length();
                let rest = length - (at - middle).length();
                Some(projector(half / length) * rest.max(0.0))
            }
            Self::Corner(_) | Self::Triangle(_) | Self::Wall { .. } | Self::Slope { .. } => None,
            Self::Disc { .. } | Self::Face { .. } | Self::Ellipsoid(_) => None,
        }
    }

    /// The piece at the border of a flat one that is nearest to a point which has no foot on that.
    pub fn beside(&self, body: &PosedConvex, p: DVec3) -> Option<Self> {
        let there = local(&body.pose().rotation(), p);
        match *self {
            Self::Disc { radius, z } => Some(Self::Rim { radius, z }),
            Self::Face { half, axis, sign } => {
                let mut near = there.clamp(-half, half);
                near[axis] = half[axis] * sign;
                let along = [(axis + 1) % 3, (axis + 2) % 3].into_iter().find(|&k| there[k].abs() <= half[k]);
                Some(along.map_or(Self::Corner(body.pose().rotate(near)), |k| {
                    let mut middle = near;
                    middle[k] = 0.0;
                    Self::Edge {
                        middle: body.pose().rotate(middle),
                        half: body.pose().rotation().col(k) * half[k],
                    }
                }))
            }
            Self::Corner(_) | Self::Edge { .. } | Self::Triangle(_) | Self::Ellipsoid(_) => None,
            Self::Rim { .. } | Self::Wall { .. } | Self::Slope { .. } => None,
        }
    }
}

fn rim(body: &PosedConvex, radius: f64, z: f64, facing: DVec3) -> View {
    let there = local(&body.pose().rotation(), facing);
    let across = (there.x * there.x + there.y * there.y).sqrt().max(f64::MIN_POSITIVE);
    let out = DVec3::new(there.x / across, there.y / across, 0.0);
    let u = body.pose().rotate(DVec3::new(-out.y, out.x, 0.0));
    let at = body.pose().rotate((out * radius).with_z(z));
    View { at, bend: Bend::Along { u, radius: radius / across } }
}

fn ellipsoid(body: &PosedConvex, radii: DVec3, facing: DVec3) -> View {
    let rotation = body.pose().rotation();
    let squares = radii * radii;
    let scaled = radii * local(&rotation, facing);
    let height = scaled.length();
    let at = radii * (scaled / height);
    View { at: body.pose().rotate(at), bend: Bend::Ellipsoid { squares, at, height, rotation } }
}

#[cfg(test)]
mod tests;
