//! Foreign code: what this very line fetched from elsewhere, and then runs.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data, Taint};
use crate::walk::Walk;
use std::path::Path;

impl Walk<'_> {
    /// Notes the folders that a command fills with what comes from elsewhere.
    pub(crate) fn fetches(&mut self, name: &str, argv: &[Arg]) {
        let words: Vec<Arg> = match name {
            "git" => Options::of(&argv[1..], crate::git_names::GLOBAL_VALUED).words,
            _ => {
                Options::of(
                    &argv[1..],
                    &["-b", "--branch", "--depth", "-d", "--dest", "-D", "-R", "-r", "-p"],
                )
                .words
            }
        };
        let text = |n: usize| words.get(n).map_or("", |word| word.text.as_str());
        let folder = match (name, text(0), text(1)) {
            ("git", "clone", _)
            | ("gh", "repo", "clone")
            | ("svn", "checkout" | "co", _)
            | ("hg", "clone", _) => {
                // The address, then the folder; without one the address names it.
                let at = if name == "gh" { 2 } else { 1 };
                let rest: Vec<Arg> = words.iter().skip(at).cloned().collect();
                let url = rest.iter().find(|word| !word.text.chars().all(|c| c.is_ascii_digit()));
                let last = rest.last().filter(|last| Some(*last) != url);
                match (last, url) {
                    (Some(folder), _) => folder.text.clone(),
                    (None, Some(url)) => {
                        let end =
                            url.text.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
                        end.trim_end_matches(".git").to_owned()
                    }
                    _ => return,
                }
            }
            ("gh", "release" | "run", "download")
            | ("pip" | "pip3", "download", _)
            | ("docker" | "podman", "cp", _)
            | ("kubectl" | "oc", "cp", _)
            | ("gsutil" | "rclone" | "mc", "cp" | "copy" | "rsync" | "sync", _)
            | ("aws", "s3", "cp" | "sync" | "mv")
            | ("gcloud", "storage" | "compute", _)
            | ("lftp" | "sftp" | "ftp" | "tftp" | "ncftpget" | "axel" | "yt-dlp", _, _) => ".".to_owned(),
            ("npm" | "pnpm", "pack", package) if !package.is_empty() => ".".to_owned(),
            ("unzip" | "unrar" | "unar" | "7z" | "7za" | "bsdtar" | "cpio" | "dtrx", ..) => {
                let into = Options::of(&argv[1..], &["-d", "-x"]);
                let folder = into.values(&["-d"]).next().cloned().unwrap_or_else(|| Arg::new("."));
                return self.unpacks(&into.words, &folder, &Data::default());
            }
            _ => return,
        };
        self.brings(&Arg::new(folder));
    }

    /// A folder now holds what came from elsewhere.
    pub(crate) fn brings(&mut self, folder: &Arg) {
        if let Some(path) = self.file_key(folder)
            && self.foreign.len() < 16
        {
            self.foreign.push(path);
        }
    }

    /// Whether a path was fetched by this line: below such a folder, and not there before.
    pub(crate) fn is_foreign(&self, path: &str) -> bool {
        self.foreign
            .iter()
            .any(|folder| path == folder || path.starts_with(&format!("{folder}/")) || folder == "/")
            && self.ctx.files.kind(Path::new(path)).is_none()
    }

    /// Code in a file is run: says so if this line fetched it.
    pub(crate) fn foreign_code(&mut self, file: &Arg, about: &str) -> bool {
        let foreign = self.file_key(file).is_some_and(|path| self.is_foreign(&path));
        if foreign {
            self.says_foreign(about);
        }
        foreign
    }

    /// A build runs what its folder says: so does one in a folder that this line fetched.
    pub(crate) fn foreign_build(&mut self, argv: &[Arg], about: &str) {
        let options =
            Options::of(&argv[1..], &["-C", "--directory", "--prefix", "--cwd", "--manifest-path", "-f"]);
        let mut folders: Vec<Arg> = options
            .values(&["-C", "--directory", "--prefix", "--cwd", "--manifest-path", "-f"])
            .cloned()
            .collect();
        folders.push(Arg::new("."));
        let own: Vec<String> = folders.iter().filter_map(|folder| self.file_key(folder)).collect();
        // The folder where the line begins is not fetched by it.
        let begins = |path: &str| Path::new(path) == self.ctx.cwd || Path::new(path) == self.ctx.project_root;
        if own.iter().any(|path| !begins(path) && self.is_foreign(path)) {
            self.says_foreign(about);
        }
    }

    pub(crate) fn says_foreign(&mut self, about: &str) {
        self.found.verdict.network = true;
        self.found.add(
            Weight::Ask,
            "runs_downloaded_code",
            "runs code that the line itself fetches from elsewhere",
            about,
        );
    }

    /// An archive is unpacked: what came from elsewhere stays foreign.
    pub(crate) fn unpacks(&mut self, archives: &[Arg], folder: &Arg, stdin: &Data) {
        let mut foreign = stdin.taint.network;
        for archive in archives {
            let Some(key) = self.file_key(archive) else { continue };
            foreign |= self.files.get(&key).is_some_and(|data| data.taint.network) || self.is_foreign(&key);
        }
        if foreign {
            self.brings(folder);
        }
    }

    /// A file was fetched under this name.
    pub(crate) fn fetched_file(&mut self, source: &Arg, target: &Arg) {
        let data = Data::unknown(Taint { network: true, ..Taint::default() });
        let name = source.text.rsplit(['/', ':']).next().unwrap_or_default();
        self.remember_file(target, &data, false);
        if !name.is_empty() {
            let inside = format!("{}/{name}", target.text.trim_end_matches('/'));
            self.remember_file(&target.with_text(inside), &data, false);
        } else {
            self.brings(target);
        }
    }
}
