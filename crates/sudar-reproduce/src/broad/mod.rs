//! Boxes that bounce in a container: the figures of Dimitrijević 2019, and every algorithm from few boxes to many.

pub mod objects;
pub mod octree;
pub mod scaling;
pub mod speeds;

use sudar_classic::broad::Tuning;
use sudar_scene::Container;

use crate::inputs::container::{Follower, Frame, Known, mean, relative};
use crate::plan::{Output, Plan, Result};

const TIME_OF_A_FRAME: &str = "Time of a frame of the broad phase in sixtieths of a second.";

/// Greatest depth and most boxes in a leaf of the octrees of the source, before it looks for better ones.
const SOURCE_TREE: Tuning = Tuning { leaf_size: 4, depth: 10, spares_copies: false };

/// What a broad phase took, against a number of boxes, a setting or the time.
type Points = Vec<(f64, f64)>;

/// Frames of an algorithm for ever more boxes, up to the first that takes more than `limit` sixtieths of a second.
/// `row` writes one down and gives its y.
fn ever_more(
    output: &mut Output,
    (numbers, limit): (&[usize], f64),
    mut follow: impl FnMut(usize) -> Result<(Vec<Frame>, Follower)>,
    mut row: impl FnMut(usize, &[Frame], &Follower) -> f64,
) -> Result<Points> {
    let mut points = Vec::new();
    for &n in numbers {
        let (frames, follower) = follow(n)?;
        points.push((n as f64, row(n, &frames, &follower)));
        output.queries += n * frames.len();
        if relative(&frames) > limit || follower.is_full() {
            break;
        }
    }
    Ok(points)
}

/// Some frames of boxes in a container.
fn follow(
    plan: &Plan,
    (algorithm, tuning): (&str, Tuning),
    container: Container,
    known: &mut Known,
) -> Result<(Vec<Frame>, Follower)> {
    let mut follower = Follower::new(algorithm, tuning, container)?;
    let frames = follower.frames(plan, known)?;
    Ok((frames, follower))
}

fn pairs_of_last(frames: &[Frame]) -> usize {
    frames.last().map_or(0, |frame| frame.pairs)
}

fn operations(frames: &[Frame]) -> f64 {
    mean(frames, |frame| frame.counters.operations())
}
