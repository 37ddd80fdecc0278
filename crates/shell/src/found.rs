//! What `find` finds: its tests are read and asked about the names in the folder that matter.
//!
//! A test that looks at more than a name (dates, sizes, owners) may hold: then the file counts as found.

use crate::context::Kind;
use crate::patterns::fits_whole;
use crate::place::classify;
use crate::value::Arg;
use crate::verdict::Place;
use crate::walk::Walk;
use std::path::{Path, PathBuf};

/// Most files that matter which are followed for one action.
const MOST_HITS: usize = 24;

/// Most paths without a checkpoint that are looked up.
const MOST_UNSAVED: usize = 2000;

/// What is certain about a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Holds {
    No,
    Maybe,
    Yes,
}

impl Holds {
    fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }

    fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
            Self::Yes => Self::No,
        }
    }
}

/// An expression of `find`.
#[derive(Debug)]
enum Test {
    Name(String, bool),
    Path(String, bool),
    Kinds(String),
    Empty,
    Prune,
    Known(Holds),
    /// What is done with a file, by its position among the arguments.
    Action(usize),
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
}

/// A whole search.
#[derive(Debug)]
pub(crate) struct Search {
    test: Test,
    deepest: usize,
    shallowest: usize,
    follows: bool,
    prints: bool,
    /// Whether something is asked of what is in a file or a folder.
    asks_empty: bool,
}

/// What one action reaches that is more than a file of the project.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    /// Position of the action among the arguments; `None` for printing.
    pub actions: Vec<(Option<usize>, Vec<String>)>,
}

impl Hits {
    /// The names that an action reaches.
    pub(crate) fn of(&self, action: Option<usize>) -> &[String] {
        self.actions.iter().find(|(at, _)| *at == action).map_or(&[], |(_, hits)| hits.as_slice())
    }

    fn add(&mut self, action: Option<usize>, name: &str) {
        let hits = match self.actions.iter_mut().find(|(at, _)| *at == action) {
            Some((_, hits)) => hits,
            None => {
                self.actions.push((action, Vec::new()));
                match self.actions.last_mut() {
                    Some((_, hits)) => hits,
                    None => return,
                }
            }
        };
        if hits.len() < MOST_HITS && !hits.iter().any(|hit| hit == name) {
            hits.push(name.to_owned());
        }
    }
}

/// One thing that is found.
struct Entry<'e> {
    /// As `find` writes it.
    shown: &'e str,
    name: &'e str,
    kind: Kind,
    empty: Holds,
}

impl Search {
    /// Whether a name passes the tests on names that everything found must pass.
    fn may_hold(&self, name: &str) -> bool {
        match &self.test {
            Test::All(tests) => tests.iter().all(|test| match test {
                Test::Name(pattern, false) => fits_whole(pattern, name),
                _ => true,
            }),
            _ => true,
        }
    }

    /// Reads the tests of a `find` command.
    pub(crate) fn of(args: &[Arg]) -> Self {
        let mut search = Self {
            test: Test::Known(Holds::Yes),
            deepest: 64,
            shallowest: 0,
            follows: false,
            prints: true,
            asks_empty: false,
        };
        search.follows = args.iter().any(|arg| matches!(arg.text.as_str(), "-L" | "-follow"));
        let from = args
            .iter()
            .position(|arg| {
                arg.text.starts_with(['-', '(', '!']) && !matches!(arg.text.as_str(), "-L" | "-H" | "-P")
            })
            .unwrap_or(args.len());
        let mut at = from;
        search.test = search.either(args, &mut at, 0);
        // What is left over was not understood: it may hold.
        if at < args.len() {
            let read = std::mem::replace(&mut search.test, Test::Known(Holds::Maybe));
            search.test = Test::Any(vec![read, Test::Known(Holds::Maybe)]);
        }
        search
    }

    fn either(&mut self, args: &[Arg], at: &mut usize, depth: usize) -> Test {
        let mut choices = vec![self.every(args, at, depth)];
        while args.get(*at).is_some_and(|arg| matches!(arg.text.as_str(), "-o" | "-or" | ",")) {
            *at += 1;
            choices.push(self.every(args, at, depth));
        }
        if choices.len() == 1 { choices.remove(0) } else { Test::Any(choices) }
    }

    fn every(&mut self, args: &[Arg], at: &mut usize, depth: usize) -> Test {
        let mut parts = Vec::new();
        while let Some(arg) = args.get(*at) {
            match arg.text.as_str() {
                "-o" | "-or" | "," | ")" | "\\)" => break,
                "-a" | "-and" => *at += 1,
                _ => parts.push(self.one(args, at, depth)),
            }
        }
        Test::All(parts)
    }

