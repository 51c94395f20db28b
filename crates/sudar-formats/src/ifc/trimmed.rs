//! Faces of curved surfaces: cut to triangles in the plane of the parameters, between the points of their loops, and
//! refined inside until they are near enough.

use std::collections::{BTreeMap, BTreeSet};

use sudar::DVec3;
use sudar::glam::DVec2;

use super::boolean::flat::Triangulation;
use super::boolean::points::{Flat, Points, Whole};
use super::faces::Faces;
use super::surface::Curved;

/// The parameters, scaled, are whole numbers up to this.
const SCALE: f64 = (1_u64 << 30) as f64;
/// Most points inside one face.
const MOST_INSIDE: usize = 20_000;
const PASSES: usize = 16;
/// A surface may be farther off than where it is looked at.
const ROOM: f64 = 1.5;
/// Steps that cutting one face may take.
const STEPS: u64 = 20_000_000;
/// Rounds of flips of all edges.
const ROUNDS: usize = 100;
/// Flips after one point, which ends what rounding might not.
const MOST_FLIPS: usize = 1000;

/// A point of a loop: where it is, and its parameters.
type Known = (DVec2, DVec3);

/// A loop that goes round the surface, and by how much its parameters have moved then.
type Round = (Vec<Known>, DVec2);

/// Why a face is not cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// Its loops wind round the surface in a way that is not read.
    Loops,
    /// They cross themselves, or it would take too long.
    Uncut,
}

/// Adds the triangles of a face whose loops are on its left, seen against the normal of its surface, or on its right.
/// Gives how far the surface is from them at most, about: [`ROOM`] times what looks at the middles of edges and of
/// triangles find.
pub(super) fn add(
    surface: &Curved,
    loops: &[Vec<DVec3>],
    is_along: bool,
    deflection: f64,
    faces: &mut Faces,
) -> Result<f64, Failure> {
    let rings = rings(surface, loops)?;
    let mut face = Face::new(surface, &rings).ok_or(Failure::Uncut)?;
    let deviation = face.refine(deflection).ok_or(Failure::Uncut)?;
    for [a, b, c] in face.inside() {
        let [p, q, r] = [a, b, c].map(|i| face.known[&i].1);
        faces.triangle(if is_along { [p, q, r] } else { [p, r, q] });
    }
    Ok(deviation)
}

/// Loops in the plane of the parameters, each closed there. Two that go round the surface are joined by a seam.
fn rings(surface: &Curved, loops: &[Vec<DVec3>]) -> Result<Vec<Vec<Known>>, Failure> {
    let mut closed: Vec<Vec<Known>> = Vec::new();
    let mut round: Vec<Round> = Vec::new();
    for points in loops {
        let mut near = None;
        let mut ring: Vec<Known> = Vec::with_capacity(points.len());
        for p in points {
            let at = surface.parameters(*p, near);
            ring.push((at, *p));
            near = Some(at);
        }
        let Some(&(first, p)) = ring.first() else { continue };
        let way = surface.parameters(p, near) - first;
        let turns = |x: f64, period: Option<f64>| period.map_or(0.0, |t| (x / t).round() * t);
        let [u, v] = surface.periods();
        let way = DVec2::new(turns(way.x, u), turns(way.y, v));
        if way == DVec2::ZERO { closed.push(ring) } else { round.push((ring, way)) }
    }
    match round.len() {
        0 => {}
        2 => closed.insert(0, joined(&round[0], &round[1])?),
        _ => return Err(Failure::Loops),
    }
    Ok(closed)
}

/// Two loops that go round the surface in opposite ways as one, along a seam between their nearest points.
fn joined(a: &Round, b: &Round) -> Result<Vec<Known>, Failure> {
    let ((first, way), (second, back)) = (a, b);
    if *way != -*back {
        return Err(Failure::Loops);
    }
    let moved = |(at, p): &Known, by: DVec2| (*at + by, *p);
    let start = first[0].0 + *way;
    // The point of the second that is nearest along the way round, in any of its turns.
    let along = |at: DVec2| {
        let off = (at - start).dot(*way) / way.length_squared();
        (off - off.round(), off.round())
    };
    let nearest = (0..second.len())
        .min_by(|&i, &j| along(second[i].0).0.abs().total_cmp(&along(second[j].0).0.abs()))
        .ok_or(Failure::Loops)?;
    let turns = *way * -along(second[nearest].0).1;
    let mut ring = first.clone();
    ring.push(moved(&first[0], *way));
    for k in 0..=second.len() {
        let i = nearest + k;
        let more = if i >= second.len() { *back } else { DVec2::ZERO };
        ring.push(moved(&second[i % second.len()], turns + more));
    }
    Ok(ring)
}

