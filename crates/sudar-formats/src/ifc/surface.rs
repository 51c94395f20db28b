//! Curved surfaces by two parameters.

use std::f64::consts::{PI, TAU};

use sudar::DVec3;
use sudar::glam::{DAffine3, DVec2, DVec4};

use super::curve::Curves;
use super::spline::{Spline, knots};
use super::value::{Entry, Found};

/// A surface.
#[derive(Debug)]
pub(super) enum Curved {
    Cylinder { frame: DAffine3, radius: f64 },
    Sphere { frame: DAffine3, radius: f64 },
    Torus { frame: DAffine3, radii: [f64; 2] },
    Spline(Patch),
}

/// A B-spline surface: rows of points with their weights, a row for each number of the first parameter.
#[derive(Debug)]
pub(super) struct Patch {
    splines: [Spline; 2],
    rows: Vec<Vec<DVec4>>,
    /// After what its parameters come back to where they were, in each that does.
    periods: [Option<f64>; 2],
}

/// Steps of Newton's method to the parameters of a point.
const STEPS: usize = 40;
/// Points in each direction at which a search for parameters begins, for each span.
const STARTS: usize = 6;

impl Curves<'_> {
    pub fn curved(&self, entry: &Entry<'_>) -> Found<Curved> {
        let frame = || self.step.axes(Some(entry.reference(0)?));
        match &*entry.class {
            "IFCCYLINDRICALSURFACE" => Ok(Curved::Cylinder { frame: frame()?, radius: entry.length(1)? }),
            "IFCSPHERICALSURFACE" => Ok(Curved::Sphere { frame: frame()?, radius: entry.length(1)? }),
            "IFCTOROIDALSURFACE" => {
                Ok(Curved::Torus { frame: frame()?, radii: [entry.length(1)?, entry.length(2)?] })
            }
            "IFCBSPLINESURFACEWITHKNOTS" | "IFCRATIONALBSPLINESURFACEWITHKNOTS" => self.patch(entry),
            _ => Err(entry.unread()),
        }
    }

    fn patch(&self, entry: &Entry<'_>) -> Found<Curved> {
        let mut rows: Vec<Vec<DVec4>> = Vec::new();
        for row in entry.list(2)? {
            let super::value::Value::List(row) = row else {
                return Err(entry.wrong(2, "list of rows of points"));
            };
            let points = row.iter().map(|point| {
                let point = point.reference().ok_or_else(|| entry.wrong(2, "list of rows of points"))?;
                Ok(self.step.point(point)?.extend(1.0))
            });
            rows.push(points.collect::<Found<_>>()?);
        }
        let across = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != across) {
            return Err(entry.wrong(2, "list of equally long rows"));
        }
        if let Ok(weights) = entry.rows(12) {
            for (p, w) in rows.iter_mut().flatten().zip(weights.into_iter().flatten()) {
                *p = (p.truncate() * w).extend(w);
            }
        }
        let spline = |degree: usize, m: usize, x: usize, count: usize| {
            let degree = entry.number(degree)? as usize;
            let knots = knots(&entry.numbers(m)?, &entry.numbers(x)?);
            Spline::new(degree, knots, count).ok_or_else(|| entry.wrong(x, "row of knots for these points"))
        };
        let splines = [spline(0, 7, 9, rows.len())?, spline(1, 8, 10, across)?];
        let mut patch = Patch { splines, rows, periods: [None; 2] };
        patch.periods = [0, 1].map(|axis| patch.period(axis));
        Ok(Curved::Spline(patch))
    }
}

impl Curved {
    pub fn at(&self, p: DVec2) -> DVec3 {
        let ((sin_u, cos_u), (sin_v, cos_v)) = (libm::sincos(p.x), libm::sincos(p.y));
        match self {
            Self::Cylinder { frame, radius } => {
                frame.transform_point3(DVec3::new(radius * cos_u, radius * sin_u, p.y))
            }
            Self::Sphere { frame, radius } => {
                frame.transform_point3(DVec3::new(cos_u * cos_v, sin_u * cos_v, sin_v) * *radius)
            }
            Self::Torus { frame, radii: [big, small] } => {
                let out = big + small * cos_v;
                frame.transform_point3(DVec3::new(out * cos_u, out * sin_u, small * sin_v))
            }
            Self::Spline(patch) => patch.at(p),
        }
    }

    /// Its least radius, where it is the same all over.
    pub fn radius(&self) -> f64 {
        match self {
            Self::Cylinder { radius, .. } | Self::Sphere { radius, .. } => *radius,
            Self::Torus { radii: [_, small], .. } => *small,
            Self::Spline(_) => f64::INFINITY,
        }
    }

    /// After what each parameter comes back to where it was.
    pub fn periods(&self) -> [Option<f64>; 2] {
        match self {
            Self::Cylinder { .. } | Self::Sphere { .. } => [Some(TAU), None],
            Self::Torus { .. } => [Some(TAU), Some(TAU)],
            Self::Spline(patch) => patch.periods,
        }
    }

