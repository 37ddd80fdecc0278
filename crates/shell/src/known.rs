//! Applies a table's block to a command.

use crate::findings::Weight;
use crate::options::Options;
use crate::table::{Effect, Entry, Rule};
use crate::value::{Arg, Data, Taint};
use crate::verbs::{Task, is_loss_verb, is_noun_too, is_read_verb, shows_secret, task};
use crate::verdict::Place;
use crate::walk::Walk;

impl Walk<'_> {
    /// A program that the tables know.
    pub(crate) fn known_program(
        &mut self,
        entry: &Entry<'_>,
        argv: &[Arg],
        stdin: Data,
        about: &str,
    ) -> Data {
        let options = Options::of(&argv[1..], &entry.valued);
        // A sub-command of its own is not a program to run: `mise install`.
        let own = matching(&entry.rules, &options).is_some_and(|rule| !rule.words.is_empty());
        if entry.is_wrapper()
            && !own
            && let Some(out) = self.wrapper(entry, argv, &stdin, about)
        {
            return out;
        }
        let asks_help = argv.len() <= 5
            && options.has(&["--help"])
            && argv.last().is_some_and(|last| matches!(last.text.as_str(), "--help"));
        if asks_help {
            return Data::unknown(stdin.taint);
        }
        for script in options.values(&entry.scripts).cloned().collect::<Vec<_>>() {
            self.probe_script(&script.text, "an option that runs its value");
        }
        for file in options.values(&entry.outputs).cloned().collect::<Vec<_>>() {
            self.writes(&file, "output file");
        }
        for folder in options.values(&entry.folders).cloned().collect::<Vec<_>>() {
            self.works_in(&folder, about);
        }
        let rule = matching(&entry.rules, &options);
        let mut effects = rule.map_or(&entry.effects, |rule| &rule.effects).clone();
        // What the tables say of a sub-command is known; else its own words may say that it makes something public.
        let by_words = rule.is_some_and(|rule| !rule.words.is_empty());
        let makes = |effect: &Effect| {
            matches!(effect, Effect::Build | Effect::Write | Effect::Opaque | Effect::Install | Effect::Read)
        };
        let only_makes = !entry.is_wrapper() && effects.iter().all(makes);
        if only_makes && !effects.iter().all(|effect| *effect == Effect::Read) {
            if !by_words {
                self.speaks_of_publishing(argv, &options, about);
            }
            let told: Vec<&str> = entry.outputs.iter().chain(&entry.folders).copied().collect();
            let program = argv[0].text.rsplit('/').next().unwrap_or_default();
            self.option_outputs(program, argv, &told, about);
        }
        // An option before the sub-command may have a value that the table does not know of.
        if argv.get(1).is_some_and(|arg| arg.text.starts_with('-')) && options.words.len() > 1 {
            let mut shifted = options.clone();
            shifted.words.remove(0);
            if let Some(rule) = matching(&entry.rules, &shifted).filter(|rule| rule.is_harmful()) {
                effects.clone_from(&rule.effects);
            }
        }
        // A question in GraphQL is sent like a change, but is none.
        let program = argv[0].text.rsplit('/').next().unwrap_or_default();
        if program == "gh"
            && options.word(0) == "api"
            && options.word(1) == "graphql"
            && !argv.iter().any(|arg| arg.text.contains("mutation") || arg.text.contains('@') || !arg.known())
        {
            effects = vec![Effect::Fetch];
        }
        // `vib` alone says where the project stands.
        if program == "vib" && options.words.is_empty() {
            effects = vec![Effect::Read];
        }
        // `make install PREFIX=/tmp/out`: into a folder of one's own.
        if matches!(program, "make" | "gmake" | "bmake" | "remake")
            && options.word(0) == "install"
            && effects == [Effect::Machine]
            && self.installs_here(&options)
        {
            effects = vec![Effect::Task];
        }
        let rehearsed = |effect: &Effect| {
            matches!(
                effect,
                Effect::Verbs | Effect::Publish | Effect::Destroy | Effect::Task | Effect::Install
            )
        };
        if is_rehearsal(&options) && effects.iter().all(rehearsed) {
            self.found.verdict.network = true;
            effects = vec![Effect::Read];
        }
        let mut taint = stdin.taint;
        let looks =
            !effects.iter().any(|effect| matches!(effect, Effect::Meta | Effect::Text | Effect::WriteArgs));
        for arg in &argv[1..] {
            if looks {
                taint.secret |= self.reads_secret_argument(arg);
                if let Some(data) = self.file_key(arg).and_then(|key| self.files.get(&key)) {
                    taint = taint.and(data.taint);
                }
            }
            taint = taint.and(arg.taint);
        }
        self.formats(program, &options);
        if matches!(program, "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose") {
            self.secret_to_image(&options, taint.secret, about);
            let words: Vec<&str> = options.words.iter().map(|word| word.text.as_str()).collect();
            let is_compose = program.ends_with("compose") || words.first() == Some(&"compose");
            let starts = ["up", "run", "start", "create", "restart", "exec"];
            if is_compose && words.iter().take(3).any(|word| starts.contains(word)) {
                self.compose(&options, about);
            }
            if effects.iter().any(|effect| !matches!(effect, Effect::Read | Effect::Meta))
                && self.is_other_machine(&options)
            {
                self.changes_remote(about);
            }
        }
        for effect in &effects {
            self.effect(*effect, argv, &options, taint, &stdin, about);
        }
        let is_look = |effect: &Effect| {
            matches!(effect, Effect::Read | Effect::Meta | Effect::Text | Effect::Fetch | Effect::Verbs)
        };
        if effects.iter().all(is_look) {
            let program = argv[0].text.rsplit('/').next().unwrap_or_default();
            self.may_leave_behind(program, &argv[1..], &options);
            if !entry.rules.is_empty() {
                self.may_bring_here(&options);
            }
        }
        // The whole environment usually holds a key or two.
        let program = argv[0].text.rsplit('/').next().unwrap_or_default();
        taint.secret |= matches!(program, "env" | "printenv") && options.words.is_empty();
        taint.variable |= program == "printenv"
            && options.words.iter().any(|word| crate::secret_files::is_secret_variable(&word.text));
        // A name that is looked up reaches other machines.
        if (taint.secret || taint.variable)
            && matches!(
                program,
                "ping" | "ping6" | "host" | "whois" | "traceroute" | "tracepath" | "mtr" | "getent"
            )
        {
            self.sends(taint.secret, about);
        }
        if effects.contains(&Effect::Fetch) {
            taint.network = true;
        }
        Data::unknown(taint)
    }

    /// A container: what runs inside is kept there, unless it is given the machine itself.
    fn contained(&mut self, options: &Options, about: &str) {
        self.found.may_write();
        // The network of this machine is no file of it.
        let all = options.has(&["--privileged"])
            || options.values(&["--pid", "--ipc", "--userns"]).any(|value| value.text == "host");
        let mounts: Vec<Arg> = options.values(&["-v", "--volume", "--mount"]).cloned().collect();
        let outside = mounts.iter().any(|mount| {
            let source = mount.text.split("source=").nth(1).or_else(|| mount.text.split("src=").nth(1));
            let source = source.unwrap_or(&mount.text).split([':', ',']).next().unwrap_or_default();
            let path = source.starts_with(['/', '~', '.', '$']) || source.contains(crate::value::HOLE);
            let place = self.place_of(&mount.with_text(source)).1;
            path && !matches!(place, Place::Project | Place::ProjectRoot | Place::Temp)
        });
        if all || outside {
            self.found.verdict.leaves_project = true;
            self.found.unknown(
                Weight::Ask,
                "container_reaches_out",
                "a container that is given files or rights of this machine",
                about,
            );
        } else {
            self.found.unknown(
                Weight::Checkpoint,
                "runs_in_container",
                "runs something inside a container",
                about,
            );
        }
    }

    /// An option sends the program to another folder.
    pub(crate) fn works_in(&mut self, folder: &Arg, about: &str) {
        let (path, place) = self.place_of(folder);
        if !matches!(place, Place::Project | Place::ProjectRoot | Place::Temp | Place::Unknown) {
            self.found.wrote(&path, place);
            self.found.runs_in(&path, &self.ctx.project_root);
            self.found.add(
                Weight::Ask,
                "writes_outside",
                "works in a folder outside the project, which no checkpoint covers",
                about,
            );
        }
    }

    /// An argument, or the value of an option, that names a secret file.
    pub(crate) fn reads_secret_argument(&mut self, arg: &Arg) -> bool {
        match arg.text.split_once('=') {
            Some((name, value)) if name.starts_with('-') || name.chars().all(|c| c.is_ascii_lowercase()) => {
                // `id=x,src=.env`: several in one.
                let last =
                    value.rsplit_once('=').filter(|(before, _)| before.contains(',')).map(|(_, last)| last);
                self.reads_secret(&arg.with_text(last.unwrap_or(value)))
            }
            _ => self.reads_secret(arg),
        }
    }

    pub(crate) fn effect(
        &mut self,
        effect: Effect,
        argv: &[Arg],
        options: &Options,
        taint: Taint,
        stdin: &Data,
        about: &str,
    ) {
        match effect {
            Effect::Read | Effect::Meta | Effect::Text | Effect::Special => {}
            Effect::Write => {
                self.found.may_write();
                // What exactly it does to a file it is given is not in the tables.
                if let Some(path) = options.words.iter().find(|arg| self.is_critical(arg)).cloned() {
                    self.found.unknown(
                        Weight::Ask,
                        "unknown_writes",
                        "may change a file that matters to more than the project",
                        &path.text,
                    );
                }
            }
            Effect::WriteArgs => {
                let program = argv[0].text.as_str();
                let exact = matches!(program, "touch" | "mkdir" | "truncate");
                // A folder that is made where it may be already harms nothing; in the project it is a change all the same.
                let harmless = program == "mkdir" && options.has(&["-p", "--parents"]);
                let files: Vec<&Arg> = options
                    .words
                    .iter()
                    .filter(|file| {
                        !harmless || matches!(self.place_of(file).1, Place::Project | Place::Unknown)
                    })
                    .collect();
                let how =
                    if matches!(program, "touch" | "mkdir") { "touched" } else { "named as a file to write" };
                for file in files {
                    self.exactly(exact, |walk| walk.writes(file, how));
                }
            }
            Effect::WriteLast => {
                if let Some(file) = options.words.last() {
                    self.writes(file, "named as a file to write");
                }
            }
            Effect::DeleteArgs => {
                for file in &options.words {
                    self.deletes(file, true);
                    self.deletes_own_pattern(file);
                }
            }
            Effect::Build => {
                self.found.may_write();
                self.found.add(Weight::Checkpoint, "runs_project_code", "runs the project's own code", about);
            }
            Effect::Task => {
                self.found.may_write();
                self.found.add(Weight::Checkpoint, "runs_project_code", "runs the project's own code", about);
                self.told_to(&options.words, about);
            }
            Effect::Lose => {
                self.found.may_write();
                self.found.loses(true);
                self.found.add(
                    Weight::Covered,
                    "deletes_covered",
                    "deletes inside files of the project",
                    about,
                );
            }
            Effect::Contain => {
                let inside = ["changes_machine", "writes_system", "unknown_reaches_out", "more_rights"];
                self.suspects_but(argv, &inside, about);
                self.contained(options, about);
            }
            Effect::Install => {
                if taint.secret && argv.iter().any(|arg| arg.text.contains("://")) {
                    self.sends(true, about);
                }
                self.found.may_write();
                self.found.verdict.network = true;
                self.found.add(
                    Weight::Checkpoint,
                    "installs_packages",
                    "fetches and installs packages",
                    about,
                );
            }
            Effect::Fetch => {
                self.found.verdict.network = true;
                if taint.secret {
                    self.sends(true, about);
                } else if taint.variable {
                    self.sends_key(about);
                }
            }
            Effect::Send => self.sends(taint.secret, about),
            Effect::Publish => {
                self.found.verdict.network = true;
                self.found.add(
                    Weight::Ask,
                    "publishes",
                    "makes something public that cannot be called back",
                    about,
                );
            }
            Effect::Destroy => self.changes_remote(about),
            // What is not named one by one may be everything.
            Effect::Remake if argv.iter().skip(2).any(|arg| !arg.known() || is_volume_flag(&arg.text)) => {
                self.changes_remote(about);
            }
            Effect::Remake => {
                self.found.may_write();
                self.found.loses(false);
                self.found.add(
                    Weight::Covered,
                    "removes_remade",
                    "removes something on this machine that can be made again",
                    about,
                );
            }
            Effect::Wipe => {
                self.found.loses(false);
                self.found.may_write();
                self.found.verdict.leaves_project = true;
                self.found.add(Weight::Deny, "wipes_disk", "destroys a disk, a volume or the system", about);
            }
            Effect::Person => {
                self.found.may_write();
                self.found.verdict.leaves_project = true;
                self.found.add(
                    Weight::Deny,
                    "persons_answer",
                    "answers for the person, or switches vib off: only a person may do that, in their own terminal",
                    about,
                );
            }
            Effect::Machine => {
                self.found.may_write();
                self.found.verdict.leaves_project = true;
                self.found.add(
                    Weight::Ask,
                    "changes_machine",
                    "changes this machine outside the project",
                    about,
                );
            }
            Effect::Secret => {
                self.found.add(Weight::Ask, "reads_secret", "shows or changes stored secrets", about);
            }
            Effect::History => {
                self.found.verdict.history_rewrite = true;
                self.found.loses(false);
                self.found.add(
                    Weight::Ask,
                    "rewrites_history",
                    "rewrites or discards recorded history",
                    about,
                );
            }
            Effect::Privilege => {
                self.found.verdict.privilege = true;
                self.found.add(Weight::Note, "more_rights", "runs with more rights than the user has", about);
            }
            Effect::Verbs => self.service_verb(options, taint, about),
            Effect::Opaque => {
                self.suspects(argv, about);
                self.told_to(&options.words, about);
                self.found.unknown(
                    Weight::Covered,
                    "runs_unknown_code",
                    "runs code that is not visible here",
                    about,
                );
            }
            Effect::Runs => {
                // `husky add`, `lefthook add`
                let text = match argv[0].text.rsplit('/').next() {
                    Some("husky" | "lefthook") => {
                        "writes a hook: a file that git runs by itself, at every commit or push"
                    }
                    _ => "an option makes it run another program",
                };
                self.found.unknown(Weight::Ask, "runs_unknown_code", text, about);
            }
            Effect::Sql => {
                let program = argv[0].text.rsplit('/').next().unwrap_or_default();
                self.database_client(program, options, stdin, about);
            }
        }
    }

    /// A program that reads patterns by itself: `rimraf '.*'`. Some of them match names with a dot.
    fn deletes_own_pattern(&mut self, file: &Arg) {
        if !crate::patterns::is_pattern(&file.text) && !file.text.contains('{') {
            return;
        }
        let globstar = std::mem::replace(&mut self.globstar, true);
        for text in crate::braces::braces(&file.text) {
            let pattern = Arg { glob: true, ..file.with_text(text) };
            for hit in self.special_matches(&pattern, pattern.text.contains("**")) {
                self.deletes(&Arg::new(hit), true);
            }
            self.deletes(&pattern, true);
        }
        self.globstar = globstar;
    }

    /// A task of the project is named by a word: some names say that data is lost or something goes public.
    pub(crate) fn told_to(&mut self, words: &[Arg], about: &str) {
        let dry = words.iter().any(|word| matches!(word.text.as_str(), "--dry-run" | "--check" | "--plan"));
        if !dry && self.is_production(words) && words.iter().any(|word| is_database_task(&word.text)) {
            self.found.loses(false);
            self.found.add(Weight::Ask, "unknown_loss", "a task that works on the data of production", about);
        }
        let names = words.iter().filter(|word| !word.text.starts_with('-')).take(4);
        let for_tests = self.is_for_tests(words);
        for task in names.filter_map(|word| task(&word.text)).filter(|_| !dry) {
            if for_tests && task == Task::Loses {
                continue;
            }
            let (code, text) = match task {
                Task::Loses => ("unknown_loss", "a task of the project that is named like a loss of data"),
                Task::Publishes => ("publishes", "a task of the project that is named like a release"),
            };
            self.found.loses(false);
            self.found.add(Weight::Ask, code, text, about);
        }
    }

    /// Whether every folder that an installation is given lies in the project or among temporary files.
    fn installs_here(&self, options: &Options) -> bool {
        const NAMES: &[&str] = &["PREFIX", "prefix", "DESTDIR"];
        let mut given = options.words.iter().filter_map(|word| {
            let (name, folder) = word.text.split_once('=')?;
            NAMES.contains(&name).then(|| word.with_text(folder))
        });
        let is_here = |folder: Arg| {
            matches!(self.place_of(&folder).1, Place::Project | Place::ProjectRoot | Place::Temp)
        };
        given.next().is_some_and(|first| is_here(first) && given.all(is_here))
    }

    /// Whether a task is told to work on the data of tests, which every run makes anew.
    fn is_for_tests(&self, words: &[Arg]) -> bool {
        const NAMES: &[&str] = &["RAILS_ENV", "RACK_ENV", "APP_ENV", "MIX_ENV"];
        NAMES.iter().any(|name| {
            let values = self.vars.get(*name);
            values.is_some_and(|values| !values.is_empty() && values.iter().all(|value| value.text == "test"))
                || words.iter().any(|word| word.text.split_once('=') == Some((name, "test")))
        })
    }

    /// Whether a task is told to work on production.
    fn is_production(&self, words: &[Arg]) -> bool {
        const NAMES: &[&str] = &[
            "RAILS_ENV",
            "RACK_ENV",
            "APP_ENV",
            "DJANGO_ENV",
            "FLASK_ENV",
            "MIX_ENV",
            "SYMFONY_ENV",
            "NODE_ENV",
        ];
        let is = |value: &str| matches!(value, "production" | "prod" | "live");
        NAMES
            .iter()
            .any(|name| self.vars.get(*name).is_some_and(|values| values.iter().any(|value| is(&value.text))))
            || words.iter().any(|word| match word.text.split_once('=') {
                Some((name, value)) => NAMES.contains(&name.trim_start_matches('-')) && is(value),
                None => is(&word.text),
            })
    }

    /// The same for the words after a script, unless the script runs tests: then they are names of tests.
    pub(crate) fn script_told_to(&mut self, script: &Arg, words: &[Arg], about: &str) {
        let name = script.text.rsplit('/').next().unwrap_or_default().to_lowercase();
        if !["test", "spec", "bench"].iter().any(|word| name.contains(word)) {
            self.told_to(words, about);
        }
    }

    /// A service's client: the first word that is a known verb decides.
    fn service_verb(&mut self, options: &Options, taint: Taint, about: &str) {
        self.found.verdict.network = true;
        let flags = || {
            let names = options.flags.iter().map(|(flag, _)| flag.trim_start_matches('-'));
            // How an answer is written is no disk that is formatted.
            names.filter(|flag| flag.len() > 2 && *flag != "format")
        };
        if flags().any(is_loss_verb) || taint.secret {
            return self.changes_remote(about);
        }
        if shows_secret(options.words.iter().map(|word| word.text.as_str())) {
            self.found.add(Weight::Ask, "reads_secret", "shows or changes stored secrets", about);
        }
        if options.words.is_empty() && flags().all(is_read_verb) {
            return;
        }
        for word in options.words.iter().take(6) {
            if is_loss_verb(&word.text) {
                return self.changes_remote(about);
            }
            if is_read_verb(&word.text) && !is_noun_too(&word.text) {
                return;
            }
        }
        // `heroku logs` reads, `aws logs put-...` does not: such a word decides only when nothing follows it.
        let last = options.words.last().map_or("", |word| word.text.as_str());
        if !(is_noun_too(last) || options.words.is_empty() && flags().any(is_read_verb)) {
            self.changes_remote(about);
        }
    }
}