/// A face being cut.
struct Face<'a> {
    surface: &'a Curved,
    points: Points,
    flat: Flat,
    triangulation: Triangulation,
    known: BTreeMap<u32, Known>,
    /// Edges of the loops.
    fixed: BTreeSet<(u32, u32)>,
    /// A corner outside, from which what is inside is found.
    outside: [u32; 3],
    low: DVec2,
    scale: DVec2,
    steps: u64,
}

impl<'a> Face<'a> {
    fn new(surface: &'a Curved, rings: &[Vec<Known>]) -> Option<Self> {
        let all = || rings.iter().flatten().map(|(at, _)| *at);
        let (low, high) =
            all().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
        let steps = all().map(|p| surface.steps(p)).fold(DVec2::ZERO, DVec2::max);
        let size = ((high - low) * steps).max_element();
        if !size.is_finite() || size <= 0.0 {
            return None;
        }
        let scale = steps * (SCALE / size);
        let mut points = Points::default();
        let far = 4 * SCALE as i64;
        let outside = [[-far, -far, 0], [3 * far, -far, 0], [-far, 3 * far, 0]].map(|p| points.add_whole(p));
        let mut face = Self {
            surface,
            points,
            flat: Flat::of_normal([0, 0, 1]),
            triangulation: Triangulation::default(),
            known: BTreeMap::new(),
            fixed: BTreeSet::new(),
            outside,
            low,
            scale,
            steps: STEPS,
        };
        face.triangulation.add(outside);
        face.bound(rings)?;
        Some(face)
    }

    fn bound(&mut self, rings: &[Vec<Known>]) -> Option<()> {
        let mut edges = Vec::new();
        for ring in rings {
            let mut numbers = Vec::with_capacity(ring.len());
            for known in ring {
                numbers.push(self.insert(*known)?);
            }
            numbers.dedup();
            let next = numbers.iter().cycle().skip(1);
            edges.extend(numbers.iter().zip(next).filter(|(a, b)| a != b).map(|(a, b)| (*a, *b)));
        }
        for (a, b) in edges {
            // What goes there and back bounds nothing.
            if !self.fixed.remove(&(a.min(b), a.max(b))) {
                self.fixed.insert((a.min(b), a.max(b)));
            }
        }
        for (a, b) in self.fixed.clone() {
            self.triangulation.force(&self.points, self.flat, a, b, &mut self.steps)?;
        }
        Some(())
    }

    fn whole(&self, at: DVec2) -> Whole {
        let p = ((at - self.low) * self.scale).round();
        [p.x as i64, p.y as i64, 0]
    }

    fn insert(&mut self, known: Known) -> Option<u32> {
        let number = self.points.add_whole(self.whole(known.0));
        if self.known.contains_key(&number) {
            return Some(number);
        }
        self.triangulation.insert(&self.points, self.flat, number, &mut self.steps)?;
        self.known.insert(number, known);
        Some(number)
    }

    /// The triangles inside the loops: behind an odd number of their edges.
    fn inside(&self) -> Vec<[u32; 3]> {
        let mut found: BTreeMap<[u32; 3], bool> = BTreeMap::new();
        let least = |[a, b, c]: [u32; 3]| match a.min(b).min(c) {
            least if least == a => [a, b, c],
            least if least == b => [b, c, a],
            _ => [c, a, b],
        };
        let [a, b, _] = self.outside;
        let mut next: Vec<([u32; 3], bool)> =
            self.triangulation.apex(a, b).map(|c| (least([a, b, c]), false)).into_iter().collect();
        while let Some((t @ [a, b, c], is_inside)) = next.pop() {
            if found.insert(t, is_inside).is_some() {
                continue;
            }
            for (u, v) in [(a, b), (b, c), (c, a)] {
                if let Some(w) = self.triangulation.apex(v, u) {
                    let crosses = self.fixed.contains(&(u.min(v), u.max(v)));
                    next.push((least([v, u, w]), is_inside != crosses));
                }
            }
        }
        found.into_iter().filter(|(_, is_inside)| *is_inside).map(|(t, _)| t).collect()
    }

