//! Plays whoever carries out a run, through the public API and nothing else: the log, a lane, patches.

use std::path::{Path, PathBuf};

use engine::Engine;
use engine::lane::{self, NewLane};
use engine::may::Actor;
use engine::patch::{self, PatchOptions};
use engine::run::evidence::files_between;
use engine::run::log::RunLog;
use engine::run::model::{By, CardStatus, FileChange, Limits, PlannedCard, RunEvent};
use engine::run::{self, LaneState};
use engine::undo::Confirmation;
use project::Context;
use testkit::Sandbox;

/// The sandbox's world, as the program sees it.
pub(crate) fn engine(sandbox: &Sandbox) -> Engine {
    let base = sandbox.base().canonicalize().unwrap();
    let get = |name: &str| match name {
        "HOME" => Some(base.join("home").into_os_string()),
        "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
        "VIBELIGN_CONFIG" => Some(base.join("config").into_os_string()),
        "TMPDIR" => Some(std::env::temp_dir().into_os_string()),
        "PATH" => std::env::var_os("PATH"),
        _ => None,
    };
    Engine::open(Context::with_environment(base.join("project"), &get)).unwrap()
}

/// A run that is being carried out. Its lock is held until it is dropped.
pub(crate) struct Played {
    pub(crate) engine: Engine,
    pub(crate) log: RunLog,
    from: String,
    number: u64,
}

impl Played {
    /// Begins a run with these cards, from the project as it is.
    pub(crate) fn begin(sandbox: &Sandbox, cards: &[&str]) -> Self {
        let from = sandbox.checkpoint("before the run");
        let engine = engine(sandbox);
        let log = RunLog::create(
            &engine,
            RunEvent::Started {
                task: "make the list longer".to_owned(),
                from: from.clone(),
                by: vec![by()],
                attempts: 1,
                limits: Limits::default(),
            },
        );
        let mut played = Self { engine, log: log.unwrap(), from, number: 0 };
        let plan = |id: &&str| PlannedCard {
            id: (*id).to_owned(),
            title: format!("card {id}"),
            acceptance: Vec::new(),
            steps: Vec::new(),
        };
        played.tell(RunEvent::Planned { cards: cards.iter().map(plan).collect() });
        let trunk = played.trunk();
        played.make(&trunk);
        played
    }

    pub(crate) fn tell(&mut self, event: RunEvent) {
        self.log.append(event).unwrap();
    }

    pub(crate) fn trunk(&self) -> String {
        self.log.id().to_owned()
    }

    /// Makes a lane from what the run began with.
    pub(crate) fn make(&self, name: &str) {
        let wish = NewLane {
            name: Some(name.to_owned()),
            from: Some(self.from.clone()),
            made_by: Some("vib".to_owned()),
        };
        lane::make(&self.engine, &wish, &store::Silent).unwrap();
    }

    pub(crate) fn folder(&self, lane: &str) -> PathBuf {
        PathBuf::from(lane::open(&self.engine, lane, &store::Silent).unwrap().folder)
    }

    fn saved(&self, lane: &str) -> LaneState {
        run::save(&self.engine, lane, "card", &store::Silent).unwrap()
    }

    /// A card that is carried out with diffs, as vib's own loop does.
    pub(crate) fn by_diffs(&mut self, card: &str, diffs: &[&str]) {
        let lane = self.trunk();
        let before = self.begins(card, "a1", &lane);
        for diff in diffs {
            let of_lane = lane::engine_of(&self.engine, &lane).unwrap();
            let options = PatchOptions::default();
            let preview =
                patch::preview(&of_lane, Actor::Program, diff.as_bytes(), &options, &store::Silent).unwrap();
            let report = patch::apply(&of_lane, &preview, Confirmation::Agent, &store::Silent).unwrap();
            self.number += 1;
            let kept = self.log.keep_diff(card, self.number, diff).unwrap();
            let safety = report.snapshot_id.unwrap();
            let files = Vec::<FileChange>::new();
            self.tell(RunEvent::Patched { card: card.to_owned(), n: self.number, files, diff: kept, safety });
        }
        self.ends(card, "a1", &lane, &before);
    }

    /// A card that somebody carries out in a lane with tools of their own.
    pub(crate) fn by_hand(&mut self, card: &str, attempt: &str, lane: &str, work: &dyn Fn(&Path)) {
        let before = self.begins(card, attempt, lane);
        work(&self.folder(lane));
        self.ends(card, attempt, lane, &before);
    }

    fn begins(&mut self, card: &str, attempt: &str, lane: &str) -> LaneState {
        let before = self.saved(lane);
        self.tell(RunEvent::AttemptBegan {
            card: card.to_owned(),
            attempt: attempt.to_owned(),
            by: by(),
            lane: lane.to_owned(),
            before: before.checkpoint.clone(),
        });
        before
    }

    fn ends(&mut self, card: &str, attempt: &str, lane: &str, before: &LaneState) {
        let after = self.saved(lane);
        let of_lane = lane::engine_of(&self.engine, lane).unwrap();
        let files = files_between(&of_lane, &before.checkpoint, &after.checkpoint, &store::Silent).unwrap();
        self.tell(RunEvent::AttemptEnded {
            card: card.to_owned(),
            attempt: attempt.to_owned(),
            ended: "done".to_owned(),
            text: "All done.".to_owned(),
            after: after.checkpoint,
            tree: after.tree,
            files,
            tokens: None,
            dollars: None,
            milliseconds: 5,
        });
        let (card, status) = (card.to_owned(), CardStatus::Preview);
        self.tell(RunEvent::Status { card, status, code: None, why: None });
    }

    /// Nobody is at work any more.
    pub(crate) fn end(mut self) -> String {
        self.tell(RunEvent::Ended { why: "done".to_owned() });
        self.trunk()
    }
}

fn by() -> By {
    By::Vib { model: "scripted/one".to_owned() }
}
