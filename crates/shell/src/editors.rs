//! Editors and debuggers: commands in their options, in script files and on standard input.

use crate::code::Language;
use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::walk::Walk;

/// Most lines of one script that are read.
const MOST_LINES: usize = 500;

impl Walk<'_> {
    /// An editor or a debugger.
    pub(crate) fn editor(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let name = argv[0].text.rsplit('/').next().unwrap_or_default();
        let valued: &[&str] = match name {
            "emacs" => &["--eval", "-l", "--load", "-f", "--funcall", "--execute", "--script", "-u", "-q"],
            "gdb" => &["-ex", "-x", "-p", "-c", "-iex", "-ix", "--eval-command", "--command"],
            "lldb" => &[
                "-o",
                "-O",
                "-s",
                "-S",
                "-k",
                "-p",
                "-n",
                "-f",
                "-c",
                "--one-line",
                "--source",
                "--one-line-before-file",
            ],
            "ed" => &["-p"],
            _ => {
                &["-c", "--cmd", "-S", "-s", "-l", "-u", "-U", "-T", "-i", "-w", "-W", "-t", "--startuptime"]
            }
        };
        // In Ex mode `-s` means silent; otherwise a script follows it.
        let silent = name == "ex"
            || name == "ed"
            || argv[1..].iter().any(|arg| matches!(arg.text.as_str(), "-es" | "-Es" | "-e" | "-E"));
        let args: Vec<Arg> = argv[1..]
            .iter()
            .filter(|arg| !matches!(arg.text.as_str(), "-es" | "-Es" | "-e" | "-E"))
            .filter(|arg| !(silent && arg.text == "-s"))
            // `-sc CMD` of ex.
            .map(|arg| if silent && arg.text == "-sc" { arg.with_text("-c") } else { arg.clone() })
            .collect();
        let options = Options::of(&args, valued);
        let plus =
            argv[1..].iter().filter(|arg| arg.text.starts_with('+')).map(|arg| arg.with_text(&arg.text[1..]));
        let inline = [
            "-c",
            "--cmd",
            "-ex",
            "-iex",
            "--eval",
            "--execute",
            "--eval-command",
            "-o",
            "-O",
            "--one-line",
            "--one-line-before-file",
        ];
        let commands: Vec<Arg> = options.values(&inline).cloned().chain(plus).collect();
        for command in &commands {
            self.editor_command(name, &command.text, about);
            // `1,$d|w! FILE`: several commands in one.
            if !matches!(name, "gdb" | "lldb" | "emacs") {
                for part in command.text.split('|').skip(1) {
                    let word = part.trim_start_matches([':', ' ']).split(' ').next().unwrap_or_default();
                    if is_write(word.trim_end_matches('!')) {
                        self.editor_command(name, part, about);
                    }
                }
            }
        }
        // Commands on standard input: `!cmd`, `r !cmd`, `w !cmd`, `%!cmd`.
        for line in stdin.text.clone().iter().flat_map(|text| text.lines()).take(MOST_LINES) {
            self.editor_line(name, line, about);
        }
        let scripts: Vec<Arg> = options
            .values(&["-S", "-s", "-u", "-x", "-ix", "--command", "--source", "-l", "--load", "--script"])
            .filter(|file| !matches!(file.text.as_str(), "NONE" | "NORC" | "ert" | "DEFAULTS"))
            .cloned()
            .collect();
        for script in &scripts {
            self.foreign_code(script, about);
            self.editor_script(name, script, about);
        }
        if stdin.present && stdin.text.is_none() {
            self.found.unknown(
                Weight::Covered,
                "runs_unknown_code",
                "an editor script that is not visible here",
                about,
            );
        }
        for file in options.words.iter().filter(|file| !file.text.starts_with('+')) {
            self.reads_secret(file);
            if !matches!(name, "gdb" | "lldb") {
                self.writes(file, "editor");
            }
        }
        Data::unknown(stdin.taint)
    }

    /// A script file of an editor: read, line by line.
    fn editor_script(&mut self, name: &str, script: &Arg, about: &str) {
        let known = self.file_key(script).and_then(|key| self.files.get(&key)).cloned();
        let text = known.and_then(|data| data.text).or_else(|| self.script_file(script));
        let Some(text) = text else {
            // A file of the project is its own; any other could hold everything.
            let place = self.place_of(script).1;
            let weight = if place == crate::verdict::Place::Project { Weight::Covered } else { Weight::Ask };
            self.found.unknown(
                weight,
                "runs_unknown_code",
                "an editor script that is not visible here",
                about,
            );
            return;
        };
        if script.text.ends_with(".py") {
            return self.code_file(Language::Python, script, about);
        }
        if script.text.ends_with(".lua") {
            return self.code_file(Language::Lua, script, about);
        }
        if name == "emacs" {
            return self.editor_command(name, &text, about);
        }
        for line in text.lines().take(MOST_LINES) {
            self.editor_line(name, line, about);
        }
    }

    /// One line of a script: a command, with a range before it perhaps.
    fn editor_line(&mut self, name: &str, line: &str, about: &str) {
        let line = line.trim();
        if line.starts_with(['#', '"']) {
            return;
        }
        if let Some((before, command)) = line.split_once('!')
            && before.chars().all(|c| c.is_ascii_alphanumeric() || " ,.$%'/:;+-".contains(c))
            && before.len() < 24
            && !is_write(before)
        {
            return self.probe_script(command, "an editor command");
        }
        self.editor_command(name, line, about);
    }

    /// One command.
    fn editor_command(&mut self, name: &str, command: &str, about: &str) {
        let text = command.trim_start_matches([':', ' ']).trim_end();
        let text = text.strip_prefix("silent! ").or_else(|| text.strip_prefix("silent ")).unwrap_or(text);
        let debugger = matches!(name, "gdb" | "lldb");
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        if !debugger && is_write(word.trim_end_matches('!')) {
            if let Some(shell) = rest.strip_prefix('!') {
                self.probe_script(shell, "an editor command");
            } else if !rest.is_empty() {
                self.writes(&Arg::new(rest), "editor");
            }
            return;
        }
        let language = match word {
            "lua" | "luado" => Some(Language::Lua),
            "python" | "python3" | "py" | "py3" | "pyx" | "python-interactive" | "pi" | "script" => {
                Some(Language::Python)
            }
            "perl" => Some(Language::Perl),
            "ruby" => Some(Language::Ruby),
            _ => None,
        };
        let hides = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if language == Some(Language::Lua)
            && hides(&["vim.fn.", "vim.loop.fs_", "vim.uv.fs_", "vim.cmd", "vim.api."])
            && hides(&["delete", "unlink", "rmdir", "rename", "writefile", "system", "!"])
        {
            self.told_to_run(about);
        }
        if let Some(language) = language {
            return self.code(language, rest, about);
        }
        let shell = match word {
            "shell" | "platform" | "make" | "pipe" | "terminal" | "term"
                if debugger || word.starts_with("term") =>
            {
                Some(rest.trim_start_matches("shell").trim().trim_start_matches("--").trim().to_owned())
            }
            "source" | "so" if !rest.is_empty() => {
                return self.editor_script(name, &Arg::new(rest.trim_start_matches("-v ").to_owned()), about);
            }
            _ => text.split_once('!').map(|(_, rest)| rest.to_owned()),
        };
        if let Some(script) = shell {
            return self.probe_script(&script, "an editor command");
        }
        for call in ["system", "systemlist", "job_start", "termopen", "jobstart"]
            .iter()
            .flat_map(|name| crate::code_text::calls(text, name))
        {
            match crate::code_text::only_string(crate::code_text::first_argument(call)) {
                Some(script) => self.probe_script(&script, "an editor command"),
                None => self.told_to_run(about),
            }
        }
        let hidden = [
            "shell-command",
            "call-process",
            "start-process",
            "delete-directory",
            "delete-file",
            "delete(",
            "writefile(",
            "rename(",
            "load-file",
            "url-retrieve",
        ];
        if hidden.iter().any(|word| text.contains(word)) {
            self.told_to_run(about);
        }
    }

    fn told_to_run(&mut self, about: &str) {
        self.found.unknown(
            Weight::Ask,
            "runs_unknown_code",
            "an editor is told to run or delete something",
            about,
        );
    }
}

/// Whether a word, with a range before it perhaps, writes the text to a file.
fn is_write(word: &str) -> bool {
    let word = word.trim().trim_start_matches(|c: char| c.is_ascii_digit() || ".,$%'".contains(c));
    matches!(word, "w" | "write" | "sav" | "saveas" | "w " | "up" | "update" | "x" | "wq" | "xit")
}
