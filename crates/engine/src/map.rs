//! The project map, brought up to date and told in short. (GD1)

use ::map::{Cache, Category, Language, Map, Source, Unread};
use project::RelPath;
use store::{ContentHash, Entry, EntryKind, Phase, Progress};

use crate::{Engine, Notice, Result};

/// Entries of a list in the report.
const LISTED: usize = 12;

/// Entries of a list that only programs read.
const MOST_NAMED: usize = 500;

/// What a scan found.
#[derive(Debug, serde::Serialize)]
pub struct ScanReport {
    /// Files on the map.
    pub files: usize,
    /// How many of each kind, in a fixed order; none left out.
    pub categories: Vec<Counted<Category>>,
    /// How many of each language, most first.
    pub languages: Vec<Counted<Language>>,
    /// Where the program starts.
    pub entries: Vec<String>,
    /// Files that most others need, with how many.
    pub most_needed: Vec<Needed>,
    /// Things with a name.
    pub symbols: usize,
    /// Ways from one file to another.
    pub imports: usize,
    /// Named places.
    pub anchors: usize,
    /// Words that people see.
    pub ui_labels: usize,
    /// Files that their grammar does not understand as a whole.
    pub syntax_errors: usize,
    /// The first of them, with the line.
    pub not_understood: Vec<NotUnderstood>,
    /// Files that are on the map and were not parsed.
    pub unread: Vec<UnreadFile>,
    /// Files that were parsed now.
    pub parsed: usize,
    /// Files whose content was known.
    pub reused: usize,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// How many of something.
#[derive(Debug, serde::Serialize)]
pub struct Counted<T> {
    /// What.
    pub what: T,
    /// How many.
    pub count: usize,
}

/// A file that others need.
#[derive(Debug, serde::Serialize)]
pub struct Needed {
    /// The file, or the folder where the language imports folders.
    pub path: String,
    /// How many files need it.
    pub dependants: usize,
}

/// A file that its grammar does not understand as a whole.
#[derive(Debug, serde::Serialize)]
pub struct NotUnderstood {
    /// The file.
    pub path: String,
    /// The first such line.
    pub line: u32,
}

/// A file that was not parsed.
#[derive(Debug, serde::Serialize)]
pub struct UnreadFile {
    /// The file.
    pub path: String,
    /// Why.
    pub why: Unread,
}

/// Brings the map up to date and tells it in short.
pub fn scan(engine: &Engine, progress: &dyn Progress) -> Result<ScanReport> {
    let opened = engine.store(progress)?;
    let (_, files) = opened.store.working_tree_and_files(progress)?;
    let map = build(engine, &files, &[], progress);
    let mut report = describe(&map);
    report.notices = opened.notices;
    Ok(report)
}

/// The map of these files, as far as they are on the disk; only content that was never seen is parsed. Of files that are
/// `gone` it knows who still needs them.
pub fn build(engine: &Engine, files: &[(RelPath, Entry)], gone: &[RelPath], progress: &dyn Progress) -> Map {
    let folder = engine.project().state().join("map");
    build_with(&Cache::open(&folder), engine, files, gone, progress)
}

/// The same of a part of the project, with a cache of its own: a cache holds what its last map held.
pub(crate) fn build_near(
    engine: &Engine,
    files: &[(RelPath, Entry)],
    gone: &[RelPath],
    progress: &dyn Progress,
) -> Map {
    let folder = engine.project().state().join("map").join("near");
    build_with(&Cache::open(&folder), engine, files, gone, progress)
}

fn build_with(
    cache: &Cache,
    engine: &Engine,
    files: &[(RelPath, Entry)],
    gone: &[RelPath],
    progress: &dyn Progress,
) -> Map {
    let root = engine.project().root();
    let sources: Vec<Source> = files
        .iter()
        .filter(|(_, entry)| entry.kind == EntryKind::File)
        .map(|(path, entry)| Source {
            path: path.clone(),
            hash: *entry.hash.as_bytes(),
            size: entry.size,
            sensitive: entry.sensitive,
        })
        .collect();
    let hashes: std::collections::HashMap<&RelPath, &ContentHash> =
        files.iter().map(|(path, entry)| (path, &entry.hash)).collect();
    progress.begin(Phase::Mapping, Some(sources.len() as u64));
    // What changed in this moment has another hash and is left for the next time.
    let read = |path: &RelPath| store::read_unsaved(root, path, hashes.get(path)?);
    Map::build(&sources, gone, cache, &read, &|steps| progress.advance(steps))
}

fn describe(map: &Map) -> ScanReport {
    let mut languages: std::collections::BTreeMap<Language, usize> = std::collections::BTreeMap::new();
    let mut needed: std::collections::BTreeMap<&RelPath, usize> = std::collections::BTreeMap::new();
    let mut report = ScanReport {
        files: map.len(),
        categories: Vec::new(),
        languages: Vec::new(),
        entries: Vec::new(),
        most_needed: Vec::new(),
        symbols: 0,
        imports: 0,
        anchors: 0,
        ui_labels: 0,
        syntax_errors: 0,
        not_understood: Vec::new(),
        unread: Vec::new(),
        parsed: map.parsed,
        reused: map.reused,
        notices: Vec::new(),
    };
    for (path, file) in map.files() {
        if let Some(language) = file.language {
            *languages.entry(language).or_default() += 1;
        }
        for import in &file.imports {
            *needed.entry(import).or_default() += 1;
        }
        report.symbols += file.symbols().len();
        report.imports += file.imports.len();
        report.anchors += file.anchors().len();
        report.ui_labels += file.ui_labels().len();
        if let Some(line) = file.outline.syntax_error {
            report.syntax_errors += 1;
            if report.not_understood.len() < MOST_NAMED {
                report.not_understood.push(NotUnderstood { path: path.to_string(), line });
            }
        }
        if file.category == Category::Entry {
            report.entries.push(path.to_string());
        }
        if let Some(why) = file.outline.unread.filter(|why| !matches!(why, Unread::Binary | Unread::Made)) {
            report.unread.push(UnreadFile { path: path.to_string(), why });
        }
    }
    let of_category = |what: &Category| map.files().filter(|(_, file)| file.category == *what).count();
    report.categories =
        Category::ALL.into_iter().map(|what| Counted { what, count: of_category(&what) }).collect();
    report.languages = languages.into_iter().map(|(what, count)| Counted { what, count }).collect();
    report.languages.sort_by_key(|counted| std::cmp::Reverse(counted.count));
    let mut needed: Vec<Needed> =
        needed.into_iter().map(|(path, dependants)| Needed { path: path.to_string(), dependants }).collect();
    needed.sort_by(|a, b| b.dependants.cmp(&a.dependants).then_with(|| a.path.cmp(&b.path)));
    needed.truncate(LISTED);
    report.most_needed = needed;
    report
}

/// The lines of a named thing in some content, counted from 0.
pub(crate) fn lines_in(path: &RelPath, content: &[u8], name: &str) -> Option<std::ops::Range<usize>> {
    let (_, outline) = ::map::outline_of_path(path.as_bytes(), content);
    let symbols = &outline.symbols;
    let found = symbols
        .iter()
        .find(|symbol| symbol.name == name)
        .or_else(|| symbols.iter().find(|symbol| symbol.own_name() == name))?;
    let first = usize::try_from(found.first_line).ok()?.saturating_sub(1);
    Some(first..usize::try_from(found.last_line).ok()?)
}
