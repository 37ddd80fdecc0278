//! Files that are there as long as a server is: its address, its tokens.

use std::path::{Path, PathBuf};

/// A file that goes with the server, private to its user.
#[derive(Debug)]
pub(crate) struct Note {
    file: PathBuf,
    text: String,
}

impl Note {
    pub(crate) fn write(file: &Path, text: String) -> std::io::Result<Self> {
        // A file of its own first: nobody reads half of it, and it is private from the beginning.
        project::write_private(file, text.as_bytes())?;
        Ok(Self { file: file.to_path_buf(), text })
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        // Another server of the same project may have put its own there.
        if std::fs::read_to_string(&self.file).is_ok_and(|text| text == self.text) {
            let _ = std::fs::remove_file(&self.file);
        }
    }
}
