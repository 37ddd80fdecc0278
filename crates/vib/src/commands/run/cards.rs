//! `vib run apply`, `revert`, `replay` and `drop`: what happens to what was done.

use std::sync::atomic::Ordering;

use engine::person::Act;
use engine::run::{self, CardOptions, CardPreview, CardsDone, Place, ReplayOptions};
use engine::undo::Confirmation;
use engine::verification::{Caller, VerifyQuery};
use engine::{Engine, Error, Result};
use texts::Texts;

use super::main;
use crate::answer::Answer;
use crate::cli::Session;
use crate::commands::bisect::stop_on_signals;
use crate::commands::undo::Consent;
use crate::{ask, person, render};

#[derive(Debug, clap::Args)]
pub(super) struct ApplyArgs {
    /// `run3`: everything that waits; `run3/c1`: one card; `run3/c1/a2`: one attempt
    #[arg(value_name = "RUN[/CARD[/ATTEMPT]]")]
    place: String,
    /// Run no checks
    #[arg(long)]
    no_check: bool,
    /// Leave files that were changed in the same places since, and apply the rest
    #[arg(long)]
    leave: bool,
    #[command(flatten)]
    consent: Consent,
}

#[derive(Debug, clap::Args)]
pub(super) struct RevertArgs {
    /// `run3/c1`
    #[arg(value_name = "RUN/CARD")]
    place: String,
    /// Leave files that were changed in the same places since, and take back the rest
    #[arg(long)]
    leave: bool,
    #[command(flatten)]
    consent: Consent,
}

impl ApplyArgs {
    /// With a preview and a question, and nothing else.
    pub(super) fn of(place: &str) -> Self {
        Self { place: place.to_owned(), no_check: false, leave: false, consent: Consent::default() }
    }
}

impl RevertArgs {
    /// With a preview and a question, and nothing else.
    pub(super) fn of(place: &str) -> Self {
        Self { place: place.to_owned(), leave: false, consent: Consent::default() }
    }
}

/// What is to be done: both ways have the same shape.
struct Wish<'w> {
    place: Place,
    options: CardOptions,
    consent: &'w Consent,
    revert: bool,
}

pub(super) fn apply(args: &ApplyArgs, session: &mut Session) -> Result<Answer> {
    let query =
        VerifyQuery { trigger: "run".to_owned(), caller: Caller::of_process(), ..VerifyQuery::default() };
    let options = CardOptions {
        checks: (!args.no_check).then_some(query),
        text: args.consent.patch,
        leave: args.leave,
    };
    let wish = Wish { place: run::place(&args.place)?, options, consent: &args.consent, revert: false };
    carry_out(&wish, session)
}

pub(super) fn revert(args: &RevertArgs, session: &mut Session) -> Result<Answer> {
    let options = CardOptions { checks: None, text: args.consent.patch, leave: args.leave };
    let wish = Wish { place: run::place(&args.place)?, options, consent: &args.consent, revert: true };
    carry_out(&wish, session)
}

impl Wish<'_> {
    fn act(&self) -> Act {
        if self.revert { Act::GoBack } else { Act::Land }
    }

    fn preview(&self, engine: &Engine, session: &Session) -> Result<CardPreview> {
        let stopped = stop_on_signals();
        let stop = || stopped.load(Ordering::Relaxed);
        let progress = &session.progress;
        let found = if self.revert {
            run::preview_revert(engine, &self.place, &self.options, &stop, progress)
        } else {
            run::preview_apply(engine, &self.place, &self.options, &stop, progress)
        };
        progress.finish();
        found
    }

    fn apply(
        &self,
        engine: &Engine,
        preview: &CardPreview,
        via: Confirmation,
        session: &Session,
    ) -> Result<CardsDone> {
        if self.revert {
            run::revert(engine, preview, via, &session.progress)
        } else {
            run::apply(engine, preview, via, &session.progress)
        }
    }
}

