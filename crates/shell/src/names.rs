//! Listings: output that consists of names of files below the current folder.
//!
//! `git ls-files | xargs sed -i ...` and `for f in $(find . -name '*.bak')` do not say which files they touch, but they say
//! where: inside. Without this every such line would touch "something unknown", and people would be asked for nothing.

use crate::context::Kind;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::verdict::Place;
use crate::walk::Walk;

/// Stands for one of the listed names.
const LISTED: &str = "listed-file";

/// Programs that pass on some of the lines they read.
const PASS_ON: &[&str] =
    &["grep", "egrep", "fgrep", "rg", "sort", "uniq", "shuf", "head", "tail", "cat", "tac", "tee"];

impl Walk<'_> {
    /// Whether the output of this command is a list of names inside the project.
    pub(crate) fn lists_names(&self, name: &str, argv: &[Arg], stdin: &Data) -> bool {
        let args = &argv[1..];
        if args.iter().any(|arg| self.points_outside(arg)) {
            return false;
        }
        let has = |names: &[&str]| args.iter().any(|arg| names.contains(&arg.text.as_str()));
        let only_names = || {
            has(&["--files-with-matches", "--files-without-match", "--files", "--name-only"])
                || args.iter().any(|arg| {
                    let letters = arg.text.strip_prefix('-').unwrap_or_default();
                    !letters.starts_with('-') && letters.contains(['l', 'L']) && letters.len() < 6
                })
        };
        let lists = match name {
            "find" => !has(&["-exec", "-execdir", "-printf", "-L", "-follow", "-ls"]),
            "fd" | "fdfind" => !has(&["-x", "-X", "--exec", "--exec-batch", "-L", "--follow"]),
            "ls" => !args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains(['l', 'i', 's'])),
            "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" => only_names(),
            "git" => match argv.get(1).map(|arg| arg.text.as_str()) {
                // Ignored files are in no checkpoint.
                Some("ls-files") => !has(&["-s", "--stage", "-i", "--ignored", "-oi", "-io"]),
                Some("diff" | "show" | "log" | "diff-tree" | "diff-index") => has(&["--name-only"]),
                Some("grep") => only_names(),
                _ => false,
            },
            _ => false,
        };
        lists || stdin.names && PASS_ON.contains(&name) && Options::of(args, &["-n", "-c"]).words.len() <= 1
    }

    /// Those of the listed names that are more than files of the project.
    pub(crate) fn special_listed(&mut self, name: &str, argv: &[Arg], stdin: &Data) -> Vec<String> {
        let args = &argv[1..];
        match name {
            "ls" | "dir" | "tree" | "exa" | "eza" => {
                let options = Options::of(args, &["-I", "--ignore", "-w", "-L"]);
                let dots = options.has(&["-a", "-A", "--all", "--almost-all", "-f"]);
                let mut found: Vec<String> = Vec::new();
                let folders = if options.words.is_empty() { vec![Arg::new(".")] } else { options.words };
                for folder in folders.iter().take(8) {
                    // A pattern is handed on as it is: whoever takes it reaches what it matches.
                    if folder.glob && folder.known() {
                        found.push(folder.text.clone());
                    }
                    if options.flags.iter().any(|(flag, _)| flag == "-d") {
                        found.push(folder.text.clone());
                    } else if let Some(path) = self.file_key(folder) {
                        if self.ctx.files.kind(std::path::Path::new(&path)) == Some(Kind::File) {
                            found.push(folder.text.clone());
                        }
                        found.extend(self.special_names(&path, dots));
                    }
                }
                found
            }
            "rg" | "fd" | "fdfind" if !stdin.names && looks_deeper(args) != (false, false) => {
                self.found_deeper(name, args)
            }
            "grep" | "egrep" | "fgrep" | "rg" if stdin.names => {
                let options = Options::of(args, &["-e", "-A", "-B", "-C", "-m"]);
                let pattern = options.values(&["-e"]).next().or(options.words.first());
                let pattern = pattern.map(|arg| arg.text.clone()).unwrap_or_default();
                let inverted = options.has(&["-v", "--invert-match"]);
                let kept = |name: &&String| match may_match(&pattern, name) {
                    Some(matches) => matches != inverted,
                    None => true,
                };
                stdin.special.iter().filter(kept).cloned().collect()
            }
            "grep" | "egrep" | "fgrep" | "rg" | "ag" | "git" => {
                let words = Options::of(args, &["-e", "-m", "--include", "--exclude", "-g", "-t"]).words;
                let named = words.into_iter().filter(|word| word.text.contains(['.', '/']));
                named.filter(|word| self.is_more_than_a_file(word)).map(|word| word.text).collect()
            }
            _ if PASS_ON.contains(&name) => stdin.special.clone(),
            _ => Vec::new(),
        }
    }

    /// What `rg` and `fd` list besides ordinary files when they are told to: hidden names with git's own data, ignored files.
    fn found_deeper(&mut self, name: &str, args: &[Arg]) -> Vec<String> {
        let (hidden, ignored) = looks_deeper(args);
        let valued = ["-g", "--glob", "-e", "--extension", "-t", "--type", "-E", "--exclude", "-d", "-j"];
        let options = Options::of(args, &valued);
        let lists_all = name == "rg" && options.has(&["--files"]);
        let pattern = options.words.first().filter(|_| name != "rg").map(|word| word.text.clone());
        let mut roots: Vec<Arg> =
            options.words.iter().skip(usize::from(!lists_all)).take(8).cloned().collect();
        if roots.is_empty() {
            roots.push(Arg::new("."));
        }
        let search = crate::found::Search::of(&[]);
        let mut hits = crate::found::Hits::default();
        for root in &roots {
            self.hits(&search, root, &mut hits);
        }
        let endings: Vec<String> = options
            .values(&["-e", "--extension"])
            .filter(|_| name != "rg")
            .map(|end| format!(".{}", end.text.trim_start_matches('.')))
            .collect();
        let globs: Vec<String> = options
            .values(&["-g", "--glob"])
            .filter(|glob| name == "rg" && !glob.text.starts_with('!'))
            .map(|glob| glob.text.rsplit('/').next().unwrap_or_default().to_owned())
            .collect();
        let kept = |path: &String| {
            let dotted = path.split('/').any(|part| part.starts_with('.') && !matches!(part, "." | ".."));
            let last = path.rsplit('/').next().unwrap_or_default();
            let own = matches!(self.place_of(&Arg::new(path.clone())).1, Place::Project | Place::ProjectRoot);
            (hidden || !dotted)
                && (ignored || !own)
                && pattern.as_deref().is_none_or(|pattern| may_match(pattern, last) != Some(false))
                && (endings.is_empty() || endings.iter().any(|end| last.ends_with(end.as_str())))
                && (globs.is_empty() || globs.iter().any(|glob| crate::patterns::fits_whole(glob, last)))
        };
        hits.of(None).iter().filter(|path| kept(path)).cloned().collect()
    }

    /// What a listing names that looks outside the project, as far as its words say: whoever writes there is asked.
    pub(crate) fn listed_outside(&self, name: &str, argv: &[Arg], stdin: &Data) -> Vec<String> {
        let args = &argv[1..];
        let outside = |arg: &&Arg| arg.known() && !arg.text.starts_with('-') && self.points_outside(arg);
        match name {
            "ls" => args.iter().filter(outside).take(8).map(|arg| arg.text.clone()).collect(),
            "find" => {
                let named = args.windows(2).find(|pair| matches!(pair[0].text.as_str(), "-name" | "-iname"));
                let last = named.map_or(LISTED, |pair| pair[1].text.as_str()).to_owned();
                let roots = args.iter().take_while(|arg| !arg.text.starts_with('-')).filter(outside);
                roots.take(8).map(|root| format!("{}/{last}", root.text.trim_end_matches('/'))).collect()
            }
            // `grep -rl x ~`, `fd x ~`: files below what they name.
            "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "fd" | "fdfind"
                if args.iter().any(|arg| outside(&arg)) =>
            {
                let roots = args.iter().filter(outside).take(8);
                roots.map(|root| format!("{}/{LISTED}", root.text.trim_end_matches('/'))).collect()
            }
            _ if PASS_ON.contains(&name) && !stdin.names => stdin.special.clone(),
            _ => Vec::new(),
        }
    }

    fn is_more_than_a_file(&self, arg: &Arg) -> bool {
        arg.known()
            && !matches!(
                self.place_of(arg).1,
                Place::Project | Place::ProjectRoot | Place::Temp | Place::Outside
            )
    }

    fn points_outside(&self, arg: &Arg) -> bool {
        let path =
            arg.text.starts_with(['/', '~']) || arg.text.starts_with("..") || arg.text.contains("/../");
        !arg.known() || path && !matches!(self.place_of(arg).1, Place::Project | Place::ProjectRoot)
    }
}

