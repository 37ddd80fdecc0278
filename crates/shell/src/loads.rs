//! Code that a program is told to load, or loads by itself before it does anything: modules in options, build scripts, the
//! files of a test runner, packages from a folder or from an address.

use crate::code::Language;
use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::walk::Walk;
use std::path::Path;

/// Places that packages and programs are ordinarily fetched from.
const KNOWN_HOSTS: &[&str] = &[
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
    "huggingface.co",
    "pypi.org",
    "pythonhosted.org",
    "npmjs.org",
    "npmjs.com",
    "yarnpkg.com",
    "pytorch.org",
    "crates.io",
    "rust-lang.org",
    "golang.org",
    "rubygems.org",
    "packagist.org",
    "deno.land",
    "jsr.io",
    "esm.sh",
    "unpkg.com",
    "jsdelivr.net",
    "nvidia.com",
    "npmmirror.com",
    "tsinghua.edu.cn",
    "aliyun.com",
];

/// Whether an address leads to one of those, or to this machine.
pub(crate) fn is_known_address(url: &str) -> bool {
    let host = url.split("://").last().unwrap_or(url);
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    let host =
        host.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default().to_lowercase();
    crate::net::is_loopback(&host)
        || KNOWN_HOSTS.iter().any(|known| host == *known || host.ends_with(&format!(".{known}")))
}

