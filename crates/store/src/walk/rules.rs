//! What belongs to a checkpoint: ignore files, the include list, sensitive names, folders that tools can make again.

use std::io::Read;
use std::sync::{Arc, OnceLock};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use project::Config;
use project::platform::{self, DirHandle};

use super::editors::{Left, left_by_editor};
use super::patterns::Patterns;

/// Files with ignore rules, the strongest last. All use git's pattern language.
pub(crate) const IGNORE_FILES: [&[u8]; 3] = [b".gitignore", b".ignore", b".vibignore"];

/// Ignore files are small; more than this is not one.
const IGNORE_FILE_LIMIT: u64 = 4 << 20;

/// The first bytes of a valid `CACHEDIR.TAG`.
const CACHE_SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// Where secrets lie in a home folder, in small letters: what is saved from there is never shown.
const SECRET_PLACES: [&[u8]; 14] = [
    b"/.ssh/",
    b"/.gnupg/",
    b"/.aws/",
    b"/.azure/",
    b"/.kube/",
    b"/.docker/config.json",
    b"/.password-store/",
    b"/keyrings/",
    b"/gcloud/",
    b"/.config/gh/",
    b"/.cargo/credentials",
    b"/.git-credentials",
    b"/.vault-token",
    b"/auth.json",
];

/// True if a path, from the top of the file system, lies where secrets do.
fn is_in_secret_place(path: &[u8]) -> bool {
    let lower = [b"/", path].concat().to_ascii_lowercase();
    SECRET_PLACES.iter().any(|place| lower.windows(place.len()).any(|part| part == *place))
}

/// Changes when the meaning of these rules changes, so that an index made under the old meaning is not trusted.
const RULES_VERSION: u64 = 5;

/// What decides what is saved, as it was written: the settings, git's own exclude file, and ignore files that are not saved themselves.
/// Each checkpoint keeps it; the other ignore files are in the checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct RuleText {
    include: Vec<String>,
    include_max_size: u64,
    sensitive: Vec<String>,
    skip_caches: bool,
    max_file_size: u64,
    exclude: Option<String>,
    /// Path and text of each.
    pub(crate) unsaved: Vec<(String, String)>,
}

impl RuleText {
    fn of(config: &Config, root: &DirHandle) -> Self {
        let exclude = root.open_dir(b".git/info").ok().and_then(|dir| read_small(&dir, b"exclude"));
        Self {
            include: config.list("checkpoint.include").to_vec(),
            include_max_size: config.number("checkpoint.include_max_size"),
            sensitive: config.list("checkpoint.sensitive").to_vec(),
            skip_caches: config.flag("checkpoint.skip_caches"),
            max_file_size: config.number("checkpoint.max_file_size"),
            exclude: exclude.map(|text| String::from_utf8_lossy(&text).into_owned()),
            unsaved: Vec::new(),
        }
    }

    fn fingerprint(&self) -> u64 {
        let Self { include, include_max_size, sensitive, skip_caches, max_file_size, exclude, .. } = self;
        let parts = format!(
            "{RULES_VERSION}\0{include:?}\0{sensitive:?}\0{include_max_size}\0{skip_caches}\0{max_file_size}\0{exclude:?}"
        );
        xxhash_rust::xxh3::xxh3_64(parts.as_bytes())
    }
}

/// The settings that decide what is saved.
pub(crate) struct Rules {
    text: RuleText,
    include: Patterns,
    include_in_folders: Vec<Vec<u8>>,
    include_max_size: u64,
    sensitive: Patterns,
    skip_caches: bool,
    pub(crate) max_file_size: u64,
    exclude: Option<Gitignore>,
    fingerprint: u64,
    /// Paths are named from the top of the file system.
    loose: bool,
    /// What git tracks, once somebody asked.
    tracked: OnceLock<git::Tracked>,
    /// Where git's data is, if not in the tree itself.
    git_of: Option<DirHandle>,
}

impl Rules {
    pub(crate) fn load(config: &Config, root: &DirHandle) -> Self {
        Self::of_text(RuleText::of(config, root))
    }