    fn one(&mut self, args: &[Arg], at: &mut usize, depth: usize) -> Test {
        let here = *at;
        let text = args[here].text.as_str();
        let value = args.get(here + 1).map(|arg| arg.text.clone()).unwrap_or_default();
        *at += 1;
        let valued = |test: Test, at: &mut usize| {
            *at += 1;
            test
        };
        match text {
            "!" | "-not" | "\\!" if *at < args.len() && depth < 32 => {
                Test::Not(Box::new(self.one(args, at, depth + 1)))
            }
            "(" | "\\(" if depth < 32 => {
                let inner = self.either(args, at, depth + 1);
                *at += 1;
                inner
            }
            "-name" => valued(Test::Name(value, false), at),
            "-iname" => valued(Test::Name(value, true), at),
            "-path" | "-wholename" => valued(Test::Path(value, false), at),
            "-ipath" | "-iwholename" => valued(Test::Path(value, true), at),
            "-regex" | "-iregex" => valued(
                match as_pattern(&value) {
                    Some(pattern) => Test::Path(pattern, text == "-iregex"),
                    None => Test::Known(Holds::Maybe),
                },
                at,
            ),
            "-type" | "-xtype" => valued(Test::Kinds(value), at),
            "-maxdepth" | "-mindepth" => {
                if let Ok(depth) = value.parse::<usize>() {
                    *(if text == "-maxdepth" { &mut self.deepest } else { &mut self.shallowest }) = depth;
                }
                valued(Test::Known(Holds::Yes), at)
            }
            "-prune" => Test::Prune,
            "-true" | "-depth" | "-d" | "-mount" | "-xdev" | "-follow" | "-noleaf" | "-daystart"
            | "-print" | "-print0" | "-ls" => Test::Known(Holds::Yes),
            "-false" => Test::Known(Holds::No),
            "-delete" => {
                self.prints = false;
                Test::Action(here)
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                self.prints = false;
                let end = args[*at..].iter().position(|arg| matches!(arg.text.as_str(), ";" | "+" | "\\;"));
                *at = end.map_or(args.len(), |end| *at + end + 1);
                Test::Action(here)
            }
            "-printf" | "-fprint" | "-fprint0" | "-fls" | "-regextype" => valued(Test::Known(Holds::Yes), at),
            "-fprintf" => {
                *at += 2;
                Test::Known(Holds::Yes)
            }
            "-empty" => {
                self.asks_empty = true;
                Test::Empty
            }
            "-readable" | "-writable" | "-executable" | "-nouser" | "-nogroup" | "-quit" => {
                Test::Known(Holds::Maybe)
            }
            _ if text.starts_with('-') => valued(Test::Known(Holds::Maybe), at),
            _ => Test::Known(Holds::Maybe),
        }
    }
}

impl Test {
    /// The positions of all actions.
    fn actions(&self, found: &mut Vec<usize>) {
        match self {
            Self::Action(at) => found.push(*at),
            Self::Not(test) => test.actions(found),
            Self::All(tests) | Self::Any(tests) => tests.iter().for_each(|test| test.actions(found)),
            _ => {}
        }
    }

    /// Whether it asks for names of secrets: `.env*`, `*.key`, `id_rsa`.
    fn names_secret(&self) -> bool {
        match self {
            Self::Name(pattern, _) | Self::Path(pattern, _) => ["", "any"]
                .iter()
                .any(|filler| crate::secret_files::is_secret(&pattern.replace(['*', '?'], filler))),
            Self::Not(test) => test.names_secret(),
            Self::All(tests) | Self::Any(tests) => tests.iter().any(Self::names_secret),
            _ => false,
        }
    }

    /// Whether it holds for an entry; notes the actions that are reached, and whether its folder is left out.
    fn holds(&self, entry: &Entry<'_>, reached: &mut Vec<usize>, pruned: &mut Holds) -> Holds {
        let compare = |pattern: &str, text: &str, any_case: bool| {
            Holds::of(if any_case {
                fits_whole(&pattern.to_lowercase(), &text.to_lowercase())
            } else {
                fits_whole(pattern, text)
            })
        };
        match self {
            Self::Name(pattern, _) | Self::Path(pattern, _) if pattern.contains(crate::value::HOLE) => {
                Holds::Maybe
            }
            Self::Name(pattern, any_case) => compare(pattern, entry.name, *any_case),
            Self::Path(pattern, any_case) => compare(pattern, entry.shown, *any_case),
            Self::Kinds(kinds) => Holds::of(kinds.split(',').any(|kind| {
                kind == match entry.kind {
                    Kind::File => "f",
                    Kind::Folder => "d",
                    Kind::Link => "l",
                }
            })),
            Self::Empty => entry.empty,
            Self::Prune => {
                *pruned = Holds::Yes;
                Holds::Yes
            }
            Self::Known(holds) => *holds,
            Self::Action(at) => {
                reached.push(*at);
                Holds::Yes
            }
            Self::Not(test) => test.holds(entry, reached, pruned).not(),
            Self::All(tests) => {
                let mut all = Holds::Yes;
                for test in tests {
                    let mut inner = *pruned;
                    let one = test.holds(entry, reached, &mut inner);
                    if inner > *pruned {
                        *pruned = inner.min(all);
                    }
                    all = all.min(one);
                    if all == Holds::No {
                        break;
                    }
                }
                all
            }
            Self::Any(tests) => {
                let mut any = Holds::No;
                for test in tests {
                    any = any.max(test.holds(entry, reached, pruned));
                    if any == Holds::Yes {
                        break;
                    }
                }
                any
            }
        }
    }
}

