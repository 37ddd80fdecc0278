//! Going back from inside a chat: "/rollback", "undo that", "되돌려줘", "撤销"; and the lesson afterwards. (HK4, LS1)
//!
//! The trusted shape holds here as everywhere: the first prompt only shows what would change and a code; the next prompt
//! with that code is the clear yes. Between the two, nothing may have changed. [`super::understand`] says which prompts are
//! meant for vib.

use serde::{Deserialize, Serialize};
use store::{Progress, RequestNumber, StepNumber};

use super::phrases;
use super::session::{SessionFile, Who};
use super::understand::{Waiting, Wish, command_not_understood, lesson_in, understand};
use crate::diff::FileStatus;
use crate::lessons::{self, Language, Question as _};
use crate::undo::{self, Back, Confirmation, Options, Preview, Target};
use crate::{Engine, Error, Notice, Result};

/// How long a shown rollback can be confirmed.
const VALID_MS: i64 = 15 * 60_000;
/// Letters of the prompt that are kept with a pending rollback; all of those that are understood are shorter.
const ASKED_KEPT: usize = 400;
/// Files that are named in a chat.
const FILES_SHOWN: usize = 20;
/// Letters that nobody mistakes for another, and no vowels: a code must not be a word with which a prompt could end.
const CODE_LETTERS: &[u8] = b"bcdfghjkmnpqrstvwxz";
/// What the model hears when the person resumed it in the chat.
const GO_ON_NOTE: &str = "You were stopped because you ran in circles. The person lets you go on: continue, but do not repeat what \
                          did not work; try another way, and say so if you are stuck.";

/// A rollback that was shown and waits for its code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    code: String,
    target: String,
    digest: String,
    expires_ms: i64,
    /// The language in which it was asked for; the code that follows has none.
    #[serde(default)]
    language: Language,
    /// The prompt that asked for it: some clients leave it in the input box, and the code comes after it.
    #[serde(default)]
    asked: String,
}

/// What vib says in the chat; the model does not get the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatAnswer {
    /// The text for the person.
    pub text: String,
    /// Files were restored.
    pub applied: bool,
}

/// Answers a prompt that is meant for vib; `None` for every other prompt.
pub fn chat_command(
    engine: &Engine,
    who: &Who,
    prompt: &str,
    progress: &dyn Progress,
) -> Result<Option<ChatAnswer>> {
    if let Some(text) = lesson_in(prompt) {
        return Ok(Some(keep_lesson(engine, who, text)));
    }
    let file = SessionFile::of(engine, who);
    let state = file.read();
    let resting = !state.spiral.blocked().is_empty();
    let pending = state.pending;
    let waiting = pending.as_ref().map(|pending| Waiting { code: &pending.code, asked: &pending.asked });
    let Some(wish) = understand(prompt, waiting, resting) else {
        if let Some(pending) = pending {
            if looks_like_a_code(prompt) {
                let text = format!(
                    "Nothing was changed: \"{}\" is not the code. To go back as shown, send: {}\nAnything else leaves your \
                     files as they are.",
                    prompt.trim(),
                    pending.code
                );
                return Ok(Some(ChatAnswer { text, applied: false }));
            }
            // Somebody who goes on working has decided against it.
            file.update(|state| {
                state.pending = None;
                state.dropped_code = Some(pending.code);
            })?;
        } else if state.dropped_code.as_deref().is_some_and(|code| prompt.trim().eq_ignore_ascii_case(code)) {
            let text = format!(
                "Nothing was changed: that code is no longer valid, because you went on working after it was shown. Send \"{}\" \
                 to see the preview again.",
                phrases::rollback(&who.client)
            );
            return Ok(Some(ChatAnswer { text, applied: false }));
        }
        // It is meant for vib: silence would look as if nobody were there.
        if let Some(words) = command_not_understood(prompt) {
            let text = format!(
                "Nothing was changed: vib does not understand \"{words}\" in a chat. It knows \"{0}\", \"{0} 3\" (the last three requests), \
                 \"{0} s41\" (a step), \"{0} r12\" (a request) and \"{0} ID\" (a checkpoint). For one file, or with choices: `vib undo FILE` \
                 in a terminal.",
                phrases::rollback(&who.client)
            );
            return Ok(Some(ChatAnswer { text, applied: false }));
        }
        return Ok(None);
    };
    let shown = match wish {
        Wish::Confirm => match pending {
            Some(pending) => return confirm(engine, who, &file, &pending, prompt, progress).map(Some),
            None => return Ok(None),
        },
        Wish::GoOn => {
            // The prompt itself goes to the agent, which shall continue.
            file.update(|state| {
                state.pending = None;
                state.spiral.resume(None);
                state.notes.push(GO_ON_NOTE.to_owned());
            })?;
            return Ok(None);
        }
        Wish::Back(count) => {
            show(engine, Target::SessionRequests { session: who.session.clone(), count }, progress)
        }
        Wish::To(name) => show(engine, named(&name), progress),
    };
    let (target, preview) = match shown {
        Ok(shown) => shown,
        Err(
            error @ (Error::Store(_) | Error::NothingToUndo(_) | Error::NotInHistory(_) | Error::Usage(_)),
        ) => {
            let text = format!("Nothing was changed: {error}. {}", sentence(&error.next()));
            return Ok(Some(ChatAnswer { text, applied: false }));
        }
        Err(error) => return Err(error),
    };
    let language = Language::of_words(prompt, engine.context());
    Ok(Some(offer(engine, &file, &target, &preview, language, prompt, "")?))
}

