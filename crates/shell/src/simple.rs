//! A simple command: assignments, redirections and words become an argument list, which `run` judges.

use crate::findings::Weight;
use crate::redirect::Streams;
use crate::value::{Arg, Data, Taint};
use crate::verdict::Place;
use crate::walk::{MAX_ALTERNATIVES, Walk, join};
use brush_parser::ast::{
    Assignment, AssignmentName, AssignmentValue, CommandPrefixOrSuffixItem, ProcessSubstitutionKind,
    SimpleCommand,
};

/// Variables that make programs run something or load code.
const RUNS_VALUE: &[&str] = &[
    "PROMPT_COMMAND",
    "LESSOPEN",
    "LESSCLOSE",
    "PAGER",
    "GIT_PAGER",
    "MANPAGER",
    "EDITOR",
    "VISUAL",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "RSYNC_RSH",
    "CVS_RSH",
    "BROWSER",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "SUDO_ASKPASS",
    "SUDO_EDITOR",
    "FCEDIT",
    "RUSTC_WRAPPER",
    "CC",
    "CXX",
    "LD",
    "MAKE",
    "SHELL",
    "BASH_ENV",
    "ENV",
    "GREP",
    "TAR",
    "FZF_DEFAULT_COMMAND",
    "HISTCONTROL_COMMAND",
    "DIFFPROG",
    "KUBE_EDITOR",
    "TERMINAL",
    "NVIM_LISTEN_ADDRESS",
];

/// Variables that change what a program loads or does in ways that cannot be followed.
const CHANGES_PROGRAM: &[&str] = &[
    "LD_PRELOAD",
    "LD_AUDIT",
    "DYLD_INSERT_LIBRARIES",
    "TAR_OPTIONS",
    "TAPE",
    "BASH_ENV",
    "ENV",
    "PERL5OPT",
    "PERL5LIB",
    "RUBYOPT",
    "NODE_OPTIONS",
    "PYTHONSTARTUP",
    "PYTHONWARNINGS_HOOK",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "GIT_EXEC_PATH",
    "GIT_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_TEMPLATE_DIR",
    "PROMPT_COMMAND",
    "LESSOPEN",
    "LESSCLOSE",
    "GCONV_PATH",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "BASH_FUNC_",
    "SHELLOPTS",
    "RIPGREP_CONFIG_PATH",
    "ZDOTDIR",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_DIR",
    "INPUTRC",
    "VIMINIT",
    "EXINIT",
];

/// Whether a variable steers what programs run or load.
pub(crate) fn steers(name: &str) -> bool {
    RUNS_VALUE.contains(&name)
        || CHANGES_PROGRAM.contains(&name)
        || runs_by_pattern(name)
        || name.contains("PATH")
        || [
            "LD_",
            "DYLD_",
            "GIT_",
            "NODE_",
            "PYTHON",
            "PERL",
            "RUBY",
            "BASH_",
            "VIBELIGN_",
            "npm_",
            "NPM_",
            "CARGO_",
        ]
        .iter()
        .any(|start| name.starts_with(start))
}

/// Whether a variable of this name makes a build tool run its value.
fn runs_by_pattern(name: &str) -> bool {
    name.eq_ignore_ascii_case("npm_config_script_shell")
        || name.eq_ignore_ascii_case("npm_config_shell")
        || name.starts_with("CARGO_TARGET_") && (name.ends_with("_RUNNER") || name.ends_with("_LINKER"))
        || matches!(
            name,
            "RUSTC"
                | "RUSTDOC"
                | "RUSTC_WORKSPACE_WRAPPER"
                | "CARGO_BUILD_RUSTC_WRAPPER"
                | "CARGO_BUILD_RUSTC"
        )
        || name.starts_with("CMAKE_") && name.ends_with("_COMPILER_LAUNCHER")
}

/// Whether the value of a variable with further options holds one that runs or loads something.
fn options_run(name: &str, value: &str) -> bool {
    let any = |marks: &[&str]| marks.iter().any(|mark| value.contains(mark));
    match name {
        "MAKEFILES" => true,
        "MAKEFLAGS" | "GNUMAKEFLAGS" => any(&["eval", "-f", "--file", "SHELL"]),
        "GOFLAGS" => any(&["exec", "toolexec", "vettool", "overlay"]),
        "PYTEST_ADDOPTS" => any(&["-p "]),
        "MAVEN_OPTS" | "GRADLE_OPTS" | "JAVA_OPTS" | "JDK_JAVA_OPTIONS" => {
            any(&["javaagent", "agentpath", "agentlib"])
        }
        _ => name.starts_with("CARGO_ALIAS_"),
    }
}

