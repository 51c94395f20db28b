//! What a table was measured on: without it, its numbers mean nothing.

use std::fs;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

const LOCK: &str = include_str!("../Cargo.lock");

/// Date, processor, compiler and the versions of the libraries compared, as lines of Markdown.
pub fn header() -> String {
    let versions: Vec<_> = ["sudar", "parry3d", "parry3d-f64", "rapier3d", "box3d-rust", "obvhs", "rstar"]
        .iter()
        .map(|name| format!("{name} {}", version(name)))
        .collect();
    let threads = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "{}, {} ({threads} threads), {}, {}; {}. Command: `{}`\n",
        date(),
        processor(),
        std::env::consts::OS,
        compiler(),
        versions.join(", "),
        command()
    )
}

/// The version of a package in the lock file this binary was built from.
fn version(package: &str) -> &'static str {
    let name = format!("name = \"{package}\"");
    let mut lines = LOCK.lines().skip_while(|line| *line != name);
    lines.nth(1).and_then(|line| line.split('"').nth(1)).unwrap_or("?")
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split(':').nth(1)?.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    field("model\t").map_or_else(|| name.clone(), |model| format!("{name}, model {model}"))
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output().ok();
    let text = output.and_then(|o| String::from_utf8(o.stdout).ok()).unwrap_or_default();
    text.split(" (").next().filter(|s| !s.is_empty()).unwrap_or("rustc ?").to_owned()
}

/// The arguments this program was started with; paths are cut to their last part.
fn command() -> String {
    let last = |a: String| a.rsplit('/').next().unwrap_or_default().to_owned();
    std::env::args().map(last).collect::<Vec<_>>().join(" ")
}

/// Today in UTC, year-month-day.
fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The Gregorian date of a day numbered from 1970-01-01.
fn civil(day: u64) -> (u64, u64, u64) {
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let (mut year, mut rest) = (1970, day);
    while rest >= 365 + u64::from(leap(year)) {
        rest -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while rest >= lengths[month] {
        rest -= lengths[month];
        month += 1;
    }
    (year, month as u64 + 1, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days_have_their_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29)); // 30 years of 365 days, 7 leap days before, 31 + 28
        assert_eq!(civil(11_017), (2000, 3, 1));
    }

    #[test]
    fn versions_come_from_the_lock_file() {
        assert!(version("parry3d-f64").starts_with("0.31."));
        assert_eq!(version("no such package"), "?");
    }
}
