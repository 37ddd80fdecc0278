//! Going back from inside a chat: "/rollback", "undo that", "되돌려줘", "撤销"; and the lesson afterwards. (HK4, LS1)
//!
//! The trusted shape holds here as everywhere: the first prompt only shows what would change and a code; the next prompt
//! with that code is the clear yes. Between the two, nothing may have changed. [`super::understand`] says which prompts are
//! meant for vib.

use serde::{Deserialize, Serialize};
use store::{CheckpointKind, HistoryFilter, Progress};

use super::phrases;
use super::session::{SessionFile, Who};
use super::understand::{Waiting, Wish, lesson_in, understand};
use crate::diff::{Detail, FileStatus};
use crate::lessons::{self, Language, Question as _};
use crate::undo::{self, Confirmation, Preview, Target};
use crate::{Engine, Error, Notice, Result};

/// How long a shown rollback can be confirmed.
const VALID_MS: i64 = 15 * 60_000;
/// Letters of the prompt that are kept with a pending rollback; all of those that are understood are shorter.
const ASKED_KEPT: usize = 400;
/// Files that are named in a chat.
const FILES_SHOWN: usize = 20;
/// Turns that are tried until one differs from now.
const TURNS_TRIED: usize = 8;
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
        if pending.is_some() {
            // Somebody who goes on working has decided against it.
            file.update(|state| state.pending = None)?;
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
        Wish::Back(turns) => turns_back(engine, who, turns, progress),
        Wish::To(id) => undo::preview(engine, &Target::Id(id), &[], Detail::Counts, progress),
    };
    let preview = match shown {
        Ok(preview) => preview,
        Err(error @ (Error::Store(_) | Error::NothingToUndo(_))) => {
            let text = format!("Nothing was changed: {error}. {}", sentence(&error.next()));
            return Ok(Some(ChatAnswer { text, applied: false }));
        }
        Err(error) => return Err(error),
    };
    let language = Language::of_words(prompt, engine.context());
    Ok(Some(offer(engine, &file, &preview, language, prompt, "")?))
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
        target: preview.target.id.to_string(),
        digest: preview.digest(),
        expires_ms: context.now_ms() + VALID_MS,
        language,
        asked: asked.trim().chars().take(ASKED_KEPT).collect(),
    };
    file.update(|state| state.pending = Some(pending))?;
    let text = format!(
        "{before}Going back to {} would change {}:\n{}\n{}Nothing has been changed yet. To do it, send: {code}\nWhat you have \
         now is saved first and can be brought back.",
        name_of(preview),
        files(preview.changes.files.len()),
        list(preview),
        own_entries(&preview.notices),
    );
    Ok(ChatAnswer { text, applied: false })
}

/// Files in which vib's own part stays as it is.
fn own_entries(notices: &[Notice]) -> String {
    let kept = notices.iter().filter_map(|notice| match notice {
        Notice::OwnEntriesKept { paths } => Some(paths.join(", ")),
        _ => None,
    });
    kept.map(|paths| format!("vib's own entries in {paths} stay as they are.\n")).collect()
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
    let target = Target::Id(pending.target.clone());
    let preview = match undo::preview(engine, &target, &[], Detail::Counts, progress) {
        Ok(preview) => preview,
        Err(error) => {
            let text = format!("Nothing was changed: {error}. {}", sentence(&error.next()));
            return Ok(ChatAnswer { text, applied: false });
        }
    };
    if preview.digest() != pending.digest {
        let before =
            "Files have changed since the preview, so nothing was done. This is how it looks now:\n\n";
        return offer(engine, file, &preview, pending.language, prompt, before);
    }
    let report = undo::apply(engine, &preview, Confirmation::Chat, progress)?;
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
        "The person went back to an earlier state of the files ({}). Changed by that: {}{}. Your later edits of them are \
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
        "Done: {} as in {}.\n{}{}What you had before is saved as `{}`: `vib redo` in a terminal, or \"{}\" here, brings \
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

/// The state when the person sent the prompt of so many turns ago.
fn turns_back(engine: &Engine, who: &Who, turns: usize, progress: &dyn Progress) -> Result<Preview> {
    let candidates: Vec<String> = {
        let opened = engine.store(progress)?;
        let history = opened.store.history(&HistoryFilter { limit: 0, ..HistoryFilter::default() })?;
        let prompts = history.into_iter().filter(|checkpoint| {
            checkpoint.kind == CheckpointKind::Turn
                && checkpoint.origin.trigger.as_deref() == Some("prompt")
                && checkpoint.origin.session.as_deref() == Some(who.session.as_str())
        });
        prompts.map(|checkpoint| checkpoint.id.to_string()).collect()
    };
    if candidates.is_empty() {
        return undo::preview(engine, &Target::Steps(turns), &[], Detail::Counts, progress);
    }
    // A turn that changed nothing does not count: who says "undo that" means something that happened.
    let mut left = turns;
    let mut last_seen = None;
    for id in candidates.iter().take(turns + TURNS_TRIED) {
        match undo::preview(engine, &Target::Id(id.clone()), &[], Detail::Counts, progress) {
            Ok(preview) => {
                let digest = preview.digest();
                if last_seen.as_ref() == Some(&digest) {
                    continue;
                }
                left -= 1;
                if left == 0 {
                    return Ok(preview);
                }
                last_seen = Some(digest);
            }
            Err(Error::NothingToUndo(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::NothingToUndo(
        "no turn of this session left the files different from what you have now".to_owned(),
    ))
}

fn name_of(preview: &Preview) -> String {
    let id = &preview.target.id;
    match preview.target.origin.prompt.as_deref().map(str::trim).filter(|prompt| !prompt.is_empty()) {
        Some(prompt) => {
            let short: String = prompt.chars().take(60).collect();
            let dots = if short.len() < prompt.len() { "…" } else { "" };
            format!("`{}` (before \"{short}{dots}\")", &id.as_str()[..8.min(id.as_str().len())])
        }
        None => format!("`{}`", &id.as_str()[..8.min(id.as_str().len())]),
    }
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
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