    /// The parameters of a point of the surface, of all that it has those nearest to others.
    pub fn parameters(&self, p: DVec3, near: Option<DVec2>) -> DVec2 {
        let found = match self {
            Self::Cylinder { frame, .. } => {
                let p = frame.inverse().transform_point3(p);
                DVec2::new(libm::atan2(p.y, p.x), p.z)
            }
            Self::Sphere { frame, .. } => {
                let p = frame.inverse().transform_point3(p);
                let across = p.truncate().length();
                // At a pole any angle will do.
                let angle = if across <= 1e-9 * p.length() {
                    near.map_or(0.0, |n| n.x)
                } else {
                    libm::atan2(p.y, p.x)
                };
                DVec2::new(angle, libm::atan2(p.z, across))
            }
            Self::Torus { frame, radii } => {
                let p = frame.inverse().transform_point3(p);
                DVec2::new(libm::atan2(p.y, p.x), libm::atan2(p.z, p.truncate().length() - radii[0]))
            }
            Self::Spline(patch) => patch.parameters(p, near),
        };
        let Some(near) = near else { return found };
        let [u, v] = self.periods();
        let beside =
            |x: f64, near: f64, period: Option<f64>| period.map_or(x, |t| x + ((near - x) / t).round() * t);
        DVec2::new(beside(found.x, near.x, u), beside(found.y, near.y, v))
    }

    /// How long a step of each parameter is about, at a place.
    pub fn steps(&self, p: DVec2) -> DVec2 {
        let h = 1e-4;
        let [lengths_u, lengths_v] = match self {
            Self::Spline(patch) => patch.splines.each_ref().map(|spline| {
                let [from, to] = spline.range();
                to - from
            }),
            Self::Cylinder { .. } | Self::Sphere { .. } | Self::Torus { .. } => [PI, PI],
        };
        let (u, v) = (DVec2::X * h * lengths_u, DVec2::Y * h * lengths_v);
        let length = |way: DVec2| self.at(p + way).distance(self.at(p - way)) / (2.0 * way.length());
        DVec2::new(length(u), length(v))
    }
}

impl Patch {
    fn at(&self, p: DVec2) -> DVec3 {
        let wrapped = |x: f64, axis: usize| {
            let [from, to] = self.splines[axis].range();
            match self.periods[axis] {
                Some(period) => from + (x - from).rem_euclid(period),
                None => x.clamp(from, to),
            }
        };
        let ((i, across), (j, along)) =
            (self.splines[0].basis(wrapped(p.x, 0)), self.splines[1].basis(wrapped(p.y, 1)));
        let mut sum = DVec4::ZERO;
        for (a, row) in across.iter().zip(&self.rows[i..]) {
            for (b, point) in along.iter().zip(&row[j..]) {
                sum += *point * (a * b);
            }
        }
        sum.truncate() / sum.w
    }

    /// The length of the range of a parameter, if the surface closes at its ends.
    fn period(&self, axis: usize) -> Option<f64> {
        let [[from, to], [low, high]] = [axis, 1 - axis].map(|axis| self.splines[axis].range());
        let at = |x: f64, y: f64| self.at(if axis == 0 { DVec2::new(x, y) } else { DVec2::new(y, x) });
        let size = (1..8).map(|i| at(from, low).distance(at(from + (to - from) * f64::from(i) / 8.0, low)));
        let size = size.fold(at(from, low).distance(at(from, high)), f64::max);
        let closes = (0..=8).all(|i| {
            let y = low + (high - low) * f64::from(i) / 8.0;
            at(from, y).distance(at(to, y)) <= 1e-6 * size
        });
        closes.then_some(to - from)
    }

    fn parameters(&self, p: DVec3, near: Option<DVec2>) -> DVec2 {
        let near = near.map(|near| self.newton(p, near));
        let size = self.rows.iter().flatten().map(|q| (q.truncate() / q.w).distance(p)).fold(0.0, f64::max);
        let is_good = |q: &DVec2| self.at(*q).distance(p) <= 1e-7 * size;
        if let Some(near) = near.filter(is_good) {
            return near;
        }
        let starts = |axis: usize| {
            let spans = self.splines[axis].spans();
            let inner = |w: &[f64]| {
                let (from, to) = (w[0], w[1]);
                (0..=STARTS).map(move |i| from + (to - from) * i as f64 / STARTS as f64).collect::<Vec<_>>()
            };
            spans.windows(2).flat_map(inner).collect::<Vec<f64>>()
        };
        let rows = starts(1);
        let all = starts(0).into_iter().flat_map(|u| rows.iter().map(move |v| DVec2::new(u, *v)));
        let distance = |q: &DVec2| self.at(*q).distance_squared(p);
        let start = all.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or_default();
        self.newton(p, start)
    }

    /// Gauss and Newton's method.
    fn newton(&self, p: DVec3, mut at: DVec2) -> DVec2 {
        let ranges = self.splines.each_ref().map(Spline::range);
        let h = DVec2::new(ranges[0][1] - ranges[0][0], ranges[1][1] - ranges[1][0]) * 1e-5;
        for _ in 0..STEPS {
            let off = p - self.at(at);
            let du = (self.at(at + DVec2::X * h.x) - self.at(at - DVec2::X * h.x)) / (2.0 * h.x);
            let dv = (self.at(at + DVec2::Y * h.y) - self.at(at - DVec2::Y * h.y)) / (2.0 * h.y);
            let (a, b, c) = (du.dot(du), du.dot(dv), dv.dot(dv));
            let det = a * c - b * b;
            if det <= 1e-14 * a * c {
                break;
            }
            let (x, y) = (du.dot(off), dv.dot(off));
            let step = DVec2::new(c * x - b * y, a * y - b * x) / det;
            at += step;
            for axis in 0..2 {
                if self.periods[axis].is_none() {
                    at[axis] = at[axis].clamp(ranges[axis][0], ranges[axis][1]);
                }
            }
            if (step / h).abs().max_element() < 1e-7 {
                break;
            }
        }
        at
    }
}
