//! How certificates are found: regions of time and pieces are halved until each has a direction.
//!
//! Directions are those between the nearest points of two convex sets, by the algorithm of Gilbert, Johnson and
//! Keerthi 1988, "A Fast Procedure for Computing the Distance Between Complex Objects in Three-Dimensional Space".
//! The checker's own bounds tell which regions are done; so nothing here has to be right.

use sudar::DVec3;
use sudar::query::Batch;

use super::check::{Model, Question};
use super::error::{CERTIFICATE_FORMAT, CertificateError};
use super::leaf::Pair;
use super::model::{Certificate, CertificateContent, PairProof};
use super::nearest::nearest;
use super::tree::Region;
use crate::RobotCell;

/// Most leaves of one pair on one edge.
const MOST_LEAVES: usize = 1 << 18;
/// Most steps of the search for a direction.
const STEPS: usize = 60;
/// Pieces are halved where their balls are so many times as large as the gap; else the time is.
const COARSE: f64 = 6.0;
/// Directions are written with four digits where that is good enough.
const DIGITS: f64 = 1e4;

impl RobotCell {
    /// A certificate of a path, whose edges have to be certainly free; see [`Certificate`].
    ///
    /// The same for any number of threads. The flag of the batch ends it with [`CertificateError::NotProved`].
    ///
    /// # Errors
    /// [`CertificateError::NotProved`] where two come nearer to each other than the proofs can tell, or touch;
    /// [`CertificateError::Limits`]; [`CertificateError::Robot`] for waypoints that are no configurations.
    pub fn certificate(&self, waypoints: &[f64], batch: &Batch<'_>) -> Result<Certificate, CertificateError> {
        let rows = self.robot().rows(waypoints)?;
        let mut made = Certificate {
            format: CERTIFICATE_FORMAT,
            content: CertificateContent::of(self)?,
            waypoints: (0..rows).map(|row| self.robot().row(waypoints, row).to_vec()).collect(),
            edges: Vec::new(),
        };
        made.check_limits()?;
        let model = made.model()?;
        let ends = made.ends();
        let all: Vec<[usize; 2]> =
            (0..ends.len()).flat_map(|edge| (0..model.pairs.len()).map(move |pair| [edge, pair])).collect();
        let found = batch.each(&all, |_, &[edge, pair]| {
            let bodies = model.pairs[pair];
            proof(&made, &model, bodies, ends[edge])?.ok_or_else(|| {
                let [one, other] = made.names(bodies);
                CertificateError::NotProved { edge, one, other }
            })
        });
        let mut proofs = found.answers.into_iter().collect::<Result<Vec<PairProof>, _>>()?.into_iter();
        let edges = ends.iter().map(|_| proofs.by_ref().take(model.pairs.len()).collect()).collect();
        made.edges = edges;
        made.are_apart(&model)?;
        Ok(made)
    }
}

impl Certificate {
    /// Refuses what is inside a solid, where no leaf has all pieces of both.
    fn are_apart(&self, model: &Model) -> Result<(), CertificateError> {
        for (pair, bodies) in model.pairs.iter().enumerate() {
            let is_whole = self.edges.iter().any(|edge| !edge[pair].tree.contains(['a', 'b']));
            if !is_whole && !self.are_outside(model, *bodies) {
                let [one, other] = self.names(*bodies);
                return Err(CertificateError::NotProved { edge: 0, one, other });
            }
        }
        Ok(())
    }
}

