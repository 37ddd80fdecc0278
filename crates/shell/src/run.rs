//! Decides who judges a command: functions and aliases first, then special knowledge in code, then the tables.
//!
//! A program that nobody knows is not safe: its arguments are searched for commands it may run and for verbs that mean
//! loss, and what is left is "unknown".

use crate::findings::Weight;
use crate::options::Options;
use crate::quoting::plain_letters;
use crate::table::{self, Entry};
use crate::value::{Arg, Data, HOLE, shown};
use crate::verdict::{Decision, Place, Verdict};
use crate::walk::Walk;

/// Folders that programs are installed in: a path there is the program itself.
const PROGRAM_DIRS: &[&str] =
    &["/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/"];

impl Walk<'_> {
    /// Judges one command with its arguments; returns what it would print.
    pub(crate) fn run(&mut self, argv: &[Arg], stdin: Data) -> Data {
        if let Some(out) = self.run_choices(argv, &stdin) {
            return out;
        }
        self.programs += 1;
        if let Some(folder) = self.cwd.as_deref().filter(|_| !self.remote) {
            self.found.runs_in(folder, &self.ctx.project_root);
        }
        let out = self.run_program(argv, stdin);
        self.programs -= 1;
        out
    }

    fn run_program(&mut self, argv: &[Arg], stdin: Data) -> Data {
        let Some(first) = argv.first() else { return stdin };
        let about = shown(argv);
        if !self.step(&about) {
            return Data::unknown(stdin.taint);
        }
        // A pattern as a name runs whatever it matches.
        if !first.known() || first.glob && !matches!(first.text.as_str(), "[" | "[[") {
            return self.unknown_name(argv, stdin, &about);
        }
        let written = first.text.as_str();
        if written.is_empty() {
            return Data::default();
        }
        if self.functions.contains_key(written) {
            return self.call_function(written, &argv[1..], stdin);
        }
        if let Some(alias) = self.aliases.get(written).cloned()
            && !self.running.contains(&format!("alias {written}"))
        {
            self.running.push(format!("alias {written}"));
            // After an alias that ends in a blank the next word may be one, too.
            let (mut alias, mut used) = (alias, 1);
            while alias.ends_with([' ', '\t'])
                && let Some(next) = argv.get(used).and_then(|arg| self.aliases.get(&arg.text))
            {
                alias.push_str(next);
                used += 1;
            }
            let out = self.script(&with_arguments(&alias, &argv[used..]), stdin);
            self.running.pop();
            return out;
        }
        let mut name = written.rsplit('/').next().unwrap_or(written).to_owned();
        if let Some(plain) = plain_letters(&name)
            && plain != name
            && is_known(&plain)
        {
            self.found.add(
                Weight::Ask,
                "look_alike_name",
                format!("looks like `{plain}` but is written with other letters"),
                &about,
            );
            name = plain;
        }
        let name = name.strip_suffix(".exe").unwrap_or(&name);
        // `npx tool@latest`: the version is no part of the name.
        let name = name
            .split_once('@')
            .map_or(name, |(base, _)| if base.is_empty() { name } else { base })
            .to_owned();
        let waived = self.found.waived;
        let network = self.apply_policy(&name, argv, &about).then(|| self.found.begin_waiver());
        self.depth += 1;
        let names = self.lists_names(&name, argv, &stdin);
        let special = if names { self.special_listed(&name, argv, &stdin) } else { Vec::new() };
        let outside = if names { Vec::new() } else { self.listed_outside(&name, argv, &stdin) };
        let mut out = self.judge_program(&name, written, argv, stdin, &about);
        out.names |= names && out.present;
        if out.names && out.special.is_empty() {
            out.special = special;
        } else if !out.names && out.special.is_empty() && out.present && out.text.is_none() {
            out.special = outside;
        }
        self.depth -= 1;
        if let Some(network) = network {
            self.found.end_waiver(network);
        }
        self.found.waived = waived;
        out
    }

    /// The program of the system that a path stands for under another name.
    fn real_program(&self, path: &Arg) -> Option<String> {
        let key = self.file_key(path)?;
        if PROGRAM_DIRS.iter().any(|dir| key.starts_with(dir)) || self.remote {
            return None;
        }
        let own = key.rsplit('/').next().unwrap_or_default();
        if own != "vib" && !self.files.contains_key(&key) && self.ctx.files.is_vib(std::path::Path::new(&key))
        {
            return Some("vib".to_owned());
        }
        let real = self.renamed.get(&key).cloned().or_else(|| {
            let real = self.ctx.files.resolve(std::path::Path::new(&key))?.to_string_lossy().into_owned();
            (real != key).then_some(real)
        })?;
        let name = PROGRAM_DIRS.iter().find_map(|dir| real.strip_prefix(dir))?;
        (is_known(name) && name != own).then(|| name.to_owned())
    }

    /// Notes that a program gets another name.
    pub(crate) fn renames(&mut self, sources: &[Arg], target: &Arg) {
        for source in sources {
            let name = source.text.rsplit('/').next().unwrap_or_default();
            let program = if PROGRAM_DIRS.iter().any(|dir| source.text.starts_with(dir)) {
                source.text.clone()
            } else if self.is_vib(source) {
                format!("{}vib", PROGRAM_DIRS[0])
            } else {
                continue;
            };
            let Some(key) = self.file_key(target) else { continue };
            self.renamed.insert(format!("{key}/{name}"), program.clone());
            self.renamed.insert(key, program);
        }
    }

    /// Whether a file is vib's own program, by what is in it.
    fn is_vib(&self, file: &Arg) -> bool {
        self.file_key(file).is_some_and(|key| self.ctx.files.is_vib(std::path::Path::new(&key)))
    }

    /// Applies the rules for one command. True if the user's policy allows it.
    fn apply_policy(&mut self, name: &str, argv: &[Arg], about: &str) -> bool {
        let mut words = vec![name.to_owned()];
        words.extend(argv[1..].iter().map(|arg| arg.text.clone()));
        if let Some(rule) = self.policy.denies(&words) {
            let text = rule.reason.clone().unwrap_or_else(|| format!("the policy denies `{}`", rule.command));
            self.found.add(Weight::Deny, "policy_deny", text, about);
        } else if let Some(rule) = self.policy.asks(&words) {
            let text = rule
                .reason
                .clone()
                .unwrap_or_else(|| format!("the policy wants a question for `{}`", rule.command));
            self.found.add(Weight::Ask, "policy_ask", text, about);
        } else {
            return self.policy.waives(&words);
        }
        false
    }

    fn judge_program(&mut self, name: &str, written: &str, argv: &[Arg], stdin: Data, about: &str) -> Data {
        if written.contains("://") && !crate::loads::is_known_address(written) {
            self.says_foreign(about);
        }
        if written.contains('/') {
            self.foreign_code(&argv[0], about);
            if let Some(program) = self.real_program(&argv[0]) {
                let argv: Vec<Arg> =
                    std::iter::once(argv[0].with_text(program)).chain(argv[1..].iter().cloned()).collect();
                return self.run(&argv, stdin);
            }
        }
        let is_path = written.contains('/')
            && !PROGRAM_DIRS.iter().any(|dir| written.starts_with(dir))
            && !(name == "vib" && self.is_vib(&argv[0]));
        self.note_unread(name, argv, is_path, about);
        self.fetches(name, argv);
        self.named_outputs(name, argv, &stdin);
        self.types_elsewhere(name, argv, &stdin, about);
        self.code_in_other_language(name, argv, &stdin, about);
        self.runs_its_option(name, argv, about);
        self.opens_state(name, argv);
        self.loads(name, argv, about);
        if matches!(name, "npm" | "pnpm" | "yarn" | "bun") {
            self.told_shell(name, argv, &stdin, about);
            self.tasks(name, argv, about);
        }
        if matches!(
            name,
            "npm"
                | "pnpm"
                | "yarn"
                | "bun"
                | "cargo"
                | "pip"
                | "pip3"
                | "go"
                | "mvn"
                | "gradle"
                | "tox"
                | "rake"
                | "cmake"
        ) {
            self.foreign_build(argv, about);
        }
        // A file that this very line wrote is judged by its content, whatever it is called.
        if written.contains('/')
            && let Some(data) = self.file_key(&argv[0]).and_then(|key| self.files.get(&key)).cloned()
        {
            return self.script_data(&data, stdin, about);
        }
        if argv.len() == 2
            && asks_for_help(&argv[1].text)
            && !matches!(name, "eval" | "source" | "." | "exec" | "command" | "builtin")
        {
            return Data::unknown(stdin.taint);
        }
        if let Some(out) = self.special(name, argv, &stdin, about) {
            return out;
        }
        if let Some(entry) = table::find(name) {
            return self.known_program(&entry, argv, stdin, about);
        }
        if written.contains('/') && !PROGRAM_DIRS.iter().any(|dir| written.starts_with(dir)) {
            return self.project_program(argv, stdin, about);
        }
        if let Some(file) = self.found_in_own_path(name) {
            let argv: Vec<Arg> =
                std::iter::once(argv[0].with_text(file)).chain(argv[1..].iter().cloned()).collect();
            return self.project_program(&argv, stdin, about);
        }
        self.unknown_program(argv, stdin, about)
    }

    /// A program in a folder of the project that the line itself put into `PATH`.
    fn found_in_own_path(&self, name: &str) -> Option<String> {
        let path = self.vars.get("PATH")?.last()?;
        path.text.split(':').take(8).find_map(|folder| {
            let file = format!("{}/{name}", crate::place::absolute(folder, self.cwd.as_deref())?);
            let file = crate::place::normalise(&file);
            let inside = std::path::Path::new(&file).starts_with(&self.ctx.project_root);
            (inside && self.ctx.files.kind(std::path::Path::new(&file)).is_some()).then_some(file)
        })
    }

    /// Knowledge that needs code. `None` when the tables should answer.
    fn special(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) -> Option<Data> {
        if let Some(out) = self.builtin(name, argv, stdin, about) {
            return Some(out);
        }
        if let Some(out) = self.filter(name, argv, stdin) {
            return Some(out);
        }
        if let Some(out) = self.runner(name, argv, stdin, about) {
            return Some(out);
        }
        Some(match name {
            "sh" | "bash" | "zsh" | "dash" | "ash" | "ksh" | "mksh" | "fish" | "rbash" | "tcsh" | "csh"
            | "yash" | "nu" | "xonsh" => self.shell_program(argv, stdin.clone(), about),
            "pwsh" | "powershell" | "cmd" => self.windows_shell(argv, stdin, about),
            "iex" | "Invoke-Expression" if stdin.present => {
                self.script_data(&Data::unknown(stdin.taint), Data::default(), about)
            }
            "make" | "gmake" | "bmake" | "remake" => {
                self.makefile(argv, stdin);
                self.told_shell(name, argv, stdin, about);
                self.tasks(name, argv, about);
                self.foreign_build(argv, about);
                return None;
            }
            "cmake" if argv.get(1).is_some_and(|word| word.text == "-E") => {
                return self.cmake_tool(argv, stdin);
            }
            "swift" | "scala" | "kotlin" if argv.get(1).is_some_and(|word| word.text == "-e") => {
                self.interpreter(crate::code::Language::Other, argv, stdin, about)
            }
            "emacs" if argv.iter().any(|arg| arg.text.starts_with("--eval") || arg.text == "-eval") => {
                for arg in &argv[1..] {
                    let code = arg.text.trim_start_matches("--eval=");
                    if code.starts_with('(') {
                        self.code(crate::code::Language::Other, code, about);
                    }
                }
                self.editor(argv, stdin, about)
            }
            "ssh-keygen"
                if crate::options::Options::of(&argv[1..], &["-f", "-F", "-E"]).has(&["-l", "-F", "-B"]) =>
            {
                Data::unknown(stdin.taint)
            }
            "fallocate"
                if crate::options::Options::of(&argv[1..], &["-l", "-o", "--length", "--offset"]).has(&[
                    "-p",
                    "-c",
                    "-z",
                    "-i",
                    "--punch-hole",
                    "--collapse-range",
                    "--zero-range",
                    "--insert-range",
                ]) =>
            {
                if let Some(file) = argv[1..].last().cloned() {
                    self.writes(&file, "holes punched");
                }
                Data::default()
            }
            "exiftool" if argv.iter().any(|arg| arg.text.starts_with("-overwrite_original")) => {
                for file in argv[1..].iter().filter(|arg| !arg.text.starts_with('-')) {
                    self.writes(file, "edited in place");
                }
                Data::default()
            }
            "just" | "task" | "go-task" | "composer" => {
                self.told_shell(name, argv, stdin, about);
                self.tasks(name, argv, about);
                self.foreign_build(argv, about);
                return None;
            }
            "zip" | "7z" | "7za" | "rar" => {
                // The packed files go.
                let options = Options::of(&argv[1..], &["-x", "-i", "-b", "-t"]);
                if options.has(&["-m", "--move", "-sdel"]) || argv.iter().any(|arg| arg.text == "-sdel") {
                    for file in options.words.iter().skip(1) {
                        self.deletes(file, true);
                    }
                }
                return None;
            }
            "uv" | "poetry" | "pdm" | "rye" | "hatch" | "pipenv" | "pixi"
                if argv.get(1).is_some_and(|word| word.text == "run")
                    && argv[2..].iter().any(|arg| arg.text.ends_with(".py")) =>
            {
                let file = argv[2..].iter().position(|arg| arg.text.ends_with(".py")).map_or(2, |at| at + 2);
                self.code_file(crate::code::Language::Python, &argv[file].clone(), about);
                self.foreign_code(&argv[file].clone(), about);
                return None;
            }
            "dc" | "m4" | "sqlite3" | "psql" | "mysql" | "mariadb" | "duckdb" | "sqlcmd" | "ftp" | "sftp"
            | "lftp" => {
                self.escapes_to_shell(name, argv, stdin, about);
                return None;
            }
            "npm" | "pnpm" | "yarn" | "bun"
                if argv.get(1).is_some_and(|word| matches!(word.text.as_str(), "exec" | "x" | "dlx"))
                    && !argv.iter().any(|arg| matches!(arg.text.as_str(), "-c" | "--call")) =>
            {
                let from = argv[2..].iter().position(|arg| !arg.text.starts_with('-')).map(|at| at + 2);
                self.run(&argv[from.unwrap_or(argv.len())..], stdin.clone())
            }
            "npm" | "pnpm" if argv.get(1).is_some_and(|word| word.text == "explore") && argv.len() > 3 => {
                let outer = self.cwd.clone();
                self.cwd = self.file_key(&argv[2]);
                let from = 3 + usize::from(argv[3].text == "--");
                let out = self.run(&argv[from.min(argv.len())..], stdin.clone());
                self.cwd = outer;
                out
            }
            "busybox" | "toybox" => self.run(&argv[1..], stdin.clone()),
            "git" => self.git(argv, stdin, about),
            "rm" | "unlink" | "rmdir" | "shred" | "srm" | "trash" => self.remove(name, argv, stdin, about),
            "mv" | "cp" | "ln" | "install" | "rsync" | "scp" | "ditto" => {
                self.transfer(name, argv, stdin, about)
            }
            "find" | "gfind" => self.find(argv, stdin, about),
            "xargs" | "gxargs" => self.xargs(argv, stdin, about),
            "parallel" | "rush" => self.parallel(argv, stdin, about),
            "fd" | "fdfind" => self.fd(argv, stdin, about),
            "sed" | "gsed" => self.sed(argv, stdin, about),
            "awk" | "gawk" | "mawk" | "nawk" => self.awk(argv, stdin, about),
            "dd" => self.dd(argv, stdin, about),
            "chmod" | "chown" | "chgrp" | "chattr" | "setfacl" | "xattr" => {
                self.permissions(argv, stdin, about)
            }
            "tar" | "bsdtar" | "gtar" => self.tar(argv, stdin, about),
            "curlie" | "xhs" => self.http("xh", argv, stdin, about),
            "curl" | "wget" | "http" | "https" | "xh" | "httpie" | "aria2c" => {
                self.http(name, argv, stdin, about)
            }
            "ssh" | "mosh" | "autossh" | "sshpass" => self.ssh(name, argv, stdin, about),
            "nc" | "ncat" | "netcat" | "telnet" | "socat" => self.raw_network(name, argv, stdin, about),
            "vim" | "vi" | "nvim" | "ex" | "view" | "emacs" | "ed" | "gdb" | "lldb" => {
                self.editor(argv, stdin, about)
            }
            _ => {
                let language = crate::code::language(name)?;
                self.interpreter(language, argv, stdin, about)
            }
        })
    }

    fn unknown_name(&mut self, argv: &[Arg], stdin: Data, about: &str) -> Data {
        if argv[0].taint.network {
            self.found.add(
                Weight::Ask,
                "runs_downloaded_code",
                "runs a command that comes from the network",
                about,
            );
        }
        let written = std::mem::take(&mut self.unknown_line);
        self.found.unknown(
            Weight::Ask,
            "unknown_command_name",
            "the name of the command is only known when it runs",
            if written.is_empty() { about } else { &written },
        );
        Data::unknown(stdin.taint)
    }

    /// A program of the project, or a script by its path.
    fn project_program(&mut self, argv: &[Arg], stdin: Data, about: &str) -> Data {
        let name = &argv[0];
        if let Some(text) = self.script_file(name) {
            let first = text.lines().next().unwrap_or_default();
            if text.starts_with("#!") && first.ends_with("sh") {
                return self.script_in_file(&text, &argv[1..], stdin);
            }
            let program = first.strip_prefix("#!").and_then(|line| line.split_whitespace().last());
            let program = program.and_then(|path| path.rsplit('/').next()).unwrap_or_default();
            if let Some(language) = crate::code::language(program) {
                self.with_given(&argv[1..], false, &stdin, |walk| walk.code_file(language, name, about));
            }
        } else if self.ends_in_harm(argv) {
            self.found.unknown(
                Weight::Ask,
                "unknown_wrapper",
                "an unknown program may run a harmful command",
                about,
            );
        } else {
            self.unseen_program(name, about);
        }
        self.loses_outside(argv, about);
        let stem = name.text.rsplit('/').next().unwrap_or_default();
        self.told_to(&[name.with_text(stem.strip_suffix(".sh").unwrap_or(stem))], about);
        self.script_told_to(name, &argv[1..], about);
        self.found.unknown(
            Weight::Checkpoint,
            "runs_project_code",
            "runs a program whose inside is not visible here",
            about,
        );
        Data::unknown(stdin.taint)
    }

    fn unknown_program(&mut self, argv: &[Arg], stdin: Data, about: &str) -> Data {
        if self.ends_in_harm(argv) {
            self.found.unknown(
                Weight::Ask,
                "unknown_wrapper",
                "an unknown program may run a harmful command",
                about,
            );
        }
        let words: Vec<&str> =
            argv[1..].iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-')).collect();
        // `tool test --filter delete_user`: what follows is a name.
        let words = match words.first() {
            Some(first) if crate::verbs::is_read_verb(first) => Vec::new(),
            _ => words,
        };
        let flags = argv[1..].iter().filter(|arg| arg.text.starts_with("--"));
        let own = argv[0].text.rsplit('/').next().unwrap_or_default();
        let reaches = std::iter::once(own)
            .chain(words.iter().take(4).copied())
            .chain(argv[1..].iter().map(|arg| arg.text.as_str()).filter(|text| text.starts_with("--")))
            .find(|word| crate::verbs::reaches_out(word));
        if let Some(word) = reaches.map(str::to_owned) {
            self.found.loses(false);
            self.found.unknown(
                Weight::Ask,
                "unknown_reaches_out",
                format!("an unknown program is told of `{word}`: it may change what is not on this machine"),
                about,
            );
        }
        let verb = words
            .iter()
            .take(4)
            .copied()
            .chain(flags.map(|arg| arg.text.trim_start_matches('-')))
            .find(|word| crate::verbs::is_loss_verb(word.trim_start_matches('/')));
        if let Some(verb) = verb {
            self.found.unknown(
                Weight::Ask,
                "unknown_loss",
                format!("an unknown program is told to `{verb}`"),
                about,
            );
        }
        self.loses_outside(argv, about);
        self.option_outputs(own, argv, &[], about);
        self.speaks_of_publishing(argv, &Options::of(&argv[1..], &[]), about);
        if let Some(path) = argv[1..].iter().find(|arg| self.is_critical(arg)) {
            self.found.unknown(
                Weight::Ask,
                "unknown_writes",
                "an unknown program is given a file that matters to more than the project",
                &path.text.clone(),
            );
        }
        self.found.unknown(Weight::Covered, "unknown_program", "a program that vib does not know", about);
        if stdin.taint.network {
            self.found.add(
                Weight::Ask,
                "runs_downloaded_code",
                "hands something from the network to a program that vib does not know",
                about,
            );
        }
        if argv[1..].iter().any(|arg| arg.taint.secret) || stdin.taint.secret {
            self.found.add(
                Weight::Ask,
                "secret_to_unknown",
                "hands a secret to a program that vib does not know",
                about,
            );
        }
        Data::unknown(stdin.taint)
    }

    /// Whether an argument names a file that runs by itself, guards something, or holds up the system.
    pub(crate) fn is_critical(&self, arg: &Arg) -> bool {
        if !arg.text.starts_with(['/', '~', '.']) {
            return false;
        }
        let (path, place) = self.place_of(arg);
        match place {
            Place::VibState
            | Place::AgentSettings
            | Place::StartupFile
            | Place::GitHook
            | Place::GitData
            | Place::Device => true,
            Place::System => {
                ["/etc", "/boot", "/bin", "/sbin"].iter().any(|top| path.starts_with(top)) || path == "/"
            }
            _ => false,
        }
    }

    /// Whether some of the arguments form a command of their own that would be asked about.
    pub(crate) fn ends_in_harm(&mut self, argv: &[Arg]) -> bool {
        self.ends_in_harm_but(argv, &[])
    }

    /// The same, with reasons that do not count.
    pub(crate) fn ends_in_harm_but(&mut self, argv: &[Arg], harmless: &[&str]) -> bool {
        // Inside such a search the same search would only repeat itself.
        if self.probing > 1 {
            return false;
        }
        for at in 1..argv.len().min(24) {
            let text = &argv[at].text;
            let name = text.rsplit('/').next().unwrap_or(text);
            let verdict = if text.contains(char::is_whitespace) {
                self.probed(|walk| {
                    walk.script(text, Data::default());
                })
            } else if is_known(name) {
                let rest = argv[at..].to_vec();
                self.probed(|walk| {
                    walk.run(&rest, Data::default());
                })
            } else {
                continue;
            };
            // The last word alone is rather a name than a program that changes the machine: `tool init`.
            let name_only = at + 1 == argv.len() && at > 0 && !text.contains(char::is_whitespace);
            let counts = |code: &str| {
                let only_named = name_only
                    && matches!(code, "changes_machine" | "publishes" | "changes_remote" | "git_push")
                    && !matches!(name, "reboot" | "shutdown" | "halt" | "poweroff");
                !harmless.contains(&code) && !only_named
            };
            if objects(&verdict, counts) {
                return true;
            }
        }
        false
    }

    /// What a judgement would find, without keeping anything of it.
    pub(crate) fn probed(&mut self, judge: impl FnOnce(&mut Self)) -> Verdict {
        let outer = std::mem::replace(&mut self.found, crate::findings::Findings::new(self.ctx.covered));
        let state = (self.cwd.clone(), self.vars.clone(), self.files.clone(), self.functions.clone());
        let later = (self.traps.len(), self.foreign.clone(), self.dotglob, self.links.clone());
        self.probing += 1;
        judge(self);
        self.run_traps(later.0);
        self.probing -= 1;
        (_, self.foreign, self.dotglob, self.links) = later;
        (self.cwd, self.vars, self.files, self.functions) = state;
        std::mem::replace(&mut self.found, outer).finish()
    }

    /// Judges text that something else will run as a shell command.
    pub(crate) fn probe_script(&mut self, text: &str, what: &str) {
        if text.contains(HOLE) {
            self.found.unknown(
                Weight::Ask,
                "runs_unknown_code",
                format!("{what} holds code that is not visible here"),
                text,
            );
            return;
        }
        let cwd = self.cwd.clone();
        self.script(text, Data::default());
        self.cwd = cwd;
    }
}

