//! `git`: what a checkpoint covers (files of the work tree), what it does not (history, stashes, branches, remotes), and
//! the many settings through which git runs programs.

use crate::findings::Weight;
use crate::git_names::{GLOBAL_VALUED, READS, RUNS_VALUE, WRITES};
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::walk::Walk;

impl Walk<'_> {
    /// Judges a git command.
    pub(crate) fn git(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let mut at = 1;
        let mut aliases: Vec<(String, String)> = self.ctx.git_aliases.clone();
        let mut settings: Vec<(String, Arg)> = Vec::new();
        let mut elsewhere = false;
        let mut folders: Vec<String> = Vec::new();
        while at < argv.len() && argv[at].text.starts_with('-') {
            let sorted = Options::of(&argv[at..argv.len().min(at + 2)], GLOBAL_VALUED);
            let text = argv[at].text.as_str();
            for (flag, value) in &sorted.flags {
                let Some(value) = value else { continue };
                match flag.as_str() {
                    "-c" | "--config-env" => {
                        let (name, setting) = value.text.split_once('=').unwrap_or((&value.text, ""));
                        let name = name.to_lowercase();
                        if let Some(alias) = name.strip_prefix("alias.") {
                            aliases.insert(0, (alias.to_owned(), setting.to_owned()));
                        }
                        settings.push((name, value.with_text(setting)));
                    }
                    "-C" => {
                        let (folder, place) = self.place_of(value);
                        self.found.runs_in(&folder, &self.ctx.project_root);
                        folders.push(folder);
                        elsewhere |= !matches!(
                            place,
                            crate::verdict::Place::Project | crate::verdict::Place::ProjectRoot
                        );
                    }
                    "--exec-path" => {
                        elsewhere = true;
                        self.found.unknown(
                            Weight::Ask,
                            "environment_changes_program",
                            "git runs its parts from another folder",
                            about,
                        );
                    }
                    "--git-dir" | "--work-tree" => elsewhere = true,
                    _ => {}
                }
            }
            let separate = GLOBAL_VALUED.contains(&text);
            at += 1 + usize::from(separate);
        }
        self.git_settings(&settings, about);
        let Some(command) = argv.get(at) else {
            return Data::unknown(stdin.taint);
        };
        let name = command.text.as_str();
        let args = &argv[at + 1..];
        if args.len() == 1 && matches!(args[0].text.as_str(), "--help" | "-h") {
            return Data::unknown(stdin.taint);
        }
        let builtin = READS.contains(&name) || WRITES.contains(&name);
        if !builtin
            && let Some((_, alias)) =
                aliases.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).cloned()
        {
            return self.git_alias(&alias, args, stdin);
        }
        if !command.known() {
            self.found.unknown(
                Weight::Ask,
                "unknown_command_name",
                "the git sub-command is only known when it runs",
                about,
            );
            return Data::unknown(stdin.taint);
        }
        if elsewhere && WRITES.contains(&name) {
            self.found.verdict.leaves_project = true;
        }
        if name == "grep"
            && args.iter().any(|arg| {
                arg.text.starts_with("-O") && arg.text.len() > 2
                    || arg.text.starts_with("--open-files-in-pager=")
            })
        {
            self.found.unknown(
                Weight::Ask,
                "git_setting_runs",
                "a git option that makes git run something",
                about,
            );
        }
        self.git_takes_secret(name, argv, about);
        // What `git clean` takes is seen from where it runs; the folder of several `-C` is not worked out.
        let here = self.cwd.clone();
        if name == "clean" && !folders.is_empty() {
            elsewhere |= folders.len() > 1;
            self.cwd = folders.pop();
        }
        self.git_command(name, args, &settings, elsewhere, about);
        self.cwd = here;
        let words: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
        let asks_branch = matches!(
            (name, words.as_slice()),
            ("branch", ["--show-current"])
                | ("rev-parse", ["--abbrev-ref", "HEAD"])
                | ("symbolic-ref", ["--short", "HEAD"] | ["--short", "-q", "HEAD"])
        );
        if asks_branch
            && !elsewhere
            && let Some(branch) = self.checked_out_branch()
        {
            return Data::text(format!("{branch}\n"));
        }
        let folder = || self.folder_of_git(&words);
        if let Some(folder) = Some(()).filter(|()| name == "rev-parse" && !elsewhere).and_then(|()| folder())
        {
            return Data::text(format!("{folder}\n"));
        }
        let taint = args.iter().fold(stdin.taint, |taint, arg| taint.and(arg.taint));
        Data::unknown(taint)
    }

    /// What a secret file holds, in a message that everybody reads, or on the way to another machine.
    fn git_takes_secret(&mut self, name: &str, argv: &[Arg], about: &str) {
        let taint = argv.iter().fold(crate::value::Taint::default(), |taint, arg| taint.and(arg.taint));
        let copies = argv.iter().filter_map(|arg| self.file_key(arg)).filter_map(|key| self.files.get(&key));
        let taint = match name {
            "add" | "commit" | "stage" => copies.fold(taint, |taint, data| taint.and(data.taint)),
            _ => taint,
        };
        let lasting = matches!(
            name,
            "add" | "stage" | "commit" | "tag" | "notes" | "branch" | "merge" | "stash" | "commit-tree"
        );
        let travels =
            matches!(name, "push" | "fetch" | "pull" | "clone" | "ls-remote" | "remote" | "send-email");
        if taint.secret && (lasting || travels) {
            self.found.add(
                Weight::Ask,
                "sends_data",
                "puts what a secret file holds where others can read it",
                about,
            );
        }
        let names: Vec<&str> =
            argv.iter().map(|arg| arg.text.as_str()).filter(|word| word.starts_with("refs/heads/")).collect();
        if name == "symbolic-ref" && names.len() == 2 {
            self.found.loses(false);
            self.found.add(
                Weight::Ask,
                "git_history",
                "makes a branch another name of one, and its own work unreachable",
                about,
            );
        }
        if name == "maintenance" && argv.iter().any(|arg| matches!(arg.text.as_str(), "start" | "register")) {
            self.found.add(
                Weight::Ask,
                "changes_machine",
                "makes the system run git by itself from now on",
                about,
            );
        }
    }

    pub(crate) fn git_settings(&mut self, settings: &[(String, Arg)], about: &str) {
        for (name, value) in settings {
            let runs = RUNS_VALUE.contains(&name.as_str())
                || name.ends_with(".textconv")
                || name.ends_with(".command")
                || name.ends_with(".cmd")
                || name.starts_with("filter.")
                || name.starts_with("url.")
                || name.starts_with("include")
                || name.starts_with("pager.")
                || (name.starts_with("credential.") && name.ends_with(".helper"));
            let harmless = matches!(
                value.text.as_str(),
                "" | "cat" | "less" | "true" | "false" | "never" | "0" | "1" | ":" | "vim" | "nano" | "vi"
            );
            if runs && !harmless {
                self.probe_script(value.text.trim_start_matches('!'), "a git setting");
                self.found.unknown(
                    Weight::Ask,
                    "git_setting_runs",
                    "a git setting that makes git run something",
                    about,
                );
            }
        }
    }

    fn git_alias(&mut self, alias: &str, args: &[Arg], stdin: &Data) -> Data {
        if !self.step(alias) {
            return Data::unknown(stdin.taint);
        }
        self.depth += 1;
        let text = match alias.strip_prefix('!') {
            Some(script) => crate::run::with_arguments(script, args),
            None => crate::run::with_arguments(&format!("git {alias}"), args),
        };
        let out = self.script(&text, stdin.clone());
        self.depth -= 1;
        out
    }

    /// Options and words through which git runs other programs.
    pub(crate) fn git_runs(&mut self, args: &[Arg], options: &Options, about: &str) {
        let names = [
            "-x",
            "--exec",
            "--upload-pack",
            "-u",
            "--upload-pa",
            "--tree-filter",
            "--index-filter",
            "--msg-filter",
            "--env-filter",
            "--commit-filter",
            "--tool",
            "--extcmd",
            "--open-files-in-pager",
        ];
        for script in options.values(&names).cloned().collect::<Vec<_>>() {
            self.probe_script(&script.text, "a git option");
            self.found.unknown(
                Weight::Covered,
                "git_setting_runs",
                "a git option that makes git run something",
                about,
            );
        }
        if options.flags.iter().any(|(flag, _)| flag.starts_with("--upload-pa"))
            || options.words.iter().any(|word| word.text.starts_with("ext::"))
        {
            self.found.unknown(
                Weight::Ask,
                "git_setting_runs",
                "a git option that makes git run something",
                about,
            );
        }
        // `bisect run` and `submodule foreach`: everything after it is a command, options and all.
        let from = args.iter().position(|arg| matches!(arg.text.as_str(), "run" | "foreach"));
        if let Some(from) = from.filter(|_| matches!(options.word(0), "run" | "foreach")) {
            let own = args[from + 1..].iter().take_while(|arg| arg.text.starts_with('-')).count();
            match &args[from + 1 + own..] {
                [] => {}
                [script] => self.probe_script(&script.text.clone(), "git"),
                words => {
                    self.run(words, Data::default());
                }
            }
        }
    }
}
