//! Curves as rows of points that lie on them.

use std::f64::consts::TAU;

use sudar::DVec3;
use sudar::glam::DAffine3;

use super::row::Row;
use super::units::{DEEPEST, Units};
use super::value::{Entry, Found, Lost, Value};
use crate::step::Step;

/// Points of a curve that are nearer to each other are one: a nanometre, in metres.
const SAME: f64 = 1e-9;
/// Most points of one curve.
const MOST: usize = 1 << 20;

/// Reads curves of a file.
#[derive(Clone, Copy)]
pub(super) struct Curves<'a> {
    pub step: &'a Step<'a>,
    pub units: Units,
}

/// A circle or an ellipse: where its middle is and what its axes are, and its two radii.
#[derive(Debug, Clone, Copy)]
struct Conic {
    frame: DAffine3,
    radii: [f64; 2],
}

impl Conic {
    fn at(&self, angle: f64) -> DVec3 {
        let (sin, cos) = libm::sincos(angle);
        self.frame.transform_point3(DVec3::new(self.radii[0] * cos, self.radii[1] * sin, 0.0))
    }

    fn angle(&self, p: DVec3) -> f64 {
        let p = self.frame.inverse().transform_point3(p);
        libm::atan2(p.y / self.radii[1], p.x / self.radii[0])
    }
}

impl Units {
    /// How far a line may be from a curve of some radius.
    pub fn allowed(self, radius: f64) -> f64 {
        self.deflection.min(radius / 100.0) * self.share
    }

    /// Into how many pieces an arc is cut so that no piece is farther from it than allowed, and how far it is.
    pub fn pieces(self, radius: f64, angle: f64) -> (usize, f64) {
        let allowed = self.allowed(radius);
        let most = 2.0 * libm::acos((1.0 - allowed / radius).clamp(-1.0, 1.0));
        // A full turn has a multiple of four, so that a circle reaches its bounds.
        let count = (angle.abs() / most - 1e-9).ceil().clamp(1.0, MOST as f64);
        let count = if angle.abs() >= TAU - 1e-9 { (count / 4.0).ceil() * 4.0 } else { count };
        (count as usize, radius * (1.0 - libm::cos(angle.abs() / count / 2.0)))
    }

    /// A closed row about the origin, counter-clockwise, without its first point again.
    pub fn ellipse(self, [a, b]: [f64; 2]) -> Row {
        let (count, deviation) = self.pieces(a.max(b), TAU);
        let point = |i: usize| {
            let (sin, cos) = sincos_of_turn(i, count);
            DVec3::new(a * cos, b * sin, 0.0)
        };
        Row { points: (0..count).map(point).collect(), deviation }
    }
}

/// Sine and cosine of a part of a turn, exact at its quarters.
pub(super) fn sincos_of_turn(i: usize, count: usize) -> (f64, f64) {
    match (4 * i).checked_rem(count) {
        Some(0) => [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][4 * i / count % 4],
        _ => libm::sincos(TAU * i as f64 / count as f64),
    }
}

impl<'a> Curves<'a> {
    /// A closed curve as a ring: its first point does not come again.
    pub fn ring(&self, number: u32) -> Found<Row> {
        let mut row = self.row(number)?;
        while row.points.len() > 1 && self.are_one(row.points[0], row.points[row.points.len() - 1]) {
            row.points.pop();
        }
        if row.points.len() < 3 {
            return Err(Lost(format!("#{number}: encloses nothing")));
        }
        Ok(row)
    }

    /// The points of a curve from its beginning to its end.
    pub fn row(&self, number: u32) -> Found<Row> {
        let mut row = self.curve(number, DEEPEST)?;
        if row.points.len() > MOST {
            return Err(Lost(format!("#{number}: has more than {MOST} points")));
        }
        row.points.dedup_by(|a, b| self.are_one(*a, *b));
        Ok(row)
    }

