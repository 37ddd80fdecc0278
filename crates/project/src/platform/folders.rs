//! The well-known folders of each system, from a given environment.

use std::ffi::OsString;
use std::path::PathBuf;

/// Where state lives: `$VIBELIGN_STATE`, else the system's folder for state.
pub fn state_folder(get: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    explicit(get, "VIBELIGN_STATE").or_else(|| {
        if cfg!(windows) {
            return absolute(get("LOCALAPPDATA")).map(|base| base.join("vibelign"));
        }
        if let Some(base) = absolute(get("XDG_STATE_HOME")) {
            return Some(base.join("vibelign"));
        }
        let home = absolute(get("HOME"))?;
        Some(if cfg!(target_os = "macos") {
            home.join("Library/Application Support/vibelign")
        } else {
            home.join(".local/state/vibelign")
        })
    })
}

/// Where the user's settings live: `$VIBELIGN_CONFIG`, else the system's folder for settings.
pub fn config_folder(get: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    explicit(get, "VIBELIGN_CONFIG").or_else(|| {
        if cfg!(windows) {
            return absolute(get("APPDATA")).map(|base| base.join("vibelign"));
        }
        if let Some(base) = absolute(get("XDG_CONFIG_HOME")) {
            return Some(base.join("vibelign"));
        }
        absolute(get("HOME")).map(|home| home.join(".config/vibelign"))
    })
}

/// Where memory lives that all projects and all tools of one person share: `$AI_MEMORY_PATH`, else `ai/memory` in the
/// system's folder for settings.
pub fn memory_folder(get: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // It is for all projects: taken from the current folder, a relative one would be another in each. (M14)
    absolute(get("AI_MEMORY_PATH")).or_else(|| {
        let base = if cfg!(windows) {
            absolute(get("APPDATA"))
        } else {
            absolute(get("XDG_CONFIG_HOME")).or_else(|| Some(absolute(get("HOME"))?.join(".config")))
        };
        base.map(|base| base.join("ai").join("memory"))
    })
}

/// A folder that a person named themselves; a relative one is taken from the current folder.
fn explicit(get: &dyn Fn(&str) -> Option<OsString>, name: &str) -> Option<PathBuf> {
    let value = PathBuf::from(get(name).filter(|value| !value.is_empty())?);
    Some(std::path::absolute(&value).unwrap_or(value))
}

/// The XDG rules: a relative value is ignored.
fn absolute(value: Option<OsString>) -> Option<PathBuf> {
    value.map(PathBuf::from).filter(|path| path.is_absolute())
}
