//! `vib run --demo`: a task becomes cards with proof, offline, on a small project in a temporary folder, with the same engine as every run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use agent::demo;
use agent::script::Script;
use agent::work::{self, NewRun, RunSettings, WorkEnd};
use engine::person::{self, Act};
use engine::run::model::{By, Limits};
use engine::run::{self, CardOptions};
use engine::undo::Confirmation;
use engine::verification::checks;
use engine::{Engine, Result};
use project::Context;
use serde::Serialize;
use texts::{Language, Texts};

use super::at_work::{self, Going, refused};
use super::look::Shown;
use crate::answer::{Answer, Refused};
use crate::cli::Session;
use crate::render;
use crate::theme::paint;

/// What the demo showed, for `--json`.
#[derive(Debug, Serialize)]
struct Story {
    folder: String,
    scenes: Vec<String>,
    /// Every card of the first run waited for a yes, and then was in the project.
    applied: bool,
    /// Until then nothing of the project was touched.
    untouched: bool,
    /// Of the two attempts the honest one was recommended.
    found_out: bool,
    /// The runs as they ended.
    runs: Vec<run::Run>,
}

pub(super) fn run(session: &mut Session) -> Result<Answer> {
    let context = session.context()?;
    let path = context.variable("PATH");
    if drive::agent::find(Path::new("python3"), path.as_ref()).is_none() {
        let why = Refused {
            code: "no_python",
            message: "the demo's tests are run by vib for real, with `python3`, and there is none".to_owned(),
            next: "install python3, or read docs/run.md".to_owned(),
        };
        let text = format!("{}.\n{}\n", why.message, why.next);
        return Ok(Answer::refused(&session.printer, &(), why, |_, _| text).with_exit(3));
    }
    let folder = tempfile::Builder::new().prefix("vib-run-demo-").tempdir().map_err(project::Error::from)?;
    let base = folder.path().canonicalize().map_err(project::Error::from)?;
    let mut teller = Teller { session, shop: base.join("shop"), scenes: Vec::new() };
    let told = teller.tell(&base);
    let scenes = teller.scenes;
    let (untouched, applied, found_out, runs) = match told {
        Ok(told) => told,
        Err(agent::Error::Engine(error)) => return Err(error),
        Err(error) => return Ok(refused(&error, session)),
    };
    let folder = base.join("shop").display().to_string();
    let story = Story { folder, scenes, applied, untouched, found_out, runs };
    let exit = if applied && untouched && found_out { 0 } else { 3 };
    let end = "\nThat was the demo. In your own project: `vib run \"TASK\"` with a model of yours (`vib providers`), or `--with claude-code,codex` \
               with the agents you have.\n";
    Ok(Answer::new(&session.printer, &story, |_, _| end.to_owned()).with_exit(exit))
}

struct Teller<'s> {
    session: &'s Session,
    shop: PathBuf,
    scenes: Vec<String>,
}

type Told = (bool, bool, bool, Vec<run::Run>);

