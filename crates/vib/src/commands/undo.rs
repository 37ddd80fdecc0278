//! `vib undo`

use std::collections::BTreeSet;
use std::path::PathBuf;

use change::reverse::{Choices, Why};
use engine::person::Act;
use engine::undo::{self, Confirmation, Options, Preview, Target};
use engine::{Engine, Error, Result};
use store::{RequestNumber, StepNumber};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, person, render};

/// Take back what was done: shows what would change, asks, saves, does it
///
/// Without arguments: the last entry of the history, which is a request with all its steps and sub-agents, or what was done by
/// hand. With a number: so many entries. With `r12` or `s41`: that request or step. With a checkpoint's id or name: the whole
/// project as it was then. With PATHs: only those files and folders. `FILE#name`: only that function of the file.
///
/// Everything that came later stays; where the same lines were changed since, that place is shown and left, unless you choose
/// otherwise. The state you have now is saved first, so that `vib redo` brings it back.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many entries, or which request, step or checkpoint, then files or folders
    #[arg(value_name = "N|REQUEST|STEP|ID|NAME|PATH")]
    what: Vec<String>,
    /// Files or folders to bring back
    #[arg(last = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only the last step, not the whole request
    #[arg(long, conflicts_with_all = ["agent", "session"])]
    step: bool,
    /// The last request of this client or sub-agent
    #[arg(long, value_name = "NAME", conflicts_with = "session")]
    agent: Option<String>,
    /// The last request of this session
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Also take back what was changed again since
    #[arg(long)]
    take_conflicts: bool,
    #[command(flatten)]
    pub(crate) consent: Consent,
}

/// How far to go without asking.
#[derive(Debug, clap::Args)]
pub(crate) struct Consent {
    /// Do it without asking (for your scripts; an agent may not)
    #[arg(short, long)]
    yes: bool,
    /// Only show what would change
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Show the changed lines too, not only the files
    #[arg(short, long)]
    patch: bool,
}

impl Consent {
    /// Somebody is asked, and not told only what would be.
    fn asks(&self) -> bool {
        !self.yes && !self.dry_run
    }
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine_for(&outside_words(args, session))?;
    let (target, mut options) = target(&engine, args)?;
    options.paths.extend(args.paths.iter().cloned());
    for path in &mut options.paths {
        *path = engine::outside::expanded(engine.context(), path);
    }
    if args.take_conflicts {
        options.choices = Choices::Take;
    }
    let answer = go_back(&engine, &target, options, &args.consent, session)?;
    if args.consent.asks() && !engine.project().is_loose() {
        // They were there to say yes: whoever went back may know why it was necessary.
        return Ok(super::lesson::ask_after_going_back(&engine, engine.language(), answer, session));
    }
    Ok(answer)
}

/// What of the words can only be a path: those decide which project this is about.
fn outside_words(args: &Args, session: &Session) -> Vec<PathBuf> {
    let is_path = |word: &&String| {
        let file = word.rsplit_once('#').map_or(word.as_str(), |(file, _)| file);
        let here = session.context.as_ref().map(|context| context.cwd().join(file));
        file.contains(['/', '\\']) || file.starts_with('~') || here.is_some_and(|path| path.exists())
    };
    let without_function = |word: &String| {
        let exists = session.context.as_ref().is_some_and(|context| context.cwd().join(word).exists());
        match word.rsplit_once('#').filter(|_| !exists) {
            Some((file, _)) => PathBuf::from(file),
            None => PathBuf::from(word),
        }
    };
    let words = args.what.iter().filter(is_path).map(without_function);
    words.chain(args.paths.iter().cloned()).collect()
}

