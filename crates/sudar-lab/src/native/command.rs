//! The command line.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::measure::measure;
use super::picture::Headless;
use super::script::Script;
use super::window::{self, Window};
use crate::app::{Lab, Link};
use crate::clock::Clock;
use crate::demo::Entry;
use crate::demos;
use crate::options;

/// The name of the subcommand that opens no demo.
const MEASURE: &str = "measure";

/// Runs the command `sudar-lab` with the arguments of the process.
///
/// # Errors
/// One line about an option, a file, or a machine without OpenGL.
pub fn run() -> Result<()> {
    let matches = command().get_matches();
    if let Some((MEASURE, wanted)) = matches.subcommand() {
        let links: Vec<String> =
            wanted.get_many("link").map(|links| links.cloned().collect()).unwrap_or_default();
        let table = measure(&links, |what| drop(writeln!(std::io::stderr(), "{what}")))?;
        return Ok(std::io::stdout().write_all(table.as_bytes())?);
    }
    let link = link(&matches);
    let wanted = matches.subcommand().map_or(&matches, |(_, wanted)| wanted);
    let size = *wanted.get_one::<[u32; 2]>("window").unwrap_or(&[1280, 720]);
    let shot = wanted.get_one::<PathBuf>("shot");
    let columns = wanted.get_one::<PathBuf>("columns");
    let script =
        wanted.get_one::<PathBuf>("script").map(|path| read_script(path)).transpose()?.unwrap_or_default();
    let is_without_window = shot.is_some() || wanted.contains_id("frames");
    // A picture is the same on every machine; figures of times are not.
    let clock = if shot.is_some() && columns.is_none() { Clock::default() } else { window::clock() };
    let mut lab = Lab::new(clock);
    lab.go(&link)?;
    if matches.subcommand().is_none() && matches.get_flag("tour") {
        lab.begin_tour();
    }
    let rows = columns.map(|path| Rows::create(path, &mut lab)).transpose()?;
    let is_stopped = stop_flag()?;
    if is_without_window {
        let scale = *wanted.get_one::<f32>("scale").unwrap_or(&1.0);
        let frames = *wanted.get_one::<u64>("frames").unwrap_or(&60);
        lab.hide_panels(wanted.get_flag("bare"));
        return headless(lab, (size, scale), frames, &script, shot, rows, &is_stopped);
    }
    let rows = Rc::new(RefCell::new(rows));
    let written = rows.clone();
    let each_frame = move |lab: &mut Lab| {
        let is_over = is_stopped.load(Ordering::Relaxed);
        if let Some(rows) = &mut *written.borrow_mut() {
            rows.add(lab);
        }
        is_over
    };
    Window::run(lab, size.map(|pixels| pixels as f32), script, each_frame)
        .map_err(|error| anyhow!("{error}; without a display, --shot PICTURE.png draws into a file"))?;
    rows.take().map_or(Ok(()), Rows::finish)
}

/// Ctrl-C ends a run as closing its window does: rows that were written stay whole.
fn stop_flag() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    ctrlc::set_handler(move || set.store(true, Ordering::Relaxed)).context("Ctrl-C cannot be handled")?;
    Ok(flag)
}

fn read_script(path: &Path) -> Result<Script> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Script::read(&text).with_context(|| path.display().to_string())
}

fn headless(
    lab: Lab,
    (size, scale): ([u32; 2], f32),
    frames: u64,
    script: &Script,
    shot: Option<&PathBuf>,
    mut rows: Option<Rows>,
    is_stopped: &AtomicBool,
) -> Result<()> {
    // Twice as large and halved: smooth edges.
    let mut headless = Headless::new(lab, size.map(|pixels| 2 * pixels), 2.0 * scale)?;
    for frame in 0..frames {
        if is_stopped.load(Ordering::Relaxed) {
            break;
        }
        let events = script.at(frame).collect();
        // What nobody sees is not drawn, but for the textures that come with the first frame.
        if frame == 0 || frame + 1 >= frames {
            headless.frame(events);
        } else {
            headless.advance(events);
        }
        if let Some(rows) = &mut rows {
            rows.add(&mut headless.lab);
        }
    }
    if let Some(path) = shot {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        headless
            .picture()
            .halved()
            .write_png(BufWriter::new(file))
            .with_context(|| path.display().to_string())?;
    }
    rows.map_or(Ok(()), Rows::finish)
}

/// The table of steps that `--columns` writes.
struct Rows(sudar_scene::Rows);

