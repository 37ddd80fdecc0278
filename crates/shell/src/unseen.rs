//! Scripts that cannot be read: too large, or no text. What nobody can see is asked about, once for each content: whoever asks
//! may remember what the person let run (see `Verdict::unseen`).

use crate::context::Kind;
use crate::findings::Weight;
use crate::value::Arg;
use crate::walk::Walk;
use std::path::Path;

impl Walk<'_> {
    /// A file is run as a script and could not be read. Says so if it is there, and no tool makes it; true if it did.
    pub(crate) fn unseen_script(&mut self, file: &Arg, about: &str) -> bool {
        let Some(path) = self.file_key(file) else { return false };
        let path = self.original(&path).to_owned();
        let root = self.ctx.project_root.to_string_lossy();
        let inside = path.strip_prefix(&*root).unwrap_or(&path);
        if self.remote
            || self.files.contains_key(&path)
            || self.ctx.files.kind(Path::new(&path)) != Some(Kind::File)
            || crate::effects::is_made_again(inside)
        {
            return false;
        }
        self.found.unknown(
            Weight::Ask,
            "unseen_code",
            "runs a script that is too large to read, or no text; nobody can see whether it reaches outside the project",
            about,
        );
        let unseen = &mut self.found.verdict.unseen;
        if unseen.len() < 16 && !unseen.contains(&path) {
            unseen.push(path);
        }
        true
    }

    /// A program by its path: a script among them is one that somebody wrote, whatever its size.
    pub(crate) fn unseen_program(&mut self, file: &Arg, about: &str) -> bool {
        let Some(path) = self.file_key(file) else { return false };
        self.ctx.files.opening(Path::new(&path), 2).is_some_and(|start| start == b"#!")
            && self.unseen_script(file, about)
    }
}
