//! One command's definitions instead of those of all: what is typed is nearly always one plain command, and making the definitions of the
//! other forty takes longer than most answers. Whatever is not plainly right (help, a typing error, options before the command) is left to
//! the whole definition, which answers it better.

use std::ffi::OsString;

use clap::Parser;

use crate::cli::{Cli, Command, Global};
use crate::commands;

/// The command line of one command alone.
#[derive(Debug, Parser)]
#[command(name = "vib", disable_help_flag = true, disable_help_subcommand = true)]
struct Alone<A: clap::Args> {
    #[command(flatten)]
    global: Global,
    #[command(flatten)]
    args: A,
}

fn read<A: clap::Args>(words: &[OsString], command: fn(A) -> Command) -> Option<Cli> {
    // The first word stands where the name of the program is expected.
    let alone = Alone::<A>::try_parse_from(words).ok()?;
    Some(Cli { global: alone.global, command: Some(command(alone.args)) })
}

/// What was typed behind `vib`, if it is plainly one command, or nothing at all.
pub(crate) fn parse(words: &[OsString]) -> Option<Cli> {
    let Some(name) = words.first() else {
        return Some(Cli { global: Global::default(), command: None });
    };
    if words.iter().any(|word| word == "--help" || word == "-h" || word == "help") {
        return None;
    }
    match name.to_str()? {
        "init" => read(words, Command::Init),
        "status" => read(words, Command::Status),
        "checkpoint" => read(words, Command::Checkpoint),
        "history" => read(words, Command::History),
        "show" => read(words, Command::Show),
        "diff" => read(words, Command::Diff),
        "why" | "blame" => read(words, Command::Why),
        "bisect" => read(words, Command::Bisect),
        "report" => read(words, Command::Report),
        "undo" | "rollback" | "restore" => read(words, Command::Undo),
        "redo" => read(words, Command::Redo),
        "explain" => read(words, Command::Explain),
        "guard" => read(words, Command::Guard),
        "protect" => read(words, Command::Protect),
        "fence" => read(words, Command::Fence),
        "scan" => read(words, Command::Scan),
        "anchor" => read(words, Command::Anchor),
        "recover" => read(words, Command::Recover),
        "approve" => read(words, Command::Approve),
        "patch" => read(words, Command::Patch),
        "pin" => read(words, Command::Pin),
        "unpin" => read(words, Command::Unpin),
        "lesson" => read(words, Command::Lesson),
        "secrets" => read(words, Command::Secrets),
        "redact" => read(words, Command::Redact),
        "audit" => read(words, Command::Audit),
        "store" => read(words, Command::Store),
        "judge" => read(words, Command::Judge),
        "memory" => memory(words),
        "mcp" => read(words, Command::Mcp),
        "serve" => read(words, Command::Serve),
        "verify" => read(words, Command::Verify),
        "stop" => read(words, Command::Stop),
        "role" => read(words, Command::Role),
        "transfer" => read(words, Command::Transfer),
        "spiral" => read(words, Command::Spiral),
        "lane" => read(words, Command::Lane),
        "land" => read(words, Command::Land),
        "run" => read(words, Command::Run),
        "drive" => read(words, Command::Drive),
        "providers" => read(words, Command::Providers),
        "config" => read(words, Command::Config),
        "lock" => read(words, Command::Lock),
        "doctor" => read(words, Command::Doctor),
        "demo" => read(words, Command::Demo),
        _ => None,
    }
}

/// Agents and scripts ask memory all day: their few calls are read without clap.
fn memory(words: &[OsString]) -> Option<Cli> {
    match commands::memory::early::parse(&words[1..]) {
        Some((global, args)) => Some(Cli { global, command: Some(Command::Memory(args)) }),
        None => read(words, Command::Memory),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn whole(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(std::iter::once(OsString::from("vib")).chain(words(line)))
    }

    #[test]
    fn alone_and_among_all_a_command_is_read_the_same() {
        for line in [
            "",
            "status --json",
            "undo r3 --yes -C /tmp",
            "rollback --color never src/a.rs",
            "blame src/a.rs",
            "history --since 2h",
            "memory show --json",
            "memory recall what did we say -k 3",
            "store verify",
            "config set ui.language ko",
            "diff s12 --no-pager",
            "checkpoint -m why src/a.rs",
            "run list --json",
            "run apply run3/c1 --yes -C /tmp",
            "run task --json",
            "mcp tools",
            "secrets --staged",
        ] {
            let alone = parse(&words(line));
            let whole = whole(line).ok();
            assert_eq!(alone.map(|cli| format!("{cli:?}")), whole.map(|cli| format!("{cli:?}")), "{line}");
        }
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_whole_definition() {
        for line in [
            "--version",
            "-C /tmp status",
            "status --help",
            "help undo",
            "memory help",
            "undo --nonsense",
            "sttaus",
        ] {
            assert!(parse(&words(line)).is_none(), "{line}");
        }
    }

    /// Who adds a command adds it here too: else it starts more slowly than the others.
    #[test]
    fn every_command_can_be_read_alone() {
        use clap::CommandFactory;
        let source = include_str!("alone.rs");
        // Hooks and what stands between an editor and an agent have a way of their own; the last two are asked for once.
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let is_listed = source.contains(&format!("\"{name}\" "))
                || ["hook", "acp", "completions", "man"].contains(&name);
            assert!(is_listed, "`{name}` is not in `alone::parse`");
        }
    }
}
