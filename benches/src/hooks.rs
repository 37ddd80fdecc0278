//! What a hook costs a person who waits for their agent: `./bench hooks [TREE]`.
//!
//! Whole processes with Claude Code's payloads on standard input, in a big tree, after many turns, in turn with an empty
//! process and with what other hooks start with: a script interpreter.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use fs_err as fs;
use serde_json::{Value, json};

use crate::generate::{Shape, generate};
use crate::measure::{self, Contender, in_turn, settle};
use crate::peers::on_path;
use crate::report::{Floor, Machine, Report, Section};
use crate::vib::Vib;
use crate::{Tools, tree};

#[derive(Args)]
pub struct HookArgs {
    /// A checkout to copy and to work on; without it, one is generated.
    tree: Option<PathBuf>,
    /// How often each thing is timed.
    #[arg(long, default_value_t = 40)]
    runs: usize,
    /// How many turns the store holds before anything is timed.
    #[arg(long, default_value_t = 1_000)]
    turns: usize,
    /// How many files the generated tree has.
    #[arg(long, default_value_t = 30_000)]
    files: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Another `vib` to measure.
    #[arg(long)]
    vib: Option<PathBuf>,
}

/// A session of Claude Code that the benchmark plays.
struct Session<'a> {
    vib: &'a Vib,
    root: &'a Path,
}

impl Session<'_> {
    fn call(&self, event: &str, turn: usize, fields: Value) -> Result<Duration> {
        let mut payload = json!({
            "session_id": "bench", "prompt_id": format!("p-{turn}"), "cwd": self.root, "hook_event_name": event,
        });
        if let (Some(payload), Value::Object(fields)) = (payload.as_object_mut(), fields) {
            payload.extend(fields);
        }
        let mut command = self.vib.command(&["hook".as_ref(), "claude-code".as_ref()]);
        measure::time_with_input(&mut command, payload.to_string().as_bytes())
    }

    fn prompt(&self, turn: usize) -> Result<Duration> {
        self.call("UserPromptSubmit", turn, json!({"prompt": format!("request {turn}")}))
    }

    fn edit(&self, turn: usize, file: &Path, content: &str) -> Result<Duration> {
        let input = json!({"file_path": file, "content": content});
        self.call("PreToolUse", turn, json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "c"}))
    }

    fn edited(&self, turn: usize, file: &Path, content: &str) -> Result<Duration> {
        let input = json!({"file_path": file, "content": content});
        let response = json!({"type": "update"});
        self.call(
            "PostToolUse",
            turn,
            json!({"tool_name": "Write", "tool_input": input, "tool_response": response}),
        )
    }

    fn shell(&self, turn: usize, command: &str) -> Result<Duration> {
        self.call("PreToolUse", turn, json!({"tool_name": "Bash", "tool_input": {"command": command}}))
    }
}

/// Measures.
pub fn run(args: &HookArgs) -> Result<Report> {
    let tools = Tools::find(args.vib.as_deref())?;
    let load_before = crate::load();
    let folder = tempfile::Builder::new().prefix("vib-bench-").tempdir()?;
    let work = fs::canonicalize(folder.path())?;
    let root = work.join("tree");
    let name = match &args.tree {
        Some(from) => {
            tree::copy(from, &root)?;
            format!("a copy of {}", from.display())
        }
        None => {
            fs::create_dir(&root)?;
            generate(&root, Shape::checkout(args.files))?;
            "a generated tree".to_owned()
        }
    };
    let vib = Vib::new(&tools.vib, &root, &work.join("vib"))?;
    let session = Session { vib: &vib, root: &root };
    let file = root.join("bench-edited.txt");
    crate::step("turns before anything is timed");
    for turn in 0..args.turns {
        // A turn's prompt looks at the whole tree; a few of them are enough for the store to have a history.
        if turn % 20 == 0 {
            session.prompt(turn)?;
        }
        fs::write(&file, format!("turn {turn}\n"))?;
        session.edit(turn, &file, "next")?;
    }
    settle();
    crate::step("hooks");
    let mut counter = args.turns;
    let mut next = || {
        counter += 1;
        counter
    };
    let mut edits = || -> Result<Duration> {
        let turn = next();
        fs::write(&file, format!("turn {turn}\n"))?;
        session.edit(turn, &file, &format!("then {turn}\n"))
    };
    let mut contenders: Vec<Contender<'_>> = vec![
        Box::new(|| tools.empty_process()),
        Box::new(&mut edits),
        Box::new(|| session.edited(1, &file, "x")),
        Box::new(|| session.shell(1, "grep -rn total src | head -5")),
        Box::new(|| session.shell(1, "sed -i s/a/b/ bench-edited.txt")),
        Box::new(|| tools.stat_walk(&root)),
    ];
    let node = on_path("node");
    let python = on_path("python3");
    if node {
        contenders.push(Box::new(|| measure::time(std::process::Command::new("node").args(["-e", "0"]))));
    }
    if python {
        contenders
            .push(Box::new(|| measure::time(std::process::Command::new("python3").args(["-c", "pass"]))));
    }
    let times = in_turn(args.runs, &mut contenders)?;
    drop(contenders);
    let [empty, edit, after, look, write, walk, scripts @ ..] = times.as_slice() else {
        anyhow::bail!("a contender is missing");
    };
    let mut section = Section::new("hooks, whole processes");
    let start = [("empty process", empty)];
    section.time("before an edit", edit, &start);
    section.time("after an edit", after, &start);
    section.time("before a command that only looks", look, &start);
    section.time("before a command that may write", write, &[("stat walk", walk)]);
    section.time("stat walk on all cores", walk, &[]);
    section.time("an empty Rust process", empty, &[]);
    let names = [(node, "node -e 0"), (python, "python3 -c pass")];
    for ((_, name), times) in names.iter().filter(|(there, _)| *there).zip(scripts) {
        section.time(name, times, &[("before an edit", edit)]);
    }
    let over = |times: &measure::Times| times.median() - empty.median();
    let ratio = write.median() / walk.median();
    let floors = vec![
        Floor::new(
            "an edit hook within 4 ms of an empty process",
            over(edit) <= 4.0,
            format!("+{:.2} ms", over(edit)),
        ),
        Floor::new(
            "a command that only looks within 5 ms of an empty process",
            over(look) <= 5.0,
            format!("+{:.2} ms", over(look)),
        ),
        Floor::new("a command that may write at most 1.3× a stat walk", ratio <= 1.3, format!("{ratio:.2}×")),
    ];
    Ok(Report {
        machine: Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: [load_before, crate::load()],
            programs: vec![vib.version()?],
        },
        tree: name,
        tree_size: tree::weigh(&root)?,
        sections: vec![section],
        floors,
        notes: vec![format!("the store held {} turns", args.turns)],
    })
}