impl Walk<'_> {
    /// Reads what a program loads besides its own arguments.
    pub(crate) fn loads(&mut self, name: &str, argv: &[Arg], about: &str) {
        match name {
            "node" | "nodejs" | "tsx" | "ts-node" | "bun" | "deno" => self.preloaded(argv, about),
            "pytest" | "py.test" => self.test_files(argv, about),
            "cargo" => self.build_script(argv, about),
            "go" => {
                let options = Options::of(&argv[1..], &[]);
                if matches!(options.word(0), "run" | "build" | "test") {
                    let files: Vec<Arg> =
                        options.words.into_iter().filter(|word| word.text.ends_with(".go")).take(8).collect();
                    for file in &files {
                        self.code_file(Language::Other, file, about);
                    }
                }
            }
            "npm" | "pnpm" | "yarn" => {
                self.package_folders(name, argv, about);
                self.installs_from(argv, about);
            }
            "pip" | "pip3" | "pipx" | "uv" | "poetry" | "gem" => {
                self.installs_from(argv, about);
                if name != "gem" {
                    self.builds_folder(argv, about);
                }
            }
            "python" | "python3" if matches!(argv, [_, module, build, ..] if module.text == "-m" && build.text == "build") =>
            {
                let words = Options::of(&argv[3..], &["-o", "--outdir", "-C", "--config-setting"]).words;
                self.setup_script(words.first().unwrap_or(&Arg::new(".")), about);
            }
            "pyproject-build" => self.setup_script(&Arg::new("."), about),
            "patch" | "gpatch" => self.patched(argv),
            _ => {}
        }
    }

    /// `node --import ./x.js`, `-r ./x`: runs before the program.
    fn preloaded(&mut self, argv: &[Arg], about: &str) {
        let names = ["-r", "--require", "--import", "--loader", "--experimental-loader", "--preload"];
        let options = Options::of(&argv[1..], &names);
        for file in options
            .values(&names)
            .filter(|file| file.text.starts_with(['.', '/']))
            .cloned()
            .collect::<Vec<_>>()
        {
            self.code_file(Language::Node, &file, about);
            self.foreign_code(&file, about);
        }
    }

    /// The files that a test runner loads by itself, and those that it is given.
    fn test_files(&mut self, argv: &[Arg], about: &str) {
        let options =
            Options::of(&argv[1..], &["-p", "-k", "-m", "-n", "-c", "--rootdir", "--confcutdir", "-o"]);
        for plugin in options
            .values(&["-p"])
            .filter(|plugin| !plugin.text.starts_with("no:"))
            .cloned()
            .collect::<Vec<_>>()
        {
            let file = plugin.with_text(format!("{}.py", plugin.text.replace('.', "/")));
            self.code_file(Language::Python, &file, about);
        }
        let mut words: Vec<Arg> = options.words.iter().take(8).cloned().collect();
        if words.is_empty() {
            words.extend([Arg::new("."), Arg::new("tests"), Arg::new("test")]);
        }
        for word in words {
            let path = word.text.split("::").next().unwrap_or_default().trim_end_matches('/').to_owned();
            let file = if path.ends_with(".py") { path } else { format!("{path}/conftest.py") };
            self.code_file(Language::Python, &word.with_text(file), about);
        }
    }

    /// `build.rs` runs with every build.
    fn build_script(&mut self, argv: &[Arg], about: &str) {
        let options = Options::of(
            &argv[1..],
            &["-p", "--manifest-path", "--features", "-C", "--config", "--path", "-j"],
        );
        if options.word(0) == "watch" {
            let scripts = Options::of(&argv[1..], &["-s", "--shell", "-x", "--exec", "-w", "-d", "-i"]);
            for script in scripts.values(&["-s", "--shell"]).cloned().collect::<Vec<_>>() {
                self.probe_script(&script.text, "a command that is run on every change");
            }
        }
        if options.values(&["--config"]).any(|value| {
            ["wrapper", "runner", "linker", "alias", "[env"].iter().any(|word| value.text.contains(word))
        }) {
            self.found.unknown(
                Weight::Ask,
                "runs_unknown_code",
                "a setting that makes cargo run another program",
                about,
            );
        }
        if !matches!(
            options.word(0),
            "build"
                | "b"
                | "run"
                | "r"
                | "test"
                | "t"
                | "check"
                | "c"
                | "bench"
                | "clippy"
                | "doc"
                | "nextest"
                | "install"
        ) {
            return;
        }
        let folder = options.values(&["--manifest-path", "-C", "--path"]).next().map(|path| {
            path.with_text(path.text.strip_suffix("Cargo.toml").unwrap_or(&path.text).trim_end_matches('/'))
        });
        let folder =
            folder.map_or(
                ".".to_owned(),
                |folder| if folder.text.is_empty() { ".".to_owned() } else { folder.text },
            );
        self.code_file(Language::Other, &Arg::new(format!("{folder}/build.rs")), about);
    }

    /// `npm install ./folder` runs the scripts of that folder; `npm pkg set scripts.x=...` writes one.
    fn package_folders(&mut self, name: &str, argv: &[Arg], about: &str) {
        let options = Options::of(
            &argv[1..],
            &["--prefix", "-C", "--filter", "-w", "--workspace", "--cwd", "--registry"],
        );
        if options.word(0) == "pkg" && options.word(1) == "set" {
            for word in options.words.iter().skip(2).cloned().collect::<Vec<_>>() {
                if let Some((key, script)) = word.text.split_once('=')
                    && key.starts_with("scripts")
                {
                    self.probe_script(script, "a script of the package");
                }
            }
        }
        if !matches!(options.word(0), "install" | "i" | "add" | "link") {
            return;
        }
        for word in options.words.iter().skip(1).take(4).cloned().collect::<Vec<_>>() {
            let path = word.text.trim_start_matches("file:").trim_start_matches("link:");
            let is_folder = path.starts_with(['.', '/'])
                && self.file_key(&word.with_text(path)).is_some_and(|key| {
                    self.ctx.files.kind(Path::new(&key)) == Some(crate::context::Kind::Folder)
                });
            if is_folder {
                let words = [Arg::new(name), Arg::new("--prefix"), word.with_text(path), Arg::new("install")];
                self.tasks(name, &words, about);
            }
        }
    }

    /// Packages from an address that is typed on the spot: their scripts run while they are installed.
    fn installs_from(&mut self, argv: &[Arg], about: &str) {
        let sources = [
            "--index-url",
            "-i",
            "--extra-index-url",
            "--registry",
            "--source",
            "-s",
            "--find-links",
            "-f",
            "--index",
        ];
        let options = Options::of(&argv[1..], &sources);
        let installs = options.words.iter().take(2).any(|word| {
            matches!(word.text.as_str(), "install" | "i" | "add" | "ci" | "download" | "update" | "pip")
        });
        // A house has its own index and its own repositories; an archive from anywhere, or a way that everybody can listen
        // in on and change, is something else.
        let listed = options.values(&sources).filter(|value| value.text.starts_with("http://"));
        let archive = |text: &str| {
            let path = text.split(['#', '?']).next().unwrap_or_default();
            text.starts_with("http")
                && [".tgz", ".gz", ".zip", ".whl", ".tar", ".bz2", ".gem", ".xz"]
                    .iter()
                    .any(|end| path.ends_with(end))
        };
        let packages =
            options.words.iter().skip(1).filter(|word| archive(&word.text) || word.text.contains("+http://"));
        let strange = listed.chain(packages).find(|word| !is_known_address(&word.text));
        if installs && let Some(address) = strange.cloned() {
            self.found.verdict.network = true;
            self.found.add(
                Weight::Ask,
                "installs_from_address",
                format!("installs code from an address that is named on the spot ({})", address.text),
                about,
            );
        }
    }

    /// A package in a folder is built to be installed: that runs its `setup.py`.
    fn builds_folder(&mut self, argv: &[Arg], about: &str) {
        let edited = ["-e", "--editable"];
        let options =
            Options::of(&argv[1..], &["-e", "--editable", "-r", "-c", "-t", "--target", "-i", "-w"]);
        let word = |text: &str| options.words.iter().take(3).any(|word| word.text == text);
        if !["install", "wheel", "build", "sync"].into_iter().any(word) {
            return;
        }
        let mut folders: Vec<Arg> = options
            .values(&edited)
            .chain(&options.words)
            .filter(|path| path.text.starts_with(['.', '/']) && !path.text.ends_with(".whl"))
            .take(8)
            .cloned()
            .collect();
        if folders.is_empty() && (word("build") || word("sync")) {
            folders.push(Arg::new("."));
        }
        for folder in &folders {
            self.setup_script(folder, about);
        }
    }

    fn setup_script(&mut self, folder: &Arg, about: &str) {
        // `.[dev]` names parts of the package.
        let path = folder.text.split('[').next().unwrap_or_default().trim_end_matches('/');
        let file = folder.with_text(format!("{path}/setup.py"));
        let there = self.file_key(&file).is_some_and(|key| {
            self.files.contains_key(&key) || self.ctx.files.kind(Path::new(&key)).is_some()
        });
        if there {
            self.code_file(Language::Python, &file, about);
        }
        let project = folder.with_text(format!("{path}/pyproject.toml"));
        let Some(text) = self.script_file(&project) else { return };
        for name in build_code(&text) {
            let file = folder.with_text(format!("{path}/{name}"));
            if self.script_file(&file).is_some() {
                self.code_file(Language::Python, &file, about);
            }
        }
    }

    /// `patch`: the folder that it works in, the file that it changes, and the names in the patch.
    fn patched(&mut self, argv: &[Arg]) {
        let valued = [
            "-d",
            "--directory",
            "-i",
            "--input",
            "-p",
            "--strip",
            "-o",
            "--output",
            "-r",
            "-D",
            "-B",
            "-F",
            "-V",
            "-Y",
            "-z",
        ];
        let options = Options::of(&argv[1..], &valued);
        if options.has(&["--dry-run", "-C", "--check"]) {
            return;
        }
        let outer = self.cwd.clone();
        if let Some(folder) = options.values(&["-d", "--directory"]).next().cloned() {
            self.cwd = self.file_key(&folder);
        }
        if self.cwd.is_some() {
            self.writes(&Arg::new("./patched"), "patch");
        }
        for file in options.words.iter().take(1).cloned().collect::<Vec<_>>() {
            self.writes(&file, "patch");
        }
        let input = options.values(&["-i", "--input"]).next().or(options.words.get(1)).cloned();
        if let Some(text) = input.and_then(|file| self.script_file(&file)) {
            let strip =
                options.values(&["-p", "--strip"]).next().and_then(|count| count.text.parse::<usize>().ok());
            self.patched_names(&text, strip);
        }
        self.cwd = outer;
    }

    fn patched_names(&mut self, text: &str, strip: Option<usize>) {
        for line in text.lines().filter_map(|line| line.strip_prefix("+++ ")).take(200) {
            let name = line.split('\t').next().unwrap_or_default().trim();
            let inside: Vec<&str> = name.split('/').collect();
            let cut = strip.unwrap_or(0).min(inside.len().saturating_sub(1));
            let path = inside[cut..].join("/");
            if !path.is_empty() && path != "dev/null" && name != "/dev/null" {
                self.writes(&Arg::new(path), "patch");
            }
        }
    }

    /// A program that runs each of the files that a search finds, as its script.
    pub(crate) fn runs_files_found(&mut self, command: &[Arg], files: &[String]) {
        for file in files {
            let filled: Vec<Arg> =
                command.iter().map(|arg| arg.with_text(arg.text.replace("{}", file))).collect();
            self.run(&filled, Data::default());
        }
    }
}

