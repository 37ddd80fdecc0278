//! Questions that an agent asks the person: an answer that they gave before is offered, one that they give now is remembered. (MM12)

use engine::{Error, memory};
use serde_json::Value;

use super::Run;
use crate::Client;
use crate::decision::Verdict;
use crate::event::{Kind, ToolCall};

/// Questions of one call that are looked at.
const MOST: usize = 8;

impl Run<'_> {
    pub(super) fn questions(&mut self) -> Result<(), Error> {
        let call = match &self.event.kind {
            Kind::BeforeTool(call) | Kind::AfterTool(call, _) => call,
            _ => return Ok(()),
        };
        if !asks(&call.tool) {
            return Ok(());
        }
        let mode = self.engine.project().config().word("qa.mode").to_owned();
        let asked = asked(call);
        if mode == "off" || asked.is_empty() || self.who.agent.is_some() {
            return Ok(());
        }
        match &self.event.kind {
            Kind::AfterTool(_, result) => {
                let told = result.answer.as_deref().unwrap_or(&result.output).to_owned();
                if self.failed == Some(true) {
                    return Ok(());
                }
                for (question, answer) in answered(&asked, &told) {
                    memory::answered_in_chat(
                        &self.engine,
                        &self.who,
                        &question.text,
                        &question.options,
                        &answer,
                    )?;
                }
            }
            _ => {
                let mut known = Vec::new();
                for question in &asked {
                    known.extend(memory::offer(&self.engine, &question.text, &question.options)?);
                }
                if known.is_empty() {
                    return Ok(());
                }
                let lines: Vec<String> = known.iter().map(memory::offer_in_words).collect();
                // One that was never answered is a reason to ask: then the person is there anyway.
                if mode == "answer" && known.len() == asked.len() {
                    let text = format!(
                        "{}\nGo on with it; ask again only if the situation differs.",
                        lines.join("\n")
                    );
                    let text = self.clean(&text).into_string();
                    self.warn(&format!(
                        "vib answered a question of the agent in your place: {}",
                        lines.join("; ")
                    ));
                    self.decision.verdict = Verdict::Deny(text);
                } else if self.event.client == Client::Gemini {
                    // Before a tool its model can be told nothing; the person who is asked sees what they said before.
                    lines.iter().for_each(|line| {
                        self.warn(&format!("an agent asks what was answered before. {line}"));
                    });
                } else {
                    lines.iter().for_each(|line| self.tell_model(line));
                }
            }
        }
        Ok(())
    }
}

fn asks(tool: &str) -> bool {
    matches!(tool, "AskUserQuestion" | "request_user_input" | "ask_user" | "question")
}

/// One question, with what can be chosen.
struct Asked {
    id: String,
    text: String,
    options: Vec<String>,
}

fn asked(call: &ToolCall) -> Vec<Asked> {
    let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else { return Vec::new() };
    let several = arguments.get("questions").and_then(Value::as_array);
    let all: Vec<&Value> = several.map_or_else(|| vec![&arguments], |list| list.iter().take(MOST).collect());
    all.into_iter()
        .filter_map(|value| {
            let text = value.get("question").and_then(Value::as_str)?.to_owned();
            let options = ["options", "choices"].iter().find_map(|name| value.get(name)?.as_array());
            let options = options.into_iter().flatten().filter_map(label).collect();
            let id = value.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
            Some(Asked { id, text, options })
        })
        .collect()
}

fn label(option: &Value) -> Option<String> {
    let text = option.as_str().or_else(|| option.get("label").and_then(Value::as_str));
    text.map(str::to_owned)
}

/// What the person chose for each question, as far as the client tells it: in JSON (Claude Code, Codex, Gemini) or in a sentence (OpenCode, Copilot).
fn answered<'q>(asked: &'q [Asked], told: &str) -> Vec<(&'q Asked, String)> {
    let Some(answers) = serde_json::from_str::<Value>(told).ok().and_then(|told| answers_in(&told, 0)) else {
        return in_a_sentence(asked, told);
    };
    asked
        .iter()
        .enumerate()
        .filter_map(|(at, question)| {
            let found = match &answers {
                Value::Array(list) => list.get(at),
                _ => answers
                    .get(&question.text)
                    .or_else(|| answers.get(&question.id))
                    .or_else(|| answers.get(at.to_string())),
            }?;
            Some((question, words(found)?))
        })
        .collect()
}

