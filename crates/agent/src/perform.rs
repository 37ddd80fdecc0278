//! Carrying an action out, once, in the lane. What is written goes through `engine::patch`, or is a command behind the fence.

use engine::may::Actor;
use engine::memory;
use engine::run::model::RunEvent;
use engine::undo::Confirmation;

use crate::actions::edit::{self, EditDiff, EditIntent, Looked};
use crate::actions::{RunAction, ask, bash, git, grep, read, test};
use crate::conversation::{Desk, Talk};
use crate::notes::{Note, Notes};
use crate::role::Role;
use crate::{ActionRefusal, Result, lanes};

/// What came of it.
pub(crate) enum Performed {
    /// The model is told.
    Answer {
        /// What.
        text: String,
        /// Why it was not done.
        code: Option<&'static str>,
        /// Files were written.
        wrote: bool,
    },
    /// A person has to decide first.
    Waits {
        /// Stable code of what about.
        code: &'static str,
        /// What about.
        why: String,
        /// What they can answer.
        options: Vec<String>,
    },
}

impl Performed {
    fn done(text: String) -> Self {
        Self::Answer { text, code: None, wrote: false }
    }

    fn of(result: std::result::Result<String, ActionRefusal>) -> Self {
        match result {
            Ok(text) => Self::done(text),
            Err(refusal) => Self::Answer { text: refusal.text(), code: Some(refusal.code), wrote: false },
        }
    }

    fn refused(refusal: &ActionRefusal) -> Self {
        Self::Answer { text: refusal.text(), code: Some(refusal.code), wrote: false }
    }
}

/// A person's word, if it is a yes or a no.
fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "ja" | "ok" | "네" | "예" | "是" | "好")
}

/// Does it.
pub(crate) fn perform(
    desk: &mut Desk<'_, '_>,
    talk: &Talk<'_>,
    notes: &mut Notes,
    n: u64,
    action: &RunAction,
) -> Result<Performed> {
    Ok(match action {
        RunAction::Plan(cards) => Performed::done(format!("{} cards", cards.len())),
        RunAction::Meta { .. } => Performed::done("noted".to_owned()),
        RunAction::Read(wish) => Performed::of(read::read(desk.lane, wish)),
        RunAction::Grep(wish) => Performed::of(grep::grep(desk.lane, wish)),
        RunAction::Git(wish) => Performed::of(git::git(desk, talk, n, wish)?),
        RunAction::Ask { question, options } => ask_person(desk, talk, question, options),
        RunAction::EditDiff(wish) => write(desk, talk, notes, n, wish)?,
        RunAction::Bash(wish) => command(desk, talk, notes, n, wish)?,
        RunAction::Test => match test::run(desk.lane, talk.base, &desk.options.caller, desk.stop) {
            Ok(found) => {
                let told = found.told();
                checked(desk, talk, &found)?;
                Performed::done(told)
            }
            Err(refusal) => Performed::refused(&refusal),
        },
        RunAction::Done { summary } if talk.role == Role::Executor => done(desk, talk, notes, summary)?,
        RunAction::Done { .. } => Performed::done("noted".to_owned()),
    })
}

fn checked(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, found: &test::LaneCheck) -> Result<()> {
    desk.journal.append(RunEvent::Checked {
        card: talk.of(),
        attempt: talk.attempt.to_owned(),
        tree: found.tree.clone(),
        checks: found.checks.clone(),
        findings: found.findings.clone(),
        weakened: found.weakened.clone(),
    })
}

/// It is done only if nothing speaks against it.
fn done(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, notes: &Notes, summary: &str) -> Result<Performed> {
    let mut found = match test::run(desk.lane, talk.base, &desk.options.caller, desk.stop) {
        Ok(found) => found,
        Err(refusal) => return Ok(Performed::refused(&refusal)),
    };
    checked(desk, talk, &found)?;
    if person_said_yes(desk, talk) {
        // What a person said yes to by name speaks against nothing any more; it stays among the findings.
        found.against.retain(|line| !GUARDED.iter().any(|rule| line.starts_with(rule)));
    }
    if found.against.is_empty() {
        let (files, _) = lanes::between(desk.lane, talk.base, &found.checkpoint)?;
        let doubt = match (files.is_empty(), found.weakened.as_slice()) {
            (true, _) => Doubt::no_change(summary),
            (false, []) => return Ok(Performed::done("accepted".to_owned())),
            (false, changed) => Doubt::check_changed(changed),
        };
        return Ok(doubt.settle(desk, talk, notes));
    }
    let list: String = found.against.iter().map(|line| format!("- {line}\n")).collect();
    let refusal = ActionRefusal::new(
        "not_done",
        format!("this speaks against it:\n{list}"),
        "repair it and say DONE again; if it cannot be repaired, ASK the person",
    );
    Ok(Performed::refused(&refusal))
}