/// The proof of one pair on one edge.
fn proof(
    made: &Certificate,
    model: &Model,
    bodies: [u32; 2],
    ends: [&[f64]; 2],
) -> Result<Option<PairProof>, CertificateError> {
    let question = made.question(model, bodies, ends);
    let figures = bodies.map(|body| &model.figures[body as usize]);
    let mut found = PairProof { bodies, tree: String::new(), directions: Vec::new() };
    let mut open = vec![(question.root(figures), DVec3::X)];
    let mut pair: Option<(f64, Pair<'_>)> = None;
    while let Some((region, hint)) = open.pop() {
        let middle = region.middle();
        if pair.as_ref().is_none_or(|(at, _)| *at != middle) {
            pair = Some((middle, question.at(model, figures, middle)?));
        }
        let Some((_, pair)) = &pair else { continue };
        match decided(pair, &question, region, hint) {
            Decision::Apart(direction) => {
                found.tree.push('.');
                found.directions.push(direction.to_array());
            }
            Decision::Halved(letter, direction) => {
                let Some([first, second]) = region.halves(letter) else { return Ok(None) };
                found.tree.push(char::from(letter));
                open.extend([(second, direction), (first, direction)]);
            }
            Decision::Open => return Ok(None),
        }
        if found.directions.len() + open.len() > MOST_LEAVES {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

enum Decision {
    /// Apart along a direction.
    Apart(DVec3),
    /// To be halved by the letter, with a direction that may be good for both.
    Halved(u8, DVec3),
    /// Too near.
    Open,
}

fn decided(pair: &Pair<'_>, question: &Question<'_>, region: Region, hint: DVec3) -> Decision {
    let (margin, half) = (question.margin, region.half());
    let proves =
        |direction: DVec3| pair.gap(region.ranges, pair.direction(direction.normalize()), half) > margin;
    if proves(hint) {
        return Decision::Apart(hint);
    }
    let between = centers(pair, region);
    let start = between.try_normalize().unwrap_or(DVec3::X);
    let rough = rounded(start);
    if proves(rough) {
        return Decision::Apart(rough);
    }
    let (direction, gap) = separated(pair, region, start);
    if let Some(good) = [rounded(direction), direction].into_iter().find(|direction| proves(*direction)) {
        return Decision::Apart(good);
    }
    match coarser(pair, region) {
        Some((letter, radius)) if gap <= margin || radius > COARSE * (gap - margin) => {
            Decision::Halved(letter, direction)
        }
        _ if gap > margin => Decision::Halved(b't', direction),
        _ => Decision::Open,
    }
}

fn rounded(direction: DVec3) -> DVec3 {
    (direction * DIGITS).round() / DIGITS
}

/// From the middle of the one to that of the other.
fn centers(pair: &Pair<'_>, region: Region) -> DVec3 {
    let [a, b] = [0, 1].map(|k| {
        let stand = &pair.stands[k];
        stand.rotation * pair.figures[k].ball(region.ranges[k]).center + stand.translation
    });
    pair.direction(b - a)
}

/// The body whose pieces are farther spread, of those with more than one, and the radius of the ball around them.
fn coarser(pair: &Pair<'_>, region: Region) -> Option<(u8, f64)> {
    let radius = |k: usize| pair.figures[k].ball(region.ranges[k]).radius;
    let many = |k: &usize| region.ranges[*k].count() > 1;
    let k = [0, 1].into_iter().filter(many).max_by(|&i, &j| radius(i).total_cmp(&radius(j)))?;
    Some((b"ab"[k], radius(k)))
}

/// A direction along which two stand apart, and by how much: that between their nearest points.
fn separated(pair: &Pair<'_>, region: Region, start: DVec3) -> (DVec3, f64) {
    let gap = |direction: DVec3| pair.gap(region.ranges, direction, 0.0);
    let mut best = (pair.direction(start), gap(pair.direction(start)));
    // Differences of points of the one from points of the other, and the nearest point of their hull.
    let mut point = pair.between(region.ranges, start);
    let mut simplex = vec![point];
    for _ in 0..STEPS {
        let Some(direction) = point.try_normalize() else { break };
        let direction = pair.direction(direction);
        let apart = gap(direction);
        if apart > best.1 {
            best = (direction, apart);
        }
        let far = pair.between(region.ranges, direction);
        if point.length_squared() - point.dot(far) <= 1e-9 * point.length_squared() {
            break;
        }
        simplex.push(far);
        let next = nearest(&simplex);
        if next.0.length_squared() >= point.length_squared() {
            break;
        }
        (point, simplex) = next;
    }
    best
}