    /// The rules for single files that lie in no project: no ignore file counts.
    pub(crate) fn for_loose_files(config: &Config, root: &DirHandle) -> Self {
        let text = RuleText { exclude: None, ..RuleText::of(config, root) };
        Self { loose: true, ..Self::of_text(text) }
    }

    /// The rules that somebody wrote down.
    pub(crate) fn of_text(text: RuleText) -> Self {
        Self {
            include: Patterns::new(&text.include),
            include_in_folders: text
                .include
                .iter()
                .filter(|pattern| pattern.trim_start_matches('/').contains('/'))
                .map(|pattern| literal_folder(pattern))
                .collect(),
            include_max_size: text.include_max_size,
            sensitive: Patterns::new(&text.sensitive),
            skip_caches: text.skip_caches,
            max_file_size: text.max_file_size,
            exclude: text.exclude.as_ref().and_then(|text| parse(text.as_bytes())),
            fingerprint: text.fingerprint(),
            loose: false,
            tracked: OnceLock::new(),
            git_of: None,
            text,
        }
    }

    /// The same rules, with what git tracks in another tree.
    pub(crate) fn with_git_of(self, tree: DirHandle) -> Self {
        Self { git_of: Some(tree), ..self }
    }

    fn tracked(&self, root: &DirHandle) -> &git::Tracked {
        self.tracked.get_or_init(|| read_index(self.git_of.as_ref().unwrap_or(root)).unwrap_or_default())
    }

    /// The rules as they were written.
    pub(crate) fn text(&self) -> &RuleText {
        &self.text
    }

    /// True if git's own exclude file leaves a path out.
    pub(crate) fn excludes(&self, path: &[u8], is_dir: bool) -> bool {
        let matcher = self.exclude.as_ref();
        matcher.is_some_and(|matcher| matcher.matched(platform::bytes_to_path(path), is_dir).is_ignore())
    }

    /// Two looks with the same fingerprint follow the same settings.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// An ignored file that is saved all the same.
    pub(crate) fn includes(&self, path: &[u8], size: u64) -> bool {
        (self.include_max_size == 0 || size <= self.include_max_size) && self.include.matches(path)
    }

    /// A file whose content never leaves this machine.
    pub(crate) fn is_sensitive(&self, path: &[u8]) -> bool {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        // The usual names for a template without real values.
        let template =
            [&b".example"[..], b".sample", b".template", b".dist"].iter().any(|end| name.ends_with(end));
        !template && (self.sensitive.matches(path) || self.loose && is_in_secret_place(path))
    }

    /// True if an include pattern points into this ignored folder.
    pub(crate) fn include_reaches_into(&self, folder: &[u8]) -> bool {
        self.include_in_folders.iter().any(|prefix| {
            let shorter = prefix.len().min(folder.len());
            prefix[..shorter] == folder[..shorter]
                && (prefix.len() <= folder.len() || prefix[folder.len()] == b'/')
                && !prefix.is_empty()
        })
    }

    /// A folder that a tool makes again: its name says so, and git does not track what is in it.
    pub(crate) fn is_cache(&self, root: &DirHandle, folder: &[u8]) -> bool {
        let name = folder.rsplit(|&byte| byte == b'/').next().unwrap_or(folder);
        self.is_cache_name(name) && !self.is_tracked(root, folder)
    }

    /// True if git tracks something in this folder: somebody wrote it, whatever it is called and however it is marked.
    fn is_tracked(&self, root: &DirHandle, folder: &[u8]) -> bool {
        self.tracked(root).below(folder)
    }

    /// A file that an editor left beside an open one, and that git does not track.
    pub(crate) fn is_left_by_editor(&self, root: &DirHandle, path: &[u8]) -> bool {
        let at = path.iter().rposition(|&byte| byte == b'/');
        let (folder, name) = at.map_or((&[][..], path), |at| (&path[..at], &path[at + 1..]));
        let Some(left) = left_by_editor(name).filter(|_| self.skip_caches) else { return false };
        let stat = |name: &[u8]| root.open_dir(folder).and_then(|dir| dir.stat(name)).ok();
        let is_left = match left {
            Left::Certain => true,
            Left::CopyOf(length) => stat(&name[..length]).is_some(),
            Left::Trial => stat(name).is_some_and(|stat| stat.size == 0),
        };
        is_left && !self.tracked(root).holds(path)
    }

