//! Going back from inside a chat: "/rollback", "undo that", "되돌려줘", "撤销"; and the lesson afterwards. (HK4, LS1)
//!
//! The trusted shape holds here as everywhere: the first prompt only shows what would change and a code; the next prompt
//! with that code is the clear yes. Between the two, nothing may have changed. A phrase inside a longer request ("add an
//! undo button") is no command: the whole prompt has to be one.

use serde::{Deserialize, Serialize};
use store::{CheckpointKind, HistoryFilter, Progress};

use super::session::{SessionFile, Who};
use crate::diff::{Detail, FileStatus};
use crate::lessons::{self, Language, Question as _};
use crate::undo::{self, Confirmation, Preview, Target};
use crate::{Engine, Error, Notice, Result};

/// How long a shown rollback can be confirmed.
const VALID_MS: i64 = 15 * 60_000;
/// Files that are named in a chat.
const FILES_SHOWN: usize = 20;
/// Turns that are tried until one differs from now.
const TURNS_TRIED: usize = 8;
/// Letters that nobody mistakes for another.
const CODE_LETTERS: &[u8] = b"abcdefghjkmnpqrstuvwxyz";

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
}

/// What vib says in the chat; the model does not get the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatAnswer {
    /// The text for the person.
    pub text: String,
    /// Files were restored.
    pub applied: bool,
}

/// What a prompt asks of vib.
#[derive(Debug, PartialEq, Eq)]
enum Wish {
    Back(usize),
    To(String),
    Code(String),
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
    let pending = file.read().pending;
    let waiting = pending.as_ref().map(|pending| pending.code.as_str());
    let Some(wish) = understand(prompt, waiting) else {
        if pending.is_some() {
            // Somebody who goes on working has decided against it.
            file.update(|state| state.pending = None)?;
        }
        return Ok(None);
    };
    let shown = match wish {
        Wish::Code(_) => match pending {
            Some(pending) => return confirm(engine, who, &file, &pending, progress).map(Some),
            None => return Ok(None),
        },
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
    Ok(Some(offer(engine, &file, &preview, language, "")?))
}

/// What a lesson begins with. Codex refuses a `/word` that it does not know before any hook sees it.
fn lesson_word(who: &Who) -> &'static str {
    if who.client == "codex" { "vib lesson:" } else { "/lesson" }
}

/// The lesson in a prompt that begins with `/lesson`, as a whole word, or with `vib lesson:`.
fn lesson_in(prompt: &str) -> Option<&str> {
    let prompt = prompt.trim();
    let plain = "vib lesson:";
    if prompt.get(..plain.len()).is_some_and(|start| start.eq_ignore_ascii_case(plain)) {
        return Some(prompt[plain.len()..].trim());
    }
    let (word, rest) = prompt.split_once(char::is_whitespace).unwrap_or((prompt, ""));
    ["/lesson", "/vib:lesson"].iter().any(|name| word.eq_ignore_ascii_case(name)).then(|| rest.trim())
}

