//! What can be done. Everything but saving and looking needs a person.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use engine::config::{self, Target};
use engine::lessons::{self, Draft, Source};
use engine::memory::{CheckResult, Remember};
use engine::recover;
use engine::undo::Confirmation;
use serde::Deserialize;
use store::Silent;

use super::extract::{Named, Sent, person_only};
use crate::acts::{Act, needs_code, needs_terminal};
use crate::app::App;
use crate::ask::{Ask, Visit, json};
use crate::error::Problem;
use crate::pages::{checkpoint, recovery};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Save {
    message: Option<String>,
}

pub(super) async fn save(State(app): State<Arc<App>>, visit: Visit, Sent(save): Sent<Save>) -> Response {
    json(app, visit, move |ask| {
        let message = save.message.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        Ok(ask.json(&checkpoint::save(ask, message)?))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pin {
    pinned: bool,
}

pub(super) async fn pin(
    State(app): State<Arc<App>>,
    visit: Visit,
    Named(id): Named,
    Sent(pin): Sent<Pin>,
) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        Ok(ask.json(&engine::pin::set(&ask.engine, &id, pin.pinned, &Silent)?))
    })
    .await
}

/// What kind of fact.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Intent,
    Next,
    Decision,
    Risk,
    Relevant,
    Check,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fact {
    kind: Kind,
    #[serde(default)]
    text: String,
    path: Option<String>,
    result: Option<CheckResult>,
    #[serde(default)]
    paths: Vec<String>,
}

fn inside(ask: &Ask, paths: &[String]) -> Result<Vec<project::RelPath>, Problem> {
    let root = ask.engine.project().root();
    let typed: Vec<PathBuf> = paths.iter().map(|path| root.join(path)).collect();
    Ok(ask.engine.known_names(&typed)?)
}

pub(super) async fn remember(State(app): State<Arc<App>>, visit: Visit, Sent(fact): Sent<Fact>) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        let wish = match fact.kind {
            Kind::Intent => Remember::Intent(fact.text),
            Kind::Next => Remember::Next(fact.text),
            Kind::Decision => Remember::Decision(fact.text),
            Kind::Risk => Remember::Risk(fact.text),
            Kind::Relevant => {
                let path = inside(ask, fact.path.as_slice())?.into_iter().next();
                let path = path.ok_or_else(|| {
                    engine::Error::Usage("`path` must name a file of the project".to_owned())
                })?;
                Remember::Relevant(path, Some(fact.text).filter(|text| !text.is_empty()))
            }
            Kind::Check => Remember::Check(
                fact.text,
                fact.result.unwrap_or(CheckResult::Skipped),
                inside(ask, &fact.paths)?,
            ),
        };
        Ok(ask.json(&engine::memory::remember(&ask.engine, "web", &wish)?))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewLesson {
    text: String,
    #[serde(default)]
    tools: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    pinned: bool,
}

pub(super) async fn add_lesson(
    State(app): State<Arc<App>>,
    visit: Visit,
    Sent(new): Sent<NewLesson>,
) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        let draft = Draft {
            text: new.text,
            tools: new.tools,
            paths: new.paths,
            pinned: new.pinned,
            source: Source::Person,
        };
        Ok(ask.json(&lessons::add(&ask.engine, draft)?))
    })
    .await
}

pub(super) async fn pin_lesson(
    State(app): State<Arc<App>>,
    visit: Visit,
    Named(id): Named,
    Sent(pin): Sent<Pin>,
) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        Ok(ask.json(&lessons::pin(&ask.engine, &id, pin.pinned)?))
    })
    .await
}

pub(super) async fn remove_lesson(State(app): State<Arc<App>>, visit: Visit, Named(id): Named) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        Ok(ask.json(&lessons::remove(&ask.engine, &id)?))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Resume {
    path: Option<String>,
}

pub(super) async fn resume(
    State(app): State<Arc<App>>,
    visit: Visit,
    Sent(resume): Sent<Resume>,
) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        Ok(ask.json(&engine::agent::spiral_resume(&ask.engine, resume.path.as_deref())?))
    })
    .await
}

/// Which settings file.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum File {
    User,
    Project,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    name: String,
    value: String,
    target: File,
}

pub(super) async fn set(State(app): State<Arc<App>>, visit: Visit, Sent(change): Sent<Change>) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        let target = match change.target {
            File::User => Target::User,
            File::Project => Target::Project,
        };
        if needs_code(ask, &change.name, &change.value) {
            return Err(needs_terminal(
                ask,
                &Act::Setting { target, name: change.name, value: change.value },
            ));
        }
        Ok(ask.json(&config::set(&ask.engine, target, &change.name, &change.value)?))
    })
    .await
}

/// What to look for: a checkpoint, a way, or the state before the last recovery.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Look {
    #[serde(default)]
    to: String,
    #[serde(default)]
    way: Option<u32>,
    #[serde(default)]
    words: String,
    #[serde(default)]
    paths: Vec<String>,
}

pub(super) async fn preview(State(app): State<Arc<App>>, visit: Visit, Sent(look): Sent<Look>) -> Response {
    json(app, visit, move |ask| {
        let wanted = recovery::Wanted {
            to: look.to,
            way: look.way,
            words: look.words,
            paths: look.paths,
            picks: Vec::new(),
        };
        Ok(ask.json(&recovery::look(ask, &wanted, recover::Keep::Yes)?))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Apply {
    plan: String,
    #[serde(default)]
    second_yes: Option<String>,
}

pub(super) async fn apply(State(app): State<Arc<App>>, visit: Visit, Sent(apply): Sent<Apply>) -> Response {
    json(app, visit, move |ask| {
        person_only(ask)?;
        let second = apply.second_yes.as_deref();
        let done = recover::apply(&ask.engine, &apply.plan, Confirmation::Web, second, "web", &Silent)?;
        Ok(ask.json(&done))
    })
    .await
}
