//! The shell's own commands: the ones that change what later words mean, and the ones that run text.

use crate::findings::Weight;
use crate::known::is_assignment;
use crate::options::Options;
use crate::value::{Arg, Data, HOLE, Taint};
use crate::walk::Walk;

impl Walk<'_> {
    /// A builtin; `None` when the name is not one.
    pub(crate) fn builtin(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) -> Option<Data> {
        let args = &argv[1..];
        match name {
            "true" | "false" | ":" | "wait" | "exit" | "return" | "break" | "continue" | "times" | "jobs"
            | "fg" | "bg" | "disown" | "suspend" | "umask" | "ulimit" | "type" | "caller" | "dirs"
            | "logout" | "deactivate" => self.names_given(name, args),
            "shopt" | "setopt" => {
                let off = args.iter().any(|arg| arg.text == "-u");
                for arg in args {
                    match arg.text.to_lowercase().replace('_', "").as_str() {
                        "dotglob" | "globdots" => self.dotglob = !off || self.branches > 0,
                        "globstar" => self.globstar = !off,
                        _ => {}
                    }
                }
            }
            "let" => {
                for arg in args {
                    self.evaluated(&arg.text);
                }
            }
            "getopts" => {
                for arg in args.iter().skip(1).take(1) {
                    self.evaluated_name(&arg.text);
                }
            }
            "bind" | "complete" | "compgen" | "enable" => self.hooks(name, args, about),
            "test" | "[" | "[[" => {
                for pair in args.windows(2).filter(|pair| matches!(pair[0].text.as_str(), "-v" | "-R")) {
                    self.evaluated_name(&pair[1].text);
                }
            }
            "eval" => {
                let text = args.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" ");
                let taint = args.iter().fold(Taint::default(), |taint, arg| taint.and(arg.taint));
                return Some(self.script_data(&Data::text(text).tainted(taint), stdin.clone(), about));
            }
            "source" | "." => return Some(self.source(args, stdin, about)),
            "exec" => {
                let options = Options::of(args, &["-a"]);
                let from = options.at.first().copied().unwrap_or(args.len());
                return Some(if from < args.len() {
                    self.run(&args[from..], stdin.clone())
                } else {
                    Data::default()
                });
            }
            "command" | "builtin" => {
                let lookup = args.first().is_some_and(|arg| matches!(arg.text.as_str(), "-v" | "-V"));
                if lookup && name == "command" {
                    let plain = args[0].text == "-v";
                    return Some(match plain {
                        true => self.where_programs_are(args),
                        false => Data::unknown(stdin.taint),
                    });
                }
                let from = args.iter().position(|arg| !arg.text.starts_with('-')).unwrap_or(args.len());
                return Some(self.run(&args[from..], stdin.clone()));
            }
            "trap" => {
                if let Some(script) =
                    args.iter().find(|arg| !matches!(arg.text.as_str(), "-p" | "-l" | "--" | "-"))
                    && args.len() > 1
                {
                    let script = script.text.clone();
                    let at_end = args.iter().skip(1).all(|signal| {
                        matches!(
                            signal.text.trim_start_matches("SIG"),
                            "EXIT" | "0" | "INT" | "TERM" | "HUP" | "QUIT"
                        )
                    });
                    if !at_end {
                        self.probe_script(&script, "a trap");
                    } else if self.traps.len() < 16 {
                        self.traps.push(script);
                    }
                }
            }
            "alias" => {
                for arg in args {
                    if let Some((alias, value)) = arg.text.split_once('=') {
                        self.aliases.insert(alias.to_owned(), value.to_owned());
                    }
                }
            }
            "unalias" => {
                for arg in args {
                    self.aliases.remove(&arg.text);
                }
            }
            "cd" | "pushd" | "chdir" => self.change_folder(args),
            "popd" => self.cwd = None,
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(name, args),
            "unset" => {
                if args.first().is_none_or(|arg| arg.text != "-f") {
                    for arg in args {
                        self.evaluated_name(&arg.text);
                        self.vars.insert(arg.text.clone(), Vec::new());
                        self.arrays.remove(&arg.text);
                    }
                }
            }
            "set" => {
                let from = args.iter().position(|arg| arg.text == "--").map(|at| at + 1);
                let from = from.or_else(|| args.iter().position(|arg| !arg.text.starts_with(['-', '+'])));
                if let Some(from) = from
                    && !args.first().is_some_and(|arg| arg.text == "-o" || arg.text == "+o")
                {
                    self.positional = args[from..].to_vec();
                }
            }
            "shift" => {
                if !self.positional.is_empty() {
                    self.positional.remove(0);
                }
            }
            "read" => self.read_builtin(args, stdin),
            "mapfile" | "readarray" => self.mapfile(args, stdin),
            "hash" => {
                if args.first().is_some_and(|arg| arg.text == "-p")
                    && let (Some(path), Some(alias)) = (args.get(1), args.get(2))
                {
                    self.aliases.insert(alias.text.clone(), path.text.clone());
                    self.found.unknown(
                        Weight::Ask,
                        "environment_changes_program",
                        "another program runs under a known name",
                        about,
                    );
                }
            }
            "history" | "fc" => {
                for file in Options::of(args, &[]).words {
                    if args.iter().any(|arg| matches!(arg.text.as_str(), "-a" | "-w"))
                        && file.text.contains(['/', '.'])
                    {
                        self.writes(&file, "history file");
                    }
                }
                if args.iter().any(|arg| matches!(arg.text.as_str(), "-c" | "-d" | "-s"))
                    || (name == "fc" && args.iter().any(|arg| arg.text == "-s"))
                {
                    self.found.add(
                        Weight::Ask,
                        "changes_shell_history",
                        "changes the shell's history",
                        about,
                    );
                }
            }
            _ => return None,
        }
        Some(self.builtin_prints(name, args))
    }

    fn source(&mut self, args: &[Arg], stdin: &Data, about: &str) -> Data {
        let Some(file) = args.first() else {
            return Data::default();
        };
        self.foreign_code(file, about);
        let data = if matches!(file.text.as_str(), "/dev/stdin" | "-" | "/dev/fd/0" | "/proc/self/fd/0") {
            stdin.clone()
        } else if let Some(text) = self.script_file(file) {
            Data::text(text)
        } else if self.file_key(file).is_some_and(|key| self.files.contains_key(&key)) {
            self.read_file(file)
        } else if is_environment_script(&file.text) {
            // Activating a virtual environment only sets variables; asking each time would teach people to say yes.
            self.found.unknown(Weight::Checkpoint, "runs_project_code", "loads an environment script", about);
            return Data::default();
        } else {
            if self.unseen_script(file, about) {
                return Data::default();
            }
            Data::unknown(file.taint)
        };
        if data.text.is_none()
            && !data.taint.network
            && file.known()
            && !file.text.starts_with("/dev/")
            && !file.text.starts_with("/proc/")
        {
            let (_, place) = self.place_of(file);
            let weight =
                if place == crate::verdict::Place::Project { Weight::Checkpoint } else { Weight::Ask };
            self.found.unknown(
                weight,
                "runs_unknown_code",
                "loads shell code that is not visible here",
                about,
            );
            // What was known about variables may be wrong from here on.
            for values in self.vars.values_mut() {
                values.push(Arg::hole());
            }
            return Data::default();
        }
        let out = self.script_data(&data, Data::default(), about);
        if crate::secret_files::is_secret(&file.text) {
            // What a file of secrets sets stays secret.
            for (name, values) in &mut self.vars {
                if crate::secret_files::is_secret_variable(name) {
                    for value in values {
                        value.taint.variable = true;
                    }
                }
            }
        }
        out
    }

    /// Builtins that make the shell run or load something later.
    fn hooks(&mut self, name: &str, args: &[Arg], about: &str) {
        let options = Options::of(args, &["-x", "-C", "-F", "-f"]);
        for script in options.values(&["-C"]).cloned().collect::<Vec<_>>() {
            self.probe_script(&script.text, "a completion");
        }
        for binding in options.values(&["-x"]).cloned().collect::<Vec<_>>() {
            if name == "bind" {
                let command = binding.text.split_once(':').map_or("", |(_, command)| command);
                self.probe_script(command.trim_matches(['"', ' ']), "a key binding");
            }
        }
        // A key that types something in: with a line end it runs.
        for binding in options.words.iter().filter(|_| name == "bind").cloned().collect::<Vec<_>>() {
            if let Some((_, typed)) = binding.text.split_once(':') {
                let typed = typed.trim().trim_matches(['"', '\'']);
                if typed.contains(' ') {
                    self.probe_script(
                        typed.trim_end_matches("\\n").trim_end_matches("\\C-m"),
                        "a key binding",
                    );
                }
            }
        }
        if name == "enable" && options.has(&["-f"]) || name == "bind" && options.has(&["-f"]) {
            self.found.unknown(Weight::Ask, "runs_unknown_code", "loads code into the shell", about);
        }
    }

    fn change_folder(&mut self, args: &[Arg]) {
        let target = args.iter().find(|arg| !arg.text.starts_with('-') || arg.text == "-");
        let searched = match (target, self.vars.get("CDPATH").and_then(|values| values.last())) {
            (Some(arg), Some(list))
                if arg.known()
                    && !arg.glob
                    && !arg.text.starts_with(['/', '.', '-', '~'])
                    && !list.text.is_empty() =>
            {
                // The first folder of the list that holds the name; the first of all where nothing can be seen.
                let folders = || list.text.split(':').filter(|folder| !matches!(*folder, "" | "."));
                let full = |folder: &str| {
                    let folder = crate::place::absolute(folder, self.cwd.as_deref())?;
                    Some(crate::place::normalise(&format!("{folder}/{}", arg.text)))
                };
                let there = |path: &String| self.ctx.files.kind(std::path::Path::new(path)).is_some();
                folders().filter_map(full).find(there).or_else(|| folders().find_map(full))
            }
            _ => None,
        };
        let next = match target {
            Some(_) if searched.is_some() => searched,
            None => Some(self.value_of("HOME").text),
            Some(arg) if arg.text == "-" => None,
            Some(arg) if !arg.known() || arg.glob => None,
            Some(arg) => crate::place::absolute(&arg.text, self.cwd.as_deref())
                .map(|path| crate::place::normalise(&path)),
        };
        self.cwd = next;
    }

    /// `wait -p NAME`: names of variables that a builtin sets.
    fn names_given(&mut self, name: &str, args: &[Arg]) {
        if name == "wait" {
            for arg in args {
                self.evaluated_name(&arg.text);
            }
        }
    }

    fn declare(&mut self, name: &str, args: &[Arg]) {
        let flag = |letter: char| {
            args.iter().any(|arg| {
                arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(letter)
            })
        };
        for arg in args.iter().filter(|arg| !arg.text.starts_with('-')) {
            let (variable, value) = arg.text.split_once('=').unwrap_or((&arg.text, ""));
            self.evaluated_name(variable);
            if flag('i') {
                self.integers.push(variable.trim_end_matches('+').to_owned());
                self.evaluated(value);
            }
            if flag('n') && name != "export" && name != "readonly" {
                self.evaluated_name(value);
                self.namerefs.insert(variable.to_owned(), value.to_owned());
            }
        }
        if flag('n') && name != "export" && name != "readonly" {
            return;
        }
        let lower = args.iter().any(|arg| arg.text == "-l");
        let upper = args.iter().any(|arg| arg.text == "-u");
        for arg in args {
            let (variable, append) = match arg.text.split_once('=') {
                Some((variable, _)) => (variable.trim_end_matches('+').to_owned(), variable.ends_with('+')),
                None => (arg.text.clone(), false),
            };
            if name == "local"
                && let Some(frame) = self.locals.last_mut()
            {
                frame.push((variable.clone(), self.vars.get(&variable).cloned()));
            }
            if is_assignment(&arg.text.replacen("+=", "=", 1)) {
                let mut value =
                    arg.text.split_once('=').map(|(_, value)| value.to_owned()).unwrap_or_default();
                if lower {
                    value = value.to_lowercase();
                } else if upper {
                    value = value.to_uppercase();
                }
                let value = arg.with_text(value);
                self.environment(&variable, &value);
                self.assign_or_append(&variable, value, append);
            }
        }
        // Several values for one name, as `declare X={a,b}` gives them: keep them all.
        let mut names: Vec<&str> =
            args.iter().filter_map(|arg| arg.text.split_once('=').map(|(n, _)| n)).collect();
        let all = names.len();
        names.dedup();
        if names.len() < all && names.len() == 1 {
            let values = args
                .iter()
                .filter_map(|arg| arg.text.split_once('=').map(|(_, v)| arg.with_text(v)))
                .collect();
            self.vars.insert(names[0].to_owned(), values);
        }
    }

    fn read_builtin(&mut self, args: &[Arg], stdin: &Data) {
        let from_fd = args.iter().any(|arg| arg.text.starts_with("-u"));
        let names: Vec<String> = Options::of(args, &["-p", "-t", "-n", "-N", "-d", "-u", "-i", "-a"])
            .words
            .into_iter()
            .map(|arg| arg.text)
            .collect();
        let line = if from_fd {
            None
        } else {
            stdin.text.as_ref().and_then(|text| text.lines().next()).map(str::to_owned)
        };
        let known: Vec<String> =
            line.map(|line| line.split_whitespace().map(str::to_owned).collect()).unwrap_or_default();
        let count = names.len();
        for arg in args {
            self.evaluated_name(&arg.text);
        }
        for (n, name) in names.into_iter().enumerate() {
            let text = match known.get(n) {
                Some(_) if n + 1 == count => known[n..].join(" "),
                Some(word) => word.clone(),
                None if !from_fd => stdin.one_line().text,
                None => HOLE.to_string(),
            };
            self.assign(&name, Arg { text, glob: false, taint: stdin.taint });
            if n == 0 {
                for line in &stdin.special {
                    let values = self.vars.entry(name.clone()).or_default();
                    values.push(Arg { text: line.clone(), glob: false, taint: stdin.taint });
                }
            }
        }
    }

    fn mapfile(&mut self, args: &[Arg], stdin: &Data) {
        let options = Options::of(args, &["-C", "-c", "-d", "-n", "-O", "-s", "-u"]);
        for arg in args {
            self.evaluated_name(&arg.text);
        }
        for callback in options.values(&["-C"]).cloned().collect::<Vec<_>>() {
            self.probe_script(&callback.text, "a callback");
        }
        let rows = match (&stdin.text, options.has(&["-u"])) {
            (Some(text), false) => text
                .lines()
                .take(256)
                .map(|line| Arg { text: line.to_owned(), glob: false, taint: stdin.taint })
                .collect(),
            (None, false) if stdin.names => stdin.lines(),
            _ => vec![Arg { taint: stdin.taint, ..Arg::hole() }],
        };
        let name = options.words.first().map_or("MAPFILE", |arg| arg.text.as_str()).to_owned();
        self.arrays.insert(name, rows);
    }
}

fn is_environment_script(path: &str) -> bool {
    path.ends_with("bin/activate")
        || path.ends_with("etc/profile.d/conda.sh")
        || path.ends_with(".nvm/nvm.sh")
        || path.ends_with(".cargo/env")
}
