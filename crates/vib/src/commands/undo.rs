//! `vib undo`

use std::collections::BTreeSet;
use std::path::PathBuf;

use change::reverse::{Choices, Conflict, Why};
use engine::person::Act;
use engine::undo::{self, Confirmation, Options, Preview, Target};
use engine::{Engine, Error, Result};
use store::{RequestNumber, StepNumber};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, person, render};

/// Take back what was done: shows what would change, asks, saves, does it
///
/// Say it in your own words, or name it: `vib undo the cart change`, `vib undo everything since lunch but keep the mail fix`,
/// `vib undo 버튼만`. What was not understood is asked back, and nothing is done. `vib rollback` and `vib restore` are the same.
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
    #[arg(value_name = "N|REQUEST|STEP|ID|NAME|PATH|WORDS")]
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
    #[command(flatten)]
    take: Take,
    #[command(flatten)]
    pub(crate) consent: Consent,
}

/// What is done with places that cannot simply be taken back.
#[derive(Debug, clap::Args)]
pub(crate) struct Take {
    /// Also take back what was changed again since, or may be somebody else's
    #[arg(long)]
    take_conflicts: bool,
    /// Also take back this place, as the preview names it; can be given several times
    #[arg(long = "take", value_name = "PLACE", conflicts_with = "take_conflicts")]
    places: Vec<String>,
}

impl Take {
    pub(crate) fn choose(&self, options: &mut Options) {
        if self.take_conflicts {
            // Whoever asks for all of it also means what was left before.
            (options.choices, options.again) = (Choices::Take, true);
        } else if !self.places.is_empty() {
            options.choices = Choices::These(self.places.iter().cloned().collect());
        }
    }
}

/// How far to go without asking.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Consent {
    /// Do it without asking (for your scripts; an agent may not)
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Only show what would change
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Show the changed lines too, not only the files
    #[arg(short, long)]
    pub(crate) patch: bool,
}

impl Consent {
    /// Somebody is asked, and not told only what would be.
    fn asks(&self) -> bool {
        !self.yes && !self.dry_run
    }
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine_for_moments(&outside_words(args, session), &args.what)?;
    if let Some(words) = speech(&engine, args)? {
        let done = super::recover::undo_by_words(&engine, &words, &args.consent, session);
        // One word that names nothing may be a mistyped file or id: that is said as before.
        let may_be_mistyped = words.is_ascii() && !words.contains(char::is_whitespace);
        if !matches!(done, Err(Error::NotUnderstood(_))) || !may_be_mistyped {
            return done;
        }
    }
    let (target, mut options) = target(&engine, args)?;
    options.paths.extend(args.paths.iter().cloned());
    for path in &mut options.paths {
        *path = engine::outside::expanded(engine.context(), path);
    }
    args.take.choose(&mut options);
    let answer = go_back(&engine, &target, options, &args.consent, session)?;
    if args.consent.asks() && !engine.project().is_loose() {
        // They were there to say yes: whoever went back may know why it was necessary.
        return Ok(super::lesson::ask_after_going_back(&engine, engine.language(), answer, session));
    }
    Ok(answer)
}

