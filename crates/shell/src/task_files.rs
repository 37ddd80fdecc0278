//! Code in files: what a task runner or an interpreter would run is read by the same reader, within bounds.
//!
//! A project's own code is not asked about for being code. What counts is what it says in plain words: a command that
//! deletes or overwrites outside the project, that rewrites shared history, that sends a secret away.

use crate::code::Language;
use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::verdict::{Decision, Verdict};
use crate::walk::Walk;
use std::path::Path;

/// Largest file that is read for its code.
const MAX_FILE: u64 = 256 * 1024;

/// Most recipes that one task is followed through.
const MOST_TASKS: usize = 48;

/// Most lines of one recipe.
const MOST_LINES: usize = 100;

/// What code in a file is asked about: things that were understood, and that no checkpoint of the project brings back.
const DEFINITE: &[&str] = &[
    "deletes_home",
    "deletes_system",
    "deletes_outside",
    "deletes_device",
    "deletes_git_data",
    "deletes_project",
    "deletes_ignored",
    "overwrites_ignored",
    "writes_device",
    "writes_system",
    "moves_system",
    "permissions_system",
    "wipes_disk",
    "sends_secret",
    "network_shell",
    "raw_connection",
    "git_loses_history",
    "rewrites_history",
    "fork_bomb",
    "runs_downloaded_code",
    "runs_decoded_code",
    "persons_answer",
    "changes_machine",
];