    fn are_one(&self, p: DVec3, q: DVec3) -> bool {
        p.distance(q) * self.units.metres <= SAME
    }

    fn curve(&self, number: u32, depth: usize) -> Found<Row> {
        let entry = self.step.entry(number)?;
        let depth = depth.checked_sub(1).ok_or_else(|| endless(&entry))?;
        match &*entry.class {
            "IFCPOLYLINE" => self.polyline(&entry),
            "IFCINDEXEDPOLYCURVE" => self.indexed(&entry),
            "IFCCOMPOSITECURVE" | "IFC2DCOMPOSITECURVE" | "IFCBOUNDARYCURVE" | "IFCOUTERBOUNDARYCURVE" => {
                self.composite(&entry, depth)
            }
            "IFCTRIMMEDCURVE" => self.trimmed(&entry, depth),
            "IFCCIRCLE" | "IFCELLIPSE" => {
                let conic = self.conic(&entry)?;
                Ok(self.arc(conic, 0.0, TAU))
            }
            "IFCSURFACECURVE" | "IFCSEAMCURVE" | "IFCINTERSECTIONCURVE" => {
                self.curve(entry.reference(0)?, depth)
            }
            "IFCBSPLINECURVEWITHKNOTS" | "IFCRATIONALBSPLINECURVEWITHKNOTS" => self.spline(&entry),
            _ => Err(entry.unread()),
        }
    }

    fn polyline(&self, entry: &Entry<'_>) -> Found<Row> {
        let points = entry.references(0)?.into_iter().map(|p| self.step.point(p)).collect::<Found<_>>()?;
        Ok(Row { points, deviation: 0.0 })
    }

    fn indexed(&self, entry: &Entry<'_>) -> Found<Row> {
        let points = self.step.points(entry.reference(0)?)?;
        if matches!(entry.get(1), Value::Absent) {
            return Ok(Row { points, deviation: 0.0 });
        }
        let mut row = Row::default();
        for segment in entry.list(1)? {
            let Value::Typed(kind, values) = segment else { return Err(entry.wrong(1, "list of segments")) };
            let numbers = values.first().and_then(Value::numbers).unwrap_or_default();
            let corner = |i: &f64| {
                let found = (*i >= 1.0).then(|| points.get(*i as usize - 1)).flatten();
                found.copied().ok_or_else(|| no_corner(entry, *i, points.len()))
            };
            let corners = numbers.iter().map(corner).collect::<Found<Vec<_>>>()?;
            match (kind.eq_ignore_ascii_case(b"IFCARCINDEX"), &corners[..]) {
                (true, &[a, b, c]) => row.extend(self.arc_through(a, b, c)),
                (true, _) => return Err(entry.wrong(1, "list of arcs of three points")),
                (false, _) => row.points.extend(corners),
            }
        }
        Ok(row)
    }

    /// The arc from `a` over `b` to `c`, a line where they are on one.
    fn arc_through(&self, a: DVec3, b: DVec3, c: DVec3) -> Row {
        let (u, v) = (b - a, c - a);
        let normal = u.cross(v);
        let squared = normal.length_squared();
        if squared <= 1e-20 * u.length_squared() * v.length_squared() {
            return Row { points: vec![a, b, c], deviation: 0.0 };
        }
        // The middle of the circle, by the barycentric coordinates of a triangle.
        let middle = a
            + (normal.cross(u) * v.length_squared() + v.cross(normal) * u.length_squared()) / (2.0 * squared);
        let x = (a - middle).normalize();
        let z = normal.normalize();
        let frame = DAffine3::from_mat3_translation(super::frame::axes(z, Some(x)), middle);
        let radius = a.distance(middle);
        let conic = Conic { frame, radii: [radius; 2] };
        let end = conic.angle(c).rem_euclid(TAU);
        let mut row = self.arc(conic, 0.0, end);
        // Its ends are as they are in the file.
        if let [first, .., last] = &mut row.points[..] {
            (*first, *last) = (a, c);
        }
        row
    }