    /// The name of such a file.
    pub(crate) fn is_editors_name(&self, name: &[u8]) -> bool {
        self.skip_caches && left_by_editor(name).is_some()
    }

    /// The name of a folder that tools make again.
    pub(crate) fn is_cache_name(&self, name: &[u8]) -> bool {
        self.skip_caches && (name == b"node_modules" || name == b"__pycache__")
    }

    /// A name whose presence may mark its folder as one that a tool makes again.
    pub(crate) fn may_mark_cache(&self, name: &[u8]) -> bool {
        self.skip_caches && (name == b"CACHEDIR.TAG" || name == b"pyvenv.cfg")
    }

    /// Whether a mark in this folder is real: written by the tool that makes the folder again, and not put beside somebody's work.
    /// `names` are the names in the folder.
    pub(crate) fn is_marked_cache<'n>(
        &self,
        root: &DirHandle,
        dir: &DirHandle,
        folder: &[u8],
        mut names: impl Iterator<Item = &'n [u8]> + Clone,
    ) -> bool {
        let mut marks = names.clone().filter(|name| self.may_mark_cache(name)).peekable();
        marks.peek().is_some()
            && marks.any(|mark| is_real_mark(dir, mark))
            && !names.any(is_somebodys_work)
            && !self.is_tracked(root, folder)
    }
}

/// Whether the mark is one of a tool.
fn is_real_mark(dir: &DirHandle, name: &[u8]) -> bool {
    let Some(text) = read_small(dir, name) else {
        return false;
    };
    if name == b"CACHEDIR.TAG" {
        return text.starts_with(CACHE_SIGNATURE);
    }
    // A virtual environment has its programs or its packages beside the file.
    let has_parts = [&b"bin"[..], b"Scripts", b"lib", b"Lib"].iter().any(|name| dir.open_dir(name).is_ok());
    has_parts && text.windows(4).any(|w| w == b"home")
}

/// A name that lies where people write: a tool that fills a cache puts no sources and no list of a package's parts at its top.
fn is_somebodys_work(name: &[u8]) -> bool {
    const ENDS: &[&[u8]] = &[
        b"py", b"js", b"jsx", b"ts", b"tsx", b"mjs", b"cjs", b"rs", b"go", b"rb", b"php", b"java", b"kt",
        b"swift", b"c", b"cc", b"cpp", b"h", b"hpp", b"cs", b"scala", b"lua", b"pl", b"sh", b"sql", b"vue",
        b"svelte", b"html", b"css", b"scss", b"ex", b"exs", b"erl", b"hs", b"dart", b"zig", b"ipynb", b"tex",
    ];
    const FILES: &[&[u8]] = &[
        b"package.json",
        b"Cargo.toml",
        b"pyproject.toml",
        b"go.mod",
        b"Makefile",
        b"composer.json",
        b"Gemfile",
    ];
    FILES.contains(&name)
        || name
            .iter()
            .rposition(|&byte| byte == b'.')
            .is_some_and(|at| at > 0 && ENDS.contains(&&name[at + 1..]))
}

/// Git's list of what it tracks in the tree at `root`.
fn read_index(root: &DirHandle) -> Option<git::Tracked> {
    let file = match root.open_dir(b".git") {
        Ok(folder) => folder.open_file(b"index").ok()?,
        // A work tree has a file that names the place.
        Err(_) => {
            let text = String::from_utf8(read_small(root, b".git")?).ok()?;
            let folder = std::path::PathBuf::from(text.strip_prefix("gitdir:")?.trim());
            std::fs::File::open(folder.is_absolute().then_some(folder)?.join("index")).ok()?
        }
    };
    let mut bytes = Vec::new();
    file.take(git::LONGEST_INDEX).read_to_end(&mut bytes).ok()?;
    Some(git::Tracked::read(&bytes))
}

/// Whether a folder inside the tree belongs to itself: a work tree, or a repository that is a project of its own. The walk
/// leaves it alone (see [`project::is_own_project`]).
pub(crate) fn is_own_project(dir: &DirHandle) -> bool {
    match read_small(dir, b".git") {
        Some(text) => project::mark_in(&text) == project::GitMark::WorkTree,
        None => {
            dir.stat(b".git").is_ok()
                && dir.open_dir(b".vibelign").is_ok_and(|own| read_small(&own, b"id").is_some())
        }
    }
}

