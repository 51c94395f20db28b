//! Four corners in motion, and the answer when they meet.

use sudar::glam::DVec3;

use sudar::math::Interval;

/// Options of a linear passage: least separation and accuracy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageOptions {
    /// Things no farther apart than this are in contact; 0 or more.
    pub separation: f64,
    /// A distance of up to this much more may be answered as contact. As small as rounding allows where it
    /// is 0 or less than that.
    pub delta: f64,
}

/// Whether two things meet while their corners move from their places at time 0 to those at time 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Passage {
    /// They are farther apart than the separation all the time. Certain.
    Free,
    /// They come as near as the separation and delta at some time of the interval. Before its lower end they
    /// are certainly farther apart than the separation or, at the lower end, already as near as that and
    /// delta.
    Hit(Interval),
    /// The work that an unlucky case is allowed was used up: certainly no contact before this time.
    Undecided(f64),
}

impl Passage {
    /// Whether they meet, if that is known.
    pub fn decided(&self) -> Option<bool> {
        match self {
            Self::Free => Some(false),
            Self::Hit(_) => Some(true),
            Self::Undecided(_) => None,
        }
    }

    /// The time of contact.
    pub fn time(&self) -> Option<Interval> {
        match self {
            Self::Hit(time) => Some(*time),
            Self::Free | Self::Undecided(_) => None,
        }
    }
}

/// Which of the four corners belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A vertex, then the corners of a face.
    VertexFace,
    /// The ends of one edge, then those of the other.
    EdgeEdge,
}

/// Four corners on their way, seen from the first at time 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corners {
    pub kind: Kind,
    pub start: [DVec3; 4],
    /// From time 0 to time 1.
    pub way: [DVec3; 4],
    pub separation: f64,
    pub delta: f64,
    /// Bound on the rounding of a gap along a unit direction.
    pub slack: f64,
}

impl Corners {
    pub fn new(kind: Kind, start: &[DVec3; 4], end: &[DVec3; 4], options: &PassageOptions) -> Self {
        let origin = start[0];
        let way: [DVec3; 4] = std::array::from_fn(|i| end[i] - start[i]);
        let start = start.map(|p| p - origin);
        let far =
            (0..4).fold(DVec3::ZERO, |far, i| far.max(start[i].abs() + way[i].abs() * 2.0)).max_element();
        // Differences, places in time, products with a direction: some sixteen roundings of numbers up to 2√3
        // times that.
        let slack = 64.0 * f64::EPSILON * far;
        let [separation, delta] = [options.separation, options.delta].map(|x| x.max(0.0));
        Self { kind, start, way, separation, delta: delta.max(8.0 * slack), slack }
    }

    /// The corners at a time.
    #[inline]
    pub fn at(&self, time: f64) -> [DVec3; 4] {
        std::array::from_fn(|i| self.start[i] + self.way[i] * time)
    }

    /// The corners by the things they belong to: numbers of the first and of the second.
    #[inline]
    pub fn sides(&self) -> (&'static [usize], &'static [usize]) {
        match self.kind {
            Kind::VertexFace => (&[0], &[1, 2, 3]),
            Kind::EdgeEdge => (&[0, 1], &[2, 3]),
        }
    }

    /// Whether all differences of corners of the two things, at both ends of the time, lie beyond a plane:
    /// along an axis or square to their mean. Everything between the two features in the meantime is a mean
    /// of these.
    #[inline]
    pub fn is_clear(&self) -> bool {
        let most = self.separation + self.slack;
        let [a, b, c, d] = self.start;
        let [p, q, r, s] = self.way;
        let (first, ways) = match self.kind {
            Kind::VertexFace => ([b - a, c - a, d - a, d - a], [q - p, r - p, s - p, s - p]),
            Kind::EdgeEdge => ([c - a, d - a, c - b, d - b], [r - p, s - p, r - q, s - q]),
        };
        let mut last = first;
        for i in 0..4 {
            last[i] += ways[i];
        }
        let all = |f: fn(DVec3, DVec3) -> DVec3| {
            let halves = [0, 1, 2, 3].map(|i| f(first[i], last[i]));
            f(f(halves[0], halves[1]), f(halves[2], halves[3]))
        };
        let mean = all(|x, y| x + y);
        if !mean.is_finite() {
            return false;
        }
        if all(DVec3::min).max_element() > most || all(DVec3::max).min_element() < -most {
            return true;
        }
        let least =
            (0..4).fold(f64::INFINITY, |least, i| least.min(mean.dot(first[i])).min(mean.dot(last[i])));
        // Squares that are lost say nothing.
        least > most * mean.length() * (1.0 + 8.0 * f64::EPSILON) && least > f64::MIN_POSITIVE
    }
}

/// The vector at unit length; `None` for zero.
pub(super) fn unit(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    (size > 0.0).then(|| (v / size).normalize())
}
