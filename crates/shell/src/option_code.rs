//! Programs that run what an option of theirs says, that apply what a patch names, or that open vib's own records.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::verdict::Place;
use crate::walk::Walk;

/// Settings of Mercurial whose value is run or loaded.
const MERCURIAL: &[&str] = &[
    "alias.",
    "hooks.",
    "extensions.",
    "merge-tools.",
    "diff-tools.",
    "extdiff.",
    "pager.",
    "ui.editor",
    "ui.ssh",
    "schemes.",
];
/// Properties of Maven that name a program, or its words.
const MAVEN: &[&str] = &["-Dexec.executable", "-Dexec.args", "-Dexec.commandlineArgs", "exec:exec"];
/// Programs that look at names and contents and hold nothing open.
const LOOKERS: &[&str] = &[
    "ls",
    "dir",
    "tree",
    "cat",
    "bat",
    "head",
    "tail",
    "wc",
    "stat",
    "file",
    "du",
    "df",
    "grep",
    "rg",
    "find",
    "fd",
    "less",
    "more",
    "cd",
    "pushd",
    "test",
    "[",
    "[[",
    "echo",
    "printf",
    "realpath",
    "readlink",
    "basename",
    "dirname",
    "vib",
    "jq",
    "sha256sum",
    "md5sum",
    "diff",
    "cmp",
    "git",
    "export",
    "env",
    "for",
    "set",
    "local",
    "declare",
    "eza",
    "exa",
];

impl Walk<'_> {
    /// An option or a property that is run.
    pub(crate) fn runs_its_option(&mut self, name: &str, argv: &[Arg], about: &str) {
        let args = &argv[1..];
        let runs = match name {
            "hg" | "sl" | "chg" => {
                let sorted = Options::of(args, &["--config"]);
                let scripts: Vec<String> = sorted
                    .values(&["--config"])
                    .filter(|value| MERCURIAL.iter().any(|start| value.text.starts_with(start)))
                    .map(|value| {
                        value.text.split_once('=').map_or(String::new(), |(_, value)| value.to_owned())
                    })
                    .filter(|value| !value.is_empty())
                    .collect();
                for script in &scripts {
                    self.probe_script(script.trim_start_matches('!'), "a setting that is run");
                }
                !scripts.is_empty()
            }
            "mvn" | "mvnw" => args.iter().any(|arg| MAVEN.iter().any(|start| arg.text.starts_with(start))),
            "npm" | "pnpm" if args.len() > 2 && args[0].text == "pkg" && args[1].text == "set" => {
                for (key, line) in args[2..].iter().filter_map(|arg| arg.text.split_once('=')) {
                    if key.starts_with("scripts.") {
                        self.probe_script(line, "a script of the package");
                    }
                }
                false
            }
            // Another program of that name migrates databases.
            "goose" => {
                args.first().is_some_and(|word| word.text == "run")
                    && args.iter().any(|arg| {
                        ["-t", "--text", "-i", "--instructions", "--recipe"]
                            .iter()
                            .any(|flag| arg.text.starts_with(flag))
                    })
            }
            "rush" => {
                let words = Options::of(args, &["-j", "-i", "-d", "-D", "-n", "-v", "-T", "-o"]).words;
                if let Some((script, inputs)) = words.split_first() {
                    for input in inputs.iter().take(16) {
                        self.probe_script(
                            &script.text.replace("{}", &input.text),
                            "an option that runs its value",
                        );
                    }
                }
                false
            }
            _ => false,
        };
        if runs {
            self.found.unknown(
                Weight::Ask,
                "runs_unknown_code",
                "an option makes it run another program",
                about,
            );
        }
    }

    /// Whoever opens vib's records, or holds their locks, keeps vib from writing them.
    pub(crate) fn opens_state(&mut self, name: &str, argv: &[Arg]) {
        if self.remote || LOOKERS.contains(&name) {
            return;
        }
        for arg in argv[1..].iter().filter(|arg| arg.text.contains('/')).take(64).cloned().collect::<Vec<_>>()
        {
            let text = arg.text.strip_prefix("file:").unwrap_or(&arg.text);
            let path = arg.with_text(text.split('?').next().unwrap_or(text));
            if self.place_of(&path).1 == Place::VibState {
                self.writes(&path, "opened");
            }
        }
    }

    /// What a patch names: the form that agents write, and that of `diff`. Only whole paths: what lies in the project comes back.
    pub(crate) fn patch_names(&mut self, text: &str) {
        const CHANGES: &[&str] = &["*** Update File: ", "*** Add File: ", "*** Move to: ", "+++ ", "--- "];
        for line in text.lines().take(20_000) {
            if let Some(path) = line.strip_prefix("*** Delete File: ") {
                self.deletes(&Arg::new(path.trim()), false);
            } else if let Some(path) = CHANGES.iter().find_map(|mark| line.strip_prefix(mark)) {
                let path = path.split('\t').next().unwrap_or_default().trim();
                let is_agents = line.starts_with("***");
                if is_agents || path.starts_with('/') && path != "/dev/null" {
                    self.writes(&Arg::new(path), "patched");
                }
            }
        }
    }

    /// `patch`, `apply_patch`: from the words, or from standard input.
    pub(crate) fn patches(&mut self, name: &str, args: &[Arg], stdin: &Data) {
        if name == "patch" {
            let options = Options::of(
                args,
                &["-d", "--directory", "-o", "--output", "-i", "--input", "-r", "-B", "-z", "-p", "-F"],
            );
            if let Some(file) = options.words.first().cloned() {
                self.writes(&file, "patched");
            }
            for file in options.values(&["-o", "--output"]).cloned().collect::<Vec<_>>() {
                self.writes(&file, "output file");
            }
            for folder in options.values(&["-d", "--directory"]).cloned().collect::<Vec<_>>() {
                self.works_in(&folder, "patch");
            }
        }
        let words = args.iter().map(|arg| arg.text.clone()).filter(|text| text.contains('\n'));
        for text in words.chain(stdin.text.clone()).collect::<Vec<_>>() {
            self.patch_names(&text);
        }
    }
}
