//! Small files in the state folder that only their owner may read, replaced whole.

use std::path::Path;

use project::platform;

/// Replaces the file by rename; it is never readable by others, not even for a moment.
pub fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent()
        && !folder.exists()
    {
        platform::make_private_dir(folder)?;
    }
    project::write_private(path, bytes)
}
