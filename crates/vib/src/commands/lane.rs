//! `vib lane` and `vib land`

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use change::landing::Take;
use engine::diff::DiffOptions;
use engine::lane::{self, LandOptions, LandPreview, LaneError, NewLane};
use engine::person::{Act, Who};
use engine::undo::Confirmation;
use engine::verification::{Caller, VerifyQuery};
use engine::{Engine, Error, Result};
use texts::Texts;

use super::bisect::stop_on_signals;
use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, person, render};

/// Lanes: workspaces made from any saved state, in which agents work beside each other
///
/// A lane has a folder and a history of its own; your folder and your git are not touched by it. `vib lane new` makes one from what you have
/// now, unsaved and untracked work included. Start any agent in its folder; `vib land` brings what it did to your project, after a preview and
/// your yes. Nothing in a lane can be lost: every state is saved, also when the folder is deleted.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Make a lane, from what you have now or from a saved state
    New {
        /// Its name; without one, `lane-1`, `lane-2` and so on
        name: Option<String>,
        /// After this step or request, or this checkpoint; `now`: everything as it is
        #[arg(long, value_name = "STEP", default_value = "now")]
        from: String,
    },
    /// The lanes there are: what each did, whether it would land, who is at work in it
    List {
        /// Also those that were dropped
        #[arg(long)]
        all: bool,
    },
    /// What was done in a lane, in git's format
    Diff {
        /// The lane
        name: String,
        /// Only these files and folders of the lane
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Only the list of files with counts
        #[arg(long)]
        stat: bool,
    },
    /// Say where a lane is; one that was dropped or deleted comes back as it was last
    Open {
        /// The lane
        name: String,
        /// Start your shell there
        #[arg(long)]
        shell: bool,
    },
    /// Bring what was done in a lane to the project: the same as `vib land`
    Land(LandArgs),
    /// Bring what was done in the project into a lane; what both changed stands there with marks
    Merge {
        /// The lane; without one, that around the current folder
        name: Option<String>,
    },
    /// Put a lane away: its last state is saved, and `vib lane open` brings it back
    Drop {
        /// The lane
        name: String,
        /// Also if programs are at work in it
        #[arg(long)]
        force: bool,
    },
}

/// Bring what was done in a lane to the project, after a preview and your yes
///
/// What was changed in the project since the lane began stays: each file is put together from both sides. Where both changed the same lines,
/// nothing of that file lands, unless you take one side. The project's checks run on the result first, in a private copy. It is one step in
/// the history: `vib undo` takes it back.
#[derive(Debug, clap::Args)]
pub(crate) struct LandArgs {
    /// The lane; without one, that around the current folder
    name: Option<String>,
    /// Of this file, take the lane's (`lane FILE`) or keep the project's (`main FILE`); can be given several times
    #[arg(long, num_args = 2, value_names = ["SIDE", "FILE"])]
    take: Vec<String>,
    /// Run no checks
    #[arg(long)]
    no_check: bool,
    /// Put the lane away afterwards
    #[arg(long)]
    drop: bool,
    #[command(flatten)]
    consent: super::undo::Consent,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    match &args.command {
        Command::New { name, from } => new(name.as_deref(), from, session),
        Command::List { all } => {
            let engine = main(session)?;
            let list = lane::list(&engine, *all, &session.progress)?;
            let texts = Texts::new(engine.language());
            Ok(Answer::new(&session.printer, &list, |list, theme| render::lanes(list, &texts, theme)))
        }
        Command::Diff { name, paths, stat } => diff(name, paths, *stat, session),
        Command::Open { name, shell } => open(name, *shell, session),
        Command::Land(args) => land(args, session),
        Command::Merge { name } => merge(name.as_deref(), session),
        Command::Drop { name, force } => {
            let engine = main(session)?;
            engine::person::refuse_agent(engine.context(), Act::DropLane)?;
            let dropped = lane::drop(&engine, name, *force, &session.progress)?;
            let texts = Texts::new(engine.language());
            Ok(Answer::new(&session.printer, &dropped, |done, theme| {
                render::lane_dropped(done, &texts, theme)
            }))
        }
    }
}

