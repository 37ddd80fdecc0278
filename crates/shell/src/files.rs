//! Programs that delete, move, copy and re-permission files.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data, HOLE, Taint};
use crate::verdict::Place;
use crate::walk::Walk;

impl Walk<'_> {
    /// `rm` and its relatives.
    pub(crate) fn remove(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let valued: &[&str] = if name == "shred" { &["-n", "-s", "--iterations", "--size"] } else { &[] };
        let options = Options::of(&argv[1..], valued);
        let recursive = options.has(&["-r", "-R", "--recursive"]) || matches!(name, "srm");
        let unknown_flags = argv[1..].iter().any(|arg| arg.text.starts_with(crate::value::HOLE));
        let exact = match name {
            "rm" => only_flags(&options, &["-f", "-v", "-i", "--force", "--verbose"]),
            "rmdir" | "unlink" => only_flags(&options, &[]),
            _ => false,
        };
        for path in &options.words {
            let recursive = recursive || unknown_flags && !path.known();
            self.exactly(exact, |walk| walk.deletes(path, recursive));
        }
        if name == "shred" && !options.words.is_empty() {
            self.found.loses(true);
            self.found.add(
                Weight::Covered,
                "overwrites_file",
                "overwrites files so that only a checkpoint brings them back",
                about,
            );
        }
        Data::unknown(stdin.taint)
    }

    /// `mv`, `cp`, `ln`, `install`, `rsync`, `scp`.
    pub(crate) fn transfer(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let valued: &[&str] = match name {
            "rsync" => &[
                "-e",
                "--rsh",
                "-f",
                "--filter",
                "--exclude",
                "--include",
                "--exclude-from",
                "--include-from",
                "--files-from",
                "-B",
                "-T",
                "--temp-dir",
                "--backup-dir",
                "--log-file",
                "--rsync-path",
                "--port",
                "--bwlimit",
                "--suffix",
                "--chmod",
                "--chown",
                "--password-file",
                "-M",
                "--out-format",
                "--partial-dir",
            ],
            "scp" => &["-P", "-i", "-o", "-F", "-c", "-J", "-l", "-S", "-D"],
            "install" => &["-m", "--mode", "-o", "-g", "-t", "--target-directory", "-S"],
            _ => &["-t", "--target-directory", "-S", "--suffix"],
        };
        let options = Options::of(&argv[1..], valued);
        for script in
            options.values(&["-e", "--rsh", "--rsync-path", "-S", "-M"]).cloned().collect::<Vec<_>>()
        {
            if name == "rsync" || name == "scp" {
                self.probe_script(&script.text, "an option that runs its value");
            }
        }
        for option in options.values(&["-o"]).cloned().collect::<Vec<_>>() {
            self.ssh_option(&option);
        }
        let mut sources = options.words.clone();
        let target = match options.values(&["-t", "--target-directory"]).next() {
            Some(folder) => Some(folder.clone()),
            None if sources.len() > 1 || matches!(name, "rsync" | "scp") => sources.pop(),
            None => None,
        };
        const PLAIN: [&str; 9] = ["-f", "-n", "-v", "-p", "-u", "-i", "--force", "--verbose", "--no-clobber"];
        let exact = matches!(name, "mv" | "cp") && only_flags(&options, &PLAIN);
        // A rehearsal, unless another option takes it back.
        if name == "rsync"
            && options.has(&["-n", "--dry-run"])
            && !options.has(&["--no-n", "--no-dry-run", "--log-file"])
        {
            let reaches = sources.iter().chain(&target).any(|path| is_remote(&path.text));
            self.found.verdict.network |= reaches;
            return Data::unknown(stdin.taint);
        }
        let mut taint = stdin.taint;
        for source in &sources {
            taint.secret |= !is_remote(&source.text) && self.reads_secret(source);
            if let Some(data) = self.file_key(source).and_then(|key| self.files.get(&key)) {
                taint = taint.and(data.taint);
            }
            if name == "mv" {
                self.exactly(exact, |walk| walk.moves_away(source, about));
            }
        }
        if matches!(name, "rsync" | "scp")
            && self.remote_transfer(&options, &sources, target.as_ref(), taint, about)
        {
            return Data::unknown(taint);
        }
        let Some(target) = target else {
            if name == "ln" {
                self.found.may_write();
            }
            return Data::unknown(taint);
        };
        let deleting = options.flags.iter().any(|(flag, _)| {
            flag.starts_with("--del") && "--delete-missing-args".len() > flag.len()
                || flag == "--remove-source-files"
        });
        if name == "rsync" && deleting {
            self.deletes(&target, true);
            for source in &sources {
                if options.has(&["--remove-source-files"]) {
                    self.deletes(source, true);
                }
            }
        }
        if name == "mv" && !matches!(self.place_of(&target).1, Place::Project | Place::ProjectRoot) {
            for source in &sources {
                self.leaves(source);
                self.exactly(exact, |walk| walk.goes_out(source));
            }
        }
        // What is there stays as it is.
        let keeps = matches!(name, "cp" | "mv")
            && options.has(&["-n", "--no-clobber"])
            && self.place_of(&target).1 == Place::Project;
        let how = if keeps { "touched" } else { name };
        match self.names_in_folder(name, &options, &sources, &target) {
            Some(written) => {
                for path in &written {
                    self.exactly(exact, |walk| walk.writes(path, how));
                }
            }
            None => self.exactly(exact, |walk| walk.writes(&target, how)),
        }
        if !keeps {
            self.replaces_in(&sources, &target);
        }
        if exact {
            self.transferred(name, &sources, &target);
        }
        self.renames(&sources, &target);
        if name == "ln" || name == "cp" && options.has(&["-l", "--link", "-s", "--symbolic-link"]) {
            self.aliases_records(&sources);
        }
        if name == "ln" {
            self.links_made(&sources, &target, options.has(&["-s", "--symbolic"]));
        }
        for source in &sources {
            self.copy_memory(source, &target, taint);
        }
        Data::unknown(taint)
    }

    /// What is moved out of the project is gone from it.
    fn goes_out(&mut self, source: &Arg) {
        let (path, place) = self.place_of_entry(source);
        if place == Place::Project {
            self.must_be_literal(source);
            self.found.deleted(&path, place, false);
        }
    }

    /// The names that are written in a folder outside the project, where all of them are known: only those can be lost there.
    fn names_in_folder(
        &self,
        name: &str,
        options: &Options,
        sources: &[Arg],
        target: &Arg,
    ) -> Option<Vec<Arg>> {
        const INSIDE: [&str; 2] = ["-T", "--no-target-directory"];
        if !matches!(name, "mv" | "cp" | "install" | "ln")
            || options.has(&INSIDE)
            || options.has(&["--parents"])
        {
            return None;
        }
        let (into, place) = self.place_of(target);
        let is_folder = || {
            let real = self.ctx.files.resolve(std::path::Path::new(&into));
            let kind = |path: &std::path::Path| self.ctx.files.kind(path);
            real.as_deref().map_or_else(|| kind(std::path::Path::new(&into)), kind)
                == Some(crate::context::Kind::Folder)
        };
        if !matches!(place, Place::Outside | Place::Home) || target.glob || !target.known() || !is_folder() {
            return None;
        }
        let named = |source: &Arg| {
            let text = source.text.trim_end_matches('/');
            let last = text.rsplit('/').next().unwrap_or_default();
            let plain = !source.glob && source.known() && !matches!(last, "" | "." | "..");
            plain.then(|| Arg::new(format!("{}/{last}", into.trim_end_matches('/'))))
        };
        sources.iter().map(named).collect()
    }

    /// Where the target is a folder, files in it may have the names of the sources.
    pub(crate) fn replaces_in(&mut self, sources: &[Arg], target: &Arg) {
        let (into, place) = self.place_of(target);
        if !matches!(place, Place::Project | Place::ProjectRoot)
            || self.ctx.files.kind(std::path::Path::new(&into)) != Some(crate::context::Kind::Folder)
        {
            return;
        }
        for source in sources.iter().take(64) {
            let last = source.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            if source.glob || matches!(last, "." | "*" | "") || !source.known() {
                // All of a folder: which names it brings is not looked up.
                self.writes(&Arg::new(format!("{into}/x")), "unpacks an archive");
            } else {
                self.overwritten(&format!("{into}/{last}"));
            }
        }
    }

    /// Another name for vib's records is a way to write them unseen. (S6)
    fn aliases_records(&mut self, sources: &[Arg]) {
        for source in sources {
            let (path, place) = self.place_of(source);
            if place == Place::VibState {
                self.found.wrote(&path, place);
                self.found.add(
                    Weight::Ask,
                    "guarded_vib",
                    "makes another name for vib's own records or settings",
                    &path,
                );
            }
        }
    }

    /// `ln -s TARGET LINK`: later words of the line may go through the link.
    fn links_made(&mut self, sources: &[Arg], link: &Arg, symbolic: bool) {
        let Some(link) = self.file_key(link) else { return };
        for source in sources.iter().filter(|source| source.known()).take(8) {
            // A target without a leading slash is seen from the link's own folder.
            let folder = link.rsplit_once('/').map_or("", |(folder, _)| folder);
            let from = if symbolic { Some(folder) } else { self.cwd.as_deref() };
            if let Some(target) = crate::place::absolute(&source.text, from) {
                let target = crate::place::normalise(&target);
                // Where the link is a folder, the new link is inside it, under the name of its target.
                let name = target.rsplit('/').next().unwrap_or_default();
                self.links.push((format!("{link}/{name}"), target.clone()));
                self.links.push((link.clone(), target));
            }
        }
        self.links.truncate(32);
    }

    /// Moving a file away from where it is loses it there.
    fn moves_away(&mut self, source: &Arg, about: &str) {
        let (path, place) = self.place_of_entry(source);
        match place {
            Place::System | Place::Home | Place::Device => {
                self.found.deleted(&path, place, true);
                self.found.add(
                    Weight::Deny,
                    "moves_system",
                    "moves a folder of the system or a whole home away",
                    about,
                );
            }
            Place::Project | Place::Temp | Place::Stream => {}
            Place::Unknown => self.found.unknown(
                Weight::Covered,
                "writes_unknown",
                "moves something that is not known here",
                about,
            ),
            _ => {
                self.found.deleted(&path, place, false);
                self.found.add(
                    Weight::Ask,
                    "deletes_outside",
                    "moves something away that no checkpoint covers",
                    about,
                );
            }
        }
    }

    /// Whether one side is another machine; judged here if so.
    fn remote_transfer(
        &mut self,
        options: &Options,
        sources: &[Arg],
        target: Option<&Arg>,
        taint: Taint,
        about: &str,
    ) -> bool {
        let upload = target.is_some_and(|target| is_remote(&target.text));
        let download = sources.iter().any(|source| is_remote(&source.text));
        if upload {
            self.sends(taint.secret, about);
            self.changes_remote(about);
        }
        if download && !upload {
            self.found.verdict.network = true;
            if let Some(target) = target {
                if options.flags.iter().any(|(flag, _)| flag.starts_with("--del")) {
                    self.deletes(target, true);
                }
                self.writes(target, "download");
                for source in sources.iter().filter(|source| is_remote(&source.text)).take(16) {
                    self.fetched_file(source, target);
                }
                if options.has(&["-r", "-a", "--recursive", "--archive"]) {
                    self.brings(target);
                }
            }
        }
        upload || download
    }

    /// A copy holds what its source held.
    fn copy_memory(&mut self, source: &Arg, target: &Arg, taint: Taint) {
        let Some(key) = self.file_key(source) else { return };
        if let Some(copy) = self.file_key(target)
            && self.copied.len() < 64
        {
            let name = key.rsplit('/').next().unwrap_or_default();
            self.copied.insert(format!("{copy}/{name}"), key.clone());
            self.copied.insert(copy, key.clone());
        }
        let mut data = self.files.get(&key).cloned().unwrap_or_else(|| Data::unknown(taint));
        data.taint = data.taint.and(taint);
        if data.taint != Taint::default() || data.text.is_some() {
            self.remember_file(target, &data, false);
        }
    }

    /// `dd`: `of=` is what matters.
    pub(crate) fn dd(&mut self, argv: &[Arg], stdin: &Data, _about: &str) -> Data {
        let mut taint = stdin.taint;
        for arg in &argv[1..] {
            match arg.text.split_once('=') {
                Some(("of", path)) => self.writes(&arg.with_text(path), "dd"),
                Some(("if", path)) => taint.secret |= self.reads_secret(&arg.with_text(path)),
                _ => {}
            }
        }
        Data::unknown(taint)
    }

    /// Modes and owners: recursive changes on the system or a home cannot be taken back.
    pub(crate) fn permissions(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let name = argv[0].text.rsplit('/').next().unwrap_or_default();
        let valued: &[&str] = match name {
            "setfacl" => {
                &["-m", "-x", "-M", "-X", "--modify", "--remove", "--set", "--set-file", "--restore"]
            }
            "chattr" => &["-v", "-p"],
            _ => &["--reference", "--from"],
        };
        let options = Options::of(&argv[1..], valued);
        let recursive =
            options.has(&["-R", "--recursive", "-r"]) || argv.iter().any(|arg| arg.text.starts_with("--rec"));
        let by_reference = argv.iter().any(|arg| arg.text.starts_with("--ref"));
        // Words before the paths: a mode, an owner, the name and value of an attribute.
        let skip = match name {
            "setfacl" => 0,
            "xattr" if options.has(&["-w"]) => 2,
            "xattr" if options.has(&["-d", "-p"]) => 1,
            "xattr" => 0,
            "chattr" => options.words.iter().take_while(|word| word.text.starts_with(['+', '='])).count(),
            "chmod" if argv[1..].iter().any(is_mode_flag) => 0,
            _ => usize::from(!by_reference),
        };
        if name == "xattr" && !options.has(&["-w", "-d", "-c"]) {
            return Data::unknown(stdin.taint);
        }
        // Owners and attributes are in no checkpoint; files that one owns oneself are what they were.
        let owner = options.words.first().map_or("", |word| word.text.as_str());
        let own = matches!(name, "chown" | "chgrp") && (owner.contains(HOLE) || by_reference);
        let locks_out = name == "chmod"
            && (locks_out(owner) || argv[1..].iter().any(|arg| is_mode_flag(arg) && arg.text.contains('r')));
        let lasting = !own && matches!(name, "chown" | "chgrp" | "chattr" | "setfacl") || locks_out;
        for path in options.words.iter().skip(skip) {
            let (full, place) = self.place_of(path);
            if lasting && recursive && matches!(place, Place::Project | Place::ProjectRoot) {
                self.found.loses(false);
                self.found.add(
                    Weight::Ask,
                    "changes_owner",
                    "changes who owns or may use whole folders of the project, which no checkpoint brings back",
                    about,
                );
            }
            match place {
                Place::System | Place::Home | Place::Device => {
                    self.found.wrote(&full, place);
                    self.found.loses(false);
                    let weight = if recursive { Weight::Deny } else { Weight::Ask };
                    self.found.add(
                        weight,
                        "permissions_system",
                        "changes who may use the system's or a home's files",
                        about,
                    );
                }
                _ => {
                    let exact = name == "chmod" && !recursive && !by_reference;
                    self.exactly(exact, |walk| walk.writes(path, "permissions"));
                }
            }
        }
        Data::unknown(stdin.taint)
    }
}

