//! GREP: ripgrep's own search, with bounds. What `.gitignore` leaves out is left out; links are not followed; results come in order of path.

use std::path::Path;

use engine::Engine;
use grep_regex::RegexMatcherBuilder;
use grep_searcher::{
    BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind, SinkMatch,
};
use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;
use project::{RelPath, platform};

use super::MOST_TOLD;
use crate::ActionRefusal;

/// Longer lines are cut.
const LONGEST_LINE: usize = 300;
/// Larger files are passed over.
const LARGEST: u64 = 8 << 20;
/// Most files that are looked into.
const MOST_FILES: usize = 50_000;
/// A pattern may not compile to more than this.
const LARGEST_PATTERN: usize = 1 << 20;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grep {
    /// The pattern.
    pub pattern: String,
    /// Only in this folder.
    pub dir: Option<RelPath>,
    /// Only files that one of these fits.
    pub globs: Vec<String>,
    /// Most lines.
    pub most: usize,
    /// Lines before and after.
    pub context: usize,
    /// The pattern is plain text.
    pub is_literal: bool,
    /// Capital letters count.
    pub minds_case: bool,
}

/// Searches.
pub fn grep(lane: &Engine, wish: &Grep) -> Result<String, ActionRefusal> {
    let matcher = RegexMatcherBuilder::new()
        .case_insensitive(!wish.minds_case)
        .fixed_strings(wish.is_literal)
        .size_limit(LARGEST_PATTERN)
        .dfa_size_limit(LARGEST_PATTERN)
        .line_terminator(Some(b'\n'))
        .build(&wish.pattern)
        .map_err(|error| {
            let message: String = error.to_string().chars().take(300).collect();
            ActionRefusal::new(
                "bad_pattern",
                format!("`q` is no pattern: {message}"),
                "write it otherwise, or set `literal`",
            )
        })?;
    let root = lane.project().root();
    let files = files(lane, root, wish)?;
    let mut searcher = SearcherBuilder::new()
        .binary_detection(BinaryDetection::quit(0))
        .line_number(true)
        .before_context(wish.context)
        .after_context(wish.context)
        .build();
    let (mut out, mut found, mut capped) = (String::new(), 0, files.capped);
    for (name, path) in files.all {
        let mut hits =
            Hits { name: &name, out: &mut out, found: &mut found, most: wish.most, is_capped: false };
        // A file that cannot be read is no reason to find nothing in the others.
        let _ = searcher.search_path(&matcher, &path, &mut hits);
        if hits.is_capped {
            capped = true;
            break;
        }
    }
    let mut text = match found {
        0 => "nothing found\n".to_owned(),
        many => format!("{many} lines\n{out}"),
    };
    if capped {
        text.push_str("… capped: there is more; search in a folder, with globs, or for something rarer\n");
    }
    Ok(lane.gate().clean(&text).into_string())
}

struct Files {
    all: Vec<(String, std::path::PathBuf)>,
    capped: bool,
}

/// The files to look into, in order of path.
fn files(lane: &Engine, root: &Path, wish: &Grep) -> Result<Files, ActionRefusal> {
    let top = match &wish.dir {
        Some(dir) => {
            let handle = platform::DirHandle::open_root(root).and_then(|root| root.open_dir(dir.as_bytes()));
            handle.map_err(|_| {
                ActionRefusal::new(
                    "not_found",
                    format!("there is no folder `{dir}`"),
                    "search in another folder, or in all",
                )
            })?;
            dir.to_path(root)
        }
        None => root.to_path_buf(),
    };
    let mut globs = OverrideBuilder::new(root);
    for glob in &wish.globs {
        globs.add(glob).map_err(|error| {
            let message: String = error.to_string().chars().take(200).collect();
            ActionRefusal::new(
                "bad_glob",
                format!("`{glob}` is no glob: {message}"),
                "write it like `src/**/*.js`",
            )
        })?;
    }
    let globs = globs
        .build()
        .map_err(|error| ActionRefusal::new("bad_glob", error.to_string(), "leave `globs` out, or fewer"))?;
    let opened = lane.store(&store::Silent).map_err(|error| ActionRefusal::from(&error))?;
    let mut all = Vec::new();
    let walk = WalkBuilder::new(top)
        .hidden(false)
        .follow_links(false)
        .require_git(false)
        .git_global(false)
        .overrides(globs)
        .max_filesize(Some(LARGEST))
        .build();
    let mut capped = false;
    for entry in walk.flatten() {
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(inside) = entry.path().strip_prefix(root) else { continue };
        // Neither git's own files nor vib's; and none whose content nobody shows.
        let Ok(path) = RelPath::new(&platform::path_to_bytes(inside)) else { continue };
        if opened.store.is_sensitive(&path).unwrap_or(true) {
            continue;
        }
        if all.len() == MOST_FILES {
            capped = true;
            break;
        }
        all.push((path.to_string(), entry.path().to_path_buf()));
    }
    all.sort();
    Ok(Files { all, capped })
}

struct Hits<'h> {
    name: &'h str,
    out: &'h mut String,
    found: &'h mut usize,
    most: usize,
    is_capped: bool,
}

impl Hits<'_> {
    fn put(&mut self, number: Option<u64>, sign: char, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let line = text.trim_end_matches(['\n', '\r']);
        let cut: String = line.chars().take(LONGEST_LINE).collect();
        let mark = if cut.len() < line.len() { "…" } else { "" };
        self.out.push_str(&format!("{}{sign}{}{sign}{cut}{mark}\n", self.name, number.unwrap_or(0)));
    }
}

impl Sink for Hits<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, hit: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        if *self.found == self.most || self.out.len() > MOST_TOLD - 4_000 {
            self.is_capped = true;
            return Ok(false);
        }
        *self.found += 1;
        self.put(hit.line_number(), ':', hit.bytes());
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, around: &SinkContext<'_>) -> Result<bool, Self::Error> {
        if *around.kind() != SinkContextKind::Other {
            self.put(around.line_number(), '-', around.bytes());
        }
        Ok(true)
    }
}
