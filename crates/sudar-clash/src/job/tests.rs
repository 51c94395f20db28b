use rand::RngExt;
use rand::seq::SliceRandom;
use sudar::query::Batch;
use sudar::{Aabb, DVec3, Mesh, Pose};
use sudar_testing::Random;

use super::cut::Limits;
use super::{Answer, Answers, Chunk, ChunkError, Job};
use crate::clash::find_clashes;
use crate::options::{ClashKind, ClashOptions, PartSet};
use crate::outline::Outline;
use crate::part::{Assembly, Part, body_of};

/// Boxes of three meshes, turned and not, some of them twice or more in one place.
fn crowd(seed: u64, count: usize) -> Assembly {
    let mut rng = Random::new(seed);
    let sizes = [[1.0, 1.0, 1.0], [2.0, 0.5, 0.25], [0.125, 4.0, 0.5]];
    let bodies = sizes
        .map(|size| body_of(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::from_array(size) }).into()));
    let mut parts: Vec<Part> = Vec::new();
    for number in 0..count {
        let name = format!("part {number}");
        if number > 0 && rng.random_bool(0.2) {
            let twin = parts[rng.random_range(0..number)].clone();
            parts.push(Part { name, ..twin });
            continue;
        }
        let at = DVec3::from_array([(); 3].map(|()| 0.5 * f64::from(rng.random_range(-6..6))));
        parts.push(Part {
            name,
            body: bodies[rng.random_range(0..3)].clone(),
            pose: Pose::from_translation(at).unwrap(),
        });
    }
    Assembly { parts }
}

/// Rules of every sort.
fn rules(count: usize) -> ClashOptions {
    let every = |n: usize| -> PartSet { (0..count).map(|i| i % n == 0).collect() };
    let mut options = ClashOptions::new(0.25).unwrap();
    options.set_touch(1e-3).unwrap();
    options.set_clearance(every(2), every(4), 0.75).unwrap();
    options.ignore(every(4), every(2), &[ClashKind::Touch]);
    options.ignore(every(8), every(4), &ClashKind::ALL);
    options.set_deviations((0..count).map(|i| if i % 4 == 0 { 1e-2 } else { 0.0 }).collect()).unwrap();
    options
}

fn outlines(assembly: &Assembly) -> Vec<Outline> {
    assembly.parts.iter().map(Outline::of).collect()
}

fn examined(chunk: &Chunk, assembly: &Assembly) -> Answers {
    let parts: Vec<Part> = chunk.parts().map(|i| assembly.parts[i].clone()).collect();
    chunk.examine(&parts, &Batch::default(), &|_, _| {}).unwrap()
}

const SMALL: Limits = Limits { work: 4000, held: 1 << 22 };

#[test]
fn chunks_in_any_order_find_what_one_search_finds() {
    for seed in 0..8 {
        let (assembly, options) = (crowd(seed, 160), rules(160));
        let whole = find_clashes(&assembly, &options, &|_, _| {}).unwrap();
        let job = Job::within(&outlines(&assembly), &options, 7, SMALL);
        assert!(job.chunks().len() > 4, "{}", job.chunks().len());
        assert!(whole.clashes.len() > 50 && !whole.same_place.is_empty());
        let mut answers: Vec<Answers> = job.chunks().iter().map(|chunk| examined(chunk, &assembly)).collect();
        answers.shuffle(&mut *Random::new(seed));
        let found = job.report(answers, &options);
        assert!(found.clashes == whole.clashes, "seed {seed}");
        assert_eq!((&found.same_place, found.unlisted), (&whole.same_place, whole.unlisted));
        assert_eq!((found.candidates, found.undecided.len()), (whole.candidates, 0));
    }
}

#[test]
fn pairs_of_chunks_without_answers_are_undecided() {
    let (assembly, options) = (crowd(1, 100), rules(100));
    let job = Job::within(&outlines(&assembly), &options, 7, SMALL);
    let lost: Vec<[usize; 2]> = job.chunks()[1].pairs().collect();
    let others = job.chunks().iter().enumerate().filter(|(i, _)| *i != 1);
    let answers = others.map(|(_, chunk)| examined(chunk, &assembly)).collect();
    let found = job.report(answers, &options);
    assert!(lost.iter().all(|pair| found.undecided.contains(pair)));
    assert!(found.clashes.iter().all(|clash| !lost.contains(&[clash.a, clash.b])));
}

#[test]
fn chunks_and_answers_survive_as_bytes() {
    let (assembly, options) = (crowd(2, 120), rules(120));
    for chunk in Job::within(&outlines(&assembly), &options, u128::MAX - 5, SMALL).chunks() {
        let read = Chunk::read(&chunk.to_bytes()).unwrap();
        assert_eq!((&read, read.name()), (chunk, chunk.name()));
        let answers = examined(&read, &assembly);
        let records: Vec<u8> = answers.rows().iter().flat_map(Answer::record).collect();
        assert_eq!(chunk.answers(Answer::of_records(&records).unwrap()), Ok(answers));
    }
}

#[test]
fn names_tell_chunks_apart() {
    let (assembly, options) = (crowd(3, 60), rules(60));
    let names = |scene, options: &ClashOptions| -> Vec<String> {
        let job = Job::within(&outlines(&assembly), options, scene, SMALL);
        job.chunks().iter().map(Chunk::name).collect()
    };
    let first = names(1, &options);
    assert_eq!(first, names(1, &options));
    let mut other = options.clone();
    other.set_touch(2e-3).unwrap();
    assert!(names(2, &options).iter().chain(&names(1, &other)).all(|name| !first.contains(name)));
}

#[test]
fn damaged_chunks_are_refused() {
    let (assembly, options) = (crowd(4, 40), rules(40));
    let bytes = Job::of(&outlines(&assembly), &options, 9, Job::WORK).chunks()[0].to_bytes();
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        assert!(Chunk::read(&flipped).is_err(), "byte {at}");
        assert_eq!(Chunk::read(&bytes[..at]), Err(ChunkError::Damaged), "cut at {at}");
    }
}

#[cfg(feature = "arrow")]
#[test]
fn answers_survive_as_arrow_and_damaged_ones_break_nothing() {
    let (assembly, options) = (crowd(5, 60), rules(60));
    let job = Job::within(&outlines(&assembly), &options, 3, SMALL);
    let (chunk, other) = (&job.chunks()[0], &job.chunks()[1]);
    let answers = examined(chunk, &assembly);
    let bytes = answers.to_arrow().unwrap();
    assert!(answers.rows().len() > 3 && bytes == answers.to_arrow().unwrap());
    assert_eq!(chunk.read_arrow(&bytes), Ok(answers));
    assert_eq!(other.read_arrow(&bytes), Err(super::AnswersError::Damaged));
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        assert!(chunk.read_arrow(&flipped).is_err(), "byte {at}");
        assert!(chunk.read_arrow(&bytes[..at]).is_err(), "cut at {at}");
    }
}