/// Preview, question, apply: the same for `undo` and `redo`.
pub(crate) fn go_back(
    engine: &Engine,
    target: &Target,
    mut options: Options,
    consent: &Consent,
    session: &Session,
) -> Result<Answer> {
    if !consent.dry_run {
        engine::person::refuse_agent(engine.context(), Act::GoBack)?;
    }
    let patch = consent.patch;
    options.text = patch;
    let mut preview = undo::preview(engine, target, &options, &session.progress)?;
    session.progress.finish();
    if consent.dry_run {
        return Ok(Answer::new(&session.printer, &preview, |p, theme| {
            render::preview(p, patch, true, theme)
        }));
    }
    if consent.asks() && choose(&preview, &mut options, session)? {
        preview = undo::preview(engine, target, &options, &session.progress)?;
        session.progress.finish();
    }
    let confirmed = confirm(engine, &preview, consent, session)?;
    let mut done = undo::apply(engine, &preview, confirmed, &session.progress);
    if let Err(Error::ChangedAfterPreview { .. }) = &done
        && consent.asks()
    {
        // Somebody is at work. What they did since is shown, and the question is asked once more.
        session.printer.now("Files have changed since the preview. This is how it looks now:\n");
        preview = undo::preview(engine, target, &options, &session.progress)?;
        session.progress.finish();
        let confirmed = confirm(engine, &preview, consent, session)?;
        done = undo::apply(engine, &preview, confirmed, &session.progress);
    }
    let report = done?;
    let exit = if report.is_complete() { 0 } else { 1 };
    Ok(Answer::new(&session.printer, &report, render::undone).with_exit(exit))
}

/// Shows each place that was changed again since and asks whether to take it back too. True if something was chosen.
fn choose(preview: &Preview, options: &mut Options, session: &Session) -> Result<bool> {
    let printer = &session.printer;
    if options.choices != Choices::Leave
        || preview.conflicts.is_empty()
        || printer.json()
        || !ask::somebody_is_there()
    {
        return Ok(false);
    }
    let mut chosen = BTreeSet::new();
    for conflict in &preview.conflicts {
        if matches!(conflict.why, Why::NotKept) {
            continue;
        }
        printer.now(&render::conflict(conflict, printer.theme()));
        if ask::yes(printer, "Take this back too? (no: it stays as it is now)") {
            chosen.insert(conflict.key.clone());
        }
    }
    let some = !chosen.is_empty();
    options.choices = Choices::These(chosen);
    Ok(some)
}

fn confirm(engine: &Engine, preview: &Preview, consent: &Consent, session: &Session) -> Result<Confirmation> {
    let by = person::required(engine.context(), Act::GoBack)?;
    let printer = &session.printer;
    if consent.yes {
        printer.now(&render::preview(preview, consent.patch, false, printer.theme()));
        return Ok(Confirmation::Yes(by));
    }
    if printer.json() || !ask::somebody_is_there() {
        return Err(Error::NeedsConfirmation);
    }
    printer.now(&render::preview(preview, consent.patch, false, printer.theme()));
    if ask::yes(printer, "Do that? What you have now is saved first.") {
        Ok(Confirmation::Terminal(by))
    } else {
        Err(Error::Declined)
    }
}

fn target(engine: &Engine, args: &Args) -> Result<(Target, Options)> {
    let what = &args.what[..];
    let with = |target: Target, paths: &[String]| {
        let paths = paths.iter().map(PathBuf::from).collect();
        Ok((target, Options { paths, ..Options::default() }))
    };
    if let Some(agent) = &args.agent {
        return with(Target::Agent(agent.clone()), what);
    }
    if let Some(session) = &args.session {
        return with(Target::Session(session.clone()), what);
    }
    if args.step {
        return with(Target::LastStep, what);
    }
    if let Some((first, rest)) = what.split_first() {
        let exists = engine.context().cwd().join(first).symlink_metadata().is_ok();
        if !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()) {
            let count = first.parse().map_err(|_| Error::Usage(format!("`{first}` is too many")))?;
            return with(Target::Last(count), rest);
        }
        if let Some(step) = StepNumber::parse(first).filter(|_| !exists) {
            return with(Target::Step(step), rest);
        }
        if let Some(request) = RequestNumber::parse(first).filter(|_| !exists) {
            return with(Target::Request(request), rest);
        }
        if let Some((file, function)) = first.rsplit_once('#').filter(|_| !exists) {
            let options = Options {
                paths: vec![PathBuf::from(file)],
                function: Some(function.to_owned()),
                ..Options::default()
            };
            return Ok((Target::Last(1), options));
        }
    }
    let (mut ids, paths) = super::diff::split(engine, what, 1)?;
    let target = ids.pop().map_or(Target::Last(1), Target::Checkpoint);
    Ok((target, Options { paths, ..Options::default() }))
}
