//! Makes a path shorter, with nothing but certified edges.
//!
//! First waypoints are left out where the way is straight. Then, in rounds, two places on the path are chosen at random
//! and joined: straight, or by one joint alone while the others go as before. After Geraerts and Overmars 2007,
//! "Creating High-quality Paths for Motion Planning". The shortcuts of a round are tested by samples at once; of those
//! that seem free the ones that save most and do not touch each other are certified, and then taken.

use super::task::{Checks, Task};
use super::tree::{between, distance, mixed};
use crate::pcg::Pcg;

/// Shortcuts tried in one round.
const ROUND: usize = 16;
/// A shortcut saves at least this part of what it replaces.
const LEAST: f64 = 1e-3;

type Path = Vec<Vec<f64>>;

/// Part of a path and what may take its place.
struct Shortcut {
    /// The first and the last waypoint of what is replaced; both stay.
    span: [usize; 2],
    /// The first and the last waypoint, and between them the new ones.
    through: Path,
    /// How much shorter it is.
    saving: f64,
}

/// A path as short as can be found.
pub(super) fn shortened(task: &mut Task<'_>, path: Path) -> Path {
    if task.options.shortcuts == 0 {
        return path;
    }
    let mut path = straightened(task, path);
    let mut random = Pcg::new(task.options.seed ^ 0x5eed);
    for _ in 0..task.options.shortcuts {
        if path.len() < 3 || task.end().is_some() {
            break;
        }
        let tries: Vec<Shortcut> = (0..ROUND).filter_map(|_| shortcut(&path, &mut random)).collect();
        let seem_free = task.each(&tries, |checks, shortcut| seems_free(checks, &shortcut.through));
        let chosen = apart(kept(tries, seem_free));
        let are_free = task.each(&chosen, |checks, shortcut| is_certified(checks, &shortcut.through));
        task.statistics.shortcuts += take(&mut path, kept(chosen, are_free));
    }
    straightened(task, path)
}

/// Leaves out waypoints: from each the path goes straight to the last that it can.
fn straightened(task: &mut Task<'_>, path: Path) -> Path {
    let mut kept = Path::new();
    let mut at = 0;
    while at + 1 < path.len() && task.end().is_none() {
        kept.push(path[at].clone());
        let ends: Vec<usize> = (at + 2..path.len()).rev().collect();
        let from = &path[at];
        let are_free = task.each(&ends, |checks, &end| is_free_edge(checks, [from, &path[end]]));
        at = ends.into_iter().zip(are_free).find(|(_, is_free)| *is_free).map_or(at + 1, |(end, _)| end);
    }
    kept.extend(path.into_iter().skip(at));
    kept
}

/// A shortcut at random that would save something.
fn shortcut(path: &Path, random: &mut Pcg) -> Option<Shortcut> {
    let edges = path.len() - 1;
    let mut place = || {
        let x = random.number() * edges as f64;
        let edge = (x as usize).min(edges - 1);
        (edge, x - edge as f64)
    };
    let (one, other) = (place(), place());
    let ((i, s), (j, t)) = if one <= other { (one, other) } else { (other, one) };
    if i == j {
        return None;
    }
    let (from, to) = (between(&path[i], &path[i + 1], s), between(&path[j], &path[j + 1], t));
    let span = [i, j + 1];
    let mut through = vec![path[i].clone(), from.clone()];
    if random.number() < 0.5 {
        let joint = (random.number() * from.len() as f64) as usize;
        through.extend(alone(path, [i, j], [&from, &to], joint));
    }
    through.extend([to, path[j + 1].clone()]);
    through.dedup();
    let before = length(&path[i..=j + 1]);
    let saving = before - length(&through);
    (saving > LEAST * before).then_some(Shortcut { span, through, saving })
}

/// The waypoints between two places, with one joint that goes straight from one place to the other.
fn alone(path: &Path, [i, j]: [usize; 2], [from, to]: [&[f64]; 2], joint: usize) -> Path {
    let inner = &path[i + 1..=j];
    let mut ways = Vec::with_capacity(inner.len());
    let (mut way, mut last) = (0.0, from);
    for q in inner {
        way += distance(last, q);
        ways.push(way);
        last = q;
    }
    let all = (way + distance(last, to)).max(f64::MIN_POSITIVE);
    let moved = |(q, way): (&Vec<f64>, f64)| {
        let mut q = q.clone();
        q[joint] = mixed(from[joint], to[joint], way / all);
        q
    };
    inner.iter().zip(ways).map(moved).collect()
}

/// The length of a path.
pub(super) fn length(path: &[Vec<f64>]) -> f64 {
    path.windows(2).map(|pair| distance(&pair[0], &pair[1])).sum()
}

/// Those of which something holds.
fn kept(shortcuts: Vec<Shortcut>, holds: Vec<bool>) -> Vec<Shortcut> {
    shortcuts.into_iter().zip(holds).filter_map(|(shortcut, holds)| holds.then_some(shortcut)).collect()
}

/// Those that save most and do not touch each other.
fn apart(mut shortcuts: Vec<Shortcut>) -> Vec<Shortcut> {
    shortcuts.sort_by(|a, b| b.saving.total_cmp(&a.saving));
    let mut chosen: Vec<Shortcut> = Vec::new();
    for shortcut in shortcuts {
        let [from, to] = shortcut.span;
        if chosen.iter().all(|other| to <= other.span[0] || other.span[1] <= from) {
            chosen.push(shortcut);
        }
    }
    chosen
}

fn seems_free(checks: &mut Checks<'_, '_>, through: &Path) -> bool {
    through.windows(2).all(|pair| checks.seems_free([&pair[0], &pair[1]]))
}

/// Whether a way is certainly free. Its first and last edge are parts of edges that were, and so are not the first.
fn is_certified(checks: &mut Checks<'_, '_>, through: &Path) -> bool {
    let mut edges: Vec<[&[f64]; 2]> = through.windows(2).map(|pair| [&pair[0][..], &pair[1][..]]).collect();
    edges.rotate_left(1);
    edges.into_iter().all(|ends| checks.certify(ends).is_free())
}

fn is_free_edge(checks: &mut Checks<'_, '_>, ends: [&[f64]; 2]) -> bool {
    checks.between_seems_free(ends) && checks.certify(ends).is_free()
}

/// Takes shortcuts that do not touch each other; returns how many.
fn take(path: &mut Path, mut shortcuts: Vec<Shortcut>) -> usize {
    // From the end, so that the numbers before stay what they are.
    shortcuts.sort_by_key(|shortcut| std::cmp::Reverse(shortcut.span[0]));
    let count = shortcuts.len();
    for Shortcut { span: [from, to], through, .. } in shortcuts {
        path.splice(from..=to, through);
    }
    count
}