impl Walk<'_> {
    /// Everything below `root` that a search reaches and that is more than a saved file of the project.
    pub(crate) fn hits(&mut self, search: &Search, root: &Arg, hits: &mut Hits) {
        let Some(path) = self.file_key(root) else { return };
        if self.remote || root.glob {
            return;
        }
        let inside = path == self.ctx.project_root.to_string_lossy()
            || Path::new(&path).starts_with(&self.ctx.project_root)
                && !self.ctx.project_root.as_os_str().is_empty();
        let below = inside && path != self.ctx.project_root.to_string_lossy();
        // What is only printed matters if something reads it.
        let read_on = self.may_lose
            && (!search.prints || self.expanding > 0 || self.running.iter().any(|mark| mark == "|"));
        let unsaved: Vec<PathBuf> = if inside && read_on {
            self.ctx.files.unsaved_below(Path::new(&path), MOST_UNSAVED).unwrap_or_default()
        } else {
            Vec::new()
        };
        // A secret among everything else that is found is read like any other file; one that is looked for is not.
        let looked_for = !inside || search.test.names_secret();
        let shown_root = root.text.trim_end_matches('/').to_owned();
        let mut open = vec![(path.clone(), shown_root, 0usize)];
        while let Some((here, shown, depth)) = open.pop() {
            if depth >= search.deepest {
                continue;
            }
            let listed = if inside { self.listing(&here) } else { None };
            let names: std::rc::Rc<Vec<(String, Kind)>> = std::rc::Rc::new(match (listed, depth) {
                (Some(names), _) => {
                    self.hits_in(
                        search,
                        &names,
                        (&here, &shown, depth),
                        (&unsaved, looked_for, read_on),
                        hits,
                        &mut open,
                    );
                    continue;
                }
                // Not to be looked into: the worst that could be there.
                (None, 0) if below && self.ctx.files.kind(Path::new(&here)).is_none() => Vec::new(),
                (None, 0) => [".git", ".vibelign", ".claude", ".ssh", ".aws"]
                    [if inside { 0..3 } else { 0..5 }]
                .iter()
                .map(|name| ((*name).to_owned(), Kind::Folder))
                .collect(),
                (None, _) => {
                    let names: &[&str] = match here.rsplit('/').next() {
                        Some(".git") => &["config", "HEAD", "hooks"],
                        Some(".vibelign") => &["id"],
                        Some(".claude") => &["settings.json"],
                        Some(".ssh") => &["id_rsa", "config"],
                        Some(".aws") => &["credentials"],
                        _ => &[],
                    };
                    names.iter().map(|name| ((*name).to_owned(), Kind::File)).collect()
                }
            });
            self.hits_in(
                search,
                &names,
                (&here, &shown, depth),
                (&unsaved, looked_for, true),
                hits,
                &mut open,
            );
        }
    }

    /// Ordinary files of the project that a search finds, the first few.
    pub(crate) fn files_found(&mut self, search: &Search, roots: &[Arg]) -> Vec<String> {
        let mut found = Vec::new();
        for root in roots.iter().take(4) {
            let Some(path) = self.file_key(root) else { continue };
            if !Path::new(&path).starts_with(&self.ctx.project_root) {
                continue;
            }
            let mut open = vec![(path, root.text.trim_end_matches('/').to_owned(), 0usize)];
            while let Some((here, shown, depth)) = open.pop() {
                if depth >= search.deepest || found.len() >= MOST_HITS {
                    continue;
                }
                let Some(names) = self.listing(&here) else { continue };
                for (name, kind) in names.iter() {
                    let shown = format!("{shown}/{name}");
                    let entry = Entry { shown: &shown, name, kind: *kind, empty: Holds::Maybe };
                    let (mut reached, mut pruned) = (Vec::new(), Holds::No);
                    search.test.holds(&entry, &mut reached, &mut pruned);
                    if *kind == Kind::File && !reached.is_empty() && found.len() < MOST_HITS {
                        found.push(shown.clone());
                    }
                    if *kind == Kind::Folder
                        && pruned != Holds::Yes
                        && !crate::effects::is_made_folder(name)
                        && name != ".git"
                        && open.len() < 4096
                    {
                        open.push((format!("{here}/{name}"), shown, depth + 1));
                    }
                }
            }
        }
        found
    }

    /// Whether there is nothing in a file or a folder.
    fn emptiness(&self, full: &str, kind: Kind) -> Holds {
        let path = Path::new(full);
        if kind == Kind::Folder {
            // Empty folders of git's own come back by themselves, all but these.
            let own =
                full.contains("/.git/") && !full.ends_with("/.git/refs") && !full.ends_with("/.git/objects");
            return Holds::of(!own && self.ctx.files.list(path, 64).is_some_and(|names| names.is_empty()));
        }
        self.ctx.files.opening(path, 1).map_or(Holds::Maybe, |start| Holds::of(start.is_empty()))
    }

    /// The same among the names of one folder; folders to look into next go to `open`.
    fn hits_in(
        &self,
        search: &Search,
        names: &[(String, Kind)],
        (here, shown, depth): (&str, &str, usize),
        (unsaved, looked_for, whole): (&[PathBuf], bool, bool),
        hits: &mut Hits,
        open: &mut Vec<(String, String, usize)>,
    ) {
        // In an ordinary folder only a few names are more than files of the project.
        let here_matters = !matches!(classify(here, false, self.ctx), Place::Project | Place::ProjectRoot);
        let unsaved: Vec<&PathBuf> = unsaved
            .iter()
            .filter(|path| path.starts_with(here) || Path::new(here).starts_with(path))
            .collect();
        for (name, kind) in names {
            let by_name =
                here_matters || crate::there::may_be_special(name) || looked_for && search.may_hold(name);
            let folder = *kind == Kind::Folder || search.follows && *kind == Kind::Link;
            if !by_name && unsaved.is_empty() && !(folder && whole) {
                continue;
            }
            let full = format!("{here}/{name}");
            // A link that is followed out of the project: whatever is found behind it lies there.
            if search.follows
                && *kind == Kind::Link
                && let Some(real) = self.ctx.files.resolve(Path::new(&full))
                && !matches!(classify(&real.to_string_lossy(), false, self.ctx), Place::Project | Place::Temp)
            {
                let mut actions = Vec::new();
                search.test.actions(&mut actions);
                for action in actions {
                    hits.add(Some(action), &format!("{full}/{}", crate::search::EACH));
                }
            }
            let matters = by_name
                && (!matches!(
                    classify(&full, false, self.ctx),
                    Place::Project | Place::Temp | Place::Outside
                ) || looked_for && crate::secret_files::is_secret(&full))
                || unsaved.iter().any(|path| Path::new(&full).starts_with(path))
                    && !crate::effects::is_made_again(
                        full.strip_prefix(&*self.ctx.project_root.to_string_lossy()).unwrap_or(&full),
                    );
            if !matters && !folder {
                continue;
            }
            let shown = format!("{shown}/{name}");
            let kind = if folder { Kind::Folder } else { *kind };
            let empty = if search.asks_empty { self.emptiness(&full, kind) } else { Holds::Maybe };
            let entry = Entry { shown: &shown, name, kind, empty };
            let (mut reached, mut pruned) = (Vec::new(), Holds::No);
            let holds = search.test.holds(&entry, &mut reached, &mut pruned);
            if matters && depth + 1 >= search.shallowest {
                for action in reached {
                    hits.add(Some(action), &shown);
                }
                if search.prints && holds != Holds::No {
                    hits.add(None, &shown);
                }
            }
            // What git stores has no names of its own; one stands for all.
            let stored = full.ends_with("/.git/objects");
            let next = matters || whole && !(crate::effects::is_made_folder(name) && depth > 0);
            if folder && next && pruned != Holds::Yes && !stored && open.len() < 4096 {
                open.push((full, shown, depth + 1));
            }
        }
    }
}

/// A regular expression as a pattern, where it is simple enough.
fn as_pattern(regex: &str) -> Option<String> {
    let mut pattern = String::new();
    let mut chars = regex.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                c @ ('.' | '/' | '-' | '_') => pattern.push(c),
                _ => return None,
            },
            '.' if chars.peek() == Some(&'*') => {
                chars.next();
                pattern.push('*');
            }
            '.' => pattern.push('?'),
            '^' if pattern.is_empty() => {}
            '$' if chars.peek().is_none() => {}
            '*' | '+' | '?' | '[' | '(' | '|' | '{' | '^' | '$' => return None,
            c => pattern.push(c),
        }
    }
    Some(pattern)
}
