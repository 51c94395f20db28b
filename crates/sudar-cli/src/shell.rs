//! `sudar completions` and `sudar man`: what shells and `man` want to know about the command.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use clap_mangen::Man;
use sudar_scene::ALL;

use crate::report::{self, Verdict};

/// Prints the completions of a shell: names of commands and options at the press of a key.
#[derive(Debug, clap::Args)]
#[command(after_long_help = COMPLETIONS_HELP)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const COMPLETIONS_HELP: &str = "\
Example:
  sudar completions bash > ~/.local/share/bash-completion/completions/sudar
  sudar completions zsh > ~/.zfunc/_sudar
  sudar completions fish > ~/.config/fish/completions/sudar.fish";

/// Prints the manual page, or writes one page for each command.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MAN_HELP)]
pub struct ManArgs {
    /// Write sudar.1, sudar-clash.1 and so on into this folder, which is made if need be.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const MAN_HELP: &str = "\
Example:
  sudar man | man -l -
  sudar man --out ~/.local/share/man/man1";

pub fn completions(args: &CompletionsArgs, command: Command) -> Result<Verdict> {
    // The scene is a file or one of some names, of which the command itself takes any.
    let scenes = ALL.map(|scene| scene.name);
    let mut command = command.mut_subcommand("simulate", |simulate| {
        simulate.mut_arg("scene", |scene| scene.value_parser(PossibleValuesParser::new(scenes)))
    });
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "sudar", &mut script);
    report::print(&with_files(args.shell, String::from_utf8(script)?, &scenes.join(" ")))?;
    Ok(Verdict::Clean)
}

/// The script where a scene may be a file as well, which two shells otherwise take for no choice.
fn with_files(shell: Shell, script: String, scenes: &str) -> String {
    if shell == Shell::Zsh {
        let either = "{_alternative \"scenes\\:scene\\:(SCENES)\" \"files\\:file\\:_files\"}";
        script.replace(&format!("({scenes})"), &either.replace("SCENES", scenes))
    } else if shell == Shell::Fish {
        let in_simulate = "complete -c sudar -n \"__fish_sudar_using_subcommand simulate\"";
        format!("{script}{in_simulate} -a \"{scenes}\"\n")
    } else {
        script
    }
}

pub fn man(args: &ManArgs, mut command: Command) -> Result<Verdict> {
    command.build();
    match &args.out {
        None => report::print(&page(command)?)?,
        Some(folder) => write_pages(folder, &command)?,
    }
    Ok(Verdict::Clean)
}

/// A page for the command and for each of its own commands.
fn write_pages(folder: &Path, command: &Command) -> Result<()> {
    let cannot = || format!("{}: the folder cannot be made", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let own = command.get_subcommands().filter(|own| own.get_name() != "help");
    for command in std::iter::once(command).chain(own) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        report::write_whole(&folder.join(format!("{name}.1")), &page(command.clone())?)?;
    }
    Ok(())
}

fn page(command: Command) -> Result<String> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}
