//! The table of places in which a fenced command may write, and of those that nothing opens.

use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::{Error, Result, Surroundings};

/// What may be done at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Everything in this folder and below; no devices may be made.
    Folder,
    /// The content of this one file or device.
    File,
}

/// One open place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Where, with links resolved.
    pub path: PathBuf,
    /// What may be done there.
    pub access: Access,
    /// Why it is open, in a word or two.
    pub why: String,
}

impl Place {
    pub(crate) fn new(path: PathBuf, access: Access, why: impl Into<String>) -> Self {
        Self { path, access, why: why.into() }
    }
}

/// A tool's own folder.
struct Tool {
    /// Whose.
    name: &'static str,
    /// The variable that moves it.
    variable: &'static str,
    /// Below the home folder otherwise.
    home: &'static str,
    /// What in it is open: never what steers the tool or is run by itself. Empty: all of it.
    inside: &'static [&'static str],
    /// Where this program is on `PATH`, missing folders are made, so that its first use works too.
    program: &'static str,
}

const fn tool(
    name: &'static str,
    variable: &'static str,
    home: &'static str,
    inside: &'static [&'static str],
    program: &'static str,
) -> Tool {
    Tool { name, variable, home, inside, program }
}

/// Temporary folders.
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp"];

/// Folders in which systems give each person one of their own for temporary files.
const TEMPORARY_OF_ONE: &[&str] = &["/var/folders", "/private/var/folders", "/run/user"];

/// It lies in a folder for temporary files.
pub(crate) fn is_temporary(path: &Path) -> bool {
    TEMPORARY.iter().any(|folder| path.starts_with(folder))
}

/// Devices that everything writes to. Disks are not among them.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/console",
    "/dev/fuse",
    "/dev/kvm",
    "/dev/net/tun",
];

/// Caches that tools need. Folders with settings, start files or programs in them are opened only in part.
const TOOLS: &[Tool] = &[
    tool("caches", "XDG_CACHE_HOME", ".cache", &[], "sh"),
    tool("caches", "", "Library/Caches", &[], ""),
    tool("cargo", "CARGO_HOME", ".cargo", &["registry", "git"], "cargo"),
    tool("cargo", "CARGO_TARGET_DIR", "", &[], ""),
    tool("rustup", "RUSTUP_HOME", ".rustup", &["tmp", "downloads"], ""),
    tool("npm", "npm_config_cache", ".npm", &[], "npm"),
    tool("node-gyp", "", ".node-gyp", &[], ""),
    tool("pnpm", "PNPM_HOME", ".local/share/pnpm", &["store", ".tools"], "pnpm"),
    tool("pnpm", "", ".local/state/pnpm", &[], "pnpm"),
    tool("pnpm", "", ".pnpm-store", &[], ""),
    tool("yarn", "YARN_CACHE_FOLDER", ".yarn", &["berry", "cache"], "yarn"),
    tool("bun", "BUN_INSTALL", ".bun", &["install/cache"], "bun"),
    tool("deno", "DENO_DIR", ".deno", &["deps", "gen", "npm"], ""),
    tool("pip", "PIP_CACHE_DIR", "", &[], ""),
    tool("uv", "UV_CACHE_DIR", "", &[], ""),
    tool("uv", "", ".local/share/uv", &["python", "credentials/.lock"], ""),
    tool("python", "WORKON_HOME", ".virtualenvs", &[], ""),
    tool("python", "", ".ipython", &["profile_default/history.sqlite", "profile_default/db"], ""),
    tool("matplotlib", "MPLCONFIGDIR", "", &[], ""),
    tool("conda", "", ".conda", &["pkgs"], ""),
    tool("go", "GOPATH", "go", &["pkg"], "go"),
    tool("go", "GOMODCACHE", "", &[], ""),
    tool("go", "GOCACHE", "", &[], ""),
    tool(
        "gradle",
        "GRADLE_USER_HOME",
        ".gradle",
        &[
            "caches",
            "wrapper",
            "daemon",
            "native",
            "notifications",
            "workers",
            "kotlin-profile",
            "jdks",
            ".tmp",
        ],
        "gradle",
    ),
    tool("maven", "", ".m2", &["repository", "wrapper"], "mvn"),
    tool("kotlin", "", ".konan", &[], ""),
    tool("sbt", "", ".ivy2", &["cache", "local"], "sbt"),
    tool("sbt", "", ".sbt", &["boot", "zinc"], "sbt"),
    tool("coursier", "COURSIER_CACHE", ".coursier", &["cache"], ""),
    tool("gem", "", ".gem", &["specs", "cache"], "gem"),
    tool("bundler", "", ".bundle", &["cache"], "bundle"),
    tool("composer", "COMPOSER_CACHE_DIR", ".composer/cache", &[], "composer"),
    tool("nuget", "NUGET_PACKAGES", ".nuget/packages", &[], "dotnet"),
    tool("nuget", "", ".local/share/NuGet", &[], ""),
    tool("dotnet", "", ".dotnet", &["TelemetryStorageService", "NuGetFallbackFolder"], ""),
    tool("dart", "PUB_CACHE", ".pub-cache", &["hosted", "git", "_temp"], "dart"),
    tool("elixir", "MIX_HOME", ".mix", &["elixir", "archives"], ""),
    tool("elixir", "HEX_HOME", ".hex", &["packages", "cache.ets"], "mix"),
    tool("haskell", "", ".cabal", &["packages", "store", "logs"], "cabal"),
    tool("haskell", "STACK_ROOT", ".stack", &["pantry", "snapshots", "indices"], "stack"),
    tool("ccache", "CCACHE_DIR", ".ccache", &[], "ccache"),
    tool("sccache", "SCCACHE_DIR", "", &[], ""),
    tool("zig", "ZIG_GLOBAL_CACHE_DIR", "", &[], ""),
    tool("android", "", ".android", &["build-cache", "cache"], ""),
    tool("kubectl", "", ".kube", &["cache"], ""),
    tool("terraform", "TF_PLUGIN_CACHE_DIR", ".terraform.d/plugin-cache", &[], ""),
    tool("aws", "", ".aws", &["cli/cache"], ""),
    tool("playwright", "PLAYWRIGHT_BROWSERS_PATH", "", &[], ""),
    tool("hugging face", "HF_HOME", "", &[], ""),
];

