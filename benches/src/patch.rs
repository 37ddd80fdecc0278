//! What a patch costs, beside `git apply` and `patch`: a typical edit, the same with the usual defects, a very long one, and one
//! in a project with its safety checkpoint.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use clap::Args;
use fs_err as fs;

use crate::measure::{self, Contender, Times};
use crate::report::{Floor, Machine, Report, Section};
use crate::{Tools, load, step, tree, vib};

#[derive(Args)]
pub struct PatchArgs {
    /// How often each thing is timed.
    #[arg(long, default_value_t = 100)]
    runs: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Another `vib` to measure.
    #[arg(long)]
    vib: Option<PathBuf>,
}

/// The promise: beyond starting a process, a typical edit takes less than this.
const MOST_MS: f64 = 2.0;

/// Measures and reports.
pub fn run(args: &PatchArgs) -> Result<Report> {
    ensure!(args.runs > 0, "--runs must be at least 1");
    let tools = Tools::find(args.vib.as_deref())?;
    let load_before = load();
    let folder = tempfile::Builder::new().prefix("vib-bench-").tempdir()?;
    let work = fs::canonicalize(folder.path())?;
    let vib = vib::Vib::new(&tools.vib, &work, &work.join("vib"))?;
    let mut report = Report {
        machine: Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: [load_before, None],
            programs: vec![vib.version()?],
        },
        tree: "generated source files".to_owned(),
        tree_size: tree::weigh(&work)?,
        sections: Vec::new(),
        floors: Vec::new(),
        notes: Vec::new(),
    };
    step("a typical edit");
    let typical = Edit::new(&work.join("typical"), 1_000, 4, false)?;
    let (section, beyond) =
        compare("typical edit: 4 hunks in a file of 1,000 lines", &typical, &tools, args.runs)?;
    report.sections.push(section);
    report.floors.push(Floor::new(
        format!("a typical edit takes less than {MOST_MS} ms beyond an empty process"),
        beyond < MOST_MS,
        format!("{beyond:.2} ms"),
    ));
    step("an edit with wrong numbers");
    let moved = Edit::new(&work.join("moved"), 1_000, 4, true)?;
    report.sections.push(compare("the same, all line numbers wrong", &moved, &tools, args.runs)?.0);
    step("a long patch");
    // Peers need minutes for ten times as much.
    let long = Edit::new(&work.join("long"), 24_500, 3_500, false)?;
    report.sections.push(compare("long patch: 3,500 hunks, 1 MB", &long, &tools, args.runs.min(5))?.0);
    step("an edit in a project");
    report.sections.push(in_project(&typical, &tools, &work.join("project"), args.runs.min(30))?);
    report.tree_size = tree::weigh(&work)?;
    report.machine.load[1] = load();
    Ok(report)
}

/// A file and a patch for it.
struct Edit {
    folder: PathBuf,
    original: String,
    patch: PathBuf,
}

impl Edit {
    fn new(folder: &Path, length: usize, hunks: usize, wrong_numbers: bool) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let lines: Vec<String> = (0..length)
            .map(|at| match at % 9 {
                0 => format!("fn item_{at}(value: u32) -> u32 {{"),
                7 => "}".to_owned(),
                8 => String::new(),
                _ => format!("    let part_{at} = value.wrapping_mul({at}) ^ 0x{:x};", at * 31),
            })
            .collect();
        let mut patch = String::from("--- a/file.rs\n+++ b/file.rs\n");
        let every = length / hunks;
        for hunk in 0..hunks {
            let at = hunk * every + 3;
            let Some(around) = lines.get(at - 3..at + 4) else { break };
            let shift = if wrong_numbers { 17 + hunk } else { 0 };
            patch.push_str(&format!("@@ -{},7 +{},8 @@\n", at - 2 + shift, at - 2 + shift + hunk));
            for (number, line) in around.iter().enumerate() {
                if number == 3 {
                    patch.push_str(&format!("-{line}\n+{line} // changed\n+    // and one more {hunk}\n"));
                } else {
                    patch.push_str(&format!(" {line}\n"));
                }
            }
        }
        let patch_file = folder.join("edit.patch");
        fs::write(&patch_file, patch)?;
        let original = lines.join("\n") + "\n";
        fs::write(folder.join("input.rs"), &original)?;
        Ok(Self { folder: folder.to_path_buf(), original, patch: patch_file })
    }

    /// A fresh copy under the name in the patch.
    fn renew(&self) -> Result<()> {
        Ok(fs::write(self.folder.join("file.rs"), &self.original)?)
    }
}