/// What was said in words: none if every word is a number, an id, a name or a file.
fn speech(engine: &Engine, args: &Args) -> Result<Option<String>> {
    let what = &args.what[..];
    let by_option = args.step || args.agent.is_some() || args.session.is_some() || !args.paths.is_empty();
    if what.is_empty()
        || by_option
        || engine.project().is_loose()
        || engine::checkpoint::named(engine, what)?.is_some()
    {
        return Ok(None);
    }
    let opened = engine.store(&store::Silent)?;
    let is_number = |word: &str| {
        StepNumber::parse(word).is_some()
            || RequestNumber::parse(word).is_some()
            || opened.store.resolve(word).is_ok()
    };
    // What follows a number or an id is a file, whether it exists or not; "r2 please" is a sentence.
    let is_speech = |word: &String| {
        let lower = word.trim_matches([',', '.', '!']).to_lowercase();
        matches!(lower.as_str(), "please" | "pls" | "thanks" | "and" | "but" | "or") || !lower.is_ascii()
    };
    if what.len() > 1 && is_number(&what[0]) && !what[1..].iter().any(is_speech) {
        return Ok(None);
    }
    let is_thing = |word: &String| {
        let exists = engine.context().cwd().join(word).symlink_metadata().is_ok();
        let known = || {
            let paths = engine.paths(&[PathBuf::from(word)]).unwrap_or_default();
            paths.iter().any(|path| opened.store.knows(path).unwrap_or(false))
        };
        // A name without its folder may be a file further down, and a word with a point in it a sentence.
        let names_file =
            exists || word.is_ascii() && !word.starts_with('#') && word.contains(['/', '\\', '#', '~']);
        word.is_empty()
            || word.bytes().all(|byte| byte.is_ascii_digit())
            || is_number(word)
            || names_file
            || known()
    };
    Ok((!what.iter().all(is_thing)).then(|| what.join(" ")))
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
    let mut preview = match undo::preview(engine, target, &options, &session.progress) {
        Err(Error::NothingToUndo(why)) => {
            preview_of_left(engine, target, &mut options, consent, session, why)?
        }
        other => other?,
    };
    session.progress.finish();
    if consent.dry_run {
        return Ok(Answer::new(&session.printer, &preview, |p, theme| {
            render::preview(p, patch, true, theme)
        }));
    }
    if consent.asks() && choose(&preview.conflicts, &mut options, session)? {
        preview = undo::preview(engine, target, &options, &session.progress)?;
        session.progress.finish();
    }
    let confirmed = confirm(engine, &preview, consent, session)?;
    let mut done = undo::apply(engine, &preview, confirmed, &session.progress);
    if let Err(Error::ChangedAfterPreview { .. }) = &done
        && consent.asks()
    {
        // Somebody is at work. What they did since is shown, and the question is asked once more.
        session.printer.now(&(session.printer.theme().word("undo-changed-since-preview") + "\n"));
        preview = undo::preview(engine, target, &options, &session.progress)?;
        session.progress.finish();
        let confirmed = confirm(engine, &preview, consent, session)?;
        done = undo::apply(engine, &preview, confirmed, &session.progress);
    }
    let report = done?;
    let exit = if report.is_complete() { 0 } else { 1 };
    Ok(Answer::new(&session.printer, &report, render::undone).with_exit(exit))
}

/// Nothing of the last entry can simply be taken back. Who is there chooses; what stays is written down, so that the next undo goes on. (M3)
fn preview_of_left(
    engine: &Engine,
    target: &Target,
    options: &mut Options,
    consent: &Consent,
    session: &Session,
    why: String,
) -> Result<Preview> {
    if consent.dry_run || options.choices != Choices::Leave {
        return Err(Error::NothingToUndo(why));
    }
    let Some(left) = undo::only_left(engine, target, options, &session.progress)? else {
        return Err(Error::NothingToUndo(why));
    };
    session.progress.finish();
    if consent.asks() && choose(&left.conflicts, options, session)? {
        return undo::preview(engine, target, options, &session.progress);
    }
    person::required(engine.context(), Act::GoBack)?;
    undo::leave(engine, &left, &session.progress)?;
    Err(Error::NothingToUndo(format!(
        "{why}. It stays as it is now, and the next `vib undo` goes on with what was done before it"
    )))
}

/// Shows each place that cannot simply be taken back and asks whether to take it back too. True if something was chosen.
fn choose(conflicts: &[Conflict], options: &mut Options, session: &Session) -> Result<bool> {
    let printer = &session.printer;
    if options.choices != Choices::Leave
        || conflicts.is_empty()
        || printer.json()
        || !ask::somebody_is_there()
    {
        return Ok(false);
    }
    let mut chosen = BTreeSet::new();
    for conflict in conflicts {
        if matches!(conflict.why, Why::NotKept) {
            continue;
        }
        printer.now(&render::conflict(conflict, printer.theme()));
        if ask::yes(printer, &printer.theme().word("undo-ask-place")) {
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
    if ask::yes(printer, &printer.theme().word("undo-ask")) {
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