/// Every variable of the table.
pub(crate) const VARIABLES: &[&str] = &[
    "XDG_CACHE_HOME",
    "CARGO_HOME",
    "CARGO_TARGET_DIR",
    "RUSTUP_HOME",
    "npm_config_cache",
    "PNPM_HOME",
    "YARN_CACHE_FOLDER",
    "BUN_INSTALL",
    "DENO_DIR",
    "PIP_CACHE_DIR",
    "UV_CACHE_DIR",
    "WORKON_HOME",
    "MPLCONFIGDIR",
    "GOPATH",
    "GOMODCACHE",
    "GOCACHE",
    "GRADLE_USER_HOME",
    "COURSIER_CACHE",
    "COMPOSER_CACHE_DIR",
    "NUGET_PACKAGES",
    "PUB_CACHE",
    "MIX_HOME",
    "HEX_HOME",
    "STACK_ROOT",
    "CCACHE_DIR",
    "SCCACHE_DIR",
    "ZIG_GLOBAL_CACHE_DIR",
    "TF_PLUGIN_CACHE_DIR",
    "PLAYWRIGHT_BROWSERS_PATH",
    "HF_HOME",
];

/// How a folder that holds nothing but a cache says so.
const CACHE_TAG: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// What only the tool itself leaves in its cache.
const PROOFS: &[(&str, &[&str])] = &[
    ("XDG_CACHE_HOME", &["fontconfig", "mesa_shader_cache", "go-build", "ms-playwright"]),
    ("CARGO_HOME", &["registry/index", ".package-cache", ".crates.toml"]),
    ("CARGO_TARGET_DIR", &[".rustc_info.json"]),
    ("RUSTUP_HOME", &["toolchains", "update-hashes"]),
    ("npm_config_cache", &["_cacache"]),
    ("PNPM_HOME", &["store/v3", "store/v10", "store/v11"]),
    ("YARN_CACHE_FOLDER", &["v6", "berry/cache"]),
    ("BUN_INSTALL", &["bin/bun"]),
    ("DENO_DIR", &["dep_analysis_cache_v1", "dep_analysis_cache_v2", "v8_code_cache_v2"]),
    ("PIP_CACHE_DIR", &["http-v2", "selfcheck"]),
    ("WORKON_HOME", &["premkvirtualenv", "get_env_details"]),
    ("MPLCONFIGDIR", &["fontlist-v330.json", "fontlist-v390.json"]),
    ("GOPATH", &["pkg/mod/cache"]),
    ("GOMODCACHE", &["cache/download"]),
    ("GOCACHE", &["trim.txt"]),
    ("GRADLE_USER_HOME", &["caches/journal-1", "caches/modules-2"]),
    ("COURSIER_CACHE", &["v1/https"]),
    ("COMPOSER_CACHE_DIR", &["repo/https---repo.packagist.org"]),
    ("PUB_CACHE", &["hosted/pub.dev"]),
    ("MIX_HOME", &["elixir"]),
    ("HEX_HOME", &["cache.ets"]),
    ("STACK_ROOT", &["pantry", "stack.sqlite3"]),
    ("CCACHE_DIR", &["ccache.conf"]),
    ("TF_PLUGIN_CACHE_DIR", &["registry.terraform.io"]),
    ("PLAYWRIGHT_BROWSERS_PATH", &[".links"]),
    ("HF_HOME", &["hub/version.txt", "hub/.locks"]),
];