/// The project, also for whoever stands in a lane of it.
fn main(session: &mut Session) -> Result<Engine> {
    let engine = session.engine()?;
    lane::main_engine(engine)
}

/// The project, and the lane that is meant: the one that was named, or that around the current folder.
fn main_and_name(name: Option<&str>, session: &mut Session) -> Result<(Engine, String)> {
    let engine = session.engine()?;
    let name = name.map(str::to_owned).or_else(|| lane::here(&engine));
    let name = name.ok_or_else(|| Error::Usage("name the lane; `vib lane list` shows them".to_owned()))?;
    Ok((lane::main_engine(engine)?, name))
}

fn new(name: Option<&str>, from: &str, session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    let made_by = match engine::person::who(engine.context()) {
        Who::Agent(agent) => Some(agent.client.unwrap_or("agent").to_owned()),
        _ => None,
    };
    let wish = NewLane { name: name.map(str::to_owned), from: Some(from.to_owned()), made_by };
    let made = lane::make(&engine, &wish, &session.progress)?;
    session.progress.finish();
    let texts = Texts::new(engine.language());
    Ok(Answer::new(&session.printer, &made, |made, theme| render::lane_made(made, &texts, theme)))
}

fn diff(name: &str, paths: &[PathBuf], stat: bool, session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    let options = DiffOptions { paths: paths.to_vec(), stat_only: stat, ..DiffOptions::default() };
    let report = lane::diff(&engine, name, options, &session.progress)?;
    if session.printer.exact() && !stat {
        session.printer.aside(&render::left_out(&report, session.printer.theme()));
        return Ok(Answer::raw(render::patch(&report)));
    }
    Ok(Answer::new(&session.printer, &report, |report, theme| render::diff(report, stat, theme)).long())
}

fn open(name: &str, shell: bool, session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    let opened = lane::open(&engine, name, &session.progress)?;
    session.progress.finish();
    let texts = Texts::new(engine.language());
    if shell {
        session.printer.aside(&render::lane_opened(&opened, &texts, session.printer.theme()));
        let program = engine.context().variable("SHELL").unwrap_or_else(|| "sh".into());
        let started = std::process::Command::new(&program).current_dir(&opened.folder).status();
        let status = started.map_err(|error| {
            let why = format!("`{}` could not be started: {error}", program.to_string_lossy());
            store::Error::Io(std::io::Error::new(error.kind(), why))
        })?;
        let exit = u8::try_from(status.code().unwrap_or(1)).unwrap_or(1);
        return Ok(Answer::raw(Vec::new()).with_exit(exit));
    }
    if !session.printer.json() && opened.brought_back.is_none() {
        // The path and nothing else, so that `cd "$(vib lane open NAME)"` works.
        return Ok(Answer::raw(format!("{}\n", opened.folder).into_bytes()));
    }
    Ok(Answer::new(&session.printer, &opened, |opened, theme| render::lane_opened(opened, &texts, theme)))
}

fn merge(name: Option<&str>, session: &mut Session) -> Result<Answer> {
    let (engine, name) = main_and_name(name, session)?;
    // It changes the lane and nothing else: an agent that works there may do it.
    let via = person::said_yes(engine.context(), Act::Land)?;
    let merged = lane::merge(&engine, &name, via, &session.progress)?;
    session.progress.finish();
    let exit = u8::from(!merged.marked.is_empty() || !merged.left.is_empty());
    let texts = Texts::new(engine.language());
    let answer =
        Answer::new(&session.printer, &merged, |merged, theme| render::lane_merged(merged, &texts, theme));
    Ok(answer.with_exit(exit))
}

