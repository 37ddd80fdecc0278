//! `vib secrets …`

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use engine::Result;
use engine::person::Act;
use engine::secrets::{ScanRequest, Scope};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{person, render};

/// Find passwords, keys and tokens before they leave this machine
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Look for secrets in files, in what is staged, or in all commits (exit code 1 if one is found)
    ///
    /// The report names the rule and the place, never the secret. A line with the comment `vibelign: allow-secret` is
    /// left alone. Works in any folder, with git or without, and changes nothing.
    Scan(ScanArgs),
    /// Allow one key that vib stopped an agent from writing (only a person can)
    ///
    /// vib's answer to the agent names the key by a fingerprint of three short words. Without one, lists what was allowed
    /// in this project.
    Allow(AllowArgs),
}

#[derive(Debug, clap::Args)]
struct AllowArgs {
    /// The fingerprint, from vib's answer to the agent
    #[arg(value_name = "FINGERPRINT")]
    fingerprint: Option<String>,
}

#[derive(Debug, clap::Args)]
struct ScanArgs {
    /// Files and folders to look at; the whole project if none is given
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Look at what the next commit would add
    #[arg(long, conflicts_with = "history")]
    staged: bool,
    /// Look at everything that any commit ever added
    #[arg(long)]
    history: bool,
    /// With --history: only the newest N commits
    #[arg(long, value_name = "N", requires = "history")]
    max_commits: Option<u64>,
    /// Also look at what ignore files leave out
    #[arg(long, conflicts_with_all = ["staged", "history"])]
    all: bool,
    /// How to print: text, json, jsonl (one finding a line) or sarif
    #[arg(long, value_name = "FORM", value_enum)]
    format: Option<Format>,
    /// The same as --format sarif
    #[arg(long, conflicts_with = "format")]
    sarif: bool,
    /// A file of known findings (default: .vibelign/secrets-baseline.json, if it is there)
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Accept everything found now: write it to the file of known findings
    #[arg(long)]
    write_baseline: bool,
    /// Say of each finding why it is one: its rule, the kind of file, its randomness, what the key itself proves
    #[arg(long)]
    explain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Jsonl,
    Sarif,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let args = match &args.command {
        Command::Scan(args) => args,
        Command::Allow(args) => return allow(args, session),
    };
    let scope = match (args.staged, args.history) {
        (true, _) => Scope::Staged,
        (_, true) => Scope::History,
        _ => Scope::Files,
    };
    let context = session.context()?;
    let accepted = args.write_baseline.then(|| person::required(&context, Act::AcceptSecrets)).transpose()?;
    let request = ScanRequest {
        scope,
        paths: args.paths.clone(),
        ignored_too: args.all,
        most_commits: args.max_commits,
        baseline: args.baseline.clone(),
        write_baseline: accepted,
        explain: args.explain,
    };
    let report = engine::secrets::scan(&context, &request, &session.progress)?;
    let exit = u8::from(!report.findings.is_empty());
    let format = if args.sarif { Some(Format::Sarif) } else { args.format };
    let answer = match format {
        Some(Format::Jsonl) => Answer::raw(render::secrets_jsonl(&report)),
        Some(Format::Sarif) => Answer::raw(render::secrets_sarif(&report)),
        Some(Format::Json) => Answer::json(&report),
        Some(Format::Text) | None => Answer::new(&session.printer, &report, render::secrets),
    };
    Ok(answer.with_exit(exit))
}

fn allow(args: &AllowArgs, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let report = match &args.fingerprint {
        Some(fingerprint) => {
            let by = person::required(engine.context(), Act::AcceptSecrets)?;
            engine::secrets::allowed::allow(&engine, fingerprint, &by)?
        }
        None => engine::secrets::allowed::allowed(&engine)?,
    };
    Ok(Answer::new(&session.printer, &report, render::secrets_allowed))
}