const AGENTS: &str = "an agent's settings";

/// Places of the home folder that steer something or hold keys: neither they nor a folder around them is opened.
const GUARDED_AT_HOME: &[(&str, &str)] = &[
    ("", "your whole home folder"),
    (".ssh", "your keys"),
    (".gnupg", "your keys"),
    (".config", "settings of your programs"),
    (".local/bin", "programs that are found by their name"),
    ("bin", "programs that are found by their name"),
    (".cargo/bin", "programs that are found by their name"),
    (".bashrc", "a file that shells run by themselves"),
    (".profile", "a file that shells run by themselves"),
    (".zshrc", "a file that shells run by themselves"),
    (".gitconfig", "git's settings"),
    (".claude", AGENTS),
    (".codex", AGENTS),
    (".gemini", AGENTS),
    (".copilot", AGENTS),
    (".cursor", AGENTS),
];

/// The same for the system.
const GUARDED: &[(&str, &str)] = &[
    ("/", "the whole machine"),
    ("/etc", "the system's settings"),
    ("/usr", "the system's programs"),
    ("/bin", "the system's programs"),
    ("/sbin", "the system's programs"),
    ("/lib", "the system's programs"),
    ("/boot", "the system"),
    ("/proc", "the system"),
    ("/sys", "the system"),
    ("/home", "everybody's home folder"),
    ("/root", "the home folder of root"),
    ("/var", "the system's data"),
    ("/opt", "programs"),
    ("/dev", "devices"),
    ("/Users", "everybody's home folder"),
];

/// Of these, folders in them are other things.
const HOLD_OTHERS: &[&str] = &["/", "/home", "/root", "/var", "/opt", "/Users"];