    fn composite(&self, entry: &Entry<'_>, depth: usize) -> Found<Row> {
        let mut row = Row::default();
        for number in entry.references(0)? {
            let segment = self.step.entry(number)?;
            if !segment.class.ends_with("COMPOSITECURVESEGMENT") {
                return Err(segment.unread());
            }
            let mut part = self.curve(segment.reference(2)?, depth)?;
            if segment.says(1, "F") {
                part.points.reverse();
            }
            row.extend(part);
            if row.points.len() > MOST {
                return Err(Lost(format!("#{} {}: has more than {MOST} points", entry.number, entry.class)));
            }
        }
        Ok(row)
    }

    fn conic(&self, entry: &Entry<'_>) -> Found<Conic> {
        let frame = self.step.axes(Some(entry.reference(0)?))?;
        let first = entry.length(1)?;
        let second = if entry.class == "IFCELLIPSE" { entry.length(2)? } else { first };
        Ok(Conic { frame, radii: [first, second] })
    }

    fn arc(&self, conic: Conic, from: f64, to: f64) -> Row {
        let (count, deviation) = self.units.pieces(conic.radii[0].max(conic.radii[1]), to - from);
        let is_whole = (to - from).abs() >= TAU - 1e-9;
        let point = |i: usize| {
            if is_whole && from == 0.0 {
                let (sin, cos) = sincos_of_turn(i % count, count);
                return conic.frame.transform_point3(DVec3::new(
                    conic.radii[0] * cos,
                    conic.radii[1] * sin,
                    0.0,
                ));
            }
            conic.at(from + (to - from) * (i as f64 / count as f64))
        };
        Row { points: (0..=count).map(point).collect(), deviation }
    }

    fn trimmed(&self, entry: &Entry<'_>, depth: usize) -> Found<Row> {
        let basis = self.step.entry(entry.reference(0)?)?;
        let ends = [self.trim(entry, 1)?, self.trim(entry, 2)?];
        let is_forward = !entry.says(3, "F");
        let by_points = entry.says(4, "CARTESIAN");
        match &*basis.class {
            "IFCLINE" => {
                let (origin, way) = self.line(&basis)?;
                let end = |(parameter, point): Trim| match (parameter, point) {
                    (_, Some(point)) if by_points || parameter.is_none() => Ok(point),
                    (Some(parameter), _) => Ok(origin + way * parameter),
                    (None, _) => Err(entry.wrong(1, "trimming point")),
                };
                Ok(Row { points: ends.into_iter().map(end).collect::<Found<_>>()?, deviation: 0.0 })
            }
            "IFCCIRCLE" | "IFCELLIPSE" => {
                let conic = self.conic(&basis)?;
                let angle = |(parameter, point): Trim| match (parameter, point) {
                    (_, Some(point)) if by_points || parameter.is_none() => Ok(conic.angle(point)),
                    (Some(parameter), _) => Ok(parameter * self.units.angle),
                    (None, _) => Err(entry.wrong(1, "trimming point")),
                };
                let (from, to) = (angle(ends[0])?, angle(ends[1])?);
                let turn = if is_forward { to - from } else { from - to }.rem_euclid(TAU);
                let turn = if turn <= 1e-12 { TAU } else { turn };
                Ok(self.arc(conic, from, if is_forward { from + turn } else { from - turn }))
            }
            _ => {
                let row = self.curve(basis.number, depth)?;
                self.trimmed_row(row, entry, ends)
            }
        }
    }

