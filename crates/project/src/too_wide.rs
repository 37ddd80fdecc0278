//! Folders that are never a project: they hold everything, or everybody's things.
//!
//! A stray `.git` or `.vibelign` in the temp folder would make the whole of it one project: every program's scratch files saved,
//! and taken back by an undo. So such a folder is passed over on the way up, whatever lies in it, and refused where somebody stands
//! in it. Folders *inside* are projects like any other.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Context;

/// Scratch folders of the system.
const TEMP: &[&str] = &["/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp"];
/// Where macOS keeps one scratch folder for each user: `/var/folders/ab/cdef…/T`.
const TEMP_OF_USERS: [&str; 2] = ["/var/folders", "/private/var/folders"];
/// Folders that hold what belongs to different people, disks or programs.
const SHARED: &[&str] = &[
    "/home",
    "/Users",
    "/Users/Shared",
    "/root",
    "/srv",
    "/mnt",
    "/media",
    "/run/media",
    "/opt",
    "/Volumes",
    "/net",
];
/// Folders of the system itself.
const SYSTEM: &[&str] = &[
    "/Applications",
    "/Library",
    "/System",
    "/bin",
    "/boot",
    "/cores",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/lost+found",
    "/nix",
    "/private",
    "/private/etc",
    "/private/var",
    "/proc",
    "/run",
    "/sbin",
    "/snap",
    "/sys",
    "/usr",
    "/usr/bin",
    "/usr/include",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/local/share",
    "/usr/sbin",
    "/usr/share",
    "/usr/src",
    "/var",
    "/var/cache",
    "/var/lib",
    "/var/log",
    "/var/run",
    "/var/spool",
];
/// The same on Windows, below the drive, in small letters.
const WINDOWS: &[&str] = &[
    "users",
    "users\\public",
    "windows",
    "windows\\system32",
    "windows\\temp",
    "program files",
    "program files (x86)",
    "programdata",
    "temp",
    "tmp",
];

/// The folder is the person's home: too wide unless they insist, since some keep their settings in git there.
pub(crate) fn is_home(context: &Context, folder: &Path) -> bool {
    context.home().is_some_and(|home| same(home, folder))
}

/// What a folder is, in words, if it can be nobody's project, even if they insist.
pub(crate) fn never_a_project(context: &Context, folder: &Path) -> Option<&'static str> {
    // Somebody whose home is `/root` or `/opt` has a home like anybody's.
    if is_home(context, folder) {
        return None;
    }
    if context.temp().is_some_and(|temp| same(temp, folder)) {
        return Some("a folder for temporary files");
    }
    holds_everything(folder)
}

/// The same as far as it can be told without knowing whose machine it is.
pub fn holds_everything(folder: &Path) -> Option<&'static str> {
    if folder.parent().is_none() {
        return Some("the top of the file system");
    }
    // Letter by letter, once everything is spelt in one way: this is asked of every folder above a project, in every hook.
    let spelt: PathBuf = folder.components().collect();
    let is_one_of = |list: &[&str]| list.iter().any(|known| spelt.as_os_str() == *known);
    if is_one_of(TEMP) || is_temp_of_a_user(folder) {
        return Some("a folder for temporary files");
    }
    if is_one_of(SHARED) {
        return Some("a folder that many share");
    }
    if is_one_of(SYSTEM) || (cfg!(windows) && is_windows_own(folder)) {
        return Some("a folder of the system");
    }
    None
}

/// Folders above a project that hold everything and have a `.git` of their own, which is not the project's: what git's
/// `GIT_CEILING_DIRECTORIES` must say. None, as nearly always, where there is no such thing.
pub fn stray_git_folders(root: &Path) -> Option<OsString> {
    let has_git = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
    let above = root.ancestors().skip(1).filter(|folder| holds_everything(folder).is_some());
    std::env::join_paths(above.filter(has_git)).ok().filter(|folders| !folders.is_empty())
}

/// `/var/folders` itself, and the three levels below it that the system makes.
fn is_temp_of_a_user(folder: &Path) -> bool {
    TEMP_OF_USERS
        .iter()
        .any(|base| folder.strip_prefix(base).is_ok_and(|inside| inside.components().count() <= 3))
}

fn is_windows_own(folder: &Path) -> bool {
    let text = folder.to_string_lossy().to_lowercase().replace('/', "\\");
    // `C:\…` or, with links resolved, `\\?\C:\…`.
    text.split_once(":\\").is_some_and(|(_, inside)| WINDOWS.contains(&inside.trim_end_matches('\\')))
}

/// The folder is known with links resolved; what the environment says may not be.
fn same(named: &Path, folder: &Path) -> bool {
    named == folder || named.canonicalize().is_ok_and(|named| named == folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn world(home: &'static str, temp: &'static str) -> Context {
        let get = move |name: &str| match name {
            "HOME" | "USERPROFILE" => Some(OsString::from(home)),
            "TMPDIR" => Some(OsString::from(temp)),
            _ => None,
        };
        Context::with_environment(PathBuf::from("/"), &get)
    }

    #[test]
    #[cfg(unix)]
    fn temp_shared_and_system_folders_are_no_projects_and_folders_inside_are_t16() {
        let world = world("/home/ann", "/scratch/ann");
        for folder in [
            "/",
            "/tmp",
            "/var/tmp",
            "/dev/shm",
            "/private/tmp",
            "/var/folders",
            "/var/folders/ab/cd/T",
            "/private/var/folders/ab/cd/T",
            "/scratch/ann",
            "/home",
            "/Users",
            "/srv",
            "/mnt",
            "/media",
            "/opt",
            "/etc",
            "/usr",
            "/usr/local",
            "/var",
            "/root",
        ] {
            assert!(never_a_project(&world, Path::new(folder)).is_some(), "{folder}");
        }
        for folder in [
            "/tmp/work",
            "/var/folders/ab/cd/T/work",
            "/home/ann",
            "/home/ann/app",
            "/srv/app",
            "/opt/app",
            "/etc/nginx",
            "/scratch",
            "/scratch/ann/app",
            "/workspace",
            "/app",
        ] {
            assert_eq!(never_a_project(&world, Path::new(folder)), None, "{folder}");
        }
        assert!(is_home(&world, Path::new("/home/ann")));
    }

    #[test]
    #[cfg(unix)]
    fn a_home_in_a_system_folder_is_a_home_t16() {
        assert_eq!(never_a_project(&world("/root", "/tmp"), Path::new("/root")), None);
        assert!(is_home(&world("/root", "/tmp"), Path::new("/root")));
    }

    #[test]
    fn windows_own_folders_are_known_by_their_place_below_the_drive_t16() {
        for folder in [r"C:\Windows", r"\\?\C:\Users", r"D:\temp\", r"c:\Program Files (x86)"] {
            assert!(is_windows_own(Path::new(folder)), "{folder}");
        }
        for folder in [r"C:\Users\Ann", r"C:\work", r"\\?\D:\temp\app"] {
            assert!(!is_windows_own(Path::new(folder)), "{folder}");
        }
    }
}