/// So often a DONE that only a person can believe is refused; then one is asked.
const MOST_DOUBTED: usize = 2;

/// What is no failure, and what the model cannot answer for: a person says whether it is fine.
struct Doubt {
    /// Stable code: of the refusals, and of what is waited for.
    code: &'static str,
    message: String,
    next: &'static str,
    /// What the person is asked.
    why: String,
}

impl Doubt {
    fn no_change(summary: &str) -> Self {
        Self {
            code: "no_change",
            message: "the lane is as it was before this card: nothing was changed".to_owned(),
            next: "make the change with EDIT_DIFF; if really nothing has to change, say DONE again with the reason, and the person decides",
            why: format!("nothing was changed, and the model says that the card is done: {summary}"),
        }
    }

    fn check_changed(changed: &[String]) -> Self {
        let list = changed.join("; ");
        Self {
            code: "check_changed",
            message: format!("what checks this work was changed: {list}"),
            next: "bring what the check runs back as it was, its tests too, and repair the code; if the check itself was wrong, say DONE again, and the person decides",
            why: format!("the model says that it is done, and what checks this work was changed: {list}"),
        }
    }

    fn settle(self, desk: &mut Desk<'_, '_>, talk: &Talk<'_>, notes: &Notes) -> Performed {
        match answer_to(desk, talk, &[self.code]) {
            Some(answer) if is_yes(&answer) && desk.person.is_some() => {
                return Performed::done("accepted".to_owned());
            }
            Some(answer) => {
                return Performed::refused(&ActionRefusal::new(
                    "declined",
                    format!("{}, and the person says: {answer}", self.message),
                    "do what the person says with EDIT_DIFF, then say DONE",
                ));
            }
            None => {}
        }
        let refused = notes.refused_in_a_row(self.code);
        if refused < MOST_DOUBTED {
            let message = format!("{} ({} of {MOST_DOUBTED})", self.message, refused + 1);
            return Performed::refused(&ActionRefusal::new(self.code, message, self.next));
        }
        // Of several attempts such a one is never the best: nobody has to be asked.
        if desk.journal.run().compares() {
            return Performed::done("accepted".to_owned());
        }
        let options = vec!["yes".to_owned(), "no".to_owned()];
        Performed::Waits { code: self.code, why: self.why, options }
    }
}

/// What a person answered, if it is the answer to one of these questions about this card: a yes to one thing is no yes to another.
fn answer_to(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, codes: &[&str]) -> Option<String> {
    let events = desk.journal.events();
    let asked_at = events.iter().rposition(|logged| matches!(logged.event, RunEvent::Paused { .. }))?;
    let RunEvent::Paused { card, code, .. } = &events[asked_at].event else { return None };
    if card.as_deref() != talk.card || !codes.contains(&code.as_str()) {
        return None;
    }
    // A call of which not everything could be kept was asked for again: a yes counts for the same one, to the letter.
    let begun = |events: &[engine::run::model::Logged]| {
        events.iter().rev().find_map(|logged| match &logged.event {
            RunEvent::ActionBegan { digest, .. } => Some(digest.clone()),
            _ => None,
        })
    };
    let is_approval = matches!(code.as_str(), "approval" | "keep_region");
    if is_approval && begun(&events[..asked_at]) != begun(events) {
        return None;
    }
    desk.answer.take()
}

/// The guard's rules about places that a person can say yes to.
const GUARDED: [&str; 2] = ["keep-region", "protected-file"];