impl Data {
    /// One of the lines that flow here, as far as it is known: a hole, or a name inside the project.
    pub(crate) fn one_line(&self) -> Arg {
        let arg = if self.names { Arg::new(LISTED) } else { Arg::hole() };
        Arg { taint: self.taint, ..arg }
    }

    /// The lines that are worth a look of their own: one that stands for all, and those that matter.
    pub(crate) fn lines(&self) -> Vec<Arg> {
        let special = self.special.iter().map(|name| Arg { taint: self.taint, ..Arg::new(name.clone()) });
        std::iter::once(self.one_line()).chain(special).collect()
    }
}

/// Whether `rg` or `fd` is told to look at hidden names, and at ignored ones.
fn looks_deeper(args: &[Arg]) -> (bool, bool) {
    let (mut hidden, mut ignored) = (false, false);
    let mut more = 0;
    for arg in args {
        match arg.text.as_str() {
            "--hidden" | "-." => hidden = true,
            "--no-ignore" | "--no-ignore-vcs" => ignored = true,
            "--unrestricted" => more += 1,
            text if text.starts_with('-') && !text.starts_with("--") && text.len() < 6 => {
                hidden |= text.contains('H');
                ignored |= text.contains('I');
                more += text.matches('u').count();
            }
            _ => {}
        }
    }
    (hidden || more > 1, ignored || more > 0)
}