/// Explain, show, ask, save, do.
fn carry_out(wish: &Wish<'_>, session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    if !wish.consent.dry_run {
        engine::person::refuse_agent(engine.context(), wish.act())?;
    }
    let texts = Texts::new(engine.language());
    let mut preview = wish.preview(&engine, session)?;
    if wish.consent.dry_run {
        let exit = u8::from(!preview.conflicts.is_empty());
        let answer = Answer::new(&session.printer, &preview, |preview, theme| {
            render::cards_preview(preview, wish.consent.patch, true, &texts, theme)
        });
        return Ok(answer.with_exit(exit));
    }
    let confirmed = confirm(&engine, &preview, wish, &texts, session)?;
    let mut done = wish.apply(&engine, &preview, confirmed, session);
    if let Err(Error::ChangedAfterPreview { .. }) = &done
        && !wish.consent.yes
    {
        session.printer.now(&format!("{}\n", texts.say("lane-changed-since", &[])));
        preview = wish.preview(&engine, session)?;
        let confirmed = confirm(&engine, &preview, wish, &texts, session)?;
        done = wish.apply(&engine, &preview, confirmed, session);
    }
    session.progress.finish();
    let done = done?;
    let exit = u8::from(!done.left.is_empty());
    let answer = Answer::new(&session.printer, &done, |done, theme| render::cards_done(done, &texts, theme));
    Ok(answer.with_exit(exit))
}

fn confirm(
    engine: &Engine,
    preview: &CardPreview,
    wish: &Wish<'_>,
    texts: &Texts,
    session: &Session,
) -> Result<Confirmation> {
    let printer = &session.printer;
    let shown = || render::cards_preview(preview, wish.consent.patch, false, texts, printer.theme());
    let by = person::required(engine.context(), wish.act())?;
    if preview.already {
        // Nothing of the files changes: only the log is told.
        return Ok(Confirmation::Yes(by));
    }
    if wish.consent.yes {
        printer.now(&shown());
        // Nobody looks at the result of the checks here, so they decide.
        if let Some(broken) = preview.checks.as_ref().and_then(|checks| checks.broken()) {
            let (name, check) = (preview.name(), broken.command.clone());
            return Err(run::RunError::ChecksFail { name, check }.into());
        }
        if let Some(changed) = preview.checks.as_ref().and_then(|checks| checks.changed.first()) {
            let (name, check) = (preview.name(), changed.command.clone());
            return Err(run::RunError::CheckChanged { name, check }.into());
        }
        return Ok(Confirmation::Yes(by));
    }
    if printer.json() || !ask::somebody_is_there() {
        return Err(Error::NeedsConfirmation);
    }
    printer.now(&shown());
    if preview.is_empty() {
        let (name, files) = (preview.name(), preview.left().len());
        return Err(run::RunError::OnlyConflicts { name, files, revert: preview.revert }.into());
    }
    if ask::yes(printer, &texts.say("lane-land-question", &[])) {
        Ok(Confirmation::Terminal(by))
    } else {
        Err(Error::Declined)
    }
}

pub(super) fn replay(id: &str, options: &ReplayOptions, session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    engine::person::refuse_agent(engine.context(), Act::Run)?;
    let place = run::place(id)?;
    let replayed = run::replay(&engine, &place.run, options, &session.progress)?;
    session.progress.finish();
    // On another state there is nothing to be the same as.
    let is_fine = replayed
        .cards
        .iter()
        .all(|card| !matches!(card.outcome, run::Outcome::Refused { .. } | run::Outcome::Differs { .. }));
    let texts = Texts::new(engine.language());
    let answer = Answer::new(&session.printer, &replayed, |replayed, theme| {
        render::run_replayed(replayed, &texts, theme)
    });
    Ok(answer.with_exit(u8::from(!is_fine)))
}

pub(super) fn drop(typed: &str, force: bool, session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    engine::person::refuse_agent(engine.context(), Act::DropLane)?;
    let place = run::place(typed)?;
    let dropped = run::drop_run(&engine, &place, force, &session.progress)?;
    session.progress.finish();
    let texts = Texts::new(engine.language());
    Ok(Answer::new(&session.printer, &dropped, |dropped, theme| render::run_dropped(dropped, &texts, theme)))
}
