//! Shells as programs: `sh -c`, scripts in files, scripts on standard input, PowerShell.

use crate::filters::base64_decode;
use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::verdict::Place;
use crate::walk::Walk;
use std::path::Path;

/// Largest script file that is read.
const MAX_SCRIPT: u64 = 256 * 1024;

impl Walk<'_> {
    /// `bash` and its relatives.
    pub(crate) fn shell_program(&mut self, argv: &[Arg], stdin: Data, about: &str) -> Data {
        let mut at = 1;
        let (mut inline, mut from_stdin, mut dry, mut interactive) = (false, false, false, false);
        while at < argv.len() {
            let text = argv[at].text.as_str();
            match text {
                "--" => {
                    at += 1;
                    break;
                }
                "-O" | "+O" | "-o" | "+o" | "--rcfile" | "--init-file" => {
                    if text == "-O" && argv.get(at + 1).is_some_and(|option| option.text == "dotglob") {
                        self.dotglob = true;
                    }
                    if text.starts_with("--") && at + 1 < argv.len() {
                        let data = self.read_file(&argv[at + 1]);
                        self.script_data(&data, Data::default(), about);
                    }
                    at += 1;
                }
                _ if text.starts_with("--") => {}
                _ if text.starts_with(['-', '+']) && text.len() > 1 => {
                    let letters = &text[1..];
                    inline |= letters.contains('c') && text.starts_with('-');
                    from_stdin |= letters.contains('s');
                    dry |= letters.contains('n');
                    interactive |= letters.contains('i');
                    if letters.ends_with('o') || letters.ends_with('O') {
                        at += 1;
                    }
                }
                _ => break,
            }
            at += 1;
        }
        let rest = argv.get(at..).unwrap_or_default();
        if dry {
            return Data::unknown(stdin.taint);
        }
        if interactive
            && let Some(command) = self.vars.get("PROMPT_COMMAND").and_then(|values| values.first()).cloned()
        {
            self.probe_script(&command.text, "PROMPT_COMMAND");
        }
        if inline {
            let Some(script) = rest.first() else {
                self.found.unknown(
                    Weight::Ask,
                    "runs_unknown_code",
                    "runs shell code that is not visible here",
                    about,
                );
                return Data::unknown(stdin.taint);
            };
            let data = Data::text(script.text.clone()).tainted(script.taint);
            let zero = rest.get(1).cloned().unwrap_or_else(|| Arg::new("bash"));
            let outer = std::mem::replace(&mut self.zero, zero);
            let out = self
                .in_child(rest.get(2..).unwrap_or_default(), |walk| walk.script_data(&data, stdin, about));
            self.zero = outer;
            return out;
        }
        match rest.first() {
            Some(file)
                if !from_stdin
                    && !matches!(
                        file.text.as_str(),
                        "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"
                    ) =>
            {
                self.shell_script_file(file, &rest[1..], stdin, about)
            }
            _ if stdin.present => self.in_child(&[], |walk| walk.script_data(&stdin, Data::default(), about)),
            // An interactive shell: nothing runs that we could judge.
            _ => Data::default(),
        }
    }

    fn shell_script_file(&mut self, file: &Arg, args: &[Arg], stdin: Data, about: &str) -> Data {
        let remembered = self.file_key(file).and_then(|key| self.files.get(&key)).cloned();
        if let Some(data) = remembered {
            let outer = std::mem::replace(&mut self.zero, file.clone());
            let out = self.in_child(args, |walk| walk.script_data(&data, stdin, about));
            self.zero = outer;
            return out;
        }
        if self.is_socket(file) {
            return Data::unknown(stdin.taint);
        }
        self.foreign_code(file, about);
        for script in self.files_matching(file) {
            self.shell_script_file(&Arg::new(script), args, stdin.clone(), about);
        }
        if let Some(text) = self.script_file(file) {
            let outer = std::mem::replace(&mut self.zero, file.clone());
            let out = self.script_in_file(&text, args, stdin);
            self.zero = outer;
            return out;
        }
        if self.unseen_script(file, about) {
            return Data::unknown(stdin.taint);
        }
        let (_, place) = self.place_of(file);
        // The same as `./script.sh`: the project's own code.
        let weight =
            if matches!(place, Place::Project) && file.known() { Weight::Checkpoint } else { Weight::Ask };
        self.found.unknown(
            weight,
            "runs_project_code",
            "runs a script whose text is not visible here",
            about,
        );
        Data::unknown(stdin.taint)
    }

    /// A script whose text was read from disk. What cannot be parsed there is the project's own code, no disguise.
    pub(crate) fn script_in_file(&mut self, text: &str, args: &[Arg], stdin: Data) -> Data {
        self.found.may_write();
        if self.limits.script(text).is_none() {
            self.found.unknown(
                Weight::Covered,
                "not_parsed",
                "a script that could not be read as shell",
                text,
            );
            return Data::unknown(stdin.taint);
        }
        self.in_child(args, |walk| walk.script(text, stdin))
    }

    /// The text of a small script on disk, unless this line writes it first.
    pub(crate) fn script_file(&mut self, file: &Arg) -> Option<String> {
        let key = self.file_key(file)?;
        if self.remote || self.files.contains_key(&key) {
            return None;
        }
        self.ctx.files.read_small(Path::new(self.original(&key)), MAX_SCRIPT)
    }

    /// The file whose content a path has when this line has copied or moved it there.
    pub(crate) fn original<'p>(&'p self, path: &'p str) -> &'p str {
        self.copied.get(path).map_or(path, String::as_str)
    }

    /// A makefile that this line itself brings along: `make -f - <<< ...`. Its recipes are shell.
    pub(crate) fn makefile(&mut self, argv: &[Arg], stdin: &Data) {
        let options = Options::of(&argv[1..], &["-f", "--file", "-C", "-j", "-I", "-o", "-W"]);
        // `make SHELL=...`: programs that the recipes are run with.
        for word in options.words.clone() {
            if let Some((name, value)) = word.text.split_once('=') {
                self.environment(name.trim_end_matches([':', '?', '+']), &word.with_text(value));
            }
        }
        for file in options.values(&["-f", "--file"]).cloned().collect::<Vec<_>>() {
            let data = match file.text.as_str() {
                "-" | "/dev/stdin" => stdin.clone(),
                _ => match self.file_key(&file).and_then(|key| self.files.get(&key)).cloned() {
                    Some(data) => data,
                    None => continue,
                },
            };
            let Some(text) = &data.text else {
                self.script_data(&data, Data::default(), "make");
                continue;
            };
            let inline =
                text.lines().filter(|line| !line.starts_with('\t')).filter_map(|line| line.split_once(';'));
            for (_, recipe) in inline.take(200) {
                self.probe_script(recipe.trim_start_matches(['@', '-', '+', ' ']), "a makefile");
            }
            for recipe in text.lines().filter_map(|line| line.strip_prefix('\t')).take(200) {
                self.probe_script(recipe.trim_start_matches(['@', '-', '+', ' ']), "a makefile");
            }
            for call in text.split("$(shell ").skip(1) {
                self.probe_script(call.split(')').next().unwrap_or_default(), "a makefile");
            }
        }
    }

    /// Runs in a shell of its own: folder, variables and functions do not come back.
    fn in_child(&mut self, positional: &[Arg], body: impl FnOnce(&mut Self) -> Data) -> Data {
        let state = (self.cwd.clone(), self.vars.clone(), self.functions.clone());
        let outer = std::mem::replace(&mut self.positional, positional.to_vec());
        let traps = self.traps.len();
        let out = body(self);
        self.run_traps(traps);
        self.uncalled_functions();
        self.positional = outer;
        (self.cwd, self.vars, self.functions) = state;
        out
    }

    /// PowerShell and `cmd`: another language. Simple commands in it look enough like ours to be judged.
    pub(crate) fn windows_shell(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        for (at, arg) in argv.iter().enumerate().skip(1) {
            let lower = arg.text.to_lowercase();
            let flag = lower.trim_start_matches(['-', '/']);
            let is_flag = lower.starts_with(['-', '/']);
            if is_flag && flag.len() >= 2 && "encodedcommand".starts_with(flag) || (is_flag && flag == "ec") {
                let decoded = argv.get(at + 1).and_then(|code| base64_decode(&code.text));
                let text: String = decoded
                    .unwrap_or_default()
                    .into_iter()
                    .filter(|byte| *byte != 0)
                    .map(char::from)
                    .collect();
                self.found.unknown(Weight::Ask, "runs_decoded_code", "runs encoded PowerShell", about);
                self.powershell(&text, about);
                return Data::unknown(stdin.taint);
            }
            if is_flag && matches!(flag, "command" | "c" | "k") {
                let rest = argv[at + 1..].iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" ");
                if rest == "-" {
                    break;
                }
                if argv[0].text.to_lowercase().trim_end_matches(".exe").ends_with("cmd") {
                    self.windows_code(&rest, about);
                } else {
                    self.powershell(&rest, about);
                }
                return Data::unknown(stdin.taint);
            }
        }
        let options = Options::of(&argv[1..], &["-ExecutionPolicy", "-ep", "-Version", "-WorkingDirectory"]);
        let file = options.words.iter().find(|word| word.text.to_lowercase().ends_with(".ps1")).cloned();
        if let Some(text) = file.and_then(|file| self.script_file(&file)) {
            self.windows_file(&text, about);
            return Data::unknown(stdin.taint);
        }
        if stdin.present {
            return self.script_data(&Data::unknown(stdin.taint), Data::default(), about);
        }
        self.found.unknown(Weight::Covered, "runs_unknown_code", "runs a script of another shell", about);
        Data::unknown(stdin.taint)
    }

    /// A script of the project: what it deletes by a relative name is the project's own.
    fn windows_file(&mut self, text: &str, about: &str) {
        const OUTSIDE: &[&str] = &["$home", "~", "userprofile", "c:\\", "$env:", "..", " /"];
        let harmful = text.lines().take(4000).map(str::to_lowercase).any(|line| {
            let deletes = ["remove-item", "rmdir", "del ", "rd ", "erase ", "rm "]
                .iter()
                .any(|word| line.contains(word));
            let loads = ["invoke-expression", "iex ", "downloadstring", "frombase64"]
                .iter()
                .any(|word| line.contains(word));
            loads || deletes && OUTSIDE.iter().any(|place| line.contains(place))
        });
        if harmful {
            self.windows_code(text, about);
        } else {
            self.found.unknown(Weight::Covered, "runs_unknown_code", "code of another shell", about);
        }
    }
}
