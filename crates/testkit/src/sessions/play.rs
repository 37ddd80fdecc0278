//! Plays a session to the hooks of one client, in a folder with real files.

use std::path::Path;

use serde_json::Value;

use super::shapes::{Speaker, Told};
use super::{Call, Effect, Files, Hook, Move, Session, Shape};

/// What a hook said.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// For the client.
    pub stdout: String,
    /// For people; nothing, if all is well.
    pub stderr: String,
}

/// What a hook did to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// It may not be made.
    Deny,
    /// The person is asked.
    Ask,
    /// The model is told that it runs in circles.
    Told,
    /// The hook could not do its part.
    Trouble,
}

/// An objection to something in the session.
#[derive(Debug, Clone)]
pub struct Objection {
    /// How many calls were made before.
    pub at: usize,
    /// How many lines the story had by then.
    pub line: usize,
    /// What was objected to.
    pub call: String,
    /// How.
    pub word: Word,
    /// By the spiral breaker.
    pub spiral: bool,
    /// Why.
    pub why: String,
}

/// How a session went.
#[derive(Debug, Clone, Default)]
pub struct Played {
    /// How many tools were called.
    pub calls: usize,
    /// How many hooks were called.
    pub hooks: usize,
    /// What the hooks objected to.
    pub objections: Vec<Objection>,
    /// The prompts and calls, up to the first denial by the spiral breaker.
    pub story: Vec<String>,
}

impl Played {
    /// The last so many lines of the story up to an objection.
    pub fn story_of(&self, one: &Objection, lines: usize) -> String {
        self.story[one.line.saturating_sub(lines)..one.line].join("\n    ")
    }

    /// Where the spiral breaker denied something.
    pub fn stopped(&self) -> Option<&Objection> {
        self.objections.iter().find(|one| one.spiral && one.word == Word::Deny)
    }
}

/// Plays a session, up to the first denial by the spiral breaker. To everything else the person says yes.
pub fn play(session: &Session, shape: Shape, root: &Path, hook: &mut dyn FnMut(&Hook) -> Answer) -> Played {
    for (path, text) in &session.files {
        write(root, path, text);
    }
    let speaker = Speaker { root: root.to_owned(), session: "made-up".to_owned(), turn: 0, clock: 0 };
    let mut stage =
        Stage { shape, speaker, files: session.files.clone(), hook, played: Played::default(), ids: 0 };
    let hooks = stage.shape.start(&stage.speaker);
    stage.tell(&hooks, "the start");
    for one in &session.moves {
        stage.act(one);
        if stage.played.stopped().is_some() {
            break;
        }
    }
    stage.played
}

struct Stage<'a> {
    shape: Shape,
    speaker: Speaker,
    files: Files,
    hook: &'a mut dyn FnMut(&Hook) -> Answer,
    played: Played,
    ids: usize,
}

impl Stage<'_> {
    fn act(&mut self, one: &Move) {
        match one {
            Move::Prompt(text) => {
                self.speaker.turn += 1;
                let hooks = self.shape.prompt(&self.speaker, text);
                self.played.story.push(format!("> {text}"));
                self.tell(&hooks, text);
            }
            Move::Calls(calls) => {
                let hooks = self.shape.before_request(&self.speaker);
                self.tell(&hooks, "a request");
                self.call(calls);
            }
            Move::Person(effect) => {
                self.played.story.push(format!("(the person changes {})", effect.path()));
                self.take_effect(effect);
            }
            Move::Shortened => {
                let hooks = self.shape.shortened(&self.speaker);
                self.played.story.push("(shortened)".to_owned());
                self.tell(&hooks, "shortened");
            }
            Move::HelperBegins(helper) => {
                let hooks = self.shape.helper_begins(&self.speaker, *helper);
                self.tell(&hooks, "a helper");
            }
            Move::Over => {
                let hooks = self.shape.over(&self.speaker);
                self.tell(&hooks, "the end of a turn");
            }
        }
    }

    fn call(&mut self, calls: &[Call]) {
        let first = self.ids;
        self.ids += calls.len();
        let id = |at: usize| format!("call_{}", first + at);
        let rounds: Vec<Vec<usize>> = match self.shape.asks_first() {
            true => vec![(0..calls.len()).collect()],
            false => (0..calls.len()).map(|at| vec![at]).collect(),
        };
        for round in rounds {
            for &at in &round {
                let told = Told { call: &calls[at], id: id(at), files: &self.files };
                let hooks = self.shape.before(&self.speaker, &told);
                self.played.story.push(calls[at].words());
                self.tell(&hooks, &calls[at].words());
                if self.played.stopped().is_some() {
                    return;
                }
                self.played.calls += 1;
            }
            for at in round {
                // What the client tells is about the files before; what it has done is on the disk by then.
                let told = Told { call: &calls[at], id: id(at), files: &self.files };
                let hooks = self.shape.after(&self.speaker, &told);
                for effect in &calls[at].effects {
                    self.take_effect(effect);
                }
                self.tell(&hooks, &calls[at].words());
            }
        }
    }

    fn take_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Write(path, text) => {
                write(&self.speaker.root, path, text);
                self.files.insert(path.clone(), text.clone());
            }
            Effect::Remove(path) => {
                // It may never have been there.
                let _ = std::fs::remove_file(self.speaker.root.join(path));
                self.files.remove(path);
            }
        }
    }

    fn tell(&mut self, hooks: &[Hook], what: &str) {
        for hook in hooks {
            self.speaker.clock += 1;
            self.played.hooks += 1;
            let answer = (self.hook)(hook);
            let at = self.played.calls;
            let line = self.played.story.len();
            let objections = read(&answer);
            let object = |(word, why): (Word, String)| Objection {
                at,
                line,
                call: what.to_owned(),
                spiral: word == Word::Told || is_spiral(&why),
                word,
                why,
            };
            self.played.objections.extend(objections.into_iter().map(object));
        }
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    std::fs::write(path, text).expect("a file");
}

/// What the spiral breaker says, and nobody else.
fn is_spiral(text: &str) -> bool {
    text.contains("let them choose:") || text.contains("again it will be refused")
}

/// The objections in an answer, in whatever client's words.
fn read(answer: &Answer) -> Vec<(Word, String)> {
    let mut found = Vec::new();
    if !answer.stderr.is_empty() {
        found.push((Word::Trouble, answer.stderr.clone()));
    }
    let said: Value = serde_json::from_str(&answer.stdout).unwrap_or_default();
    let specific = &said["hookSpecificOutput"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for (word, why) in [
        (&specific["permissionDecision"], &specific["permissionDecisionReason"]),
        (&said["permissionDecision"], &said["permissionDecisionReason"]),
        (&said["decision"], &said["reason"]),
    ] {
        match word.as_str() {
            Some("ask") => found.push((Word::Ask, text(why))),
            Some("deny" | "block") => found.push((Word::Deny, text(why))),
            _ => {}
        }
    }
    for field in ["deny", "replacePrompt"] {
        found.extend(said[field].as_str().map(|why| (Word::Deny, why.to_owned())));
    }
    for context in [&specific["additionalContext"], &said["additionalContext"]] {
        found.extend(
            context.as_str().filter(|text| is_spiral(text)).map(|text| (Word::Told, text.to_owned())),
        );
    }
    found
}
