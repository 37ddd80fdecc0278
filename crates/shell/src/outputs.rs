//! Files that a program writes under a name which only its own grammar shows: the last word, an option of a sub-command, a
//! folder that an archive or a container is copied into.

use crate::options::Options;
use crate::value::{Arg, Data};
use crate::verdict::Place;
use crate::walk::Walk;

/// Options of `docker` that take a value, as far as they stand before or among the words of `cp` and `build`.
const DOCKER_VALUED: &[&str] = &[
    "-H",
    "--host",
    "-c",
    "--context",
    "--config",
    "-l",
    "--log-level",
    "-f",
    "--file",
    "-t",
    "--tag",
    "-o",
    "--output",
    "--build-arg",
    "--target",
    "--platform",
    "--label",
    "--cache-from",
    "--cache-to",
    "--secret",
    "--ssh",
    "--network",
    "--progress",
    "--builder",
    "--add-host",
    "--iidfile",
    "--metadata-file",
    "--build-context",
];

impl Walk<'_> {
    /// Judges what such a program writes, before anything else is said about it.
    pub(crate) fn named_outputs(&mut self, name: &str, argv: &[Arg], stdin: &Data) {
        let args = &argv[1..];
        match name {
            "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" => {
                self.out_of_container(args);
            }
            "adb" => {
                let words = Options::of(args, &["-s", "-t", "-H", "-P", "-L"]).words;
                if let [command, sources @ .., target] = words.as_slice()
                    && command.text == "pull"
                    && !sources.is_empty()
                {
                    self.fills(sources, target, "adb pull");
                }
            }
            "openssl" => {
                for pair in args.windows(2).filter(|pair| matches!(pair[0].text.as_str(), "-out" | "-keyout"))
                {
                    self.writes(&pair[1], "output file");
                }
            }
            // Without it a file that is there stays.
            "ffmpeg" if args.iter().any(|arg| arg.text == "-y") => self.writes_last_word(args),
            "convert" | "magick" if args.len() > 1 && args[0].text != "identify" => {
                self.writes_last_word(args);
            }
            "sqlite3" => {
                let words =
                    Options::of(args, &["-cmd", "-init", "-separator", "-newline", "-nullvalue"]).words;
                let unseen = stdin.present && stdin.text.is_none();
                let brings = |text: &str| {
                    let text = text.trim_start();
                    [".restore", ".read", ".import"].iter().any(|command| text.starts_with(command))
                };
                let told = words.iter().skip(1).any(|word| brings(&word.text))
                    || stdin.text.as_deref().is_some_and(|text| text.lines().any(brings));
                if let Some(base) = words.first().filter(|_| unseen || told) {
                    self.writes(base, "sqlite3");
                }
            }
            "unzip" => {
                let options = Options::of(args, &["-d", "-x", "-P"]);
                if let Some(folder) = options.values(&["-d"]).next().filter(|_| options.has(&["-o"])) {
                    self.fills(&[Arg::new(".")], &folder.clone(), "unpacks an archive");
                }
            }
            "7z" | "7za" | "7zr"
                if args.first().is_some_and(|word| matches!(word.text.as_str(), "x" | "e")) =>
            {
                let folder = args.iter().find_map(|arg| {
                    arg.text.strip_prefix("-o").filter(|f| !f.is_empty()).map(|f| arg.with_text(f))
                });
                if let Some(folder) = folder {
                    self.fills(&[Arg::new(".")], &folder, "unpacks an archive");
                }
            }
            "patch" | "apply_patch" | "applypatch" => self.patches(name, args, stdin),
            "wkhtmltopdf" | "wkhtmltoimage" | "html2pdf" | "weasyprint" if args.len() > 1 => {
                self.writes_last_word(args);
            }
            // Copies whole folders onto what is there.
            "pax" if args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains('r')) => {
                let options = Options::of(args, &["-s", "-f", "-x", "-b", "-o"]);
                let copies = options.has(&["-w"]);
                if let Some(folder) =
                    options.words.last().filter(|_| copies && options.words.len() > 1).cloned()
                {
                    self.fills(&[Arg::new(".")], &folder, "copied");
                    self.works_in(&folder, "pax");
                }
                for script in options.values(&["-s"]).cloned().collect::<Vec<_>>() {
                    let new = script
                        .text
                        .chars()
                        .next()
                        .and_then(|mark| script.text.split(mark).nth(2).map(str::to_owned));
                    if let Some(new) = new.filter(|new| new.starts_with(['/', '~'])) {
                        self.works_in(&Arg::new(new), "pax");
                    }
                }
            }
            "svn" if args.first().is_some_and(|word| word.text == "cleanup") => {
                let options = Options::of(&args[1..], &[]);
                let takes = options.flags.iter().any(|(flag, _)| flag.starts_with("--remove"));
                for folder in options.words.iter().filter(|_| takes).cloned().collect::<Vec<_>>() {
                    self.works_in(&folder, "svn cleanup");
                }
            }
            // Whoever holds the lock of vib's records keeps vib from writing them.
            "flock" => {
                let words = Options::of(args, &["-w", "-E", "--timeout", "--conflict-exit-code"]).words;
                if let Some(lock) = words.first().filter(|lock| self.place_of(lock).1 == Place::VibState) {
                    self.writes(lock, "lock");
                }
            }
            _ => {}
        }
    }

    fn writes_last_word(&mut self, args: &[Arg]) {
        let Some(last) = args.last().filter(|last| !last.text.starts_with('-') || !last.known()) else {
            return;
        };
        // `png:out.png` names the format first; `info:` and `null:` write nothing.
        let path = match last.text.split_once(':') {
            Some((_, "" | "-")) => return,
            Some((_, path)) if path.starts_with("//") => return,
            Some((format, path)) if !format.contains(['/', '.']) => last.with_text(path),
            _ => last.clone(),
        };
        if path.text != "-" {
            self.writes(&path, "output file");
        }
    }

    /// `docker cp C:/x TARGET`, `docker build -o TARGET`.
    fn out_of_container(&mut self, args: &[Arg]) {
        let options = Options::of(args, DOCKER_VALUED);
        let groups = ["container", "image", "builder", "buildx", "compose"];
        let words: Vec<Arg> =
            options.words.iter().skip_while(|word| groups.contains(&word.text.as_str())).cloned().collect();
        match words.first().map_or("", |word| word.text.as_str()) {
            "cp" => {
                if let [_, source, target] = words.as_slice()
                    && target.text != "-"
                    && !is_in_container(&target.text)
                {
                    self.fills(std::slice::from_ref(source), target, "docker cp");
                }
            }
            "build" | "b" => {
                for output in options.values(&["-o", "--output"]).cloned().collect::<Vec<_>>() {
                    let path = match output.text.contains('=') {
                        true => output.text.split(',').find_map(|part| part.trim().strip_prefix("dest=")),
                        false => Some(output.text.as_str()),
                    };
                    if let Some(path) = path.filter(|path| *path != "-") {
                        self.fills(&[Arg::new(".")], &output.with_text(path), "docker build");
                    }
                }
                let notes = options.values(&["--iidfile", "--metadata-file"]).cloned().collect::<Vec<_>>();
                for file in &notes {
                    self.writes(file, "output file");
                }
            }
            "export" | "save" => {
                for file in options.values(&["-o", "--output"]).cloned().collect::<Vec<_>>() {
                    self.writes(&file, "output file");
                }
            }
            _ => {}
        }
    }

    /// Files and folders come into a folder, or take the name of the target.
    pub(crate) fn fills(&mut self, sources: &[Arg], target: &Arg, how: &str) {
        self.writes(target, how);
        self.replaces_in(sources, target);
        for source in sources.iter().take(16) {
            let last = source.text.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
            let inside = target.with_text(format!("{}/{last}", target.text.trim_end_matches('/')));
            let guarded = !matches!(
                self.place_of(&inside).1,
                Place::Project | Place::ProjectRoot | Place::Temp | Place::Outside | Place::Unknown
            );
            if guarded && !matches!(last, "" | "." | "..") {
                self.writes(&inside, how);
            }
        }
    }
}

/// `name:/path`: a path inside a container.
fn is_in_container(text: &str) -> bool {
    text.split_once(':').is_some_and(|(name, _)| !name.contains('/') && !name.starts_with(['.', '~']))
}
