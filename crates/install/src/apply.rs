//! Doing what a plan says: all of one client's edits, or none.

use std::io::Write;
use std::path::{Path, PathBuf};

use project::FileLock;

use super::plan::{Edit, Plan};
use super::record::{self, Record};
use super::{Error, Result, World};

/// Carries a plan out. After an error everything is as it was.
pub fn apply(world: &World, plan: &Plan) -> Result<()> {
    if plan.edits.is_empty() && plan.forget.is_empty() {
        return Ok(());
    }
    project::platform::make_private_dir(&world.state)?;
    project::platform::make_private_dir(&record::folder(world))?;
    let _lock = FileLock::wait(&record::folder(world).join("lock"))?;
    for edit in &plan.edits {
        check(edit)?;
    }
    let mut done: Vec<(&Edit, Option<Record>)> = Vec::new();
    for edit in &plan.edits {
        let known = record::load(world, &edit.path);
        done.push((edit, known));
        if let Err(error) = carry_out(world, edit) {
            for (edit, known) in done.into_iter().rev() {
                take_back(world, edit, known);
            }
            return Err(error);
        }
    }
    for path in &plan.forget {
        record::forget(world, path)?;
    }
    Ok(())
}

/// The file is still as the plan saw it, and may be written.
fn check(edit: &Edit) -> Result<()> {
    let now = match fs_err::read(&edit.path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    if now != edit.before {
        return Err(Error::Changed { file: edit.path.clone() });
    }
    if now.is_some() && edit.target.metadata()?.permissions().readonly() {
        return Err(Error::ReadOnly { file: edit.path.clone() });
    }
    Ok(())
}

fn carry_out(world: &World, edit: &Edit) -> Result<()> {
    // The way back is written down first.
    if let Some(record) = &edit.record {
        record::save(world, record)?;
    }
    match &edit.after {
        Some(bytes) => {
            for folder in edit.folders.iter().filter(|folder| !folder.exists()) {
                fs_err::create_dir(folder)?;
            }
            replace(&edit.target, bytes)?;
        }
        None => {
            fs_err::remove_file(&edit.path)?;
            remove_folders(&edit.folders);
        }
    }
    if edit.record.is_none() {
        record::forget(world, &edit.path)?;
    }
    Ok(())
}

/// Best effort: an error is on its way to the person already.
fn take_back(world: &World, edit: &Edit, known: Option<Record>) {
    match &edit.before {
        Some(bytes) => {
            for folder in edit.folders.iter().filter(|folder| !folder.exists()) {
                let _ = fs_err::create_dir(folder);
            }
            if std::fs::read(&edit.target).ok().as_deref() != Some(bytes) {
                let _ = replace(&edit.target, bytes);
            }
        }
        None => {
            let _ = fs_err::remove_file(&edit.path);
            remove_folders(&edit.folders);
        }
    }
    let _ = match known {
        Some(record) => record::save(world, &record),
        None => record::forget(world, &edit.path),
    };
}

/// Takes away the folders that vib made, as far as they are empty.
fn remove_folders(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        if std::fs::remove_dir(folder).is_err() {
            break;
        }
    }
}

/// Puts new content in the place of a file at one stroke. Its mode and owner stay. `target` is no link.
fn replace(target: &Path, bytes: &[u8]) -> Result<()> {
    let parent = target.parent().unwrap_or(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".vib-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What the person's umask makes of it, like any new file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(parent).map_err(|error| {
        std::io::Error::new(error.kind(), format!("failed to write in `{}`: {error}", parent.display()))
    })?;
    file.write_all(bytes)?;
    if let Ok(old) = target.metadata() {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let new = file.as_file().metadata()?;
            if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
                // Only root can give a file away; anybody else keeps what the system allows.
                let _ = std::os::unix::fs::chown(file.path(), Some(old.uid()), Some(old.gid()));
            }
        }
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}