/// A person was asked about a guarded place of this card, and let it be written.
fn person_said_yes(desk: &Desk<'_, '_>, talk: &Talk<'_>) -> bool {
    let mut asked = false;
    for logged in desk.journal.events() {
        match &logged.event {
            RunEvent::Paused { card, code, .. } => {
                asked = card.as_deref() == talk.card && matches!(code.as_str(), "keep_region" | "approval");
            }
            RunEvent::Resumed { answer } if asked => {
                asked = false;
                if answer.as_deref().is_some_and(is_yes) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

fn ask_person(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, question: &str, options: &[String]) -> Performed {
    if let Some(known) = ask::known(desk.engine, question, options) {
        return Performed::done(known);
    }
    match answer_to(desk, talk, &["question"]) {
        Some(answer) => {
            if desk.person.is_some() {
                // Where it cannot be written down, it is asked again one day.
                let _ = memory::answer(desk.engine, "vib run", question, &answer, None);
            }
            Performed::done(format!("The person answers: {answer}"))
        }
        None => Performed::Waits { code: "question", why: question.to_owned(), options: options.to_vec() },
    }
}

fn write(
    desk: &mut Desk<'_, '_>,
    talk: &Talk<'_>,
    notes: &mut Notes,
    n: u64,
    wish: &EditDiff,
) -> Result<Performed> {
    let looked = match edit::look(desk.lane, wish, Actor::Agent) {
        Ok(looked) => looked,
        Err(refusal) => return Ok(Performed::refused(&refusal)),
    };
    let (preview, confirmed) = match looked {
        Looked::Ready(preview) => (preview, Confirmation::Agent),
        Looked::NeedsPerson(why) => {
            match (answer_to(desk, talk, &["approval", "keep_region"]), desk.person) {
                (None, _) => {
                    let code = if wish.keep_regions { "approval" } else { "keep_region" };
                    let options = vec!["yes".to_owned(), "no".to_owned()];
                    return Ok(Performed::Waits { code, why, options });
                }
                (Some(answer), Some(by)) if is_yes(&answer) => {
                    match edit::look(desk.lane, wish, Actor::Person) {
                        Ok(Looked::Ready(preview)) => (preview, Confirmation::Terminal(by)),
                        Ok(Looked::NeedsPerson(why)) => {
                            let refusal =
                                ActionRefusal::new("needs_person", why, "leave these files as they are");
                            return Ok(Performed::refused(&refusal));
                        }
                        Err(refusal) => return Ok(Performed::refused(&refusal)),
                    }
                }
                (Some(answer), _) => {
                    let message = format!("the person does not want this: {answer}");
                    let refusal = ActionRefusal::new(
                        "declined",
                        message,
                        "leave these files as they are, and go on without",
                    );
                    return Ok(Performed::refused(&refusal));
                }
            }
        }
    };
    // Of a file that usually holds secrets no text is shown: then the words of the model are what is kept.
    let hides = preview.report.changes.iter().any(|change| change.sensitive || change.diff.is_empty());
    let text = if hides { &wish.diff } else { &preview.report.diff };
    let diff = desk.journal.keep_diff(&talk.of(), n, text)?;
    let intent = EditIntent::of(desk.lane, n, diff.clone(), &preview.report);
    notes.add(desk.engine, Note::About { intent })?;
    let report = match edit::apply(desk.lane, &preview, confirmed) {
        Ok(report) => report,
        Err(refusal) => return Ok(Performed::refused(&refusal)),
    };
    let safety = report.snapshot_id.clone().unwrap_or_default();
    desk.journal.append(RunEvent::Patched {
        card: talk.of(),
        n,
        files: edit::files(&report),
        diff,
        safety,
    })?;
    Ok(Performed::Answer { text: edit::told(desk.lane, &report), code: None, wrote: true })
}

fn command(
    desk: &mut Desk<'_, '_>,
    talk: &Talk<'_>,
    notes: &mut Notes,
    n: u64,
    wish: &bash::Bash,
) -> Result<Performed> {
    if !desk.options.bash {
        let refusal = ActionRefusal::new(
            "bash_is_off",
            "commands are switched off in this run",
            "use TEST for the checks and EDIT_DIFF for changes; the person can start a run with `--bash`",
        );
        return Ok(Performed::refused(&refusal));
    }
    match bash::may(desk.lane, wish) {
        Ok(bash::May::Yes) => {}
        Ok(bash::May::Ask(why)) => match answer_to(desk, talk, &["approval"]) {
            None => {
                let why = format!("`{}`: {why}", wish.command);
                let options = vec!["yes".to_owned(), "no".to_owned()];
                return Ok(Performed::Waits { code: "approval", why, options });
            }
            Some(answer) if is_yes(&answer) && desk.person.is_some() => {}
            Some(answer) => {
                let message = format!("the person does not want this: {answer}");
                return Ok(Performed::refused(&ActionRefusal::new("declined", message, "do it another way")));
            }
        },
        Err(refusal) => return Ok(Performed::refused(&refusal)),
    }
    let (before, _) = lanes::save(desk.lane, "run command")?;
    notes.add(desk.engine, Note::Before { n, checkpoint: before.clone() })?;
    let ran = match bash::run(desk.lane, desk.engine.project().root(), wish, desk.stop) {
        Ok(ran) => ran,
        Err(refusal) => return Ok(Performed::refused(&refusal)),
    };
    let command = desk.engine.run_gate().clean(&wish.command).into_string();
    let wrote = take_up(desk, talk, n, &before)?;
    desk.journal.append(RunEvent::CommandRan {
        card: talk.of(),
        n,
        command,
        exit: ran.exit,
        milliseconds: ran.milliseconds,
        tail: ran.tail.clone(),
    })?;
    let code = match ran.exit {
        Some(0) => None,
        Some(_) => Some("command_failed"),
        None => Some("command_ended"),
    };
    Ok(Performed::Answer { text: ran.told(), code, wrote })
}

/// What a command changed is kept as a diff like any other change. True: something is different.
fn take_up(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, n: u64, before: &str) -> Result<bool> {
    let (after, _) = lanes::save(desk.lane, "run command")?;
    let (files, text) = lanes::between(desk.lane, before, &after)?;
    if files.is_empty() {
        return Ok(false);
    }
    let diff = desk.journal.keep_diff(&talk.of(), n, &text)?;
    let safety = before.to_owned();
    desk.journal.append(RunEvent::Patched { card: talk.of(), n, files, diff, safety })?;
    Ok(true)
}

/// What became of an action that was cut off. A change of files is looked up in the lane; nothing is ever done again here.
pub(crate) fn look_up(
    desk: &mut Desk<'_, '_>,
    talk: &Talk<'_>,
    notes: &Notes,
    n: u64,
    action: &RunAction,
) -> Result<Performed> {
    // The same commit again is the one that is there.
    if let RunAction::Git(wish) = action {
        return Ok(Performed::of(git::git(desk, talk, n, wish)?));
    }
    // A restore that a kill cut off is finished first, so that a change is there as a whole or not at all.
    desk.lane.store(&store::Silent)?;
    let is_noted = desk
        .journal
        .events()
        .iter()
        .any(|logged| matches!(&logged.event, RunEvent::Patched { n: of, .. } if *of == n));
    let mut wrote = is_noted;
    if let Some(intent) = notes.intent(n)
        && intent.is_made(desk.lane)
    {
        if !is_noted {
            let (files, diff) = (intent.files(), intent.diff.clone());
            let safety = lanes::newest_safety(desk.lane)?;
            desk.journal.append(RunEvent::Patched { card: talk.of(), n, files, diff, safety })?;
        }
        let text = "applied (vib was interrupted; the lane shows that all of it was written)".to_owned();
        return Ok(Performed::Answer { text, code: None, wrote: true });
    }
    if let Some(before) = notes.before(n)
        && !is_noted
    {
        let before = before.to_owned();
        wrote = take_up(desk, talk, n, &before)?;
    }
    let what = match action {
        RunAction::EditDiff(_) => "the change was not made",
        RunAction::Bash(_) => "nobody knows how far the command came",
        _ => "nothing came of it",
    };
    let refusal = ActionRefusal::new(
        "cut_off",
        format!("vib was interrupted during this action: {what}"),
        "look at how things are, then ask for it again if you still want it",
    );
    Ok(Performed::Answer { text: refusal.text(), code: Some("cut_off"), wrote })
}
