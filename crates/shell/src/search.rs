//! Programs that run another one for each thing they find: `find`, `xargs`, `parallel`, `fd`.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data, HOLE, Taint};
use crate::walk::Walk;

const XARGS_VALUED: &[&str] = &[
    "-I",
    "-i",
    "-J",
    "-n",
    "-P",
    "-L",
    "-l",
    "-s",
    "-d",
    "-a",
    "-E",
    "-e",
    "-R",
    "-S",
    "--arg-file",
    "--max-args",
    "--max-procs",
    "--max-lines",
    "--delimiter",
    "--max-chars",
    "--process-slot-var",
];

/// Stands for every file that a search finds, where a name is needed: it reads like what it is, not like a file that somebody has.
pub const EACH: &str = "each-file-that-is-found";

impl Walk<'_> {
    /// `find`: what it deletes or runs happens to everything it finds.
    pub(crate) fn find(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let args = &argv[1..];
        let first_test = args
            .iter()
            .position(|arg| {
                arg.text.starts_with(['-', '(', '!']) && !matches!(arg.text.as_str(), "-L" | "-H" | "-P")
            })
            .unwrap_or(args.len());
        let mut roots: Vec<Arg> =
            args[..first_test].iter().filter(|arg| !arg.text.starts_with('-')).cloned().collect();
        if roots.is_empty() {
            roots.push(Arg::new("."));
        }
        // With these a start that is a link stands for what it leads to. (S6)
        if args.iter().any(|arg| matches!(arg.text.as_str(), "-L" | "-H" | "-follow")) {
            roots.iter_mut().filter(|root| !root.text.ends_with('/')).for_each(|root| root.text.push('/'));
        }
        let mut taint = stdin.taint;
        for arg in args {
            taint = taint.and(arg.taint);
        }
        // With a test on the name the whole tree does not go, only what matches.
        let narrowed = args.iter().any(|arg| {
            matches!(
                arg.text.as_str(),
                "-name" | "-iname" | "-path" | "-regex" | "-wholename" | "-ipath" | "-empty"
            )
        });
        let search = crate::found::Search::of(args);
        let mut hits = crate::found::Hits::default();
        for root in roots.iter().take(8) {
            self.hits(&search, root, &mut hits);
        }
        let mut at = first_test;
        while at < args.len() {
            match args[at].text.as_str() {
                "-delete" => {
                    for root in &roots {
                        self.deletes_found(root, narrowed);
                    }
                    for hit in hits.of(Some(at)) {
                        self.deletes(&Arg::new(hit.clone()), false);
                    }
                }
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let end = args[at + 1..]
                        .iter()
                        .position(|arg| matches!(arg.text.as_str(), ";" | "+" | "\\;"))
                        .map_or(args.len(), |n| at + 1 + n);
                    let command = &args[at + 1..end.min(args.len())];
                    self.found_command(command, &roots, narrowed, about);
                    self.hit_command(command, hits.of(Some(at)));
                    let runs = command.first().is_some_and(|program| {
                        let name = program.text.rsplit('/').next().unwrap_or_default();
                        matches!(name, "sh" | "bash" | "zsh" | "dash" | "source" | ".")
                            || crate::code::language(name).is_some()
                    });
                    if runs && command.get(1).is_some_and(|script| script.text == "{}") {
                        let files = self.files_found(&search, &roots);
                        self.runs_files_found(command, &files);
                    }
                    at = end;
                }
                "-fprint" | "-fprintf" | "-fls" | "-fprint0" => {
                    at += 1;
                    if let Some(file) = args.get(at) {
                        self.writes(&file.clone(), "find");
                    }
                }
                _ => {}
            }
            at += 1;
        }
        for root in &roots {
            taint.secret |= crate::secret_files::is_secret(&root.text);
        }
        Data { special: hits.of(None).to_vec(), ..Data::unknown(taint) }
    }

    /// The command once more for what it finds that matters: three of each kind of place.
    fn hit_command(&mut self, command: &[Arg], hits: &[String]) {
        let mut places = Vec::new();
        if !command.iter().any(|arg| arg.text.contains("{}")) {
            return;
        }
        for hit in hits {
            let item = Arg::new(hit.clone());
            let place = self.place_of_entry(&item).1;
            if places.iter().filter(|seen| **seen == place).count() >= 3 {
                continue;
            }
            places.push(place);
            let filled: Vec<Arg> =
                command.iter().map(|arg| arg.with_text(arg.text.replace("{}", hit))).collect();
            self.run(&filled, Data::default());
        }
    }

    fn deletes_found(&mut self, root: &Arg, narrowed: bool) {
        let inside = if narrowed { below(root) } else { root.clone() };
        self.deletes(&inside, true);
    }

    fn found_command(&mut self, command: &[Arg], roots: &[Arg], narrowed: bool, about: &str) {
        if command.is_empty() {
            return;
        }
        let uses_name = command.iter().any(|arg| arg.text.contains("{}"));
        for root in roots.iter().take(8) {
            let item = if narrowed { below(root) } else { root.clone() };
            let filled: Vec<Arg> = command
                .iter()
                .map(|arg| Arg {
                    glob: arg.glob || item.glob,
                    text: arg.text.replace("{}", &item.text),
                    ..arg.clone()
                })
                .collect();
            self.run(&filled, Data::default());
            if !uses_name {
                break;
            }
        }
        if command.first().is_some_and(|arg| arg.text.contains("{}")) {
            self.found.unknown(Weight::Ask, "runs_unknown_code", "runs whatever it finds", about);
        }
    }

    /// `xargs`: the command gets words from the input.
    pub(crate) fn xargs(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let args = &argv[1..];
        let (from, replace) = xargs_command(args);
        let command = &args[from..];
        if command.is_empty() {
            return stdin.clone();
        }
        if args[..from].iter().any(|arg| matches!(arg.text.as_str(), "-P0" | "--max-procs=0"))
            && command.iter().any(|arg| arg.text.contains('&') && !arg.text.contains("&&"))
        {
            self.found.add(
                Weight::Ask,
                "fork_bomb",
                "starts background jobs, as many as the input has lines",
                about,
            );
        }
        let listed = argument_file(&args[..from]).map(|file| self.read_file(&file));
        let stdin = listed.as_ref().unwrap_or(stdin);
        let known = stdin.text.as_deref();
        let mut items: Vec<Arg> = match known {
            Some(text) if replace.is_some() => text
                .split(['\n', '\0'])
                .filter(|line| !line.is_empty())
                .map(|line| Arg { text: line.to_owned(), glob: false, taint: stdin.taint })
                .take(20)
                .collect(),
            Some(text) => quoted_words(text)
                .into_iter()
                .map(|text| Arg { text, glob: false, taint: stdin.taint })
                .take(64)
                .collect(),
            None if listed.is_some() => vec![Arg { taint: stdin.taint, ..Arg::hole() }],
            // Names of files in the project, put into a script that can be read: any such name stands for them.
            None if stdin.names && runs_script(command) && replace.is_some() => {
                vec![Arg { text: EACH.to_owned(), glob: false, taint: stdin.taint }]
            }
            None => stdin.lines(),
        };
        // A list in a file may be another one when it is read: it is asked about where something is deleted by it.
        if listed.is_some() && known.is_some() {
            items.insert(0, Arg { taint: stdin.taint, ..Arg::hole() });
        }
        self.for_items(command, &items, replace.as_deref(), stdin.taint, about)
    }

    /// Runs the command with the items put in their place.
    fn for_items(
        &mut self,
        command: &[Arg],
        items: &[Arg],
        replace: Option<&str>,
        taint: Taint,
        about: &str,
    ) -> Data {
        let mut out = Data::unknown(taint);
        if let Some(mark) =
            replace.filter(|mark| !mark.is_empty() && command.iter().any(|arg| arg.text.contains(mark)))
        {
            for item in items {
                let filled: Vec<Arg> = command
                    .iter()
                    .map(|arg| Arg {
                        text: arg.text.replace(mark, &item.text),
                        glob: arg.glob,
                        taint: arg.taint.and(item.taint),
                    })
                    .collect();
                out = self.run(&filled, Data::default());
            }
            return out;
        }
        let mut filled = command.to_vec();
        filled.extend(items.iter().cloned());
        if self.covered_unknown_delete(&filled, about) {
            return out;
        }
        let result = self.run(&filled, Data::default());
        out.taint = out.taint.and(result.taint);
        out
    }

    /// `... | xargs rm`: the names come from a listing of the project, most likely; without checkpoints nobody could say.
    fn covered_unknown_delete(&mut self, argv: &[Arg], about: &str) -> bool {
        let only_hole = argv.len() > 1
            && argv[1..].iter().all(|arg| arg.text.starts_with('-') || arg.text == HOLE.to_string());
        let name = argv[0].text.rsplit('/').next().unwrap_or_default();
        let network = argv.iter().any(|arg| arg.taint.network);
        if !only_hole || !matches!(name, "rm" | "unlink" | "rmdir") || network {
            return false;
        }
        self.found.loses(false);
        self.found.unknown(Weight::Ask, "deletes_unknown", "deletes whatever the input names", about);
        true
    }

    /// GNU `parallel`: like `xargs`, with its items after `:::` and its command given to a shell.
    pub(crate) fn parallel(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        const VALUED: &[&str] = &[
            "-j",
            "--jobs",
            "-P",
            "-N",
            "-n",
            "-a",
            "--arg-file",
            "--colsep",
            "-C",
            "--joblog",
            "--results",
            "--delay",
            "--timeout",
            "-S",
            "--sshlogin",
            "-I",
            "-d",
        ];
        let args = &argv[1..];
        let sources = args.iter().position(|arg| arg.text.starts_with(":::")).unwrap_or(args.len());
        let mut from = 0;
        while from < sources && args[from].text.starts_with('-') {
            from += 1 + usize::from(VALUED.contains(&args[from].text.as_str()));
        }
        let command = &args[from.min(sources)..sources];
        let mut items: Vec<Arg> =
            args[sources..].iter().filter(|arg| !arg.text.starts_with(":::")).cloned().collect();
        if sources == args.len() {
            items = match &stdin.text {
                Some(text) => text
                    .lines()
                    .map(|line| Arg { text: line.to_owned(), glob: false, taint: stdin.taint })
                    .take(20)
                    .collect(),
                None => stdin.lines(),
            };
        }
        let quoted = |arg: &Arg| {
            let spaced = arg.text.contains(char::is_whitespace) && command.len() > 1;
            if spaced { format!("'{}'", arg.text.replace('\'', r"'\''")) } else { arg.text.clone() }
        };
        let text = command.iter().map(quoted).collect::<Vec<_>>().join(" ");
        for item in items.iter().take(20) {
            // An item that is not known is a variable that nobody set.
            let unknown = Arg { text: "\"$VIB_ITEM\"".to_owned(), ..item.clone() };
            let item = if item.known() || text.is_empty() { item } else { &unknown };
            // parallel quotes what it puts in, and gives the whole line to a shell.
            let line = if text.is_empty() {
                item.text.clone()
            } else if text.contains("{}") {
                text.replace("{}", &item.text)
            } else if ["bash -c", "sh -c"].iter().any(|shell| text.ends_with(shell)) {
                format!("{text} '{}'", item.text.replace('\'', r"'\''"))
            } else {
                format!("{text} {}", item.text)
            };
            let taint = item.taint;
            self.script_data(&Data::text(line).tainted(taint), Data::default(), about);
        }
        Data::unknown(stdin.taint)
    }

    /// `fd`: `-x` and `-X` run a command.
    pub(crate) fn fd(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        if let Some(at) =
            argv.iter().position(|arg| matches!(arg.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"))
        {
            let words = Options::of(
                &argv[1..at],
                &["-t", "--type", "-e", "--extension", "-E", "--exclude", "-d", "--max-depth", "-S", "-j"],
            )
            .words;
            let mut roots: Vec<Arg> = words.into_iter().skip(1).collect();
            if roots.is_empty() {
                roots.push(Arg::new("."));
            }
            let mut command = argv[at + 1..].to_vec();
            if !command.iter().any(|arg| arg.text.contains("{}")) {
                command.push(Arg::new("{}"));
            }
            self.found_command(&command, &roots, true, about);
            // Hidden files are found only on request.
            let hidden = argv[1..at].iter().any(|arg| {
                matches!(arg.text.as_str(), "--hidden" | "--unrestricted")
                    || arg.text.starts_with('-')
                        && !arg.text.starts_with("--")
                        && arg.text.contains(['H', 'u'])
            });
            for root in roots.iter().filter(|_| hidden) {
                if let Some(path) = self.file_key(root) {
                    let names = self.special_names(&path, true);
                    self.hit_command(&command, &names);
                }
            }
        }
        Data::unknown(stdin.taint)
    }
}

/// `sh -c '...'` with its script.
fn runs_script(command: &[Arg]) -> bool {
    let name = command.first().map_or("", |program| program.text.rsplit('/').next().unwrap_or_default());
    matches!(name, "sh" | "bash" | "zsh" | "dash")
        && command.get(1).is_some_and(|arg| arg.text.starts_with('-') && arg.text.ends_with('c'))
}

/// The words of a text as `xargs` reads them: quotes and backslashes hold blanks together.
fn quoted_words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut escaped) = (Vec::new(), None::<String>, None, false);
    for c in text.chars() {
        match (quote, c) {
            _ if escaped => {
                word.get_or_insert_default().push(c);
                escaped = false;
            }
            (None, '\\') => escaped = true,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == c => quote = None,
            (None, _) if c.is_whitespace() || c == '\0' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
        if words.len() > 64 {
            break;
        }
    }
    words.extend(word);
    words
}

