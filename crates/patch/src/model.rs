//! What a patch is, once read: files, hunks, lines. Everything borrows from the text it was read from.

/// A whole answer of a model: one or more files to change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch<'t> {
    /// File by file, in the order of the text.
    pub files: Vec<FilePatch<'t>>,
}

/// How the edit was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// `---`/`+++`/`@@`, with or without git's extra lines.
    #[default]
    Unified,
    /// `*** Begin Patch` … `*** End Patch`.
    BeginPatch,
    /// `<<<<<<< SEARCH` … `=======` … `>>>>>>> REPLACE`.
    SearchReplace,
}

/// What shall happen to a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    /// Its content changes (or only its mode).
    #[default]
    Modify,
    /// It is new.
    Create,
    /// It goes away.
    Delete,
    /// It gets another name, and perhaps other content.
    Rename,
    /// Another file starts as a copy of it.
    Copy,
}

/// The edits of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilePatch<'t> {
    /// How it was written.
    pub format: Format,
    /// What shall happen.
    pub action: FileAction,
    /// The name before, as written but without `a/`; none if the text names no file, or for a new file.
    pub old_path: Option<Vec<u8>>,
    /// The name after, as written but without `b/`; none if the text names no file, or for a deleted one.
    pub new_path: Option<Vec<u8>>,
    /// True if `a/` and `b/` were taken off the names (then `a/x` may also have been meant literally).
    pub prefix_removed: bool,
    /// True if the name stood in the words around the edit, not in a header.
    pub path_guessed: bool,
    /// The mode it shall have (`100755`, `100644`, `120000`), if the text says so.
    pub new_mode: Option<u32>,
    /// The text says that this is a change of binary content, which no text diff can carry.
    pub binary: bool,
    /// The edits.
    pub hunks: Vec<Hunk<'t>>,
    /// Line of the text (from 1) where this file begins.
    pub text_line: usize,
}

impl FilePatch<'_> {
    /// The path to read from: the old name, or the new one where only that is given.
    pub fn source_path(&self) -> Option<&[u8]> {
        self.old_path.as_deref().or(self.new_path.as_deref())
    }

    /// The path to write to.
    pub fn target_path(&self) -> Option<&[u8]> {
        self.new_path.as_deref().or(self.old_path.as_deref())
    }
}

/// What a line of a hunk means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is there before and after.
    Context,
    /// It is there before, not after.
    Remove,
    /// It is there after, not before.
    Add,
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'t> {
    /// What it means.
    pub kind: Kind,
    /// The text without marker and line ending.
    pub text: &'t [u8],
    /// The line as written, if it may be context whose leading space was forgotten.
    pub raw: Option<&'t [u8]>,
    /// The line ended with CR LF in the patch.
    pub cr: bool,
    /// `\ No newline at end of file` follows.
    pub no_newline: bool,
    /// Written without any marker at all: context whose space was forgotten, or chatter.
    pub bare: bool,
}

impl<'t> Line<'t> {
    /// A line with nothing special about it.
    pub fn new(kind: Kind, text: &'t [u8]) -> Self {
        Self { kind, text, raw: None, cr: false, no_newline: false, bare: false }
    }

    /// It speaks of the file as it is before the change.
    pub fn is_old(&self) -> bool {
        matches!(self.kind, Kind::Context | Kind::Remove)
    }

    /// It speaks of the file as it is after the change.
    pub fn is_new(&self) -> bool {
        matches!(self.kind, Kind::Context | Kind::Add)
    }
}

/// What the header of a hunk says about the place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claim<'t> {
    /// First line in the old file, from 1.
    pub old_start: Option<u64>,
    /// Number of lines in the old file.
    pub old_count: Option<u64>,
    /// First line in the new file, from 1.
    pub new_start: Option<u64>,
    /// Number of lines in the new file.
    pub new_count: Option<u64>,
    /// The text after the numbers: a line above the place.
    pub heading: Option<&'t [u8]>,
    /// The heading was written to find the place by (`@@ class A` without numbers).
    pub is_anchor: bool,
    /// The hunk must touch the end of the file.
    pub at_end: bool,
}

/// One edit: lines to find, lines to take out, lines to put in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk<'t> {
    /// What the header says.
    pub claim: Claim<'t>,
    /// The lines.
    pub lines: Vec<Line<'t>>,
    /// From here on there are only lines without marker: they may be chatter after the diff.
    pub tail: usize,
    /// Line of the patch text (from 1) where the hunk begins.
    pub text_line: usize,
}

impl Hunk<'_> {
    /// True if it changes something.
    pub fn has_changes(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.kind, Kind::Add | Kind::Remove))
    }
}
