//! Making lanes, beside `git worktree add`: `./bench lanes [TREE]`.
//!
//! Whole processes, in turn with git. The first lane writes everything; a warm one gets the folder of one that was dropped, after files were changed
//! in between. Git checks out what is committed and nothing else; a lane also has what is not.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use fs_err as fs;

use crate::generate::{Shape, generate};
use crate::measure::{Times, settle, time};
use crate::vib::Vib;
use crate::{Tools, tree};

#[derive(Args)]
pub struct LaneArgs {
    /// A checkout to copy and to work on; without it, one is generated.
    tree: Option<PathBuf>,
    /// How often each thing is timed.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// How many files the generated tree has.
    #[arg(long, default_value_t = 31_000)]
    files: usize,
    /// How many files change between a lane and the next.
    #[arg(long, default_value_t = 20)]
    changed: usize,
    /// Another `vib` to measure.
    #[arg(long)]
    vib: Option<PathBuf>,
}

/// Measures and prints.
pub fn run(args: &LaneArgs) -> Result<()> {
    ensure!(args.runs > 0, "--runs must be at least 1");
    let tools = Tools::find(args.vib.as_deref())?;
    let folder = tempfile::Builder::new().prefix("vib-bench-").tempdir()?;
    let work = fs::canonicalize(folder.path())?;
    let root = work.join("tree");
    match &args.tree {
        Some(from) => tree::copy(from, &root)?,
        None => {
            fs::create_dir(&root)?;
            generate(&root, Shape::checkout(args.files))?;
        }
    }
    let vib = Vib::new(&tools.vib, &root, &work.join("vib"))?;
    println!("{} files; load {:.1}", tree::weigh(&root)?.files, crate::load().unwrap_or_default());
    commit(&root)?;
    vib.save_tree()?;
    let (mut first, mut work_trees, mut warm, mut drops) = (vec![], vec![], vec![], vec![]);
    for run in 0..args.runs {
        settle();
        let place = work.join(format!("git-{run}"));
        work_trees.push(git(&root, &["worktree", "add", "--detach", "-q", &place.to_string_lossy()])?);
        git(&root, &["worktree", "remove", "--force", &place.to_string_lossy()])?;
        settle();
        vib.json(&["config", "set", "lane.warm", "0"]).ok();
        first.push(lane(&vib, &format!("cold-{run}"))?);
        drops.push(time(&mut vib.command(&words(&["lane", "drop", &format!("cold-{run}")])))?);
    }
    vib.json(&["config", "set", "lane.warm", "2"])?;
    lane(&vib, "before")?;
    time(&mut vib.command(&words(&["lane", "drop", "before"])))?;
    for run in 0..args.runs {
        change(&root, args.changed, run)?;
        settle();
        warm.push(lane(&vib, &format!("warm-{run}"))?);
        time(&mut vib.command(&words(&["lane", "drop", &format!("warm-{run}")])))?;
    }
    let [first, work_trees, warm, drops] = [first, work_trees, warm, drops].map(Times::new);
    let line = |name: &str, times: &Times| {
        println!("{name:28} median {:8.0} ms  best {:8.0} ms", times.median(), times.best());
    };
    line("git worktree add", &work_trees);
    line("vib lane new, first", &first);
    line("vib lane new, warm", &warm);
    line("vib lane drop", &drops);
    println!("first lane / git worktree add: {:.2}", first.median() / work_trees.median());
    Ok(())
}

fn words<'a>(words: &'a [&'a str]) -> Vec<&'a std::ffi::OsStr> {
    words.iter().map(std::ffi::OsStr::new).collect()
}

fn lane(vib: &Vib, name: &str) -> Result<Duration> {
    time(&mut vib.command(&words(&["lane", "new", name])))
}

fn git(root: &Path, arguments: &[&str]) -> Result<Duration> {
    time(Command::new("git").arg("-C").arg(root).args(arguments))
}

fn commit(root: &Path) -> Result<()> {
    if !root.join(".git").exists() {
        git(root, &["init", "-q"])?;
    }
    git(root, &["add", "-A"])?;
    let who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
    git(root, &[&who[..], &["commit", "-q", "--allow-empty", "-m", "bench"]].concat())?;
    Ok(())
}

fn change(root: &Path, count: usize, run: usize) -> Result<()> {
    let mut left = count;
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let (path, kind) = entry.map(|entry| (entry.path(), entry.file_type()))?;
            let kind = kind.context("a file without a kind")?;
            if kind.is_dir() && !path.ends_with(".git") && !path.ends_with(".vibelign") {
                folders.push(path);
            } else if kind.is_file() && left > 0 {
                tree::append_line(&path, &format!("// run {run}"))?;
                left -= 1;
            }
        }
        if left == 0 {
            break;
        }
    }
    Ok(())
}