impl Teller<'_> {
    fn tell(&mut self, base: &Path) -> agent::Result<Told> {
        let engine = self.world(base)?;
        let before = self.files();
        self.scene(&format!(
            "A small shop with two tests. vib run \"{}\": a model that follows a script works in a lane, not in the shop's folder.",
            demo::FIRST
        ));
        let (first, ended) = self.work(&engine, demo::FIRST, 1, demo::first())?;
        let untouched = self.files() == before;
        self.say(&format!(
            "{} compared file by file: the shop itself is {}.\n",
            self.mark(untouched),
            if untouched { "as it was" } else { "NOT as it was" }
        ));
        self.scene("Each card waits for a yes.  $ vib run apply run1");
        let applied = ended == WorkEnd::Ready && self.apply(&engine, &first)?;
        self.scene(&format!(
            "The same task, twice, side by side: vib run \"{}\" --best-of 2. Both say that all tests pass.",
            demo::SECOND
        ));
        let (second, _) = self.work(&engine, demo::SECOND, 2, demo::second())?;
        let shown = run::show(&engine, &second)?;
        let found_out = shown.cards.first().is_some_and(|card| card.recommended.as_deref() == Some("a2"));
        self.say(&format!(
            "{} what they said counts for nothing: {}.\n",
            self.mark(found_out),
            if found_out {
                "the one that made the test check less was found out"
            } else {
                "and the wrong one was taken"
            }
        ));
        let runs = vec![run::show(&engine, &first)?, shown];
        Ok((untouched, applied, found_out, runs))
    }

    /// A project with a check that is allowed, and a state of its own.
    fn world(&self, base: &Path) -> agent::Result<Engine> {
        std::fs::create_dir_all(&self.shop)?;
        for (name, text) in demo::FILES {
            std::fs::write(self.shop.join(name), text)?;
        }
        let config = base.join("config");
        std::fs::create_dir_all(&config)?;
        std::fs::write(config.join("config.toml"), format!("[verify]\nchecks = [\"{}\"]\n", demo::CHECK))?;
        let get = |name: &str| -> Option<OsString> {
            match name {
                "HOME" => Some(base.join("home").into_os_string()),
                "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
                "VIBELIGN_CONFIG" => Some(config.clone().into_os_string()),
                _ => None,
            }
        };
        let engine = Engine::open(Context::with_environment(self.shop.clone(), &get))?;
        let nobody = || Err(std::io::ErrorKind::Unsupported.into());
        let by = person::require(engine.context(), Act::AllowChecks, &nobody)?;
        checks::allow(&engine, &[demo::CHECK.to_owned()], by)?;
        Ok(engine)
    }

    fn work(
        &mut self,
        engine: &Engine,
        task: &str,
        attempts: u32,
        mut script: Script,
    ) -> agent::Result<(String, WorkEnd)> {
        let new = NewRun {
            task: task.to_owned(),
            by: vec![By::Vib { model: "script".to_owned() }],
            attempts,
            limits: Limits::default(),
            bash: false,
        };
        let settings = RunSettings::default();
        let log = work::begin(engine, &new, &settings)?;
        let id = log.id().to_owned();
        let ended = at_work::work_on(engine, log, Going::default(), &mut script, &settings, self.session)?;
        let shown =
            Shown { running: false, left_alone: false, ..Shown::of(engine, run::show(engine, &id)?, false) };
        let texts = Texts::new(Language::of_environment(engine.context()));
        self.say(&render::run(&shown, &texts, self.session.printer.theme()));
        Ok((id, ended))
    }

    fn apply(&mut self, engine: &Engine, id: &str) -> agent::Result<bool> {
        let place = run::place(id)?;
        let preview = run::preview_apply(engine, &place, &CardOptions::default(), &|| false, &store::Silent)?;
        let texts = Texts::new(Language::of_environment(engine.context()));
        self.say(&render::cards_preview(&preview, false, false, &texts, self.session.printer.theme()));
        let done = run::apply(engine, &preview, Confirmation::Flag, &store::Silent)?;
        self.say(&render::cards_done(&done, &texts, self.session.printer.theme()));
        let text = std::fs::read_to_string(self.shop.join("cart.py"))?;
        let is_there = text.contains("full - 10") && text.contains("def farewell");
        self.say(&format!("{} the changes are in the shop.\n", self.mark(is_there)));
        Ok(is_there)
    }

    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let names = demo::FILES.iter().map(|(name, _)| (*name).to_owned());
        names.map(|name| (name.clone(), std::fs::read(self.shop.join(name)).unwrap_or_default())).collect()
    }

    fn mark(&self, good: bool) -> String {
        let theme = self.session.printer.theme();
        if good { paint(theme.added, "✓") } else { paint(theme.error, "✗") }
    }

    fn scene(&mut self, title: &str) {
        let printer = &self.session.printer;
        printer.now(&format!("\n{}\n", paint(printer.theme().strong, format!("▶ {title}"))));
        self.scenes.push(title.to_owned());
    }

    fn say(&self, text: &str) {
        self.session.printer.now(text);
    }
}
