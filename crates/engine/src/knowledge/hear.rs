//! Listening to a prompt: what is meant to stay is written down as a proposal, and the person is told so once. (M7)

use ::memory::log::Provenance;
use ::memory::said::{self, Sort};
use project::RelPath;
use serde_json::json;

use super::sayings::{KEPT, SAID, all};
use crate::agent::{ChatAnswer, SessionFile, Who};
use crate::lessons::Language;
use crate::memory::{append_seen, event};
use crate::{Engine, Result};

/// Files at hand that are noted with a saying.
const MOST_PATHS: usize = 4;

/// What was heard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// Ids and words of what is proposed now.
    pub proposed: Vec<(String, String)>,
    /// One line for the person.
    pub words: Option<String>,
}

/// Takes what a prompt says for good. Only a person's own prompt is listened to: not a sub-agent's task, no file, no output.
pub fn hear(engine: &Engine, who: &Who, prompt: &str) -> Result<Heard> {
    let config = engine.project().config();
    if !config.flag("memory.listen") || config.flag("memory.minimal") || who.agent.is_some() {
        return Ok(Heard::default());
    }
    let file = SessionFile::of(engine, who);
    let state = file.read();
    let found = if state.is_sub_agent() { Vec::new() } else { said::find(prompt) };
    if found.is_empty() {
        if !state.proposed.is_empty() {
            file.update(|state| state.proposed.clear())?;
        }
        return Ok(Heard::default());
    }
    let last_edits = state.noted.last_edits();
    let mut gate = engine.gate();
    let mut events = Vec::new();
    let mut heard = Heard::default();
    for saying in found {
        // A correction corrects something that was done; without that it is an answer to a question.
        if saying.sort == Sort::Correction && last_edits.is_empty() {
            continue;
        }
        let text = gate.clean(&saying.text).into_string();
        let mut paths = named_in(engine, &text);
        if saying.sort == Sort::Correction {
            paths.extend(last_edits.iter().take(MOST_PATHS).cloned());
        }
        paths.dedup();
        paths.truncate(MOST_PATHS);
        let body = json!({"text": text, "sort": saying.sort, "paths": paths});
        let mut event = event(engine, SAID, Provenance::Observed, body);
        event.agent = Some(who.client.clone());
        event.task = Some(who.session.clone());
        if saying.sort != Sort::Withdrawal {
            heard.proposed.push((event.id.clone(), text));
        }
        events.push(event);
    }
    append_seen(engine, &events)?;
    // The agent of this session heard it from the person.
    let ids: Vec<String> = heard.proposed.iter().map(|(id, _)| id.clone()).collect();
    file.update(|state| {
        state.said_told.extend(ids.iter().cloned());
        state.proposed = ids;
    })?;
    heard.words = words(engine, prompt, &heard.proposed);
    Ok(heard)
}

/// Files of the project that a text names.
pub(crate) fn named_in(engine: &Engine, text: &str) -> Vec<String> {
    let root = engine.project().root();
    let words = text.split(|c: char| c.is_whitespace() || "`'\"(),:;".contains(c));
    let words = words.map(|word| word.trim_start_matches("./").trim_end_matches(['.', '?', '!', '/']));
    words
        .filter(|word| word.contains(['/', '.']) && word.len() > 2)
        .filter_map(|word| RelPath::new(word.as_bytes()).ok())
        .filter(|path| root.join(path.to_string()).symlink_metadata().is_ok())
        .map(|path| path.to_string())
        .collect()
}

/// One line, in the language of the prompt.
fn words(engine: &Engine, prompt: &str, proposed: &[(String, String)]) -> Option<String> {
    let (_, first) = proposed.first()?;
    let short: String = first.chars().take(80).collect();
    let more = proposed.len() - 1;
    let more = if more == 0 { String::new() } else { format!(" (+{more})") };
    Some(match Language::of_words(prompt, engine.context()) {
        Language::Ko => {
            format!(
                "기억해 둡니다: “{short}”{more}. 다른 AI에게도 전해요. `keep`이라고 보내면 확정, `drop`이라고 보내면 지웁니다"
            )
        }
        Language::Zh => {
            format!("记下了：“{short}”{more}，也会告诉其他 AI。回复 `keep` 确认，回复 `drop` 删除")
        }
        Language::En => format!(
            "noted: “{short}”{more}; other agents here are told that you said so. Send `keep` to confirm it, `drop` to forget it"
        ),
    })
}

const KEEP: &[&str] = &["keep", "vib keep", "/keep", "/vib:keep", "유지", "저장", "保留", "保持", "キープ"];
const DROP: &[&str] = &["drop", "vib drop", "/drop", "/vib:drop", "버려", "삭제", "删除", "丢弃", "破棄"];

/// "keep" or "drop", right after something was noted; or `vib keep ID`, `vib drop ID` at any time. Everything else is for the agent.
pub fn answer_in_chat(engine: &Engine, who: &Who, prompt: &str) -> Result<Option<ChatAnswer>> {
    let plain = prompt.trim().trim_end_matches(['.', '!', '。']).to_lowercase();
    if plain.len() > 80 {
        return Ok(None);
    }
    let named = ["vib keep ", "vib drop "].iter().find_map(|start| plain.strip_prefix(start)).map(str::trim);
    let keeps = KEEP.contains(&plain.as_str()) || plain.starts_with("vib keep ");
    let drops = DROP.contains(&plain.as_str()) || plain.starts_with("vib drop ");
    if !keeps && !drops {
        return Ok(None);
    }
    let file = SessionFile::of(engine, who);
    let state = file.read();
    if state.is_sub_agent() || who.agent.is_some() {
        return Ok(None);
    }
    let ids: Vec<String> = match named {
        Some(id) => {
            all(engine)?.into_iter().map(|saying| saying.id).filter(|known| fits(known, id)).collect()
        }
        None => state.proposed.clone(),
    };
    if ids.is_empty() {
        // "keep" alone, with nothing to keep, is a word to the agent.
        return Ok(None);
    }
    let mut events = Vec::new();
    for id in &ids {
        let (kind, body) = if keeps { (KEPT, json!({"item": id})) } else { ("retract", json!({"item": id})) };
        let mut event = event(engine, kind, Provenance::Explicit, body);
        event.agent = Some(who.client.clone());
        events.push(event);
    }
    append_seen(engine, &events)?;
    file.update(|state| state.proposed.clear())?;
    let text = match (Language::of_words(prompt, engine.context()), keeps) {
        (Language::Ko, true) => "확정했습니다. `vib memory`에서 볼 수 있어요.",
        (Language::Ko, false) => "지웠습니다. 다음 AI에게는 전하지 않아요.",
        (Language::Zh, true) => "已确认。可以用 `vib memory` 查看。",
        (Language::Zh, false) => "已删除，之后的 AI 不会再看到。",
        (Language::En, true) => "Kept. `vib memory` shows everything that vib knows.",
        (Language::En, false) => "Dropped: no agent is told of it any more. `vib memory` shows what is left.",
    };
    Ok(Some(ChatAnswer { text: text.to_owned(), applied: false }))
}

/// An id, or its end: ids begin with their time and differ there.
pub(super) fn fits(known: &str, named: &str) -> bool {
    known == named || (named.len() >= 4 && (known.ends_with(named) || known.starts_with(named)))
}
