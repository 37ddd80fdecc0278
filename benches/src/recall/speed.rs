//! One question as a whole process, beside a process that does nothing.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use memory::recall::{Document, IndexWriter};

use super::{Figure, commits};
use crate::measure::{Contender, Times, in_turn};
use crate::random::Random;

/// The delta and the tail that a working index has besides its base.
const DELTAS: [usize; 2] = [2000, 200];

pub fn measure(memories: usize, runs: usize, repository: Option<&Path>) -> Result<Vec<Figure>> {
    let mut documents = match repository {
        Some(repository) => commits::read(repository)?,
        None => Vec::new(),
    };
    let real = documents.len();
    documents.drain(..real.saturating_sub(memories));
    let mut random = Random::new(11);
    while documents.len() < memories {
        documents.push(generated(documents.len(), &mut random));
    }
    let folder = tempfile::Builder::new().prefix("vib-bench-").tempdir()?;
    let start = Instant::now();
    let mut writer = IndexWriter::create(folder.path())?;
    let base = documents.len().saturating_sub(DELTAS.iter().sum());
    writer.fold(&documents[..base], Default::default())?;
    let build = start.elapsed();
    let mut at = base;
    for size in DELTAS {
        let end = (at + size).min(documents.len());
        writer.fold(&documents[at..end], Default::default())?;
        at = end;
    }
    drop(writer);
    let this = std::env::current_exe()?;
    let programs = this.parent().context("this program's file is in no folder")?;
    let asked: Vec<&Document> = (0..64).map(|_| &documents[random.below(documents.len())]).collect();
    let (mut next, mut next_paths) = (0, 0);
    let recall = |document: &Document, paths: bool| -> Result<Duration> {
        let text: String = document.text.split_whitespace().take(12).collect::<Vec<_>>().join(" ");
        let mut command = Command::new(programs.join("recall_once"));
        command.arg(folder.path()).arg(text);
        if paths {
            command.args(document.paths.iter().take(4));
        }
        cpu(&mut command)
    };
    let mut contenders: Vec<Contender<'_>> = vec![
        Box::new(|| cpu(&mut Command::new(programs.join("empty")))),
        Box::new(|| {
            next += 1;
            recall(asked[next % asked.len()], false)
        }),
        Box::new(|| {
            next_paths += 1;
            recall(asked[next_paths % asked.len()], true)
        }),
    ];
    let times = in_turn(runs, &mut contenders)?;
    drop(contenders);
    let (empty, text, paths) = (&times[0], &times[1], &times[2]);
    let p95 = |times: &Times| times.percentile(95.0);
    Ok(vec![
        Figure::new("memories in the index for the timing", documents.len() as f64),
        Figure::new("  of them real commits", real.min(memories) as f64),
        Figure::new("building it, seconds", build.as_secs_f64()),
        Figure::new("its size, MB", size(folder.path())? as f64 / 1e6),
        Figure::new("an empty process, CPU ms, median", empty.median()),
        Figure::new("an empty process, CPU ms, p95", p95(empty)),
        Figure::new("one question, CPU ms, median", text.median()),
        Figure::new("one question, CPU ms, p95", p95(text)),
        Figure::new("one question with paths, CPU ms, median", paths.median()),
        Figure::new("one question with paths, CPU ms, p95", p95(paths)),
        Figure::at_most("one question ÷ an empty process, median", text.median() / empty.median(), 2.0),
        Figure::at_most("one question ÷ an empty process, p95", p95(text) / p95(empty), 3.0),
        Figure::at_most("with paths ÷ an empty process, median", paths.median() / empty.median(), 2.0),
    ])
}

fn size(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs_err::read_dir(folder)? {
        sum += entry?.metadata()?.len();
    }
    Ok(sum)
}

fn generated(number: usize, random: &mut Random) -> Document {
    let mut word = || {
        // Few words are used often, many seldom.
        let rank = (20_000_f64.powf(random.below(1_000_000) as f64 / 1e6)) as usize;
        format!("w{rank}")
    };
    let text: Vec<String> = (0..30).map(|_| word()).collect();
    let path = format!("src/{}/{}.rs", word(), word());
    Document {
        id: format!("m{number}"),
        text: text.join(" "),
        paths: vec![path],
        time_ms: 1_700_000_000_000 + number as i64 * 60_000,
        scope: "generated".to_owned(),
        session: Some(format!("s{}", number / 40)),
        class: "observation".to_owned(),
        importance: 0.5,
        ..Document::default()
    }
}

/// The processor time of a whole process, the system's part included.
fn cpu(command: &mut Command) -> Result<Duration> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let before = children()?;
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    let time = children()?.saturating_sub(before);
    ensure!(status.success(), "{command:?}: {status}");
    Ok(time)
}

#[cfg(unix)]
fn children() -> Result<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(micros.try_into()?))
}

#[cfg(not(unix))]
fn children() -> Result<Duration> {
    anyhow::bail!("this system is not supported")
}