/// Whether a pattern of `grep` matches a name; nothing where it is more than letters, anchors and choices between them.
fn may_match(pattern: &str, name: &str) -> Option<bool> {
    let mut any = false;
    for choice in pattern.split("\\|").flat_map(|part| part.split('|')) {
        let (start, end) = (choice.starts_with('^'), choice.ends_with('$'));
        let plain =
            choice.trim_start_matches(['^', '(']).trim_end_matches(['$', ')']).replace("\\.", "\u{1}");
        if plain.contains(['*', '[', ']', '+', '?', '\\', '{', '(', ')', '$', '^']) {
            return None;
        }
        // A dot stands for any letter.
        let letters: Vec<char> = plain.chars().collect();
        let text: Vec<char> = name.chars().collect();
        let fits = |from: usize| {
            letters.len() + from <= text.len()
                && letters.iter().zip(&text[from..]).all(|(want, got)| match want {
                    '.' => true,
                    '\u{1}' => *got == '.',
                    want => want == got,
                })
        };
        any |= (0..=text.len())
            .any(|from| fits(from) && (!start || from == 0) && (!end || from + letters.len() == text.len()));
    }
    Some(any)
}

#[cfg(test)]
mod tests {
    use super::may_match;

    #[test]
    fn what_grep_lets_through() {
        assert_eq!(may_match("git", ".git"), Some(true));
        assert_eq!(may_match("^\\.git$", ".git"), Some(true));
        assert_eq!(may_match("^\\.git$", ".github"), Some(false));
        assert_eq!(may_match("src\\|lib", ".git"), Some(false));
        assert_eq!(may_match("[.]git", ".git"), None);
    }
}
