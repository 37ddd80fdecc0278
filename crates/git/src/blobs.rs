//! Contents of git's objects, one after another out of one process.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Stdio;

use crate::{Error, Result, ask, start};

/// Of a longer content only so much is read.
const LARGEST: u64 = 256 << 20;

/// Reads objects and hands each on with its label: pairs of id and label.
pub fn read_blobs(root: &Path, wanted: &[(String, String)], mut each: impl FnMut(&str, &[u8])) -> Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let lost = |error: std::io::Error| Error::Failed(error.to_string());
    let mut child = start(ask(root, &["cat-file", "--batch"]).stdin(Stdio::piped()))?;
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Error::Failed("it gave no output".to_owned()));
    };
    let mut stdout = BufReader::new(stdout);
    let mut content = Vec::new();
    for (id, label) in wanted {
        writeln!(stdin, "{id}").and_then(|()| stdin.flush()).map_err(lost)?;
        let mut head = String::new();
        stdout.read_line(&mut head).map_err(lost)?;
        let size: u64 = head
            .trim_end()
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse().ok())
            .ok_or_else(|| Error::Failed(format!("`{label}` cannot be read from the index")))?;
        content.clear();
        stdout.by_ref().take(size.min(LARGEST)).read_to_end(&mut content).map_err(lost)?;
        let rest = size - size.min(LARGEST) + 1;
        std::io::copy(&mut stdout.by_ref().take(rest), &mut std::io::sink()).map_err(lost)?;
        each(label, &content);
    }
    drop(stdin);
    child.wait().map_err(lost)?;
    Ok(())
}
