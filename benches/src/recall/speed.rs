//! `vib memory recall` and `vib memory decide` as whole processes, beside a process that does nothing.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use memory::recall::Document;
use serde_json::json;

use super::{Figure, commits};
use crate::measure::{Contender, Times, in_turn};
use crate::random::Random;
use crate::vib::Vib;

/// Commits of one day are one session.
const DAY_MS: i64 = 86_400_000;

pub fn measure(vib: &Path, memories: usize, runs: usize, repository: Option<&Path>) -> Result<Vec<Figure>> {
    let (documents, real) = documents(memories, repository)?;
    let mut random = Random::new(11);
    let folder = tempfile::Builder::new().prefix("vib-bench-").tempdir()?;
    let work = fs_err::canonicalize(folder.path())?;
    let make = |name: &str| -> Result<Vib> {
        let tree = work.join(name).join("tree");
        fs_err::create_dir_all(&tree)?;
        Vib::new(vib, &tree, &work.join(name).join("home"))
    };
    let (full, fresh) = (make("full")?, make("fresh")?);
    let remember = |vib: &Vib| vib.command(&["memory", "decide", "use tabs in the parser"].map(OsStr::new));
    for vib in [&full, &fresh] {
        cpu(&mut remember(vib))?;
    }
    write_log(&full, &documents)?;
    let asked: Vec<&Document> = (0..64).map(|_| &documents[random.below(documents.len())]).collect();
    let recall = |document: &Document, paths: bool| {
        let text: String = document.text.split_whitespace().take(12).collect::<Vec<_>>().join(" ");
        let mut command = full.command(&["memory", "recall"].map(OsStr::new));
        if paths {
            for path in document.paths.iter().take(4) {
                command.arg("--path").arg(path);
            }
        }
        // After `--` a word is a word, whatever it looks like.
        command.arg("--").arg(if text.is_empty() { "nothing" } else { &text });
        command
    };
    let start = Instant::now();
    cpu(&mut recall(asked[0], false))?;
    let build = start.elapsed();
    let this = std::env::current_exe()?;
    let programs = this.parent().context("this program's file is in no folder")?;
    let mut next = [0; 2];
    let [next_text, next_paths] = &mut next;
    let mut contenders: Vec<Contender<'_>> = vec![
        Box::new(|| cpu(&mut Command::new(programs.join("empty")))),
        Box::new(|| cpu(&mut full.command(&["--version".as_ref()]))),
        Box::new(|| {
            *next_text += 1;
            cpu(&mut recall(asked[*next_text % asked.len()], false))
        }),
        Box::new(|| {
            *next_paths += 1;
            cpu(&mut recall(asked[*next_paths % asked.len()], true))
        }),
        Box::new(|| cpu(&mut remember(&fresh))),
    ];
    let times = in_turn(runs, &mut contenders)?;
    drop(contenders);
    let [empty, version, text, paths, append] = &times[..] else { return Ok(Vec::new()) };
    let p95 = |times: &Times| times.percentile(95.0);
    let over = |times: &Times| times.median() / empty.median();
    Ok(vec![
        Figure::new("memories in the log for the timing", documents.len() as f64),
        Figure::new("  of them real commits", real as f64),
        Figure::at_most("building the index anew (the first recall), seconds", build.as_secs_f64(), 10.0),
        Figure::new("its size, MB", size(&full.state())? as f64 / 1e6),
        Figure::new("an empty process, CPU ms, median", empty.median()),
        Figure::new("an empty process, CPU ms, p95", p95(empty)),
        Figure::new("`vib --version`, CPU ms, median", version.median()),
        Figure::new("`vib memory recall`, CPU ms, median", text.median()),
        Figure::new("`vib memory recall`, CPU ms, p95", p95(text)),
        Figure::new("`vib memory recall --path`, CPU ms, median", paths.median()),
        Figure::new("`vib memory recall --path`, CPU ms, p95", p95(paths)),
        Figure::new("`vib memory decide`, CPU ms, median", append.median()),
        Figure::at_most("recall ÷ an empty process, median", over(text), 2.0),
        Figure::at_most("recall ÷ an empty process, p95", p95(text) / p95(empty), 3.0),
        Figure::at_most("recall with paths ÷ an empty process, median", over(paths), 2.0),
        Figure::at_most("recall with paths ÷ an empty process, p95", p95(paths) / p95(empty), 3.0),
        Figure::at_most("append (`vib memory decide`) ÷ an empty process, median", over(append), 1.5),
    ])
}

/// Real commits as far as there are some, the newest, and made-up memories for the rest.
fn documents(memories: usize, repository: Option<&Path>) -> Result<(Vec<Document>, usize)> {
    let mut documents = match repository {
        Some(repository) => commits::read(repository)?,
        None => Vec::new(),
    };
    documents.drain(..documents.len().saturating_sub(memories));
    for document in &mut documents {
        document.session = Some(format!("day-{}", document.time_ms / DAY_MS));
    }
    let real = documents.len();
    let mut random = Random::new(12);
    while documents.len() < memories {
        documents.push(generated(documents.len(), &mut random));
    }
    Ok((documents, real))
}

/// Writes the memories into the log of the project, as observed events.
fn write_log(vib: &Vib, documents: &[Document]) -> Result<()> {
    let projects =
        fs_err::read_dir(vib.state().join("projects"))?.next().context("there is no project")??;
    let log = projects.path().join("memory").join("project.jsonl");
    let mut out = std::io::BufWriter::new(fs_err::OpenOptions::new().append(true).open(log)?);
    for (number, document) in documents.iter().enumerate() {
        let event = json!({
            "id": format!("01900000-0000-7000-8000-{number:012}"), "schema_version": 1, "time_ms": document.time_ms,
            "scope": "project", "kind": "commit", "provenance": "observed", "agent": "codex", "task": document.session,
            "body": {"text": document.text, "paths": document.paths},
        });
        writeln!(out, "{event}")?;
    }
    Ok(out.flush()?)
}

/// The bytes of everything in the folders named `index`.
fn size(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        let (path, facts) = (entry.path(), entry.metadata()?);
        if facts.is_dir() {
            sum += size(&path)?;
        } else if path.components().any(|part| part.as_os_str() == "index") {
            sum += facts.len();
        }
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