/// `vib land`
pub(crate) fn land(args: &LandArgs, session: &mut Session) -> Result<Answer> {
    let (engine, name) = main_and_name(args.name.as_deref(), session)?;
    if !args.consent.dry_run {
        engine::person::refuse_agent(engine.context(), Act::Land)?;
    }
    let options = options(args)?;
    let stopped = stop_on_signals();
    let stop = || stopped.load(Ordering::Relaxed);
    let mut preview = lane::preview(&engine, &name, &options, &stop, &session.progress)?;
    session.progress.finish();
    let texts = Texts::new(engine.language());
    if args.consent.dry_run {
        let exit = u8::from(!preview.left().is_empty());
        let answer = Answer::new(&session.printer, &preview, |preview, theme| {
            render::land_preview(preview, args.consent.patch, true, &texts, theme)
        });
        return Ok(answer.with_exit(exit));
    }
    let confirmed = confirm(&engine, &preview, args, &texts, session)?;
    let mut done = lane::apply(&engine, &preview, confirmed, &session.progress);
    if let Err(Error::ChangedAfterPreview { .. }) = &done
        && !args.consent.yes
    {
        session.printer.now(&format!("{}\n", texts.say("lane-changed-since", &[])));
        preview = lane::preview(&engine, &name, &options, &stop, &session.progress)?;
        session.progress.finish();
        let confirmed = confirm(&engine, &preview, args, &texts, session)?;
        done = lane::apply(&engine, &preview, confirmed, &session.progress);
    }
    let landed = done?;
    let exit = u8::from(!landed.left.is_empty() || !landed.kept.is_empty());
    if args.drop && exit == 0 {
        lane::drop(&engine, &name, false, &session.progress)?;
    }
    let answer = Answer::new(&session.printer, &landed, |landed, theme| {
        render::landed(landed, args.drop && exit == 0, &texts, theme)
    });
    Ok(answer.with_exit(exit))
}

fn options(args: &LandArgs) -> Result<LandOptions> {
    let mut take = Vec::new();
    for pair in args.take.chunks_exact(2) {
        let side = match pair[0].as_str() {
            "lane" => Take::Lane,
            "main" | "project" => Take::Main,
            other => {
                return Err(Error::Usage(format!("`--take {other}`: say `lane FILE` or `main FILE`")));
            }
        };
        take.push((side, pair[1].clone()));
    }
    let query =
        VerifyQuery { trigger: "land".to_owned(), caller: Caller::of_process(), ..VerifyQuery::default() };
    Ok(LandOptions { take, checks: (!args.no_check).then_some(query), text: args.consent.patch })
}

fn confirm(
    engine: &Engine,
    preview: &LandPreview,
    args: &LandArgs,
    texts: &Texts,
    session: &Session,
) -> Result<Confirmation> {
    let printer = &session.printer;
    let shown = || render::land_preview(preview, args.consent.patch, false, texts, printer.theme());
    if preview.is_empty() {
        printer.now(&shown());
        let (name, files) = (preview.name.clone(), preview.left().len());
        return Err(LaneError::OnlyConflicts { name, files }.into());
    }
    let by = person::required(engine.context(), Act::Land)?;
    if args.consent.yes {
        printer.now(&shown());
        // Nobody looks at the result of the checks here, so they decide.
        if let Some(broken) = preview.checks.as_ref().and_then(|checks| checks.broken()) {
            let (name, check) = (preview.name.clone(), broken.command.clone());
            return Err(LaneError::ChecksFail { name, check }.into());
        }
        if let Some(changed) = preview.checks.as_ref().and_then(|checks| checks.changed.first()) {
            let (name, check) = (preview.name.clone(), changed.command.clone());
            return Err(LaneError::CheckChanged { name, check }.into());
        }
        return Ok(Confirmation::Yes(by));
    }
    if printer.json() || !ask::somebody_is_there() {
        return Err(Error::NeedsConfirmation);
    }
    printer.now(&shown());
    if ask::yes(printer, &texts.say("lane-land-question", &[])) {
        Ok(Confirmation::Terminal(by))
    } else {
        Err(Error::Declined)
    }
}