/// vib, `git apply` and `patch` on the same edit. The second value is vib's time beyond an empty process.
fn compare(title: &str, edit: &Edit, tools: &Tools, runs: usize) -> Result<(Section, f64)> {
    let output = edit.folder.join("output.rs");
    let mut contenders: Vec<(&str, Contender<'_>)> = vec![
        ("an empty process", Box::new(|| tools.empty_process())),
        (
            "vib patch --input --output",
            Box::new(|| {
                let mut command = Command::new(&tools.vib);
                command.arg("patch").arg(&edit.patch).arg("--input").arg(edit.folder.join("input.rs"));
                measure::time(command.arg("--output").arg(&output).current_dir(&edit.folder))
            }),
        ),
        (
            "git apply",
            Box::new(|| {
                edit.renew()?;
                measure::time(Command::new("git").args(["apply", "edit.patch"]).current_dir(&edit.folder))
            }),
        ),
        (
            "patch -o",
            Box::new(|| {
                edit.renew()?;
                let arguments = ["-s", "-o", "patched.rs", "file.rs", "edit.patch"];
                measure::time(Command::new("patch").args(arguments).current_dir(&edit.folder))
            }),
        ),
    ];
    // A peer that is not there, or refuses the patch, is left out.
    let mut left_out = Vec::new();
    contenders.retain_mut(|(name, contender)| {
        let works = contender().is_ok();
        if !works {
            left_out.push(format!("{name} does not apply it, or is not installed"));
        }
        works
    });
    let (names, mut contenders): (Vec<&str>, Vec<Contender<'_>>) = contenders.into_iter().unzip();
    ensure!(names.get(1) == Some(&"vib patch --input --output"), "vib does not apply its own benchmark");
    let times = measure::in_turn(runs, &mut contenders)?;
    let others: Vec<(&str, &Times)> = names.iter().copied().zip(&times).skip(2).collect();
    let mut section = Section::new(title);
    for (name, times) in names.iter().zip(&times) {
        section.time(name, times, if name.starts_with("vib") { &others } else { &[] });
    }
    let beyond = times[1].median() - times[0].median();
    section.notes.push(format!("vib beyond an empty process: {beyond:.2} ms"));
    section.notes.extend(left_out);
    Ok((section, beyond))
}

/// The whole way: preview, safety checkpoint on the disk, journal, atomic write.
fn in_project(edit: &Edit, tools: &Tools, folder: &Path, runs: usize) -> Result<Section> {
    fs::create_dir_all(folder)?;
    for number in 0..100 {
        fs::write(folder.join(format!("other{number}.rs")), &edit.original)?;
    }
    let vib = vib::Vib::new(&tools.vib, folder, &folder.with_extension("vib"))?;
    let file = folder.join("file.rs");
    fs::write(&file, &edit.original)?;
    let words: Vec<&OsStr> = vec![OsStr::new("patch"), edit.patch.as_os_str(), OsStr::new("--yes")];
    let mut contenders: Vec<Contender<'_>> = vec![
        Box::new(|| {
            fs::write(&file, &edit.original)?;
            measure::time(&mut vib.command(&words))
        }),
        Box::new(|| {
            fs::write(&file, &edit.original)?;
            let dry = [OsStr::new("patch"), edit.patch.as_os_str(), OsStr::new("--dry-run")];
            measure::time(&mut vib.command(&dry))
        }),
    ];
    let times = measure::in_turn(runs, &mut contenders)?;
    let mut section = Section::new("the same edit in a project of 101 files");
    section.time("vib patch --yes", &times[0], &[]);
    section.time("vib patch --dry-run", &times[1], &[]);
    section.notes.push("with the safety checkpoint and the journal flushed to the disk".to_owned());
    Ok(section)
}
