//! How fast the laboratory is on this machine.

use std::fmt::Write;
use std::time::Instant;

use anyhow::Result;

use super::picture::Headless;
use super::window;
use crate::app::{Lab, Link};

/// Pixels of a picture.
const SIZE: [u32; 2] = [1280, 720];

/// A row of the table: what is measured, how it is opened, how many frames, and the mark in frames a second.
struct Case {
    what: &'static str,
    link: &'static str,
    frames: u32,
    draws: bool,
    mark: f64,
}

/// Marks of the laboratory. Boxes of 0.8 to 1.2 m, 0.244 of them in a cubic metre; slow: about 0.01 m a frame, fast:
/// half a metre, as in the benchmarks of the broad phases.
const CASES: [Case; 4] = [
    Case {
        what: "400 bodies drawn",
        link: "#explorer&objects=400&shapes=mixed&resolution=solver",
        frames: 120,
        draws: true,
        mark: 60.0,
    },
    Case {
        what: "50 000 boxes drawn",
        link: "#explorer&objects=50000&resolution=off&container=59&spread=0.2&speed=0.6",
        frames: 20,
        draws: true,
        mark: 5.0,
    },
    Case {
        what: "200 000 slow boxes, drawing off",
        link: "#explorer&objects=200000&resolution=off&container=93.6&spread=0.2&speed=0.6&drawing=off",
        frames: 240,
        draws: false,
        mark: 60.0,
    },
    Case {
        what: "50 000 fast boxes, drawing off",
        link: "#explorer&objects=50000&resolution=off&container=59&spread=0.2&speed=30&drawing=off",
        frames: 240,
        draws: false,
        mark: 60.0,
    },
];

/// Frames of a link that somebody names.
const FRAMES: u32 = 120;

/// Frames that do not count.
const FIRST: u32 = 10;

/// Runs what the links open, or all cases if there is none; the table as Markdown.
///
/// # Errors
/// Where there is no OpenGL without a window.
pub fn measure(links: &[String], mut tell: impl FnMut(&str)) -> Result<String> {
    let mut table = String::new();
    if !links.is_empty() {
        writeln!(table, "| | frames a second | worst frame, ms |\n|---|---:|---:|")?;
        for link in links {
            tell(link);
            let (rate, worst) = run(link, FRAMES, true)?;
            writeln!(table, "| {link} | {rate:.1} | {:.1} |", worst * 1e3)?;
        }
        return Ok(table);
    }
    let start = Instant::now();
    let mut headless = Headless::new(Lab::new(window::clock()), SIZE, 1.0)?;
    headless.frame(Vec::new());
    headless.gl().finish();
    let first = start.elapsed().as_secs_f64();
    writeln!(table, "{} x {} pixels, drawn by {}.\n", SIZE[0], SIZE[1], headless.gl().name())?;
    writeln!(table, "| | frames a second | worst frame, ms | mark |\n|---|---:|---:|---:|")?;
    for case in &CASES {
        tell(case.what);
        let Case { what, link, frames, draws, mark } = case;
        let (rate, worst) = run(link, *frames, *draws)?;
        writeln!(table, "| {what} | {rate:.1} | {:.1} | {mark} |", worst * 1e3)?;
    }
    writeln!(table, "\nFirst picture of the gallery after {first:.2} s (mark: 2 s).")?;
    Ok(table)
}

/// Mean frames a second and the longest frame, in seconds.
fn run(link: &str, frames: u32, draws: bool) -> Result<(f64, f64)> {
    let mut lab = Lab::new(window::clock());
    lab.go(&Link::read(link))?;
    let mut headless = Headless::new(lab, SIZE, 1.0)?;
    let mut times = Vec::new();
    for _ in 0..frames + FIRST {
        let start = Instant::now();
        // Without drawing a frame is the step, the controls and the plots, as in a window that shows nothing else.
        if draws {
            headless.frame(Vec::new());
        } else {
            headless.advance(Vec::new());
        }
        headless.gl().finish();
        times.push(start.elapsed().as_secs_f64());
    }
    let counted = &times[FIRST as usize..];
    let mean = counted.iter().sum::<f64>() / counted.len() as f64;
    Ok((1.0 / mean, counted.iter().copied().fold(0.0, f64::max)))
}
