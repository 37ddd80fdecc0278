//! One job per capability: see `../../bench`.
//!
//! Works in a temporary folder, on a copy of the tree, with state, settings and repositories of its own. Everything is
//! timed as a whole process, after a first round that fills the cache; the figures are medians.

mod checkpoints;
mod commands;
mod damage;
mod generate;
mod history;
mod hooks;
mod lanes;
mod layouts;
mod ledger;
mod measure;
mod patch;
mod peers;
mod random;
mod recall;
mod report;
mod restore;
mod scale;
mod secrets;
mod shadow_git;
mod spiral;
mod tree;
mod vib;

use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, Parser};
use fs_err as fs;

use checkpoints::{Bench, Outcome};
use generate::Shape;
use measure::Times;
use report::{Machine, Report, Section};
use shadow_git::ShadowGit;

/// Measures vib against its peers and against what the machine can do at best.
#[derive(Parser)]
#[command(name = "bench", bin_name = "./bench")]
enum Job {
    /// Saving a tree and going back.
    Checkpoints(CheckpointArgs),
    /// Judging commands: time and catch.
    Commands(commands::CommandArgs),
    /// What the agents' hooks cost.
    Hooks(hooks::HookArgs),
    /// Making lanes, beside `git worktree add`.
    Lanes(lanes::LaneArgs),
    /// A long history: how quickly it is told, and what a step costs on the disk.
    Ledger(ledger::LedgerArgs),
    /// Applying a patch.
    Patch(patch::PatchArgs),
    /// Finding secrets in a tree, and cleaning a small text.
    Secrets(secrets::SecretArgs),
    /// How well and how fast memories are found again.
    Recall(recall::RecallArgs),
    /// Where content should lie: packs, rows of the database, or one file each.
    Layouts(layouts::LayoutArgs),
    /// How often the spiral breaker stops what leads nowhere, and how often what was going well.
    Spiral(spiral::SpiralArgs),
}

#[derive(Args)]
struct CheckpointArgs {
    /// A checkout to copy and to work on; without it, one is generated.
    tree: Option<PathBuf>,
    /// How often each thing is timed (the first snapshot at most 3 times, what takes milliseconds 10 times as often).
    #[arg(long, default_value_t = 7)]
    runs: usize,
    /// Also measure time and memory on trees of 25,000 to 100,000 files.
    #[arg(long)]
    scale: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// How many files the generated tree has.
    #[arg(long, default_value_t = 32_000)]
    files: usize,
    /// How many checkpoints the store gets for the single-file snapshot in a long history.
    #[arg(long, default_value_t = 10_000)]
    history: usize,
    /// Another `vib` to measure.
    #[arg(long)]
    vib: Option<PathBuf>,
}

/// The programs built with this one.
pub struct Tools {
    vib: PathBuf,
    statwalk: PathBuf,
    empty: PathBuf,
    maxrss: PathBuf,
}

impl Tools {
    fn find(vib: Option<&Path>) -> Result<Self> {
        let this = std::env::current_exe().context("cannot find this program's own file")?;
        let folder = this.parent().context("this program's file is in no folder")?;
        let find = |path: PathBuf| {
            fs::canonicalize(&path).with_context(|| format!("`{}` is missing: run `./bench`", path.display()))
        };
        Ok(Self {
            vib: find(vib.map_or_else(|| folder.join("vib"), Path::to_path_buf))?,
            statwalk: find(folder.join("statwalk"))?,
            empty: find(folder.join("empty"))?,
            maxrss: find(folder.join("maxrss"))?,
        })
    }

    /// The time to stat every entry of a tree.
    fn stat_walk(&self, tree: &Path) -> Result<Duration> {
        measure::time(Command::new(&self.statwalk).arg(tree))
    }

    /// The time to start and end a process.
    fn empty_process(&self) -> Result<Duration> {
        measure::time(&mut Command::new(&self.empty))
    }
}

fn main() -> ExitCode {
    let done = match Job::parse() {
        Job::Checkpoints(args) => measure_checkpoints(&args).and_then(|report| print(&report, args.json)),
        Job::Commands(args) => commands::run(&args),
        Job::Hooks(args) => hooks::run(&args).and_then(|report| print(&report, args.json)),
        Job::Lanes(args) => lanes::run(&args),
        Job::Ledger(args) => ledger::run(&args).and_then(|report| print(&report, args.json)),
        Job::Patch(args) => patch::run(&args).and_then(|report| print(&report, args.json)),
        Job::Secrets(args) => secrets::measure_secrets(&args).and_then(|report| print(&report, args.json)),
        Job::Recall(args) => recall::run(&args),
        Job::Layouts(args) => layouts::run(&args),
        Job::Spiral(args) => spiral::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn print(report: &Report, json: bool) -> Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(report)?);
    } else {
        print!("{}", report.text());
    }
    Ok(())
}

