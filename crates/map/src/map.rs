//! [`Map`]: all files of a project, what each is for, and who needs whom.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use project::RelPath;
use serde::Serialize;

use crate::cache::{Cache, Key};
use crate::outline::outline_for_map;
use crate::resolve::Index;
use crate::{Anchor, Category, Language, Outline, Symbol, Unread, category};

/// A file to be mapped.
#[derive(Debug, Clone)]
pub struct Source {
    /// Where it is.
    pub path: RelPath,
    /// The hash of its content.
    pub hash: [u8; 32],
    /// Its length.
    pub size: u64,
    /// It usually holds secrets: it is listed and not read.
    pub sensitive: bool,
}

/// What is known about one file.
#[derive(Debug, Clone, Serialize)]
pub struct FileInfo {
    /// What it is for.
    pub category: Category,
    /// What it is written in.
    pub language: Option<Language>,
    /// Its length in bytes.
    pub size: u64,
    /// The files it needs; a folder where the language imports folders (Go).
    pub imports: Vec<RelPath>,
    /// What is in it.
    pub outline: Outline,
}

impl FileInfo {
    /// What has a name in it.
    pub fn symbols(&self) -> &[Symbol] {
        &self.outline.symbols
    }

    /// Named places.
    pub fn anchors(&self) -> &[Anchor] {
        &self.outline.anchors
    }

    /// Words that people see.
    pub fn ui_labels(&self) -> &[String] {
        &self.outline.ui_labels
    }

    /// Its grammar does not understand all of it.
    pub fn has_syntax_error(&self) -> bool {
        self.outline.syntax_error.is_some()
    }
}

/// All files of a project.
#[derive(Debug, Default)]
pub struct Map {
    files: BTreeMap<RelPath, FileInfo>,
    dependants: OnceLock<HashMap<RelPath, Vec<RelPath>>>,
    /// Files parsed now.
    pub parsed: usize,
    /// Files whose outline was in the cache.
    pub reused: usize,
}

/// Longer files are listed and not read.
const LONGEST: u64 = 4 << 20;

impl Map {
    /// Makes the map. `read` gives the content of a file; what is in the cache is not read. The cache on the disk is brought
    /// up to date; that this failed costs only time, later. Files that are `gone` are not on the map, but imports still lead
    /// to them, so that their [`Map::dependants`] are known.
    pub fn build(
        sources: &[Source],
        gone: &[RelPath],
        cache: &Cache,
        read: &(dyn Fn(&RelPath) -> Option<Vec<u8>> + Sync),
        done: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let made = make_all(sources, cache, read, done);
        let parsed = made.iter().flatten().filter(|made| !made.reused).count();
        let reused = made.iter().flatten().filter(|made| made.reused).count();
        let mut files = Vec::with_capacity(sources.len());
        let mut keys = Vec::with_capacity(sources.len());
        for (source, made) in sources.iter().zip(made) {
            let (language, outline, keep) = match made {
                // What there was no time for is tried again.
                Some(made) => {
                    let keep = made.outline.unread != Some(Unread::NoTimeLeft);
                    (made.language, made.outline, keep)
                }
                None => (Language::of_path(source.path.as_bytes()), Outline::default(), false),
            };
            let mut kind = category(source.path.as_bytes());
            if outline.generated && !matches!(kind, Category::Test | Category::Docs) {
                kind = Category::Generated;
            }
            keys.push(keep.then(|| Key::of(source.path.as_bytes(), &source.hash)));
            files.push(FileInfo {
                category: kind,
                language,
                size: source.size,
                imports: Vec::new(),
                outline,
            });
        }
        let kept: Vec<_> = keys
            .iter()
            .zip(&files)
            .filter_map(|(key, file)| key.map(|key| (key, file.language, &file.outline)))
            .collect();
        let distinct = kept.iter().map(|(key, ..)| key).collect::<BTreeSet<_>>().len();
        if parsed > 0 || distinct != cache.rows() {
            let _ = cache.save(&kept);
        }
        let imports = resolve_all(sources, gone, &files);
        for (file, imports) in files.iter_mut().zip(imports) {
            file.imports = imports;
        }
        let files = sources.iter().map(|source| source.path.clone()).zip(files).collect();
        Self { files, dependants: OnceLock::new(), parsed, reused }
    }

    /// All files, in order of path.
    pub fn files(&self) -> impl Iterator<Item = (&RelPath, &FileInfo)> {
        self.files.iter()
    }

