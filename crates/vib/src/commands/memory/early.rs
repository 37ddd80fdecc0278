//! The few calls that agents and scripts make all day, read without making the definitions of all commands first: that
//! takes longer than the answer. What is not plainly one of them is left to clap, which also words the errors.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;
use lexopt::{Arg, Parser};

use super::{Args, Command, Whom, recall};
use crate::cli::Global;

/// What was typed behind `vib memory`, if it is a question or a word of the person, with options that both forms know.
pub(crate) fn parse(words: &[OsString]) -> Option<(Global, Args)> {
    let mut typed = Typed::default();
    let mut parser = Parser::from_args(words);
    while let Some(argument) = parser.next().ok()? {
        match argument {
            Arg::Value(word) if typed.command.is_none() => typed.command = Some(word.into_string().ok()?),
            Arg::Value(word) => typed.text.push(word.into_string().ok()?),
            Arg::Long("json") => set(&mut typed.json, ())?,
            Arg::Long("why") => set(&mut typed.why, ())?,
            Arg::Short('C') | Arg::Long("directory") => {
                set(&mut typed.directory, value(&mut parser)?.into())?;
            }
            Arg::Long("color") => set(&mut typed.color, value(&mut parser)?.into_string().ok()?)?,
            Arg::Long("scope") => {
                let word = value(&mut parser)?.into_string().ok()?;
                set(&mut typed.scope, recall::ScopeWord::from_str(&word, false).ok()?)?;
            }
            Arg::Long("budget") => set(&mut typed.budget, number(&mut parser)?)?,
            Arg::Short('k') | Arg::Long("k") => set(&mut typed.k, number(&mut parser)?)?,
            Arg::Long("path") => typed.paths.push(value(&mut parser)?.into()),
            _ => return None,
        }
    }
    typed.finish()
}

/// The value of an option. One that looks like an option is an error, which clap explains.
fn value(parser: &mut Parser) -> Option<OsString> {
    parser.value().ok().filter(|value| !value.as_encoded_bytes().starts_with(b"-"))
}

fn number(parser: &mut Parser) -> Option<usize> {
    value(parser)?.to_str()?.parse().ok()
}

/// An option that was given twice is an error, which clap explains.
fn set<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

#[derive(Default)]
struct Typed {
    command: Option<String>,
    text: Vec<String>,
    json: Option<()>,
    directory: Option<PathBuf>,
    color: Option<String>,
    why: Option<()>,
    scope: Option<recall::ScopeWord>,
    budget: Option<usize>,
    k: Option<usize>,
    paths: Vec<PathBuf>,
}

impl Typed {
    fn finish(self) -> Option<(Global, Args)> {
        if self.color.as_deref().is_some_and(|word| !Global::COLORS.contains(&word)) {
            return None;
        }
        let global = Global {
            json: self.json.is_some(),
            directory: self.directory,
            color: self.color,
            no_pager: false,
            verbose: 0,
        };
        let asks_nothing = self.why.is_none()
            && self.scope.is_none()
            && self.budget.is_none()
            && self.k.is_none()
            && self.paths.is_empty();
        let text = self.text;
        let command = match self.command.as_deref()? {
            "recall" if !text.is_empty() => Command::Recall(recall::Args {
                query: text,
                scope: self.scope.unwrap_or(recall::ScopeWord::All),
                budget: self.budget.unwrap_or(engine::recall::USUAL_BUDGET),
                k: self.k.unwrap_or(recall::USUAL_COUNT),
                paths: self.paths,
                why: self.why.is_some(),
            }),
            "decide" if asks_nothing => Command::Decide { text, scope: Whom::Project },
            "intent" if asks_nothing => Command::Intent { text },
            "next" if asks_nothing => Command::Next { text },
            "risk" if asks_nothing => Command::Risk { text, scope: Whom::Project },
            _ => return None,
        };
        Some((global, Args { command: Some(command) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::Parser as _;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    /// Whatever the short way understands, clap understands in the same way.
    #[test]
    fn both_ways_read_the_same() {
        for line in [
            "recall why does it fail",
            "recall why --path src/a.rs --path b.rs -k 3 --budget 99 --why --scope project --json",
            "recall -k5 one --scope=global -C /tmp two --color never",
            "recall --directory sub --k=7 -- --json",
            "decide use plain files",
            "decide --json use -C /tmp files",
            "decide",
            "intent go on",
            "next write tests",
            "risk of loss",
        ] {
            let (global, args) = parse(&words(line)).expect(line);
            let before = ["vib", "memory"].map(OsString::from);
            let usual = Cli::try_parse_from(before.into_iter().chain(words(line))).expect(line);
            assert_eq!(
                format!("{global:?} {:?}", Some(crate::cli::Command::Memory(args))),
                format!("{:?} {:?}", usual.global, usual.command),
                "{line}"
            );
        }
    }

    /// What it does not understand, or what is wrong, is left to clap.
    #[test]
    fn the_rest_is_left_to_clap() {
        for line in [
            "recall",
            "recall --help",
            "recall x --scope everything",
            "recall x --budget many",
            "recall x -k -3",
            "recall x --why --why",
            "recall x --json=yes",
            "recall x --color sometimes",
            "decide x --why",
            "decide x --scope global",
            "decide -h",
            "show",
            "--json",
            "import --jsonl f",
        ] {
            assert!(parse(&words(line)).is_none(), "{line}");
        }
    }
}