impl Walk<'_> {
    /// Adds what was found in a file, as far as it is definite. It is read without the language, so it is asked about at most.
    fn keep_definite(&mut self, verdict: Verdict, about: &str) {
        self.found.verdict.network |= verdict.network;
        for lost in verdict.losses {
            if !self.found.verdict.losses.contains(&lost) {
                self.found.verdict.losses.push(lost);
            }
        }
        for reason in verdict.reasons {
            let guarded = reason.code.starts_with("guarded") && !reason.code.ends_with("agent_settings");
            if reason.decision >= Decision::Ask && (DEFINITE.contains(&reason.code) || guarded) {
                self.found.loses(false);
                let text = format!("{} (`{}`), as `{about}` says", reason.text, reason.about);
                self.found.add(Weight::Ask, reason.code, text, about);
            }
        }
    }

    /// A program in a file of another language.
    pub(crate) fn code_file(&mut self, language: Language, file: &Arg, about: &str) {
        let Some(key) = self.file_key(file) else { return };
        if self.reading.is_empty() && self.text_of(&key, MAX_FILE).is_none() {
            self.unseen_script(file, about);
            return;
        }
        self.code_in_file(language, &key, MAX_FILE, about);
    }

    /// The same by its full path, with the files that it loads.
    pub(crate) fn code_in_file(&mut self, language: Language, path: &str, most: u64, about: &str) {
        if self.reading.iter().any(|known| known == path) || self.reading.len() > 6 || self.probing > 2 {
            return;
        }
        let Some(text) = self.text_of(path, most) else { return };
        self.reading.push(path.to_owned());
        let verdict = self.probed(|walk| walk.code(language, &text, about));
        self.keep_definite(verdict, about);
        self.judged_with_words(language, &text, about);
        let folder = path.rsplit_once('/').map_or("/", |(folder, _)| folder).to_owned();
        self.loaded_files(language, &text, &folder, about);
        self.reading.pop();
    }

    /// Commands of a task, run by a shell in this folder.
    fn task_line(&mut self, line: &str, folder: &str, about: &str) {
        if self.probing > 4 {
            return;
        }
        let folder = folder.to_owned();
        let verdict = self.probed(|walk| {
            walk.cwd = Some(folder);
            walk.script(line, Data::default());
        });
        self.keep_definite(verdict, about);
    }

    /// The text of a file as it will be when it is reached: what this very line writes into it comes before what lies there now.
    fn text_of(&self, path: &str, most: u64) -> Option<String> {
        let written = self.files.get(path).and_then(|data| data.text.clone());
        written.or_else(|| self.ctx.files.read_small(Path::new(self.original(path)), most))
    }

    /// The first of these files that is there, with its text.
    fn task_file(&self, folder: &str, names: &[&str]) -> Option<(String, String)> {
        names.iter().find_map(|name| {
            let path = if name.starts_with('/') { (*name).to_owned() } else { format!("{folder}/{name}") };
            let text = self.text_of(&path, MAX_FILE)?;
            Some((path, text))
        })
    }

    /// A task runner of the project: the recipes that it would run are read.
    pub(crate) fn tasks(&mut self, name: &str, argv: &[Arg], about: &str) {
        let Some(folder) = self.cwd.clone().filter(|_| !self.remote) else { return };
        match name {
            "make" | "gmake" | "bmake" | "remake" => self.make_tasks(&folder, argv, about),
            "npm" | "pnpm" | "yarn" | "bun" => self.package_tasks(&folder, name, argv, about),
            "composer" => {
                let Some((_, text)) = self.task_file(&folder, &["composer.json"]) else { return };
                let words = Options::of(&argv[1..], &[]).words;
                let task = words
                    .iter()
                    .map(|word| word.text.as_str())
                    .find(|word| !matches!(*word, "run" | "run-script"));
                for line in task.map(|task| json_scripts(&text, task)).unwrap_or_default() {
                    self.task_line(&line, &folder, about);
                }
            }
            "just" if argv.iter().any(|arg| matches!(arg.text.as_str(), "-n" | "--dry-run")) => {}
            "just" => {
                let options = Options::of(&argv[1..], &["-f", "--justfile", "-d", "--working-directory"]);
                let file = options.values(&["-f", "--justfile"]).next().map(|file| file.text.clone());
                let names = [file.as_deref().unwrap_or("justfile"), "justfile", "Justfile", ".justfile"];
                let Some((_, text)) = self.task_file(&folder, &names) else { return };
                let goals = goals(&options.words);
                let lines = recipes(&text, &goals, false);
                for line in lines {
                    self.task_line(&line, &folder, about);
                }
            }
            "task" | "go-task" => {
                let options = Options::of(&argv[1..], &["-t", "--taskfile", "-d", "--dir"]);
                let given = options.values(&["-t", "--taskfile"]).next().map(|file| file.text.clone());
                let names = [
                    given.as_deref().unwrap_or("Taskfile.yml"),
                    "Taskfile.yml",
                    "Taskfile.yaml",
                    "taskfile.yml",
                ];
                let Some((_, text)) = self.task_file(&folder, &names) else { return };
                let mut goals = goals(&options.words);
                if goals.is_empty() {
                    goals.push("default".to_owned());
                }
                for goal in goals {
                    for line in taskfile_lines(&text, &goal) {
                        self.task_line(&line, &folder, about);
                    }
                }
            }
            _ => {}
        }
    }

    fn make_tasks(&mut self, folder: &str, argv: &[Arg], about: &str) {
        let valued =
            ["-f", "--file", "--makefile", "-C", "--directory", "-j", "-I", "-o", "-W", "--eval", "-E"];
        let options = Options::of(&argv[1..], &valued);
        // A rehearsal runs no recipe, but reads the file: what that runs, it runs.
        let dry = options.has(&[
            "-n",
            "--just-print",
            "--dry-run",
            "--recon",
            "-q",
            "--question",
            "-p",
            "--print-data-base",
        ]);
        let mut folder = folder.to_owned();
        for inner in options.values(&["-C", "--directory"]) {
            folder = crate::place::absolute(&inner.text, Some(&folder))
                .map_or(folder, |path| crate::place::normalise(&path));
        }
        let file = options.values(&["-f", "--file", "--makefile"]).next().map(|file| file.text.clone());
        let Some((key, text)) = (match &file {
            Some(file) => self.task_file(&folder, &[file]),
            None => self.task_file(&folder, &["GNUmakefile", "makefile", "Makefile"]),
        }) else {
            return;
        };
        if self.reading.contains(&key) || self.reading.len() > 6 {
            return;
        }
        self.reading.push(key);
        let goals = goals(&options.words);
        let variables = make_variables(&text, &options.words);
        let mut lines = recipes(&text, &goals, true);
        if dry {
            lines = lines.iter().flat_map(|line| run_in_rehearsal(line)).collect();
        }
        // What stands outside of recipes runs whatever the goal.
        let outside = text.lines().filter(|line| !line.starts_with('\t') && line.contains("$(shell"));
        lines.extend(outside.map(|line| line.split_once('=').map_or(line, |(_, value)| value).to_owned()));
        for line in lines {
            for command in make_commands(&line, &variables) {
                self.task_line(&command, &folder, about);
            }
        }
        self.reading.pop();
    }

    fn package_tasks(&mut self, folder: &str, name: &str, argv: &[Arg], about: &str) {
        let options = Options::of(&argv[1..], &["--prefix", "-C", "--filter", "-w", "--workspace", "--cwd"]);
        let mut folder = folder.to_owned();
        for inner in options.values(&["--prefix", "-C", "--cwd"]) {
            folder = crate::place::absolute(&inner.text, Some(&folder))
                .map_or(folder, |path| crate::place::normalise(&path));
        }
        let words: Vec<&str> = options.words.iter().map(|word| word.text.as_str()).collect();
        let task = match words.as_slice() {
            ["run" | "run-script" | "rum" | "urn", task, ..] => *task,
            ["t" | "tst" | "test", ..] => "test",
            ["start" | "stop" | "restart", ..] => words[0],
            ["install" | "i" | "ci" | "add" | "rebuild", ..] => "install",
            // The others run a script by its bare name.
            [task, ..] if name != "npm" => *task,
            [] if name == "yarn" => "install",
            _ => return,
        };
        let Some((key, text)) = self.task_file(&folder, &["package.json"]) else { return };
        let key = format!("{key} {task}");
        if self.reading.contains(&key) || self.reading.len() > 6 {
            return;
        }
        self.reading.push(key);
        let mut names = vec![format!("pre{task}"), task.to_owned(), format!("post{task}")];
        if task == "install" {
            names.push("prepare".to_owned());
        }
        for name in names {
            for line in json_scripts(&text, &name) {
                self.task_line(&line, &folder, about);
            }
        }
        self.reading.pop();
    }
}