/// `docker rm -fv`: the data of a container goes with it.
fn is_volume_flag(arg: &str) -> bool {
    arg == "--volumes" || arg.starts_with('-') && !arg.starts_with("--") && arg.contains('v')
}

/// `db:migrate`, `migrate`, `console`: what touches a database or gives a way to it.
fn is_database_task(word: &str) -> bool {
    let lower = word.to_lowercase();
    lower.starts_with("db:")
        || lower.starts_with("ecto.")
        || matches!(
            lower.as_str(),
            "migrate" | "seed" | "console" | "runner" | "shell" | "dbshell" | "loaddata"
        )
}

/// Whether the command only shows what it would do.
fn is_rehearsal(options: &Options) -> bool {
    options.flags.iter().any(|(flag, value)| {
        let value = value.as_ref().map_or("", |value| value.text.as_str());
        matches!(
            flag.as_str(),
            "--dry-run" | "--dryrun" | "--what-if" | "--whatif" | "--noop" | "--just-print"
        ) && !matches!(value, "none" | "false" | "0" | "no")
    })
}

pub(crate) fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && (name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || name.starts_with("BASH_FUNC_"))
            && !name.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The rule that fits best: most words, then most options, then the first.
fn matching<'e, 't>(rules: &'e [Rule<'t>], options: &Options) -> Option<&'e Rule<'t>> {
    let mut best: Option<(usize, &Rule<'t>)> = None;
    for rule in rules {
        let words = rule.words.iter().enumerate().all(|(n, pattern)| {
            options.words.get(n).is_some_and(|word| {
                pattern
                    .split('|')
                    .any(|choice| choice == "*" || choice == word.text || fits(choice, &word.text))
            })
        });
        let flags = rule.flags.iter().all(|flag| options.has(&flag.split('|').collect::<Vec<_>>()));
        let score = rule.words.len() * 2 + rule.flags.len();
        if words && flags && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, rule));
        }
    }
    best.map(|(_, rule)| rule)
}

fn fits(choice: &str, word: &str) -> bool {
    choice.contains('*') && words::fits_stars(choice, word)
}
