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
    /// How many steps the store holds before anything is timed.
    #[arg(long, default_value_t = 1_000)]
    steps: usize,
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

    /// One of the two hooks around a call.
    fn tool(&self, event: &str, turn: usize, tool: &str, input: &Value) -> Result<Duration> {
        let mut fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": format!("c-{turn}")});
        if event == "PostToolUse" {
            fields["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
        }
        self.call(event, turn, fields)
    }

    /// Both hooks around an edit that is really made.
    fn edit(&self, turn: usize, file: &Path) -> Result<Duration> {
        let content = format!("step {turn}\n");
        let input = json!({"file_path": file, "content": content});
        let before = self.tool("PreToolUse", turn, "Write", &input)?;
        fs::write(file, content)?;
        Ok(before + self.tool("PostToolUse", turn, "Write", &input)?)
    }

    /// Both hooks around a command, with the file that it changes.
    fn command(&self, turn: usize, command: &str, file: Option<&Path>) -> Result<Duration> {
        let input = json!({"command": command});
        let before = self.tool("PreToolUse", turn, "Bash", &input)?;
        if let Some(file) = file {
            fs::write(file, format!("command {turn}\n"))?;
        }
        Ok(before + self.tool("PostToolUse", turn, "Bash", &input)?)
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
    crate::step("steps before anything is timed");
    for turn in 0..args.steps {
        // A prompt looks at the whole tree; a few of them are enough for the store to have a history.
        if turn % 200 == 0 {
            session.prompt(turn)?;
        }
        session.edit(turn, &file)?;
    }
    // Files that vib has saved and nobody has edited yet: the long way, with the index opened.
    let fresh: Vec<PathBuf> =
        (0..args.runs + 2).map(|number| root.join(format!("bench-first-{number}.txt"))).collect();
    for file in &fresh {
        fs::write(file, "as it was\n")?;
    }
    session.prompt(args.steps)?;
    let unedited = std::cell::Cell::new(fresh.iter());
    let first_of = || -> Result<&PathBuf> {
        let mut files = unedited.take();
        let file = files.next();
        unedited.set(files);
        file.ok_or_else(|| anyhow::anyhow!("no file is left that nobody has edited"))
    };
    settle();
    crate::step("hooks");
    let counter = std::cell::Cell::new(args.steps);
    let next = || counter.replace(counter.get() + 1) + 1;
    let anything = json!({"command": "make all"});
    let mut contenders: Vec<Contender<'_>> = vec![
        Box::new(|| tools.empty_process()),
        Box::new(|| session.edit(next(), &file)),
        Box::new(|| session.edit(next(), first_of()?)),
        Box::new(|| session.command(next(), "grep -rn total src | head -5", None)),
        Box::new(|| session.command(next(), "sed -i s/a/b/ bench-edited.txt", Some(&file))),
        Box::new(|| session.tool("PreToolUse", next(), "Bash", &anything)),
        Box::new(|| {
            fs::write(&file, format!("made {}\n", counter.get()))?;
            session.tool("PostToolUse", counter.get(), "Bash", &anything)
        }),
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
    let [empty, edit, first, look, known, before, after, walk, scripts @ ..] = times.as_slice() else {
        anyhow::bail!("a contender is missing");
    };
    let mut section = Section::new("hooks, whole processes");
    let start = [("empty process", empty)];
    section.time("an edit: before and after", edit, &start);
    section.time(
        "the first edit of a file: before and after",
        first,
        &[("empty process", empty), ("an edit", edit)],
    );
    section.time("a command that only looks: before and after", look, &start);
    section.time("a command whose writes are known: before and after", known, &start);
    section.time("before a command that may write anything", before, &[("stat walk", walk)]);
    section.time("after it", after, &[("stat walk", walk)]);
    section.time("stat walk on all cores", walk, &[]);
    section.time("an empty Rust process", empty, &[]);
    let names = [(node, "node -e 0"), (python, "python3 -c pass")];
    for ((_, name), times) in names.iter().filter(|(there, _)| *there).zip(scripts) {
        section.time(name, times, &[("an edit: before and after", edit)]);
    }
    // Two hooks are two processes.
    let over = |times: &measure::Times| times.median() - 2.0 * empty.median();
    let within = |what: &str, times: &measure::Times, limit: f64| {
        let name = format!("{what}, before and after, within {limit} ms of two empty processes");
        Floor::new(&name, over(times) <= limit, format!("+{:.2} ms", over(times)))
    };
    let against_walk = |what: &str, times: &measure::Times| {
        let ratio = times.median() / walk.median();
        Floor::new(format!("{what} at most 1.3× a stat walk"), ratio <= 1.3, format!("{ratio:.2}×"))
    };
    let floors = vec![
        within("an edit", edit, 6.0),
        within("a command that only looks", look, 1.5),
        within("a command whose writes are known", known, 8.0),
        against_walk("before a command that may write", before),
        against_walk("after it", after),
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
        notes: vec![format!("the store held {} steps", args.steps)],
    })
}