/// The places that stay closed, as they really lie on this machine.
struct Closed {
    own: Vec<(PathBuf, &'static str)>,
    home: Option<PathBuf>,
    others: Vec<(PathBuf, &'static str)>,
}

impl Closed {
    fn of(around: &Surroundings) -> Self {
        let own = [
            (Some(around.state.as_path()), "vib's own records"),
            (around.config.as_deref(), "vib's own settings"),
            (around.program.as_deref(), "vib itself"),
        ];
        let home = around.home.as_deref().map(real);
        let at_home =
            GUARDED_AT_HOME.iter().filter_map(|(place, what)| Some((below(home.as_ref()?, place), *what)));
        let system = GUARDED.iter().map(|(place, what)| (PathBuf::from(place), *what));
        Self {
            own: own.into_iter().filter_map(|(place, what)| Some((real(place?), what))).collect(),
            others: at_home.chain(system).collect(),
            home,
        }
    }

    /// What opening this place would put within reach that must stay closed; none: it may be opened. `inside`: whether a place *in* a
    /// guarded one counts too: for what only the environment says, not for what a person allows by name.
    fn by_opening(&self, path: &Path, inside: bool) -> Option<&'static str> {
        let own = self.own.iter().find(|(place, _)| place.starts_with(path) || path.starts_with(place));
        let is_reached = |(place, what): &&(PathBuf, &'static str)| {
            // A folder in the home folder is not the whole of it.
            let holds_others =
                Some(place) == self.home.as_ref() || HOLD_OTHERS.iter().any(|one| place == Path::new(one));
            let counts_inside = inside || *what == AGENTS;
            place.starts_with(path) || (counts_inside && !holds_others && path.starts_with(place))
        };
        own.or_else(|| self.others.iter().find(is_reached)).map(|(_, what)| *what)
    }
}

/// Opening this place, which only the environment names, would put something within reach that must stay closed.
pub(crate) fn is_closed(around: &Surroundings, path: &Path) -> bool {
    Closed::of(around).by_opening(path, true).is_some()
}

/// The table, as it is on this machine.
pub(crate) fn known(around: &Surroundings) -> Vec<Place> {
    let closed = Closed::of(around);
    let mut open = Vec::new();
    let temporary = TEMPORARY.iter().map(|folder| (PathBuf::from(folder), true));
    let own = around.temp.iter().map(|folder| (folder.clone(), false));
    for (folder, is_fixed) in temporary.chain(own) {
        let Ok(real) = folder.canonicalize() else { continue };
        // `TMPDIR` may be anybody's word: it names a folder among temporary ones, or opens nothing. (M1)
        let is_own = TEMPORARY_OF_ONE.iter().any(|top| real.starts_with(top) && real != Path::new(top));
        if real.is_dir() && (is_fixed || is_own) {
            open.push(Place::new(real, Access::Folder, "temporary files"));
        }
    }
    for device in DEVICES {
        if let Ok(real) = Path::new(device).canonicalize() {
            open.push(Place::new(real, Access::File, "device"));
        }
    }
    for tool in TOOLS {
        open.extend(of_tool(around, &closed, tool));
    }
    open
}

/// The folder that a variable moved this tool's cache to. What a variable says may be a project's word, or an agent's: the folder has to be
/// such a cache already, by what only the tool leaves there. A new one is opened by the person (`vib fence allow`). (S4, M1)
fn moved(around: &Surroundings, tool: &Tool) -> Option<PathBuf> {
    let folder = around.variable(tool.variable)?;
    let is_at_home = !tool.home.is_empty()
        && around.home.as_ref().is_some_and(|home| real(&home.join(tool.home)) == real(folder));
    (is_at_home || is_cache(folder, tool.variable)).then(|| folder.to_path_buf())
}

fn is_cache(folder: &Path, variable: &str) -> bool {
    let is_tagged = std::fs::read(folder.join("CACHEDIR.TAG")).is_ok_and(|tag| tag.starts_with(CACHE_TAG));
    let left = PROOFS.iter().find(|(name, _)| *name == variable).map_or(&[][..], |(_, left)| left);
    is_tagged || left.iter().any(|name| folder.join(name).exists())
}

fn of_tool(around: &Surroundings, closed: &Closed, tool: &Tool) -> Vec<Place> {
    let at_home = || {
        let home = around.home.as_ref().filter(|_| !tool.home.is_empty());
        home.map(|home| home.join(tool.home))
    };
    let moved = moved(around, tool);
    let is_moved = moved.is_some();
    let Some(base) = moved.or_else(at_home) else { return Vec::new() };
    let whole = [""];
    let inside = if tool.inside.is_empty() { &whole[..] } else { tool.inside };
    let mut open = Vec::new();
    let has_program = LazyCell::new(|| !tool.program.is_empty() && around.has_program(tool.program));
    for part in inside {
        let path = below(&base, part);
        if !path.exists() && !is_moved && *has_program {
            // A cache that is not there yet is made by the tool at its first use, for which it would need the folder around it.
            let _ = std::fs::create_dir_all(&path);
        }
        let Ok(real) = path.canonicalize() else { continue };
        let is_open = !is_moved && tool.inside.is_empty() || closed.by_opening(&real, true).is_none();
        if is_open && closed.by_opening(&real, false).is_none() {
            let access = if real.is_dir() { Access::Folder } else { Access::File };
            open.push(Place::new(real, access, tool.name));
        }
    }
    open
}

/// A place that a person allows: it has to be there and must not hold what nobody opens.
pub fn to_allow(around: &Surroundings, path: &Path) -> Result<PathBuf> {
    let real = path.canonicalize().map_err(|_| Error::Missing { path: path.to_path_buf() })?;
    match Closed::of(around).by_opening(&real, false) {
        Some(what) => Err(Error::Guarded { path: real, what }),
        None => Ok(real),
    }
}

fn below(folder: &Path, name: &str) -> PathBuf {
    if name.is_empty() { folder.to_path_buf() } else { folder.join(name) }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_of_the_table_is_looked_up() {
        for tool in TOOLS.iter().filter(|tool| !tool.variable.is_empty()) {
            assert!(VARIABLES.contains(&tool.variable), "{}", tool.variable);
        }
        for (variable, _) in PROOFS {
            assert!(VARIABLES.contains(variable), "{variable}");
        }
        for variable in VARIABLES {
            assert!(TOOLS.iter().any(|tool| tool.variable == *variable), "{variable}");
        }
    }

    #[test]
    fn a_variable_moves_a_cache_and_opens_nothing_else_s4() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        let (home, state) = (base.join("home"), base.join("state"));
        for folder in [".ssh", ".config/opencode", ".cache", "fast/npm", ".cargo/registry", ".cargo/bin"] {
            std::fs::create_dir_all(home.join(folder)).unwrap();
        }
        std::fs::create_dir_all(&state).unwrap();
        let with = |name: &'static str, folder: PathBuf| {
            let mut around = Surroundings::bare(&base.join("project"), &home, &state);
            around.variables.push((name, folder));
            known(&around).into_iter().map(|place| place.path).collect::<Vec<_>>()
        };
        let fast = home.join("fast/npm");
        assert!(
            !with("npm_config_cache", fast.clone()).contains(&fast),
            "nothing says that it is a cache (M1)"
        );
        std::fs::create_dir(fast.join("_cacache")).unwrap();
        assert!(with("npm_config_cache", fast.clone()).contains(&fast));
        let tagged = home.join("fast/uv");
        std::fs::create_dir(&tagged).unwrap();
        std::fs::write(tagged.join("CACHEDIR.TAG"), CACHE_TAG).unwrap();
        assert!(with("UV_CACHE_DIR", tagged.clone()).contains(&tagged));
        for steered in
            [home.clone(), home.join(".ssh"), home.join(".config/opencode"), base.clone(), state.clone()]
        {
            std::fs::create_dir_all(steered.join("_cacache")).unwrap();
            let open = with("npm_config_cache", steered.clone());
            assert!(!open.contains(&steered), "{}", steered.display());
        }
        let open = with("CARGO_HOME", home.join(".cargo"));
        assert!(open.contains(&home.join(".cargo/registry")) && !open.contains(&home.join(".cargo/bin")));
    }

    /// Whatever an agent sets, only its own place is opened. (M1)
    #[test]
    fn no_variable_opens_another_project_m1() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        let (home, state, other) = (base.join("home"), base.join("state"), base.join("other"));
        for folder in [&home, &state, &other.join("registry"), &other.join("install"), &other.join("pkg")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        for variable in VARIABLES {
            let mut around = Surroundings::bare(&base.join("project"), &home, &state);
            around.variables.push((variable, other.clone()));
            let open = known(&around);
            assert!(!open.iter().any(|place| place.path.starts_with(&other)), "{variable}: {open:?}");
        }
        let mut around = Surroundings::bare(&base.join("project"), &home, &state);
        // Not below the folders for temporary files, where these tests live.
        around.temp = Some(PathBuf::from("/usr"));
        assert!(!known(&around).iter().any(|place| place.path == Path::new("/usr")));
    }

    #[test]
    fn a_person_opens_what_holds_nothing_else() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        let (home, state) = (base.join("home"), base.join("home/.local/state/vibelign"));
        for folder in ["notes", ".config/tool", ".claude"] {
            std::fs::create_dir_all(home.join(folder)).unwrap();
        }
        std::fs::create_dir_all(state.join("projects")).unwrap();
        let around = Surroundings::bare(&base.join("project"), &home, &state);
        for fine in ["notes", ".config/tool"] {
            assert_eq!(to_allow(&around, &home.join(fine)).unwrap(), home.join(fine));
        }
        for (not, what) in [
            (home.clone(), "vib's own records"),
            (home.join(".local"), "vib's own records"),
            (state.join("projects"), "vib's own records"),
            (home.join(".claude"), "an agent's settings"),
            (PathBuf::from("/"), "vib's own records"),
            (PathBuf::from("/etc"), "the system's settings"),
        ] {
            let told = to_allow(&around, &not).unwrap_err();
            assert!(matches!(&told, Error::Guarded { what: told, .. } if *told == what), "{told}");
        }
        assert_eq!(to_allow(&around, &home.join("gone")).unwrap_err().code(), "fence_place_missing");
    }
}
