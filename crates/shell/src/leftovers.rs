//! What a program that is held to be looking may write all the same.
//!
//! The tables say that `uniq`, `terraform fmt` or `gh run download` look, and most days they do. But what is held to be a look is not saved
//! before it runs, so a file that such a program is told to write would be lost without a word. Every option that names an output by its own
//! name counts as one, whatever the program; so do the second word of programs that take one for their output, and words that bring
//! something into the folder. To take a format for a file costs one look at a file that is not there; the other way round costs the file.

use crate::options::Options;
use crate::value::Arg;
use crate::walk::Walk;

/// Names of options, without their dashes, whose value is a file or a folder that is written.
const OUTPUTS: &[&str] = &[
    "out",
    "output",
    "outfile",
    "out-file",
    "out_file",
    "output-file",
    "output_file",
    "outputfile",
    "outdir",
    "out-dir",
    "output-dir",
    "output-directory",
    "output-path",
    "dest",
    "destination",
    "destination-dir",
    "destination-path",
    "save",
    "save-as",
    "save-to",
    "write-to",
    "to-file",
    "log-file",
    "logfile",
    "log-path",
    "report-file",
    "report-path",
    "result-file",
    "dump-to",
    "export-to",
    "extract-to",
    "download-path",
    "download-dir",
    "junitxml",
    "lastfile",
    "sarif-file-output",
    "local-path",
    "target-dir",
    "to-dir",
    "csv-file",
    "json-file",
    "html-file",
    "trace-file",
    "cpuprofile",
    "memprofile",
    "coverprofile",
    "prof-out",
    "out-format-file",
];
/// Options that say: change what you find.
const CHANGES: &[&str] = &[
    "fix",
    "write",
    "in-place",
    "inplace",
    "overwrite_original",
    "autocorrect",
    "autofix",
    "apply",
    "update-snapshot",
    "save-dev",
    "bless",
];
/// Programs whose `-o` shows only what matches.
const ONLY_MATCHING: &[&str] =
    &["grep", "egrep", "fgrep", "zgrep", "ag", "ack", "ugrep", "rgrep", "rg", "ripgrep"];
/// Values of such options that are no file.
const FORMATS: &str = "json yaml yml wide name table text txt csv tsv xml html md markdown plain pretty short long raw none junit sarif \
    human compact verbose quiet tap dot stylish unix github checkstyle stdout stderr - full simple list tree grid jsonl ndjson json5 toml hcl \
    value binary hex octal auto always never true false";
/// Words by which a client of some service brings something here, or shapes what is here.
const BRINGS: &str = "download pull checkout clone sync format fix export cp copy mv restore import fetch-all unpack extract scaffold eject \
    generate gen new init vendor dump migrate rewrite codemod tidy develop fork set bump";

impl Walk<'_> {
    /// A program that looks, with these arguments.
    pub(crate) fn may_leave_behind(&mut self, name: &str, args: &[Arg], options: &Options) {
        for (at, arg) in args.iter().enumerate() {
            let text = arg.text.as_str();
            if !text.starts_with('-') || text == "-" || text == "--" {
                continue;
            }
            let (flag, value) = match text.split_once('=') {
                Some((flag, value)) => (flag, Some(arg.with_text(value))),
                None => (text, args.get(at + 1).filter(|next| !next.text.starts_with('-')).cloned()),
            };
            let bare = flag.trim_start_matches('-');
            let is_output = if flag.starts_with("--") || bare.len() > 1 {
                OUTPUTS.contains(&bare.to_ascii_lowercase().as_str())
            } else {
                matches!(bare, "o" | "O")
                    && !ONLY_MATCHING.contains(&name)
                    && value.as_ref().is_some_and(is_like_a_file)
            };
            match value {
                Some(file) if is_output && !is_format(&file) => self.writes(&file, "output file"),
                None if is_output => self.found.may_write(),
                _ => {}
            }
            if CHANGES.contains(&bare) {
                self.found.may_write();
            }
            // `-ofile`
            if let Some(file) = text.strip_prefix("-o").filter(|file| file.contains(['/', '.'])) {
                self.writes(&arg.with_text(file), "output file");
            }
        }
        let second = || options.words.get(1).filter(|word| word.text != "-").cloned();
        match name {
            "uniq" | "pdftotext" | "xxd" => {
                if let Some(file) = second() {
                    self.writes(&file, "named as a file to write");
                } else if name == "pdftotext" && !options.words.is_empty() {
                    // Beside the document, with another ending.
                    self.found.may_write();
                }
            }
            // `-TAG=VALUE` writes it into the file; `mogrify` and friends have blocks of their own.
            "exiftool"
                if args.iter().any(|arg| {
                    arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains('=')
                }) =>
            {
                self.found.may_write();
            }
            "mlr" if args.iter().any(|arg| arg.text == "-I") => self.found.may_write(),
            "identify" if options.has(&["-write"]) => self.found.may_write(),
            "dasel"
                if options
                    .words
                    .first()
                    .is_some_and(|word| matches!(word.text.as_str(), "put" | "delete")) =>
            {
                self.found.may_write();
            }
            _ => {}
        }
    }

    /// The client of a service: a word of its own may bring something into the folder.
    pub(crate) fn may_bring_here(&mut self, options: &Options) {
        if options.has(&["-check", "--check", "--dry-run", "--list"]) {
            return;
        }
        let words = || options.words.iter().take(5).map(|word| word.text.as_str());
        if words().any(|word| BRINGS.split_whitespace().any(|verb| verb == word)) {
            self.found.may_write();
        }
    }
}

fn is_format(value: &Arg) -> bool {
    let text = value.text.as_str();
    let word = text.split(['=', ':']).next().unwrap_or(text);
    !text.contains('/') && FORMATS.split_whitespace().any(|format| format == word.to_ascii_lowercase())
}

/// `-o` has many meanings; a name with a dot or a slash, or one that is not known yet, may be a file.
fn is_like_a_file(value: &Arg) -> bool {
    let text = value.text.as_str();
    !value.known() || text.contains('/') || text.contains('.') && !text.contains(['=', ',', '{', '$', '('])
}