/// The answers may lie in an answer that is text itself.
fn answers_in(told: &Value, depth: usize) -> Option<Value> {
    if depth > 3 {
        return None;
    }
    match told {
        Value::Object(fields) => fields
            .get("answers")
            .cloned()
            .or_else(|| fields.values().find_map(|value| answers_in(value, depth + 1))),
        Value::String(text) if text.trim_start().starts_with('{') => {
            answers_in(&serde_json::from_str(text).ok()?, depth + 1)
        }
        _ => None,
    }
}

/// `"QUESTION"="ANSWER"`, or, to one question, `User selected: ANSWER`.
fn in_a_sentence<'q>(asked: &'q [Asked], told: &str) -> Vec<(&'q Asked, String)> {
    const NONE: [&str; 3] = ["Unanswered", "(no option selected)", ""];
    let mut found = Vec::new();
    for question in asked {
        let mark = format!("\"{}\"=\"", question.text);
        let Some(rest) = told.find(&mark).map(|at| &told[at + mark.len()..]) else { continue };
        // The answer may hold quotes itself: it ends where the next one begins, or the sentence does.
        let end = ["\", \"", "\". ", "\"."]
            .iter()
            .filter_map(|end| rest.find(end))
            .min()
            .or_else(|| rest.rfind('"'));
        let answer = end.map(|end| rest[..end].trim()).unwrap_or_default();
        if !NONE.contains(&answer) {
            found.push((question, answer.to_owned()));
        }
    }
    if let ([question], true) = (asked, found.is_empty()) {
        let answer = [
            "User selected:",
            "User responded:",
            "User answered:",
            "The user selected:",
            "The user responded:",
        ]
        .iter()
        .find_map(|mark| told.trim_start().strip_prefix(mark))
        .map(str::trim)
        .filter(|answer| !NONE.contains(answer));
        found.extend(answer.map(|answer| (question, answer.to_owned())));
    }
    found
}

fn words(answer: &Value) -> Option<String> {
    let text = match answer {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().filter_map(words).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            ["answers", "answer", "value", "label"].iter().find_map(|name| words(fields.get(*name)?))?
        }
        _ => return None,
    };
    Some(text).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_chosen_is_found_in_every_shape_mm12() {
        let asked = [Asked { id: "q1".to_owned(), text: "Tabs or spaces?".to_owned(), options: Vec::new() }];
        for told in [
            json!({"answers": {"Tabs or spaces?": "tabs"}}),
            json!({"answers": {"q1": {"answers": ["tabs"]}}}),
            json!({"answers": {"0": "tabs"}}),
            json!({"answers": ["tabs"]}),
            json!({"llmContent": "{\"answers\":{\"0\":\"tabs\"}}", "returnDisplay": ""}),
        ] {
            let found = answered(&asked, &told.to_string());
            assert_eq!(found.first().map(|(_, answer)| answer.as_str()), Some("tabs"), "{told}");
        }
        for told in [
            "User has answered your questions: \"Tabs or spaces?\"=\"tabs\". You can now continue with the user's answers in mind.",
            "User has answered your questions: \"Tabs or spaces?\"=\"tabs\", \"Width?\"=\"2\". You can now continue.",
            "User selected: tabs",
            "User responded: tabs\n",
        ] {
            let found = answered(&asked, told);
            assert_eq!(found.first().map(|(_, answer)| answer.as_str()), Some("tabs"), "{told}");
        }
        for none in [
            "the person closed the dialog",
            "User dismissed ask_user dialog without answering.",
            "User has answered your questions: \"Tabs or spaces?\"=\"Unanswered\". You can now continue.",
            "{\"answers\":{}}",
        ] {
            assert!(answered(&asked, none).is_empty(), "{none}");
        }
    }
}