/// Writes a lesson down. What goes wrong is said to the person, with their words still in the chat above.
fn keep_lesson(engine: &Engine, who: &Who, text: &str) -> ChatAnswer {
    let language = Language::of_words(text, engine.context());
    let text = match lessons::after_rollback(engine, text) {
        Ok(kept) => language.thanks(&kept.lesson.id, kept.known_before),
        Err(Error::Lesson(memory::lessons::Error::Empty)) => language.invitation(lesson_word(who)),
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
    progress: &dyn Progress,
) -> Result<ChatAnswer> {
    file.update(|state| state.pending = None)?;
    if engine.context().now_ms() > pending.expires_ms {
        let text =
            "Nothing was changed: that code is too old. Send /rollback to see the preview again.".to_owned();
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
        return offer(engine, file, &preview, pending.language, before);
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
        "Done: {} as in {}.\n{}{}What you had before is saved as `{}`: `vib redo` in a terminal, or /rollback {} here, brings \
         it back.\n{}",
        if done == 1 { "1 file is".to_owned() } else { format!("{done} files are") },
        name_of(&preview),
        kept.concat(),
        own_entries(&report.notices),
        report.safety_short_id,
        report.safety_short_id,
        pending.language.invitation(lesson_word(who)),
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

/// The whole prompt, in any of the three languages.
const PHRASES: [&str; 36] = [
    "undo that",
    "undo this",
    "undo it",
    "undo the last change",
    "undo the last changes",
    "undo your changes",
    "undo your last change",
    "undo your last changes",
    "revert that",
    "revert this",
    "revert it",
    "revert the last change",
    "revert the last changes",
    "revert your changes",
    "revert your last changes",
    "roll that back",
    "roll it back",
    "rollback",
    "roll back",
    "rollback that",
    "되돌려",
    "되돌려줘",
    "되돌려 줘",
    "되돌리기",
    "방금 거 되돌려줘",
    "방금 한 거 되돌려줘",
    "방금 한 것 되돌려줘",
    "방금 거 취소해줘",
    "실행 취소",
    "원래대로 되돌려줘",
    "撤销",
    "撤销刚才的修改",
    "撤销刚才的更改",
    "撤回刚才的修改",
    "回滚",
    "恢复到之前",
];

fn understand(prompt: &str, waiting: Option<&str>) -> Option<Wish> {
    let text = prompt.trim().trim_end_matches(['.', '!', '。', '！', '~']).trim().to_lowercase();
    let text = ["please ", "ok ", "ok, ", "no, ", "请"]
        .iter()
        .fold(text.as_str(), |text, polite| text.strip_prefix(polite).unwrap_or(text));
    let text = [" please", ", please", " 부탁해"]
        .iter()
        .fold(text, |text, polite| text.strip_suffix(polite).unwrap_or(text));
    if let Some(code) = waiting {
        let bare = ["/rollback ", "rollback ", "yes ", "confirm ", "code "]
            .iter()
            .fold(text, |text, word| text.strip_prefix(word).unwrap_or(text));
        if bare.trim().trim_matches('`') == code {
            return Some(Wish::Code(code.to_owned()));
        }
    }
    if PHRASES.contains(&text) {
        return Some(Wish::Back(1));
    }
    let rest = text.strip_prefix("/rollback").or_else(|| text.strip_prefix("/vib:rollback"))?;
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    match rest.trim() {
        "" => Some(Wish::Back(1)),
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(Wish::Back(number.parse().unwrap_or(usize::MAX).clamp(1, 1_000)))
        }
        id if !id.contains(char::is_whitespace) && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            Some(Wish::To(id.to_owned()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_prompt_is_a_command_hk4() {
        for prompt in [
            "/rollback",
            "undo that",
            "Undo that.",
            "revert that please",
            "되돌려줘",
            "撤销",
            "请撤销",
            " /ROLLBACK ",
        ] {
            assert_eq!(understand(prompt, None), Some(Wish::Back(1)), "{prompt}");
        }
        assert_eq!(understand("/rollback 3", None), Some(Wish::Back(3)));
        assert_eq!(understand("/rollback kmtz", None), Some(Wish::To("kmtz".to_owned())));
        for prompt in [
            "add an undo button",
            "undo that and then rename the file",
            "why did you revert that",
            "explain what /rollback does",
            "/rollbacks",
            "되돌리기 버튼을 추가해줘",
            "增加一个撤销按钮",
            "",
        ] {
            assert_eq!(understand(prompt, None), None, "{prompt}");
        }
    }

    #[test]
    fn a_lesson_begins_with_the_whole_word_ls1() {
        assert_eq!(lesson_in("/lesson Read first"), Some("Read first"));
        assert_eq!(lesson_in(" /LESSON\n먼저 읽어 "), Some("먼저 읽어"));
        assert_eq!(lesson_in("/vib:lesson x"), Some("x"));
        assert_eq!(lesson_in("/lesson"), Some(""));
        assert_eq!(lesson_in("Vib lesson: Read first"), Some("Read first"));
        for prompt in [
            "/lessons x",
            "/lesson-plan x",
            "write a /lesson x",
            "lesson x",
            "vib lesson x",
            "lesson: x",
            "교훈",
            "",
        ] {
            assert_eq!(lesson_in(prompt), None, "{prompt}");
        }
    }

    #[test]
    fn a_code_counts_only_while_it_is_waited_for() {
        assert_eq!(understand("kfzm", Some("kfzm")), Some(Wish::Code("kfzm".to_owned())));
        assert_eq!(understand("yes KFZM", Some("kfzm")), Some(Wish::Code("kfzm".to_owned())));
        assert_eq!(understand("/rollback kfzm", Some("kfzm")), Some(Wish::Code("kfzm".to_owned())));
        assert_eq!(understand("kfzm", None), None);
        assert_eq!(understand("kfzx", Some("kfzm")), None);
    }
}