impl Rows {
    fn create(path: &Path, lab: &mut Lab) -> Result<Self> {
        let Some(head) = lab.record() else { bail!("--columns: this demo has no steps to record") };
        let rows = sudar_scene::Rows::create(path, &head).with_context(|| path.display().to_string())?;
        Ok(Self(rows))
    }

    fn add(&mut self, lab: &mut Lab) {
        lab.rows().into_iter().for_each(|row| self.0.add(row));
    }

    fn finish(self) -> Result<()> {
        Ok(self.0.finish()?)
    }
}

fn link(matches: &ArgMatches) -> Link {
    let Some((name, wanted)) = matches.subcommand() else {
        return matches.get_one::<String>("link").map_or_else(Link::default, |link| Link::read(link));
    };
    let Some(entry) = demos::by_name(name) else { return Link::default() };
    let names = options::describe(|visit| (entry.make)().options(visit)).into_iter().map(|d| d.field.name);
    let options =
        names.filter_map(|name| Some((name.to_owned(), wanted.get_one::<String>(name)?.clone()))).collect();
    Link { demo: Some(name.to_owned()), options }
}

/// Everything that can be said on the command line.
pub fn command() -> Command {
    let command = Command::new("sudar-lab")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The laboratory of Sudar: see collisions, move them, measure them, play them")
        .after_help("Without a demo the gallery opens. `sudar-lab DEMO --help` lists the options of a demo.")
        .subcommand_help_heading("Demos")
        .subcommand_value_name("DEMO");
    let measure = Command::new(MEASURE)
        .about("Measure how fast this machine draws and steps: a table on standard output")
        .arg(
            Arg::new("link")
                .value_name("LINK")
                .num_args(0..)
                .help("What is opened instead, as in #explorer&objects=400"),
        );
    let tour =
        Arg::new("tour").long("tour").action(ArgAction::SetTrue).help("Begin with a tour of one minute");
    let link = Arg::new("link").value_name("LINK").help("A link, as in '#explorer&objects=400', in quotes");
    let command = common(command).arg(tour).arg(link).subcommand(measure);
    demos::ALL.iter().fold(command, |command, entry| command.subcommand(subcommand(entry)))
}

fn subcommand(entry: &Entry) -> Command {
    let mut command =
        Command::new(entry.name).about(entry.about).after_help(format!("Source: {}", entry.origin()));
    for option in options::describe(|visit| (entry.make)().options(visit)) {
        let help = format!("{} ({}) [default: {}]", option.field.about, option.may_be, option.value);
        let mut arg = Arg::new(option.field.name).long(option.field.name).help(help).value_name("VALUE");
        if option.is_switch {
            arg = arg.num_args(0..=1).default_missing_value("on");
        }
        command = command.arg(arg.help_heading("Options of the demo"));
    }
    common(command)
}

fn common(command: Command) -> Command {
    command
        .arg(path("shot", "PICTURE.png", "Draw into a file instead of a window"))
        .arg(
            Arg::new("frames")
                .long("frames")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("Without a window: run so many frames of a sixtieth of a second [default: 60]"),
        )
        .arg(
            Arg::new("window")
                .long("window")
                .value_name("WxH")
                .value_parser(size)
                .help("Size of the window or picture [default: 1280x720]"),
        )
        .arg(
            Arg::new("scale")
                .long("scale")
                .value_name("FACTOR")
                .value_parser(scale)
                .help("Size of texts in a picture [default: 1]"),
        )
        .arg(
            Arg::new("bare")
                .long("bare")
                .action(ArgAction::SetTrue)
                .help("A picture without controls around it"),
        )
        .arg(path("columns", "STEPS.csv", "Write what each step took, as `sudar simulate --columns` does"))
        .arg(path(
            "script",
            "KEYS.txt",
            "Take input from a file: lines like `10 press W`, `80 click 640 360`",
        ))
}

fn path(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).value_parser(value_parser!(PathBuf)).help(help)
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let read = || {
        let (width, height) = text.split_once('x')?;
        Some([width.parse().ok()?, height.parse().ok()?])
    };
    read()
        .filter(|sides: &[u32; 2]| sides.iter().all(|side| (16..=4096).contains(side)))
        .ok_or_else(|| "width x height of 16 to 4096 pixels each, as 1280x720".to_owned())
}

fn scale(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|scale| (0.5..=4.0).contains(scale))
        .ok_or_else(|| "a number of 0.5 to 4".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn sizes_are_read_and_refused() {
        assert_eq!(size("640x360"), Ok([640, 360]));
        assert!(size("640").is_err() && size("0x5").is_err() && size("9999x9999").is_err());
    }
}
