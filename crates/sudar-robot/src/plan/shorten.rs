//! Makes a path shorter, with nothing but certified edges.
//!
//! First waypoints are left out where the way is straight. Then, in rounds, two places on the path are chosen at random
//! and joined: straight, or by one joint alone while the others go as before. After Geraerts and Overmars 2007,
//! "Creating High-quality Paths for Motion Planning". The shortcuts of a round are tested at once, and those that are
//! certified and do not touch an earlier one of the round are taken.

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
        let are_free = task.each(&tries, |checks, shortcut| is_free(checks, &shortcut.through));
        let free = tries.into_iter().zip(are_free).filter(|(_, is_free)| *is_free);
        task.statistics.shortcuts += take(&mut path, free.map(|(shortcut, _)| shortcut).collect());
    }
    straightened(task, path)
}

/// Leaves out waypoints: from each the path goes straight to the last that it can.
fn straightened(task: &mut Task<'_>, path: Path) -> Path {
    let mut kept = Path::new();
    let mut at = 0;
    while at + 1 < path.len() {
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
    let (before, after) = (length(&path[i..=j + 1]), length(&through));
    (before - after > LEAST * before).then_some(Shortcut { span, through })
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

fn length(path: &[Vec<f64>]) -> f64 {
    path.windows(2).map(|pair| distance(&pair[0], &pair[1])).sum()
}

/// Whether a way is free: samples first, then certified.
fn is_free(checks: &mut Checks<'_, '_>, through: &Path) -> bool {
    let ends = || through.windows(2).map(|pair| [&pair[0][..], &pair[1][..]]);
    ends().all(|ends| checks.seems_free(ends)) && ends().all(|ends| checks.certify(ends).is_free())
}

fn is_free_edge(checks: &mut Checks<'_, '_>, ends: [&[f64]; 2]) -> bool {
    checks.between_seems_free(ends) && checks.certify(ends).is_free()
}

/// Takes shortcuts, the first before the others, unless an earlier one touches it; returns how many were taken.
fn take(path: &mut Path, shortcuts: Vec<Shortcut>) -> usize {
    let mut taken: Vec<Shortcut> = Vec::new();
    for shortcut in shortcuts {
        let [from, to] = shortcut.span;
        if taken.iter().all(|other| to <= other.span[0] || other.span[1] <= from) {
            taken.push(shortcut);
        }
    }
    // From the end, so that the numbers before stay what they are.
    taken.sort_by_key(|shortcut| std::cmp::Reverse(shortcut.span[0]));
    let count = taken.len();
    for Shortcut { span: [from, to], through } in taken {
        path.splice(from..=to, through);
    }
    count
}