/// A name somewhere below a folder.
fn below(root: &Arg) -> Arg {
    let text = if root.text == "/" {
        "/x".to_owned()
    } else {
        format!("{}/{EACH}", root.text.trim_end_matches('/'))
    };
    let root_is_everything = matches!(root.text.as_str(), "/" | "/*");
    Arg { text: if root_is_everything { "/".to_owned() } else { text }, glob: false, taint: root.taint }
}

/// Where the command starts, and the mark that stands for an item.
/// `xargs -a FILE`: where it reads from instead of standard input.
fn argument_file(options: &[Arg]) -> Option<Arg> {
    options.iter().enumerate().find_map(|(at, option)| {
        let text = option.text.as_str();
        match text.strip_prefix("--arg-file=").or_else(|| text.strip_prefix("-a")) {
            Some("") => options.get(at + 1).cloned(),
            Some(file) => Some(option.with_text(file)),
            None if text == "--arg-file" => options.get(at + 1).cloned(),
            None => None,
        }
    })
}

fn xargs_command(args: &[Arg]) -> (usize, Option<String>) {
    let mut at = 0;
    let mut replace = None;
    while at < args.len() {
        let text = args[at].text.as_str();
        if text == "--" {
            at += 1;
            break;
        }
        if !text.starts_with('-') || text == "-" {
            break;
        }
        if let Some(mark) = text.strip_prefix("--replace") {
            replace = Some(mark.strip_prefix('=').unwrap_or("{}").to_owned());
        } else if let Some(mark) = text.strip_prefix("-I").or_else(|| text.strip_prefix("-J")) {
            if mark.is_empty() {
                at += 1;
                replace = args.get(at).map(|arg| arg.text.clone());
            } else {
                replace = Some(mark.to_owned());
            }
        } else if let Some(mark) = text.strip_prefix("-i") {
            replace = Some(if mark.is_empty() { "{}" } else { mark }.to_owned());
        } else {
            let sorted = Options::of(&args[at..args.len().min(at + 2)], XARGS_VALUED);
            if sorted.at.is_empty()
                && !text.contains('=')
                && sorted
                    .flags
                    .iter()
                    .any(|(flag, value)| value.is_some() && text.ends_with(flag.trim_start_matches('-')))
            {
                at += 1;
            }
        }
        at += 1;
    }
    (at.min(args.len()), replace)
}
