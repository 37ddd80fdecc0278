//! A changed file, and both of its sides read as code.

use map::{Language, Outline, SymbolChange, outline_of_path};
use project::RelPath;

/// A file that is different, with both contents.
#[derive(Debug, Clone)]
pub struct ChangedFile {
    /// Where it is; for a rename the new place.
    pub path: RelPath,
    /// Where it was, if it has another name.
    pub old_path: Option<RelPath>,
    /// What it was; none: it is new.
    pub before: Option<Vec<u8>>,
    /// What it is; none: it is gone.
    pub after: Option<Vec<u8>>,
    /// It is made for secrets.
    pub sensitive: bool,
    /// Why there is no content, where there is none.
    pub unread: Option<String>,
}

/// A path that is different: what can be said without its content.
#[derive(Debug, Clone)]
pub struct Touched {
    /// Where it is; for a rename the new place.
    pub path: RelPath,
    /// Where it was, if it has another name.
    pub old_path: Option<RelPath>,
    /// It is gone, and lives on nowhere else.
    pub gone: bool,
    /// It had content and has none.
    pub emptied: bool,
}

/// Both outlines of a file.
#[derive(Debug)]
pub struct Study {
    /// What it is written in.
    pub language: Option<Language>,
    /// What was in it.
    pub before: Outline,
    /// What is in it.
    pub after: Outline,
    /// What came, went or changed.
    pub changes: Vec<SymbolChange>,
}

impl Study {
    /// Parses both sides of many files, on all cores.
    pub fn all(files: &[ChangedFile]) -> Vec<Self> {
        let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 16);
        let piece = files.len().div_ceil(threads).max(8);
        let mut all = Vec::with_capacity(files.len());
        std::thread::scope(|scope| {
            let work: Vec<_> = files
                .chunks(piece)
                .map(|files| (files, scope.spawn(|| files.iter().map(Self::of).collect::<Vec<_>>())))
                .collect();
            for (files, thread) in work {
                // What a thread that died would have said is found out here.
                all.extend(thread.join().unwrap_or_else(|_| files.iter().map(Self::of).collect()));
            }
        });
        all
    }

    /// Parses both sides of a file; secrets are not looked into.
    pub fn of(file: &ChangedFile) -> Self {
        let read = |path: &RelPath, content: &Option<Vec<u8>>| match content {
            Some(content) if !file.sensitive && file.unread.is_none() => {
                outline_of_path(path.as_bytes(), content)
            }
            _ => (Language::of_path(path.as_bytes()), Outline::default()),
        };
        let (old_language, before) = read(file.old_path.as_ref().unwrap_or(&file.path), &file.before);
        let (language, after) = read(&file.path, &file.after);
        let changes = map::compare(&before, &after);
        Self { language: language.or(old_language), before, after, changes }
    }
}