    /// Puts points inside where the surface is farther away than allowed. Gives how far it is then.
    fn refine(&mut self, deflection: f64) -> Option<f64> {
        let mut most = 0.0;
        for pass in 0..=PASSES {
            self.legalize_all();
            let mut far: Vec<DVec2> = Vec::new();
            most = 0.0;
            for t in self.inside() {
                let (off, place) = self.farthest(t);
                most = f64::max(most, off);
                far.extend(place.filter(|_| ROOM * off > deflection));
            }
            if far.is_empty() || pass == PASSES || self.known.len() + far.len() > MOST_INSIDE {
                break;
            }
            for at in far {
                let before = self.known.len();
                let number = self.insert((at, self.surface.at(at)))?;
                if self.known.len() > before {
                    self.legalize_around(number);
                }
            }
        }
        Some(ROOM * most)
    }

    /// How far the surface is from a triangle at its middle and those of its edges, and where most, if not on a loop.
    fn farthest(&self, [a, b, c]: [u32; 3]) -> (f64, Option<DVec2>) {
        let at = |i: u32| self.known.get(&i).copied().unwrap_or_default();
        let (p, q, r) = (at(a), at(b), at(c));
        let is_free = |u: u32, v: u32| !self.fixed.contains(&(u.min(v), u.max(v)));
        let looks = [
            (((p.0 + q.0 + r.0) / 3.0), (p.1 + q.1 + r.1) / 3.0, true),
            ((p.0 + q.0) / 2.0, (p.1 + q.1) / 2.0, is_free(a, b)),
            ((q.0 + r.0) / 2.0, (q.1 + r.1) / 2.0, is_free(b, c)),
            ((r.0 + p.0) / 2.0, (r.1 + p.1) / 2.0, is_free(c, a)),
        ];
        let mut most = (0.0, None);
        for (at, flat, is_free) in looks {
            let off = self.surface.at(at).distance(flat);
            if off > most.0 {
                most = (off, is_free.then_some(at).or(Some(looks[0].0)));
            }
        }
        most
    }

    fn legalize_all(&mut self) {
        for _ in 0..ROUNDS {
            let edges: Vec<(u32, u32)> = self
                .triangulation
                .triangles()
                .into_iter()
                .flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)])
                .collect();
            let flips = edges.into_iter().filter(|(u, v)| u < v && self.legalize(*u, *v)).count();
            if flips == 0 {
                return;
            }
        }
    }

    /// Flips edges opposite a new point as long as that point is in the circle of the triangle behind them.
    fn legalize_around(&mut self, p: u32) {
        let mut next = self.triangulation.around(p);
        for _ in 0..MOST_FLIPS {
            let Some((u, v)) = next.pop() else { return };
            let Some(x) = self.triangulation.apex(v, u) else { continue };
            if self.legalize(u, v) {
                next.extend([(u, x), (x, v)]);
            }
        }
    }

    /// Whether an edge was flipped, since the corner on one side is in the circle of the triangle on the other.
    fn legalize(&mut self, u: u32, v: u32) -> bool {
        use sudar::math::Sign::Positive;
        let (Some(w), Some(x)) = (self.triangulation.apex(u, v), self.triangulation.apex(v, u)) else {
            return false;
        };
        if self.fixed.contains(&(u.min(v), u.max(v))) {
            return false;
        }
        let is_convex = self.points.orient(self.flat, x, v, w) == Positive
            && self.points.orient(self.flat, w, u, x) == Positive;
        if !is_convex || !self.in_circle([u, v, w], x) {
            return false;
        }
        self.triangulation.flip(u, v);
        true
    }

    /// Whether a point is in the circle through three others, by more than rounding.
    fn in_circle(&self, [a, b, c]: [u32; 3], p: u32) -> bool {
        let at = |i: u32| (self.points.near(i) - self.points.near(p)).truncate() / SCALE;
        let [a, b, c] = [a, b, c].map(at);
        let det = a.length_squared() * b.perp_dot(c)
            + b.length_squared() * c.perp_dot(a)
            + c.length_squared() * a.perp_dot(b);
        let size = a.length_squared().max(b.length_squared()).max(c.length_squared());
        det > 1e-9 * size * size
    }
}