    /// One file.
    pub fn get(&self, path: &RelPath) -> Option<&FileInfo> {
        self.files.get(path)
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// True if there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The files that need this one. The file itself need not be there any more.
    pub fn dependants(&self, path: &RelPath) -> Vec<&RelPath> {
        let reverse = self.dependants.get_or_init(|| {
            let mut reverse: HashMap<RelPath, Vec<RelPath>> = HashMap::new();
            for (path, file) in &self.files {
                for import in &file.imports {
                    reverse.entry(import.clone()).or_default().push(path.clone());
                }
            }
            reverse
        });
        let folder = RelPath::new(path.split().0).ok();
        let mut all: BTreeSet<&RelPath> = reverse.get(path).into_iter().flatten().collect();
        if imports_folders(path) {
            let through_folder = folder.as_ref().and_then(|folder| reverse.get(folder));
            all.extend(through_folder.into_iter().flatten());
        }
        all.remove(path);
        all.into_iter().collect()
    }

    /// Files that see what is in this one without naming it: those beside it, where a folder is one unit (Go, Java, C#).
    pub fn beside(&self, path: &RelPath) -> Vec<&RelPath> {
        let language = Language::of_path(path.as_bytes());
        if !matches!(language, Some(Language::Go | Language::Java | Language::CSharp)) {
            return Vec::new();
        }
        let folder = path.split().0;
        let fits = |(other, file): &(&RelPath, &FileInfo)| {
            other.split().0 == folder && *other != path && file.language == language
        };
        self.files.iter().filter(fits).map(|(path, _)| path).collect()
    }
}

fn imports_folders(path: &RelPath) -> bool {
    Language::of_path(path.as_bytes()) == Some(Language::Go)
}

struct Made {
    language: Option<Language>,
    outline: Outline,
    reused: bool,
}

/// Makes or finds every outline, on all cores.
fn make_all(
    sources: &[Source],
    cache: &Cache,
    read: &(dyn Fn(&RelPath) -> Option<Vec<u8>> + Sync),
    done: &(dyn Fn(u64) + Sync),
) -> Vec<Option<Made>> {
    let make = |source: &Source| {
        if source.sensitive || source.size > LONGEST {
            return None;
        }
        let key = Key::of(source.path.as_bytes(), &source.hash);
        if let Some((language, outline)) = cache.get(key) {
            return Some(Made { language, outline, reused: true });
        }
        let content = read(&source.path)?;
        let (language, outline) = outline_for_map(source.path.as_bytes(), &content);
        Some(Made { language, outline, reused: false })
    };
    on_all_cores(sources, |source| {
        let made = make(source);
        done(1);
        made
    })
}

fn resolve_all(sources: &[Source], gone: &[RelPath], files: &[FileInfo]) -> Vec<Vec<RelPath>> {
    let packages = sources
        .iter()
        .zip(files)
        .filter_map(|(source, file)| Some((&source.path, file.outline.package.as_deref()?)));
    let index = Index::new(sources.iter().map(|source| &source.path).chain(gone), packages);
    let both: Vec<(&Source, &FileInfo)> = sources.iter().zip(files).collect();
    on_all_cores(&both, |(source, file)| {
        let language = file.language?;
        let mut found: Vec<RelPath> = file
            .outline
            .imports
            .iter()
            .flat_map(|import| index.resolve(language, &source.path, import))
            .collect();
        found.sort();
        found.dedup();
        Some(found)
    })
    .into_iter()
    .map(Option::unwrap_or_default)
    .collect()
}

/// Does `each` for every item; `None` also where a thread died.
fn on_all_cores<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> Option<R> + Sync) -> Vec<Option<R>> {
    const BATCH: usize = 32;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut out = Vec::new();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(rest) = items.get(start..).filter(|rest| !rest.is_empty()) else { return out };
            out.extend(rest.iter().take(BATCH).enumerate().map(|(at, item)| (start + at, each(item))));
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 16);
    let threads = threads.min(items.len().div_ceil(BATCH)).max(1);
    let mut results: Vec<Option<R>> = Vec::new();
    results.resize_with(items.len(), || None);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for (at, result) in threads.into_iter().filter_map(|thread| thread.join().ok()).flatten() {
            results[at] = result;
        }
    });
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(folder: &std::path::Path, files: &[(&str, &str)]) -> Map {
        let content: HashMap<RelPath, Vec<u8>> = files
            .iter()
            .map(|(path, text)| (RelPath::new(path.as_bytes()).unwrap(), text.as_bytes().to_vec()))
            .collect();
        let mut sources: Vec<Source> = content
            .iter()
            .map(|(path, text)| {
                let mut hash = [0; 32];
                hash[..8].copy_from_slice(&xxhash_rust::xxh3::xxh3_64(text).to_le_bytes());
                Source {
                    path: path.clone(),
                    hash,
                    size: text.len() as u64,
                    sensitive: path.name() == b".env",
                }
            })
            .collect();
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        Map::build(&sources, &[], &Cache::open(folder), &|path| content.get(path).cloned(), &|_| {})
    }

    #[test]
    fn only_what_changed_is_parsed_again_gd1() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = vec![
            ("src/main.py", "from cart import total\n"),
            ("src/cart.py", "def total():\n    return 1\n"),
            (".env", "KEY=1\n"),
        ];
        let map = build(folder.path(), &files);
        assert_eq!((map.parsed, map.reused, map.len()), (2, 0, 3));
        let path = |text: &str| RelPath::new(text.as_bytes()).unwrap();
        assert_eq!(map.dependants(&path("src/cart.py")), [&path("src/main.py")]);
        assert_eq!(map.get(&path("src/cart.py")).unwrap().symbols()[0].name, "total");
        let again = build(folder.path(), &files);
        assert_eq!((again.parsed, again.reused), (0, 2));
        files[1].1 = "def total():\n    return 2\n";
        let third = build(folder.path(), &files);
        assert_eq!((third.parsed, third.reused), (1, 1));
    }

    #[test]
    fn a_go_folder_is_needed_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let map = build(
            folder.path(),
            &[
                ("go.mod", "module example.com/a\n"),
                ("main.go", "package main\nimport \"example.com/a/pkg/b\"\nfunc main() { b.F() }\n"),
                ("pkg/b/f.go", "package b\nfunc F() {}\n"),
                ("pkg/b/g.go", "package b\nfunc G() { F() }\n"),
            ],
        );
        let path = |text: &str| RelPath::new(text.as_bytes()).unwrap();
        assert_eq!(map.dependants(&path("pkg/b/f.go")), [&path("main.go")]);
        assert_eq!(map.beside(&path("pkg/b/f.go")), [&path("pkg/b/g.go")]);
    }
}