/// What of a line of a recipe runs even with `make -n`: all of it after a plus, and what its text is made with.
fn run_in_rehearsal(line: &str) -> Vec<String> {
    if line.trim_start().trim_start_matches(['@', '-']).starts_with('+') {
        return vec![line.to_owned()];
    }
    line.match_indices("$(shell ").take(16).map(|(at, _)| line[at..].to_owned()).collect()
}

/// The goals among a task runner's words.
fn goals(words: &[Arg]) -> Vec<String> {
    words.iter().filter(|word| !word.text.contains('=')).take(8).map(|word| word.text.clone()).collect()
}

/// The commands of one script in a JSON file: `"scripts": {"name": "command"}`, or a list of commands.
fn json_scripts(text: &str, name: &str) -> Vec<String> {
    let Some(at) = text.find("\"scripts\"") else { return Vec::new() };
    let scripts = &text[at..];
    let mark = format!("\"{name}\"");
    for (at, _) in scripts.match_indices(&mark) {
        let Some(value) = scripts[at + mark.len()..].trim_start().strip_prefix(':') else { continue };
        let value = value.trim_start();
        let end = match value.as_bytes().first() {
            Some(b'"') => Some(value.len().min(1 + string_end(&value[1..]))),
            Some(b'[') => value.find(']'),
            _ => None,
        };
        return end
            .map(|end| crate::code_text::strings(&value[..(end + 1).min(value.len())]))
            .unwrap_or_default();
    }
    Vec::new()
}

/// Where a JSON string that is already open ends.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}

/// The lines that these goals run, with what they depend on. `tabs`: a makefile; else a justfile.
fn recipes(text: &str, goals: &[String], tabs: bool) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let mut rules: Vec<(Vec<&str>, Vec<&str>, Vec<&str>)> = Vec::new();
    for line in joined.lines().take(5000) {
        let is_recipe = if tabs { line.starts_with('\t') } else { line.starts_with([' ', '\t']) };
        if is_recipe {
            if let Some((_, _, lines)) = rules.last_mut()
                && !line.trim().is_empty()
            {
                lines.push(line.trim());
            }
            continue;
        }
        let line = line.split('#').next().unwrap_or_default();
        let Some((head, rest)) = line.split_once(':') else { continue };
        if rest.starts_with(['=', ':']) || tabs && head.contains(['=', '"', '\'']) || head.trim().is_empty() {
            continue;
        }
        let (needs, inline) =
            rest.split_once(';').map_or((rest, None), |(needs, line)| (needs, Some(line.trim())));
        // A recipe of `just` may have parameters after its name.
        let names: Vec<&str> =
            head.trim_start_matches('@').split_whitespace().take(if tabs { 16 } else { 1 }).collect();
        let needs = needs
            .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|'))
            .filter(|name| !name.is_empty());
        rules.push((names, needs.collect(), inline.into_iter().collect()));
    }
    let first = rules.iter().find(|(names, ..)| names.iter().any(|name| !name.starts_with('.')));
    let mut open: Vec<String> = match (goals.is_empty(), first) {
        (true, Some((names, ..))) => names.first().map(|name| (*name).to_owned()).into_iter().collect(),
        _ => goals.to_vec(),
    };
    let (mut done, mut lines): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    while let Some(goal) = open.pop() {
        if done.len() >= MOST_TASKS || done.contains(&goal) {
            continue;
        }
        for (names, needs, recipe) in &rules {
            let named = names.iter().any(|name| {
                *name == goal
                    || name.contains('%') && crate::patterns::fits_whole(&name.replace('%', "*"), &goal)
            });
            if named {
                open.extend(needs.iter().map(|need| (*need).to_owned()));
                lines.extend(recipe.iter().take(MOST_LINES).map(|line| line.replace("$@", &goal)));
            }
        }
        done.push(goal);
    }
    lines
}

