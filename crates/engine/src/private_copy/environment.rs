//! The variables that a check is started with: those that name the project folder name the copy, and what cannot be turned is told. (B6)

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use project::platform;

use super::carry;

/// Variables that are told anew for the folder that the check stands in, or are none of its business.
const LEFT_OUT: [&str; 2] = ["PWD", "OLDPWD"];
/// Longer files are no lists of paths.
const LONGEST: u64 = 64 << 10;

/// What a check gets, and what leads back into the project all the same.
#[derive(Debug, Default)]
pub(super) struct Turned {
    /// Variables with their values in the copy; those without a value are taken away.
    pub(super) variables: Vec<(OsString, Option<OsString>)>,
    /// Files outside that name the project and cannot be turned.
    pub(super) leads_back: Vec<PathBuf>,
}

/// Turns variables from the project to the copy. `home`: the person's, in which editable installs may lie.
pub(super) fn turn(
    environment: &[(OsString, OsString)],
    root: &Path,
    tree: &Path,
    home: Option<&Path>,
) -> Turned {
    let mut out = Turned::default();
    let mut python: Option<OsString> = None;
    for (name, value) in environment {
        let shown = name.to_string_lossy();
        let bytes = platform::path_to_bytes(Path::new(value));
        let is_ours = shown.starts_with("VIBELIGN_") || LEFT_OUT.contains(&&*shown) || shown == "HOME";
        let new = if !is_ours && carry::names(&bytes, root) {
            let new = platform::bytes_to_path(&carry::moved(&bytes, root, tree)).into_os_string();
            out.variables.push((name.clone(), Some(new.clone())));
            new
        } else {
            value.clone()
        };
        if shown == "PYTHONPATH" {
            python = Some(new);
        }
    }
    out.variables.push(("OLDPWD".into(), None));
    // Editable installs in an environment outside the project: what stands in PYTHONPATH comes first.
    let value = |name: &str| {
        environment.iter().find(|(known, _)| known == name).map(|(_, value)| PathBuf::from(value))
    };
    let mut first: Vec<PathBuf> = Vec::new();
    for folder in [value("VIRTUAL_ENV"), value("CONDA_PREFIX"), home.map(|home| home.join(".local"))] {
        let Some(folder) = folder.filter(|folder| !folder.starts_with(root)) else { continue };
        for file in path_files(&folder) {
            let Ok(text) = std::fs::read(&file) else { continue };
            if !carry::names(&text, root) {
                continue;
            }
            let plain = file.extension().is_some_and(|end| end == "pth" || end == "egg-link");
            let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
            let places: Vec<PathBuf> = lines
                .filter(|line| carry::names(line, root))
                .map(|line| platform::bytes_to_path(&carry::moved(line, root, tree)))
                .filter(|place| place.is_absolute())
                .collect();
            if plain && !places.is_empty() {
                first.extend(places);
            } else {
                out.leads_back.push(file);
            }
        }
    }
    if !first.is_empty() {
        let all = first.into_iter().chain(python.iter().flat_map(std::env::split_paths));
        if let Ok(value) = std::env::join_paths(all) {
            out.variables.retain(|(name, _)| name != "PYTHONPATH");
            out.variables.push(("PYTHONPATH".into(), Some(value)));
        }
    }
    out
}

/// The files of a Python environment that add folders to its path.
fn path_files(environment: &Path) -> Vec<PathBuf> {
    let below =
        |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut out = Vec::new();
    for version in below(environment.join("lib")) {
        for file in below(version.join("site-packages")) {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let tells =
                name.ends_with(".pth") || name.ends_with(".egg-link") || name.starts_with("__editable__");
            if tells && file.metadata().is_ok_and(|stat| stat.is_file() && stat.len() <= LONGEST) {
                out.push(file);
            }
        }
    }
    out
}