    /// A row that is trimmed where it begins and ends, which is all that is read of the rest.
    fn trimmed_row(&self, mut row: Row, entry: &Entry<'_>, ends: [Trim; 2]) -> Found<Row> {
        let [first, last] = [row.points.first().copied(), row.points.last().copied()];
        let is = |(_, point): Trim, p: Option<DVec3>| point.zip(p).is_some_and(|(a, b)| self.are_one(a, b));
        if is(ends[0], first) && is(ends[1], last) {
            return Ok(row);
        }
        if is(ends[0], last) && is(ends[1], first) {
            row.points.reverse();
            return Ok(row);
        }
        Err(Lost(format!("#{} {}: a part of such a curve is not read", entry.number, entry.class)))
    }

    /// A curve between two of its points, as it runs; `None` for a line.
    pub fn between_points(&self, number: u32, from: DVec3, to: DVec3) -> Found<Option<Row>> {
        let entry = self.step.entry(number)?;
        match &*entry.class {
            "IFCLINE" => Ok(None),
            "IFCCIRCLE" | "IFCELLIPSE" => {
                let conic = self.conic(&entry)?;
                let start = conic.angle(from);
                let turn = (conic.angle(to) - start).rem_euclid(TAU);
                let turn = if turn <= 1e-12 || self.are_one(from, to) { TAU } else { turn };
                Ok(Some(self.arc(conic, start, start + turn)))
            }
            "IFCSURFACECURVE" | "IFCSEAMCURVE" | "IFCINTERSECTIONCURVE" => {
                self.between_points(entry.reference(0)?, from, to)
            }
            _ => {
                let row = self.curve(number, DEEPEST)?;
                self.trimmed_row(row, &entry, [(None, Some(from)), (None, Some(to))]).map(Some)
            }
        }
    }

    fn trim(&self, entry: &Entry<'_>, i: usize) -> Found<Trim> {
        let parameter = entry.list(i)?.iter().find_map(Value::number);
        let point =
            entry.list(i)?.iter().find_map(Value::reference).map(|p| self.step.point(p)).transpose()?;
        Ok((parameter, point))
    }

    fn line(&self, entry: &Entry<'_>) -> Found<(DVec3, DVec3)> {
        let vector = self.step.entry(entry.reference(1)?)?;
        let way = self.step.direction(vector.reference(0)?)? * vector.number(1)?;
        Ok((self.step.point(entry.reference(0)?)?, way))
    }

    fn spline(&self, entry: &Entry<'_>) -> Found<Row> {
        let points =
            entry.references(1)?.into_iter().map(|p| self.step.point(p)).collect::<Found<Vec<_>>>()?;
        let spline = super::spline::Spline::new(
            entry.number(0)? as usize,
            super::spline::knots(&entry.numbers(5)?, &entry.numbers(6)?),
            points.len(),
        );
        let spline = spline.ok_or_else(|| entry.wrong(6, "row of knots for these points"))?;
        let weights = match entry.numbers(8) {
            Ok(weights) if weights.len() == points.len() => weights,
            _ => vec![1.0; points.len()],
        };
        Ok(spline.row(&points, &weights, self.units.allowed(f64::INFINITY)))
    }
}

/// Where a curve is trimmed: by parameter, by point, or both.
type Trim = (Option<f64>, Option<DVec3>);

impl Step<'_> {
    /// The points of an `IfcCartesianPointList`.
    pub(super) fn points(&self, number: u32) -> Found<Vec<DVec3>> {
        let entry = self.entry(number)?;
        let point = |row: Vec<f64>| match row[..] {
            [x, y] => Ok(DVec3::new(x, y, 0.0)),
            [x, y, z] => Ok(DVec3::new(x, y, z)),
            _ => Err(entry.wrong(0, "list of points")),
        };
        entry.rows(0)?.into_iter().map(point).collect()
    }
}

pub(super) fn endless(entry: &Entry<'_>) -> Lost {
    Lost(format!("#{} {}: refers to itself, or to too many others in each other", entry.number, entry.class))
}

pub(super) fn no_corner(entry: &Entry<'_>, i: f64, count: usize) -> Lost {
    Lost(format!("#{} {}: names corner {i} of {count}", entry.number, entry.class))
}
