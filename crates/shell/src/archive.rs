//! `tar`: packs, unpacks, and can run programs or reach other machines through its options.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::walk::Walk;

const VALUED: &[&str] = &[
    "-f",
    "--file",
    "-C",
    "--directory",
    "-I",
    "--use-compress-program",
    "--checkpoint-action",
    "--to-command",
    "--info-script",
    "--new-volume-script",
    "-F",
    "--rsh-command",
    "--rmt-command",
    "-T",
    "--files-from",
    "-X",
    "--exclude-from",
    "--exclude",
    "--transform",
    "--xform",
    "--owner",
    "--group",
    "--mode",
    "-b",
    "-g",
    "-N",
    "-V",
    "--label",
    "-K",
    "-L",
    "--strip-components",
];

impl Walk<'_> {
    /// Judges a `tar` command.
    pub(crate) fn tar(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let mut args = argv[1..].to_vec();
        // The old way: `tar xzf file` without a dash.
        if let Some(first) = args.first_mut()
            && !first.text.starts_with('-')
            && first.text.chars().all(|c| c.is_ascii_alphabetic())
        {
            first.text.insert(0, '-');
        }
        let options = Options::of(&args, VALUED);
        for script in options
            .values(&[
                "-I",
                "--use-compress-program",
                "--to-command",
                "--info-script",
                "--new-volume-script",
                "-F",
                "--rsh-command",
                "--rmt-command",
            ])
            .cloned()
            .collect::<Vec<_>>()
        {
            let compressor = ["gzip", "pigz", "xz", "zstd", "bzip2", "lz4", "lzma", "pbzip2", "brotli"]
                .contains(&script.text.split(' ').next().unwrap_or_default());
            if !compressor {
                self.probe_script(&script.text, "tar");
                self.found.unknown(
                    Weight::Ask,
                    "runs_unknown_code",
                    "tar runs a program from its options",
                    about,
                );
            }
        }
        for action in options.values(&["--checkpoint-action"]).cloned().collect::<Vec<_>>() {
            if let Some(script) = action.text.strip_prefix("exec=") {
                self.probe_script(script, "tar");
                self.found.unknown(
                    Weight::Ask,
                    "runs_unknown_code",
                    "tar runs a program from its options",
                    about,
                );
            }
        }
        let archives: Vec<Arg> = options.values(&["-f", "--file"]).cloned().collect();
        let creates = options.has(&["-c", "--create", "-r", "--append", "-u", "--update"]);
        let extracts = options.has(&["-x", "--extract", "--get"]);
        let mut taint = stdin.taint;
        if creates {
            for member in &options.words {
                taint.secret |= self.reads_secret(member);
                if let Some(data) = self.file_key(member).and_then(|key| self.files.get(&key)) {
                    taint = taint.and(data.taint);
                }
            }
            for archive in &archives {
                if crate::files::is_remote(&archive.text) && !options.has(&["--force-local"]) {
                    self.sends(taint.secret, about);
                } else if archive.text != "-" {
                    self.writes(archive, "archive");
                    self.remember_file(archive, &Data::unknown(taint), false);
                }
            }
        }
        if extracts && !options.has(&["-O", "--to-stdout"]) {
            let folder = options
                .values(&["-C", "--directory", "--one-top-level"])
                .last()
                .cloned()
                .unwrap_or_else(|| Arg::new("./unpacked"));
            let folder = if folder.text.trim_end_matches('/').is_empty() { Arg::new("/usr") } else { folder };
            self.writes(&folder.with_text(format!("{}/x", folder.text)), "unpacks an archive");
            let into =
                options.values(&["-C", "--directory"]).last().cloned().unwrap_or_else(|| Arg::new("."));
            if options.has(&["-P", "--absolute-names"]) {
                self.found.unknown(
                    Weight::Ask,
                    "writes_outside",
                    "unpacks an archive to wherever the archive says, outside the project too",
                    about,
                );
            }
            let archives = if archives.is_empty() { options.words.clone() } else { archives.clone() };
            self.unpacks(&archives, &into, stdin);
        }
        if options.has(&["--remove-files"]) {
            // Members are named from the folder that `-C` leads to.
            let folder = options.values(&["-C", "--directory"]).last().cloned();
            for member in &options.words {
                let from = folder.as_ref().filter(|_| !member.text.starts_with('/'));
                let taken = from.map(|from| from.with_text(format!("{}/{}", from.text, member.text)));
                self.deletes(taken.as_ref().unwrap_or(member), true);
            }
        }
        Data::unknown(taint)
    }
}