/// The ignore files that apply in one folder: its own and those above. Read only when a folder has to be listed anew.
pub(crate) struct RuleNode {
    parent: Option<Arc<RuleNode>>,
    folder: Vec<u8>,
    /// Which of [`IGNORE_FILES`] the folder has, once somebody saw its names.
    present: OnceLock<[bool; 3]>,
    own: OnceLock<[Option<Gitignore>; 3]>,
}

impl RuleNode {
    pub(crate) fn root() -> Arc<Self> {
        Arc::new(Self { parent: None, folder: Vec::new(), present: OnceLock::new(), own: OnceLock::new() })
    }

    pub(crate) fn child(parent: &Arc<Self>, folder: &[u8]) -> Arc<Self> {
        Arc::new(Self {
            parent: Some(Arc::clone(parent)),
            folder: folder.to_vec(),
            present: OnceLock::new(),
            own: OnceLock::new(),
        })
    }

    /// Tells which names the folder has, so that ignore files that are not there need not be looked for.
    pub(crate) fn names_seen<'n>(&self, names: impl Iterator<Item = &'n [u8]>) {
        let mut present = [false; 3];
        for name in names.filter(|name| name.first() == Some(&b'.')) {
            if let Some(kind) = IGNORE_FILES.iter().position(|file| *file == name) {
                present[kind] = true;
            }
        }
        let _ = self.present.set(present);
    }

    /// True if `path` is left out. The strongest kind of file decides first; within a kind, the deepest folder.
    pub(crate) fn ignores(&self, root: &DirHandle, rules: &Rules, path: &[u8], is_dir: bool) -> bool {
        for kind in (0..IGNORE_FILES.len()).rev() {
            let mut node = Some(self);
            while let Some(current) = node {
                if let Some(matcher) = &current.matchers(root)[kind] {
                    let below =
                        if current.folder.is_empty() { path } else { &path[current.folder.len() + 1..] };
                    match matcher.matched(platform::bytes_to_path(below), is_dir) {
                        Match::Ignore(_) => return true,
                        Match::Whitelist(_) => return false,
                        Match::None => {}
                    }
                }
                node = current.parent.as_deref();
            }
        }
        rules.excludes(path, is_dir)
    }

    fn matchers(&self, root: &DirHandle) -> &[Option<Gitignore>; 3] {
        self.own.get_or_init(|| {
            let present = self.present.get().copied().unwrap_or([true; 3]);
            let mut own = [None, None, None];
            if present.contains(&true)
                && let Ok(dir) = root.open_dir(&self.folder)
            {
                for kind in (0..IGNORE_FILES.len()).filter(|kind| present[*kind]) {
                    own[kind] = read_small(&dir, IGNORE_FILES[kind]).and_then(|text| parse(&text));
                }
            }
            own
        })
    }
}

pub(crate) fn parse(text: &[u8]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new("");
    for line in text.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // A line that is no pattern takes nothing away: more is saved, never less.
        if let Ok(line) = std::str::from_utf8(line) {
            let _ = builder.add_line(None, line);
        }
    }
    builder.build().ok().filter(|matcher| !matcher.is_empty())
}

pub(crate) fn read_small(dir: &DirHandle, name: &[u8]) -> Option<Vec<u8>> {
    let file = dir.open_file(name).ok()?;
    if platform::file_stat(&file).ok()?.kind != platform::FileKind::File {
        return None;
    }
    let mut text = Vec::new();
    file.take(IGNORE_FILE_LIMIT).read_to_end(&mut text).ok()?;
    Some(text)
}

/// The part of a pattern before its first wildcard, cut at a folder.
fn literal_folder(pattern: &str) -> Vec<u8> {
    let pattern = pattern.trim_start_matches('/');
    let literal = pattern.find(['*', '?', '[', '{']).map_or(pattern, |at| &pattern[..at]);
    literal.rfind('/').map_or(Vec::new(), |at| literal.as_bytes()[..at].to_vec())
}