/// Whether no option is given but these.
fn only_flags(options: &Options, known: &[&str]) -> bool {
    options.flags.iter().all(|(flag, _)| {
        // A cluster stands there letter by letter, and once more as it was written.
        let is_cluster = flag.len() > 2 && !flag.starts_with("--");
        is_cluster || known.contains(&flag.as_str())
    })
}

/// Whether files that get this mode cannot be read or entered by their owner any more.
fn locks_out(mode: &str) -> bool {
    if !mode.is_empty() && mode.bytes().all(|byte| byte.is_ascii_digit()) {
        let owner = mode.bytes().rev().nth(2).unwrap_or(b'0') - b'0';
        return owner & 4 == 0;
    }
    mode.split(',').any(|part| {
        let Some(at) = part.find(['-', '=']) else { return false };
        let (who, what) = (&part[..at], &part[at + 1..]);
        let is_owner = who.is_empty() || who.contains(['u', 'a']);
        let takes = if part[at..].starts_with('=') {
            !what.contains(['r', 'u', 'g', 'o'])
        } else {
            what.contains('r')
        };
        is_owner && takes
    })
}

/// `chmod -x file`: a mode that looks like an option.
fn is_mode_flag(arg: &Arg) -> bool {
    let letters = arg.text.strip_prefix('-').unwrap_or_default();
    !letters.is_empty() && letters.chars().all(|c| "rwxXst".contains(c))
}

/// `host:path` or a URL, but not a Windows drive or a path with a colon in it.
pub(crate) fn is_remote(text: &str) -> bool {
    match text.split_once(':') {
        Some((host, path)) => {
            let drive = host.len() == 1 && path.starts_with(['\\', '/']);
            !host.is_empty() && !drive && !host.contains('/') || text.contains("://")
        }
        None => false,
    }
}