fn measure_checkpoints(args: &CheckpointArgs) -> Result<Report> {
    ensure!(args.runs > 0, "--runs must be at least 1");
    let tools = Tools::find(args.vib.as_deref())?;
    let load_before = load();
    let folder = tempfile::Builder::new().prefix("vib-bench-").tempdir()?;
    // The system may name it through a link; what a program finds as its current folder is the real path.
    let work = fs::canonicalize(folder.path())?;
    let (tree, name) = (work.join("tree"), prepare_tree(args, &work.join("tree"))?);
    let tree_size = tree::weigh(&tree)?;
    let bench = Bench {
        vib: vib::Vib::new(&tools.vib, &tree, &work.join("vib"))?,
        git: ShadowGit::new(&tree, &work.join("shadow.git"))?,
        tree: tree.clone(),
        tools: &tools,
        runs: args.runs,
        edited: OnceCell::new(),
        edits: Cell::new(0),
    };
    let mut report = Report {
        machine: Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: [load_before, None],
            programs: vec![bench.vib.version()?, bench.git.version()?],
        },
        tree: name,
        tree_size,
        sections: Vec::new(),
        floors: Vec::new(),
        notes: Vec::new(),
    };
    let mut add = |(sections, floors): Outcome| {
        report.sections.extend(sections);
        report.floors.extend(floors);
    };
    step("first snapshot");
    add(bench.first()?);
    step("unchanged and one-file-changed snapshots");
    add(bench.again("unchanged", false)?);
    add(bench.again("one-file-changed", true)?);
    step("single-file snapshots");
    add(bench.single_file("big tree")?);
    step("growth of the store");
    add(bench.growth()?);
    step("restore");
    add(bench.restore()?);
    step("a long history");
    bench.fill_history(args.history)?;
    add(bench.single_file(&format!("{} checkpoints", args.history))?);
    let (mut sections, _) = bench.again("unchanged", false)?;
    sections[0].title = format!("unchanged snapshot, {} checkpoints", args.history);
    add((sections, Vec::new()));
    step("memory");
    add((vec![bench.memory(&work)?], Vec::new()));
    if args.scale {
        step("scale");
        add(scale::scale(&tools, &work, args.runs)?);
    } else {
        add((Vec::new(), scale::not_measured()));
    }
    let missing = add_peers(&bench, &work, &mut report)?;
    if !missing.is_empty() {
        report.notes.push(format!("not installed, so not measured: {}", missing.join(", ")));
    }
    report.machine.load[1] = load();
    Ok(report)
}

/// Copies or generates the tree, and says which.
fn prepare_tree(args: &CheckpointArgs, to: &Path) -> Result<String> {
    match &args.tree {
        Some(tree) => {
            step("copying the tree");
            tree::copy(tree, to)?;
            Ok(format!("a copy of {}", tree.display()))
        }
        None => {
            step("generating a tree");
            fs::create_dir(to)?;
            generate::generate(to, Shape::checkout(args.files))?;
            Ok("a generated tree".to_owned())
        }
    }
}

/// Measures what is installed, and says what is not.
fn add_peers(bench: &Bench<'_>, work: &Path, report: &mut Report) -> Result<Vec<&'static str>> {
    let (peers, missing) = peers::installed(&bench.tree, &work.join("peers"));
    for peer in peers {
        step(peer.name());
        let mut section = Section::new(peer.name());
        let mut first = Vec::new();
        for _ in 0..bench.runs.min(3) {
            peer.forget()?;
            measure::settle();
            first.push(peer.save()?);
        }
        section.time("first snapshot", &Times::new(first), &[]);
        let size = tree::weigh(&peer.store())?;
        let unchanged = (0..bench.runs).map(|_| peer.save()).collect::<Result<Vec<_>>>()?;
        section.time("unchanged snapshot", &Times::new(unchanged), &[]);
        let changed = (0..bench.runs).map(|_| bench.edit_one().and_then(|()| peer.save()));
        section.time("one-file-changed snapshot", &Times::new(changed.collect::<Result<Vec<_>>>()?), &[]);
        section.bytes("store after the first snapshot", size.bytes as f64, None);
        report.sections.push(section);
    }
    Ok(missing)
}

/// Says on standard error what comes next.
fn step(what: &str) {
    eprintln!("{what} …");
}

/// How many processes want to run, over the last minute.
fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}
