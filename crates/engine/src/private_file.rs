//! Small files in the state folder that only their owner may read, replaced whole.

use std::io::Write;
use std::path::Path;

use project::platform;

/// Replaces the file by rename; it is never readable by others, not even for a moment.
pub fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent()
        && !folder.exists()
    {
        platform::make_private_dir(folder)?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let fresh = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let _ = std::fs::remove_file(&fresh);
    let mut file = platform::open_private_append(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs_err::rename(&fresh, path)
}