/// Whether a verdict objects to something that was understood.
pub(crate) fn is_harm(verdict: &Verdict) -> bool {
    objects(verdict, |_| true)
}

fn objects(verdict: &Verdict, counts: impl Fn(&str) -> bool) -> bool {
    let harmful = |code: &str| {
        !matches!(code, "not_parsed" | "unknown_program" | "unknown_command_name" | "too_complex")
    };
    verdict
        .reasons
        .iter()
        .any(|reason| reason.decision >= Decision::Ask && harmful(reason.code) && counts(reason.code))
}

/// Whether the judge knows a program of this name.
pub(crate) fn is_known(name: &str) -> bool {
    table::find(name).is_some()
}

fn asks_for_help(arg: &str) -> bool {
    matches!(
        arg,
        "--help" | "--version" | "-V" | "-h" | "-v" | "help" | "version" | "-version" | "-?" | "-help"
    )
}

/// A command text with arguments after it, quoted so that they stay single words.
pub(crate) fn with_arguments(text: &str, args: &[Arg]) -> String {
    let mut whole = text.to_owned();
    for arg in args {
        whole.push_str(" '");
        whole.push_str(&arg.text.replace('\'', r"'\''"));
        whole.push('\'');
    }
    whole
}

impl Entry<'_> {
    /// Whether the program only runs another one.
    pub(crate) fn is_wrapper(&self) -> bool {
        self.wraps.is_some()
    }
}
