//! A long life of an agent's project: how quickly its history is told, and what a step costs on the disk: `./bench ledger`.
//!
//! The steps are entered by the same functions that the hooks call, in one process, so that a hundred thousand of them take a minute;
//! what is timed are whole processes.

use std::path::Path;

use anyhow::{Context as _, Result};
use clap::Args;
use engine::Engine;
use engine::agent::{self, Call, Reach, Who};
use fs_err as fs;
use project::{Context, RelPath};
use store::{Ending, Outcome, Silent};

use crate::generate::{Shape, generate};
use crate::measure::{self, Contender, in_turn, settle};
use crate::report::{Floor, Machine, Report, Section, human_bytes};
use crate::vib::Vib;
use crate::{Tools, tree};

/// Steps of one request.
const STEPS_OF_A_REQUEST: usize = 25;
/// One step of so many changes a file; the others only look.
const CHANGES_ONE_OF: usize = 5;
/// Looks that are counted in bytes.
const LOOKS_WEIGHED: usize = 2_000;
const FIRST_PAGE_MS: f64 = 30.0;
const EMPTY_STEP_BYTES: f64 = 400.0;

#[derive(Args)]
pub struct LedgerArgs {
    /// How many steps the history has.
    #[arg(long, default_value_t = 100_000)]
    steps: usize,
    /// How often each thing is timed.
    #[arg(long, default_value_t = 30)]
    runs: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Another `vib` to measure.
    #[arg(long)]
    vib: Option<std::path::PathBuf>,
}

/// An agent at work, without the processes.
struct Worker {
    engine: Engine,
    who: Who,
    files: Vec<RelPath>,
}

impl Worker {
    fn new(root: &Path, vib: &Vib) -> Result<Self> {
        let variables = vib.variables();
        let get =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, v)| v.clone().into());
        let engine = Engine::open(Context::with_environment(root.to_path_buf(), &get))?;
        let file = |number: usize| RelPath::new(format!("bench-{number}.txt").as_bytes());
        let files = (0..20).map(file).collect::<Result<_, _>>()?;
        let who = Who { client: "claude-code".to_owned(), session: "bench".to_owned(), ..Who::default() };
        Ok(Self { engine, who, files })
    }

    fn step(&self, number: usize) -> Result<()> {
        let id = Some(format!("c-{number}"));
        let ran = Outcome::of(Ending::Ran);
        if !number.is_multiple_of(CHANGES_ONE_OF) {
            let call = Call { tool: "Read".to_owned(), id, alone: true, ..Call::default() };
            agent::end(&self.engine, &self.who, &call, &ran, || Reach::Nowhere, Vec::new(), &Silent)?;
            return Ok(());
        }
        let path = &self.files[number / CHANGES_ONE_OF % self.files.len()];
        let call = Call { tool: "Write".to_owned(), id, alone: true, settled: true, ..Call::default() };
        let reach = Reach::Named(vec![path.clone()]);
        agent::begin(&self.engine, &self.who, &call, &reach, &[], &Silent)?;
        fs::write(path.to_path(self.engine.project().root()), format!("step {number}\n"))?;
        agent::end(&self.engine, &self.who, &call, &ran, || reach, Vec::new(), &Silent)?;
        Ok(())
    }

    fn live(&self, steps: usize) -> Result<()> {
        for number in 0..steps {
            if number.is_multiple_of(STEPS_OF_A_REQUEST) {
                let prompt = format!("request {} of a long life", number / STEPS_OF_A_REQUEST);
                agent::new_turn(&self.engine, &self.who, &prompt, &Silent)?;
            }
            self.step(number)?;
        }
        Ok(())
    }
}

/// Measures.
pub fn run(args: &LedgerArgs) -> Result<Report> {
    let tools = Tools::find(args.vib.as_deref())?;
    let load_before = crate::load();
    let folder = tempfile::Builder::new().prefix("vib-bench-").tempdir()?;
    let work = fs::canonicalize(folder.path())?;
    let root = work.join("tree");
    fs::create_dir(&root)?;
    generate(&root, Shape::checkout(200))?;
    let vib = Vib::new(&tools.vib, &root, &work.join("vib"))?;
    vib.keep_everything()?;
    crate::step("a long life");
    let worker = Worker::new(&root, &vib)?;
    worker.live(args.steps)?;
    let weigh = || -> Result<f64> {
        vib.json(&["store", "gc", "--json"]).context("the log of the index is folded in")?;
        Ok(tree::weigh(&vib.state())?.bytes as f64)
    };
    let before = weigh()?;
    for number in 0..LOOKS_WEIGHED {
        worker.step(args.steps + number * CHANGES_ONE_OF + 1)?;
    }
    let each = (weigh()? - before) / LOOKS_WEIGHED as f64;
    settle();
    crate::step("telling it");
    let said = |words: &'static [&'static str]| {
        let vib = &vib;
        move || {
            let words: Vec<&std::ffi::OsStr> = words.iter().map(AsRef::as_ref).collect();
            measure::time(&mut vib.command(&words))
        }
    };
    let mut contenders: Vec<Contender<'_>> = vec![
        Box::new(|| tools.empty_process()),
        Box::new(said(&["history"])),
        Box::new(said(&["history", "bench-7.txt"])),
        Box::new(said(&["history", "--stopped"])),
        Box::new(said(&["show", "s1000"])),
        Box::new(said(&["status"])),
    ];
    let times = in_turn(args.runs, &mut contenders)?;
    drop(contenders);
    let [empty, first_page, of_file, stopped, show, status] = times.as_slice() else {
        anyhow::bail!("a contender is missing");
    };
    let mut section = Section::new(format!("{} steps, whole processes", args.steps));
    let start = [("empty process", empty)];
    section.time("`vib history`, its first page", first_page, &start);
    section.time("`vib history FILE`", of_file, &start);
    section.time("`vib history --stopped`", stopped, &start);
    section.time("`vib show STEP`", show, &start);
    section.time("`vib status`", status, &start);
    section.time("an empty Rust process", empty, &[]);
    section.bytes("a step without changes, on the disk", each, None);
    let floors = vec![
        Floor::new(
            format!("the first page of the history within {FIRST_PAGE_MS} ms"),
            first_page.median() <= FIRST_PAGE_MS,
            format!("{:.1} ms", first_page.median()),
        ),
        Floor::new(
            format!("a step without changes within {EMPTY_STEP_BYTES} bytes"),
            each <= EMPTY_STEP_BYTES,
            human_bytes(each),
        ),
    ];
    Ok(Report {
        machine: Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: [load_before, crate::load()],
            programs: vec![vib.version()?],
        },
        tree: "a generated tree".to_owned(),
        tree_size: tree::weigh(&root)?,
        sections: vec![section],
        floors,
        notes: vec![format!(
            "one step of {CHANGES_ONE_OF} changes a file, {STEPS_OF_A_REQUEST} steps are a request"
        )],
    })
}