/// Plain variables of a makefile, and those given on the command line.
fn make_variables(text: &str, words: &[Arg]) -> Vec<(String, String)> {
    let assigned = |line: &str| {
        let (name, value) = line.split_once('=')?;
        let name = name.trim_end_matches([':', '?', '+', '!']).trim();
        let name = name.strip_prefix("export ").unwrap_or(name);
        (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
            .then(|| (name.to_owned(), value.trim().to_owned()))
    };
    let given = words.iter().filter_map(|word| assigned(&word.text));
    let own = text.lines().filter(|line| !line.starts_with('\t')).take(2000).filter_map(assigned);
    given.chain(own).take(200).collect()
}

/// A line of a recipe as shell: variables put in, `$(shell ...)` as a command of its own.
fn make_commands(line: &str, variables: &[(String, String)]) -> Vec<String> {
    let mut commands = Vec::new();
    let mut text = line.trim_start_matches(['@', '-', '+', ' ']).to_owned();
    for _ in 0..4 {
        for (name, value) in variables {
            for form in [format!("$({name})"), format!("${{{name}}}")] {
                if text.contains(&form) && text.len() + value.len() < 8192 {
                    text = text.replace(&form, value);
                }
            }
        }
    }
    while let Some(at) = text.find("$(shell ") {
        let rest = &text[at + 8..];
        let (mut depth, mut end) = (1usize, rest.len());
        for (at, c) in rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = at;
                break;
            }
        }
        commands.push(rest[..end].replace("$$", "$"));
        let after = rest.get(end + 1..).unwrap_or_default().to_owned();
        text = format!("{}x{after}", &text[..at]);
    }
    // What is left is a variable of the environment, or one that make computes.
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('$') {
        plain.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(shell) = after.strip_prefix('$') {
            plain.push('$');
            rest = shell;
        } else if let Some((name, tail)) = after.strip_prefix('(').and_then(|inside| inside.split_once(')')) {
            let known = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            plain.push_str(&if known { format!("${{{name}}}") } else { "made".to_owned() });
            rest = tail;
        } else {
            plain.push_str("made");
            rest = after.get(after.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        }
    }
    plain.push_str(rest);
    commands.push(plain);
    commands
}

/// The commands of one task of a Taskfile.
fn taskfile_lines(text: &str, goal: &str) -> Vec<String> {
    let (mut found, mut lines, mut depth) = (false, Vec::new(), 0);
    for line in text.lines().take(2000) {
        let indent = line.len() - line.trim_start().len();
        if line.trim() == format!("{goal}:") {
            (found, depth) = (true, indent);
        } else if found && !line.trim().is_empty() && indent <= depth {
            break;
        } else if found {
            let command = line.trim().trim_start_matches("- ").trim_start_matches("cmd:").trim();
            if !command.ends_with(':') && lines.len() < MOST_LINES {
                lines.push(command.trim_matches(['"', '\'']).to_owned());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_with_what_they_need() {
        let text = "A = x\nall: one two\n\techo all\none:\n\trm one\ntwo: ; rm two\nother:\n\trm other\n";
        assert_eq!(recipes(text, &[], true), ["echo all", "rm two", "rm one"]);
        assert_eq!(recipes(text, &["other".into()], true), ["rm other"]);
        assert_eq!(recipes("a x='1':\n    echo $x\nb: a\n", &["b".into()], false), ["echo $x"]);
    }

    #[test]
    fn lines_of_make_become_shell() {
        let variables = [("D".to_owned(), "~/work".to_owned())];
        assert_eq!(make_commands("@rm -rf $(D)", &variables), ["rm -rf ~/work"]);
        assert_eq!(make_commands("echo $$HOME $(HOME) $<", &[]), ["echo $HOME ${HOME} made"]);
        assert_eq!(make_commands("x $(shell rm y) z", &[]), ["rm y", "x x z"]);
    }

    #[test]
    fn scripts_of_a_package() {
        let text = r#"{"name":"test","scripts":{"test":"jest \"a\"","x":["one","two"]}}"#;
        assert_eq!(json_scripts(text, "test"), ["jest \"a\""]);
        assert_eq!(json_scripts(text, "x"), ["one", "two"]);
        assert!(json_scripts(text, "none").is_empty());
    }
}
