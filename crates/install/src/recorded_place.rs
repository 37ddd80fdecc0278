//! The link below the home folder through which a shared line finds vib when it is not on `PATH`.

use std::path::Path;

use super::record;
use super::{Result, World};

/// Leaves a link to this vib at the recorded place. One that is there is led here; a real file stays.
pub fn write(world: &World) -> Result<()> {
    super::set_up::remember(world);
    let Some(place) = world.recorded_place() else { return Ok(()) };
    let points_here = std::fs::read_link(&place).is_ok_and(|to| to == world.program);
    if points_here || place == world.program || is_real_file(&place) {
        return Ok(());
    }
    let Some(folder) = place.parent() else { return Ok(()) };
    if !folder.is_dir() {
        fs_err::create_dir_all(folder.parent().unwrap_or(folder))?;
        project::platform::make_private_dir(folder)?;
    }
    link(&world.program, &place)
}

#[cfg(unix)]
fn link(program: &Path, place: &Path) -> Result<()> {
    let folder = place.parent().unwrap_or(place);
    // Beside it and then over it: somebody may be calling it just now.
    let new = tempfile::Builder::new()
        .prefix(".vib-")
        .make_in(folder, |path| std::os::unix::fs::symlink(program, path))?;
    new.into_temp_path().persist(place).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(not(unix))]
fn link(_program: &Path, _place: &Path) -> Result<()> {
    Ok(())
}

/// Takes the link away once no settings file is known to hold anything of vib's.
pub fn drop_if_unused(world: &World) {
    let Some(place) = world.recorded_place() else { return };
    if is_real_file(&place) || std::fs::read_link(&place).is_err() || record::are_there_any(world) {
        return;
    }
    super::set_up::forget(world);
    super::program::drop_copy(&world.state);
    if std::fs::remove_file(&place).is_ok() {
        // The folders that are vib's by name; an empty one only.
        for folder in place.ancestors().skip(1).take(2) {
            if std::fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

fn is_real_file(place: &Path) -> bool {
    place.symlink_metadata().is_ok_and(|metadata| !metadata.is_symlink())
}