/// The files of a Python project that its `pyproject.toml` has run while it is built: a backend of its own, hooks of the backend.
fn build_code(text: &str) -> Vec<String> {
    let value = |key: &str| {
        text.lines().find_map(|line| {
            let rest = line.trim().strip_prefix(key)?.trim_start().strip_prefix('=')?;
            let all: Vec<String> = rest.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned).collect();
            (!all.is_empty()).then_some(all)
        })
    };
    let mut files = Vec::new();
    if let (Some(folders), Some(backend)) = (value("backend-path"), value("build-backend")) {
        let module = backend[0].split(':').next().unwrap_or_default().replace('.', "/");
        for folder in folders.iter().take(4) {
            files.push(format!("{folder}/{module}.py"));
            files.push(format!("{folder}/{module}/__init__.py"));
        }
    }
    // Poetry, PDM, Hatch.
    for key in ["script", "custom-hook", "path", "build"] {
        files.extend(value(key).into_iter().flatten().filter(|name| name.ends_with(".py")).take(4));
    }
    if text.contains("hooks.custom") {
        files.push("hatch_build.py".to_owned());
    }
    if text.contains("pdm") {
        files.push("pdm_build.py".to_owned());
    }
    files
}

#[cfg(test)]
mod tests {
    use super::is_known_address;

    #[test]
    fn addresses_that_packages_come_from() {
        for known in [
            "https://github.com/a/b",
            "git+https://token@github.com/a",
            "http://localhost:4873",
            "https://download.pytorch.org/whl",
        ] {
            assert!(is_known_address(known), "{known}");
        }
        for strange in [
            "https://x.example/a.tgz",
            "https://github.com.evil.example/a",
            "http://10.0.0.1/simple",
            "https://evil.example/github.com",
        ] {
            assert!(!is_known_address(strange), "{strange}");
        }
    }
}