/// The preview of a target, and what of the history it came to: the code confirms exactly that, whatever comes between.
fn show(engine: &Engine, target: Target, progress: &dyn Progress) -> Result<(Target, Preview)> {
    let preview = undo::preview(engine, &target, &Options::default(), progress)?;
    let exact = match &preview.back {
        Back::Steps { entries, .. } => match &entries[..] {
            [one] => one.request.as_ref().map(|request| Target::Request(request.number)),
            _ => None,
        },
        _ => None,
    };
    Ok((exact.unwrap_or(target), preview))
}

/// A step, a request or a checkpoint, as a person typed it.
fn named(name: &str) -> Target {
    if let Some(step) = StepNumber::parse(name) {
        Target::Step(step)
    } else if let Some(request) = RequestNumber::parse(name) {
        Target::Request(request)
    } else {
        Target::Checkpoint(name.to_owned())
    }
}

/// One short word without vowels, as only a code is.
fn looks_like_a_code(prompt: &str) -> bool {
    let word = prompt.trim().to_ascii_lowercase();
    (3..=6).contains(&word.len())
        && word.bytes().all(|letter| letter.is_ascii_lowercase() && !b"aeiou".contains(&letter))
}

/// Writes a lesson down. What goes wrong is said to the person, with their words still in the chat above.
fn keep_lesson(engine: &Engine, who: &Who, text: &str) -> ChatAnswer {
    let language = Language::of_words(text, engine.context());
    let text = match lessons::after_rollback(engine, text) {
        Ok(kept) => language.thanks(&kept.lesson.id, kept.known_before),
        Err(Error::Lesson(memory::lessons::Error::Empty)) => {
            language.invitation(phrases::lesson(&who.client))
        }
        Err(error) => format!("The lesson was not kept: {error}. {}", sentence(&error.next())),
    };
    ChatAnswer { text, applied: false }
}

/// Shows a preview and a code for it.
fn offer(
    engine: &Engine,
    file: &SessionFile,
    target: &Target,
    preview: &Preview,
    language: Language,
    asked: &str,
    before: &str,
) -> Result<ChatAnswer> {
    let context = engine.context();
    let mut random = context.random_u64();
    let code: String = (0..4)
        .map(|_| {
            let letter = CODE_LETTERS[usize::try_from(random % CODE_LETTERS.len() as u64).unwrap_or(0)];
            random /= CODE_LETTERS.len() as u64;
            char::from(letter)
        })
        .collect();
    let pending = Pending {
        code: code.clone(),
        target: target.to_text(),
        digest: preview.digest(),
        expires_ms: context.now_ms() + VALID_MS,
        language,
        asked: asked.trim().chars().take(ASKED_KEPT).collect(),
    };
    file.update(|state| state.pending = Some(pending))?;
    let text = format!(
        "{before}{} would change {}:\n{}{}\n{}Nothing has been changed yet. To do it, send: {code}\nWhat you have \
         now is saved first and can be brought back.",
        capital(&name_of(preview)),
        files(preview.changes.files.len()),
        list(preview),
        left(preview),
        own_entries(&preview.notices),
    );
    Ok(ChatAnswer { text, applied: false })
}

/// Files in which vib's own part stays as it is, those that are protected, and files outside the project.
fn own_entries(notices: &[Notice]) -> String {
    let kept = notices.iter().filter_map(|notice| match notice {
        Notice::OwnEntriesKept { paths } => {
            Some(format!("vib's own entries in {} stay as they are.\n", paths.join(", ")))
        }
        Notice::Protected { paths } => {
            Some(format!("Protected, and changed with the rest: {}.\n", paths.join(", ")))
        }
        Notice::FilesOutside { paths } => Some(format!(
            "Outside this project {} changed too, and stays as it is; `vib undo {}` on a command line takes it back.\n",
            paths.join(", "),
            paths.first().map(String::as_str).unwrap_or_default()
        )),
        _ => None,
    });
    kept.collect()
}