impl Walk<'_> {
    /// A simple command, once for every value that its variables may have.
    pub(crate) fn simple(&mut self, command: &SimpleCommand, stdin: Data) -> Data {
        let outer = (self.variant, self.variants);
        self.variants = 1;
        let mut out = Data::default();
        let mut variant = 0;
        while variant < self.variants.min(MAX_ALTERNATIVES) {
            self.variant = variant;
            if variant > 0 && !self.step("alternatives") {
                break;
            }
            out = join(out, self.simple_once(command, stdin.clone()));
            variant += 1;
        }
        (self.variant, self.variants) = outer;
        out
    }

    fn simple_once(&mut self, command: &SimpleCommand, stdin: Data) -> Data {
        if self.programs == 0 && self.expanding == 0 {
            self.secret_names.clear();
        }
        let mut streams = Streams::new(stdin);
        let mut assigned: Vec<(String, Arg, bool)> = Vec::new();
        let mut argv: Vec<Arg> = Vec::new();
        for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => {
                    if let Some(scalar) = self.assignment(assignment) {
                        assigned.push(scalar);
                    }
                }
                other => self.item(other, &mut argv, &mut streams),
            }
        }
        if let Some(name) = &command.word_or_name {
            argv.extend(self.expand(&name.value));
        }
        let outer = self.wants_settings;
        for item in command.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.wants_settings = outer || crate::settings_file::wants_settings(&argv);
            self.item(item, &mut argv, &mut streams);
        }
        self.wants_settings = outer;
        for (name, value, _) in &assigned {
            self.environment(&self.real_name(name), value);
        }
        if argv.is_empty() {
            for (name, value, append) in assigned {
                self.assign_or_append(&name, value, append);
            }
            let stdin = streams.stdin.clone();
            let passes_on = command.word_or_name.is_none() && stdin.present;
            return self.store_output(&streams, if passes_on { stdin } else { Data::default() });
        }
        if !argv[0].known() {
            self.unknown_line = command.to_string();
        }
        let out = self.with_environment(&assigned, |walk| walk.run(&argv, streams.stdin.clone()));
        // `mkdir -p x; cd $_`: the last word of the command before.
        self.vars.insert("_".to_owned(), argv.last().cloned().into_iter().collect());
        self.store_output(&streams, out)
    }

    /// Runs with variables that only the one command sees.
    fn with_environment(
        &mut self,
        assigned: &[(String, Arg, bool)],
        body: impl FnOnce(&mut Self) -> Data,
    ) -> Data {
        let old: Vec<_> =
            assigned.iter().map(|(name, ..)| (name.clone(), self.vars.get(name).cloned())).collect();
        for (name, value, _) in assigned {
            self.vars.insert(name.clone(), vec![value.clone()]);
        }
        let out = body(self);
        for (name, values) in old.into_iter().rev() {
            match values {
                Some(values) => self.vars.insert(name, values),
                None => self.vars.remove(&name),
            };
        }
        out
    }

    pub(crate) fn assign_or_append(&mut self, name: &str, value: Arg, append: bool) {
        if append {
            let old = self.value_of(name);
            let text = if self.vars.contains_key(name) { old.text + &value.text } else { value.text.clone() };
            self.assign(name, Arg { text, glob: false, taint: old.taint.and(value.taint) });
        } else {
            self.assign(name, value);
        }
    }

    /// A scalar assignment's name and value; arrays are stored at once.
    fn assignment(&mut self, assignment: &Assignment) -> Option<(String, Arg, bool)> {
        let name = match &assignment.name {
            AssignmentName::VariableName(name) => name.clone(),
            AssignmentName::ArrayElementName(name, index) => {
                let at = self.expand_whole(index);
                self.evaluated(&at.text);
                if matches!(name.as_str(), "BASH_CMDS" | "BASH_ALIASES")
                    && let AssignmentValue::Scalar(word) = &assignment.value
                {
                    let value = self.expand_whole(&word.value);
                    self.aliases.insert(at.text.clone(), value.text.clone());
                    self.found.unknown(
                        Weight::Ask,
                        "environment_changes_program",
                        "another program runs under a known name",
                        &format!("{name}[{}]={}", at.text, value.text),
                    );
                }
                name.clone()
            }
        };
        match &assignment.value {
            AssignmentValue::Scalar(word) => {
                let value = self.expand_whole(&word.value);
                if matches!(assignment.name, AssignmentName::ArrayElementName(..)) {
                    self.arrays.remove(&name);
                    return None;
                }
                Some((name, value, assignment.append))
            }
            AssignmentValue::Array(words) => {
                let values: Vec<Arg> =
                    words.iter().flat_map(|(_, word)| self.expand(&word.value)).take(256).collect();
                for value in &values {
                    self.environment(&name, value);
                }
                let array = self.arrays.entry(name).or_default();
                if !assignment.append {
                    array.clear();
                }
                array.extend(values);
                array.truncate(512);
                None
            }
        }
    }

    fn item(&mut self, item: &CommandPrefixOrSuffixItem, argv: &mut Vec<Arg>, streams: &mut Streams) {
        match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect, streams),
            CommandPrefixOrSuffixItem::Word(word) => argv.extend(self.expand(&word.value)),
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                if matches!(assignment.value, AssignmentValue::Array(_)) {
                    self.assignment(assignment);
                } else {
                    argv.extend(self.expand_argument_assignment(assignment, &word.value));
                }
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(kind, script) => {
                let name = format!("/dev/fd/{}", 60 + self.files.len());
                match kind {
                    ProcessSubstitutionKind::Read => {
                        let mut data = self.subshell(&script.list, &Data::default());
                        data.present = true;
                        let taint = data.taint;
                        self.files.insert(name.clone(), data);
                        argv.push(Arg { text: name, glob: false, taint });
                    }
                    ProcessSubstitutionKind::Write => {
                        // Nobody waits for it.
                        self.found.exact.is_not();
                        self.subshell(&script.list, &Data::unknown(Taint::default()));
                        argv.push(Arg::new(name));
                    }
                }
            }
        }
    }

    /// `of=/dev/sda` after a program's name is an argument like any other; brace expansion applies there too.
    fn expand_argument_assignment(&mut self, assignment: &Assignment, word: &str) -> Vec<Arg> {
        if let (AssignmentName::VariableName(name), AssignmentValue::Scalar(value)) =
            (&assignment.name, &assignment.value)
        {
            let sign = if assignment.append { "+=" } else { "=" };
            let values: Vec<Arg> = if value.value.contains('{') {
                self.expand(&value.value)
            } else {
                vec![self.expand_whole(&value.value)]
            };
            return values
                .into_iter()
                .map(|value| value.with_text(format!("{name}{sign}{}", value.text)))
                .collect();
        }
        self.expand(word)
    }

    /// Whether a folder of the project holds programs named like known ones.
    fn hides_programs(&mut self, folder: &str) -> bool {
        if folder.contains("/node_modules/") || folder.contains("venv/") || folder.contains("/.direnv/") {
            return false;
        }
        const EVERYDAY: &[&str] = &[
            "ls", "git", "cat", "cd", "rm", "cp", "mv", "sh", "bash", "python", "python3", "node", "npm",
            "make", "grep", "sed", "awk", "find", "curl", "ssh", "sudo", "env", "echo", "test", "vib", "tar",
            "pip",
        ];
        self.listing(folder)
            .is_some_and(|names| names.iter().any(|(name, _)| EVERYDAY.contains(&name.as_str())))
    }

    /// A variable is set that programs act upon.
    pub(crate) fn environment(&mut self, name: &str, value: &Arg) {
        self.note_steering(name, &value.text);
        if runs_by_pattern(name) && !value.text.is_empty() || options_run(name, &value.text) {
            // A program that stands in for the compiler, by its name alone, is ordinary.
            let plain = !value.text.contains(['/', ' ']);
            if !plain || options_run(name, &value.text) {
                self.found.unknown(
                    Weight::Ask,
                    "environment_changes_program",
                    format!("`{name}` makes programs run something else"),
                    &format!("{name}={}", value.text),
                );
            }
        }
        if matches!(name, "HISTFILE" | "GIT_WORK_TREE" | "GIT_OBJECT_DIRECTORY")
            && value.known()
            && !value.text.is_empty()
        {
            let place = self.place_of(value).1;
            let guarded = !matches!(
                place,
                Place::Project | Place::ProjectRoot | Place::Temp | Place::Stream | Place::Unknown
            );
            if guarded && (name != "HISTFILE" || place != Place::Outside) {
                self.found.loses(false);
                self.found.unknown(
                    Weight::Ask,
                    "environment_changes_program",
                    format!("`{name}` makes programs write to another place"),
                    &format!("{name}={}", value.text),
                );
            }
        }
        if RUNS_VALUE.contains(&name) && !value.text.is_empty() {
            let command = value.text.trim_start_matches('|').replace("%s", "file");
            if name.ends_with("ENV") {
                let data = self.read_file(value);
                if data.text.is_some() || data.taint.network {
                    self.script_data(&data, Data::default(), &value.text);
                }
            } else if value.known() {
                self.probe_script(&command, "a variable that programs run");
            }
        }
        if name == "PATH" {
            // A folder that anybody can write to, before the system's own.
            let folders: Vec<String> = value.text.split(':').take(8).map(str::to_owned).collect();
            let mut planted = false;
            for folder in &folders {
                planted |= match folder.as_str() {
                    "" | "." | "./" => true,
                    folder => match self.place_of(&Arg::new(folder)) {
                        (_, Place::Temp) => true,
                        (path, Place::Project | Place::ProjectRoot) => self.hides_programs(&path),
                        _ => false,
                    },
                };
            }
            if planted {
                self.found.unknown(
                    Weight::Ask,
                    "environment_changes_program",
                    "programs are looked for in a folder that others can write to, before the system's own",
                    &format!("PATH={}", value.text),
                );
            }
        }
        let listed = CHANGES_PROGRAM.contains(&name)
            || name.starts_with("BASH_FUNC_")
            || name.starts_with("GIT_CONFIG_");
        let loads_code = name != "NODE_OPTIONS"
            || ["-r", "--require", "--import", "--loader"].iter().any(|o| value.text.contains(o));
        if listed && loads_code && !value.text.is_empty() {
            self.found.unknown(
                Weight::Ask,
                "environment_changes_program",
                format!("`{name}` changes what programs do in a way that cannot be followed"),
                &format!("{name}={}", value.text),
            );
        }
    }
}