/// The code came: do exactly what was shown, or show again.
fn confirm(
    engine: &Engine,
    who: &Who,
    file: &SessionFile,
    pending: &Pending,
    prompt: &str,
    progress: &dyn Progress,
) -> Result<ChatAnswer> {
    file.update(|state| state.pending = None)?;
    if engine.context().now_ms() > pending.expires_ms {
        let text = format!(
            "Nothing was changed: that code is too old. Send \"{}\" to see the preview again.",
            phrases::rollback(&who.client)
        );
        return Ok(ChatAnswer { text, applied: false });
    }
    let target = Target::from_text(&pending.target);
    let preview = match undo::preview(engine, &target, &Options::default(), progress) {
        Ok(preview) => preview,
        Err(error) => {
            let text = format!("Nothing was changed: {error}. {}", sentence(&error.next()));
            return Ok(ChatAnswer { text, applied: false });
        }
    };
    if preview.digest() != pending.digest {
        let before =
            "Files have changed since the preview, so nothing was done. This is how it looks now:\n\n";
        return offer(engine, file, &target, &preview, pending.language, prompt, before);
    }
    let report = undo::apply_again(engine, &preview, Confirmation::Chat, None, Some(who), progress)?;
    let done = report.result.restored.len() + report.result.removed.len();
    let kept: Vec<String> = report
        .result
        .kept
        .iter()
        .map(|kept| format!("- {} was left alone: {}\n", kept.path, kept.detail))
        .collect();
    let names: Vec<String> = report
        .result
        .restored
        .iter()
        .chain(&report.result.removed)
        .take(FILES_SHOWN)
        .map(ToString::to_string)
        .collect();
    let note = format!(
        "The person went back ({}). Changed by that: {}{}. Your later edits of them are \
         undone; read a file again before you edit it, and do not repeat what was undone unless you are asked to.",
        name_of(&preview),
        names.join(", "),
        if done > names.len() { " and others" } else { "" },
    );
    file.update(|state| {
        state.notes.push(note);
        state.spiral = crate::spiral::Tracker::default();
    })?;
    let text = format!(
        "Done: {} as before ({}).\n{}{}What you had before is saved as `{}`: `vib redo` in a terminal, or \"{}\" here, brings \
         it back.\n{}",
        if done == 1 { "1 file is".to_owned() } else { format!("{done} files are") },
        name_of(&preview),
        kept.concat(),
        own_entries(&report.notices),
        report.safety_short_id,
        phrases::rollback_to(&who.client, &report.safety_short_id),
        pending.language.invitation(phrases::lesson(&who.client)),
    );
    Ok(ChatAnswer { text, applied: true })
}

/// What is taken back, in words.
fn name_of(preview: &Preview) -> String {
    let said = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = text.chars().take(60).collect();
        let dots = if short.len() < text.len() { "…" } else { "" };
        format!("\"{short}{dots}\"")
    };
    match &preview.back {
        Back::Checkpoint { checkpoint } => {
            let told = checkpoint.message.as_deref().or(checkpoint.origin.prompt.as_deref());
            let told = told.map(|text| format!(" ({})", said(text))).unwrap_or_default();
            format!("going back to checkpoint {}{told}", checkpoint.id)
        }
        Back::Redo { .. } => "taking back the last undo".to_owned(),
        Back::Steps { entries, .. } => match &entries[..] {
            [] => "taking back what changed since the last look".to_owned(),
            [one] => match &one.request {
                Some(request) => {
                    let prompt = request.prompt.as_deref().map(|prompt| format!(" {}", said(prompt)));
                    let client = request.client.as_deref().unwrap_or("an agent");
                    format!("taking back request {}{} ({client})", request.number, prompt.unwrap_or_default())
                }
                None => format!("taking back {}", one.words()),
            },
            many => format!("taking back the last {} requests", many.len()),
        },
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

/// What stays, because it was changed again since.
fn left(preview: &Preview) -> String {
    let mut paths: Vec<String> = preview.conflicts.iter().map(|conflict| conflict.path.to_string()).collect();
    paths.dedup();
    if paths.is_empty() {
        return String::new();
    }
    format!("\nThese were changed again since; that later work stays as it is: {}\n", paths.join(", "))
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

fn list(preview: &Preview) -> String {
    let files = &preview.changes.files;
    let mut text = String::new();
    for file in files.iter().take(FILES_SHOWN) {
        let what = match file.status {
            FileStatus::Added => "comes back",
            FileStatus::Removed => "is removed",
            FileStatus::Renamed => "gets its old name back",
            FileStatus::Modified | FileStatus::ModeChanged | FileStatus::TypeChanged => "is changed back",
        };
        text.push_str(&format!("- {} {what}\n", file.path));
    }
    if files.len() > FILES_SHOWN {
        text.push_str(&format!("- and {} more\n", files.len() - FILES_SHOWN));
    }
    text
}

fn sentence(text: &str) -> String {
    format!("{}.", capital(text))
}
