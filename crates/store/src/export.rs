//! Taking checkpoints out of the store: as a tar file, or as a branch of the user's git.
//!
//! Files marked sensitive never leave: they are counted and left out. The git export runs only when a person asks for it
//! by name; it creates one new branch and touches nothing else.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use project::platform;

use crate::checkpoint::Checkpoint;
use crate::entry::{Entry, EntryKind};
use crate::{Error, Result, Store};

/// What an export wrote.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct ExportReport {
    /// The file or branch.
    pub target: String,
    /// How many checkpoints.
    pub checkpoints: u64,
    /// Files and links written.
    pub files: u64,
    /// Sensitive files left out.
    pub left_out: u64,
}

impl Store<'_> {
    /// Writes one checkpoint as a tar file, which must not exist yet.
    pub fn export_tar(&self, checkpoint: &Checkpoint, file: &Path) -> Result<ExportReport> {
        let out = std::fs::OpenOptions::new().write(true).create_new(true).open(file).map_err(|error| {
            if error.kind() == std::io::ErrorKind::AlreadyExists {
                return Error::TargetExists(file.to_path_buf());
            }
            Error::Io(std::io::Error::new(
                error.kind(),
                format!("failed to create `{}`: {error}", file.display()),
            ))
        })?;
        let mut report =
            ExportReport { target: file.display().to_string(), checkpoints: 1, ..ExportReport::default() };
        let mut builder = tar::Builder::new(BufWriter::new(out));
        let reader = self.reader();
        let seconds = u64::try_from(checkpoint.created_ms / 1000).unwrap_or(0);
        let written = self.each_entry(checkpoint, |path, entry| {
            if entry.sensitive {
                report.left_out += 1;
                return Ok(());
            }
            let mut header = tar::Header::new_gnu();
            header.set_mtime(seconds);
            header.set_mode(if entry.kind == EntryKind::Symlink { 0o777 } else { entry.mode });
            header.set_size(0);
            let name = platform::bytes_to_path(path.as_bytes());
            match entry.kind {
                EntryKind::Dir => {
                    header.set_entry_type(tar::EntryType::Directory);
                    // With a slash at the end, as every tar writes folders.
                    builder.append_data(&mut header, name.join(""), std::io::empty())?;
                }
                EntryKind::Symlink => {
                    header.set_entry_type(tar::EntryType::Symlink);
                    let target = platform::bytes_to_path(&reader.read(&entry.hash)?);
                    builder.append_link(&mut header, name, target)?;
                    report.files += 1;
                }
                EntryKind::File => {
                    header.set_size(entry.size);
                    let content = reader.read(&entry.hash)?;
                    builder.append_data(&mut header, name, content.as_slice())?;
                    report.files += 1;
                }
            }
            Ok(())
        });
        let finished = written.and_then(|()| Ok(builder.into_inner()?.flush()?));
        if let Err(error) = finished {
            // Half an archive is worse than none.
            let _ = std::fs::remove_file(file);
            return Err(error);
        }
        Ok(report)
    }

    /// Writes checkpoints, oldest first, as commits of a new branch of the project's git repository.
    pub fn export_git(&self, checkpoints: &[Checkpoint], branch: &str) -> Result<ExportReport> {
        let full = format!("refs/heads/{branch}");
        self.git(&["rev-parse", "--git-dir"]).map_err(|_| {
            Error::GitExport(format!("`{}` is not in a git repository", self.project.root().display()))
        })?;
        self.git(&["check-ref-format", &full])
            .map_err(|_| Error::GitExport(format!("`{branch}` is not a name for a branch")))?;
        if self.git(&["rev-parse", "--verify", "--quiet", &full]).is_ok() {
            return Err(Error::GitExport(format!(
                "the branch `{branch}` exists already; choose another name"
            )));
        }
        let mut report = ExportReport { target: branch.to_owned(), ..ExportReport::default() };
        let mut child = self
            .git_command(&["fast-import", "--quiet", "--done", "--date-format=raw"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Error::GitExport(error.to_string()))?;
        let written = match child.stdin.take() {
            Some(stdin) => self.write_fast_import(checkpoints, &full, BufWriter::new(stdin), &mut report),
            None => Err(Error::GitExport("git took no input".to_owned())),
        };
        let output = child.wait_with_output().map_err(|error| Error::GitExport(error.to_string()))?;
        if !output.status.success() {
            return Err(Error::GitExport(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        written?;
        Ok(report)
    }

    fn write_fast_import(
        &self,
        checkpoints: &[Checkpoint],
        branch: &str,
        mut out: impl Write,
        report: &mut ExportReport,
    ) -> Result<()> {
        let reader = self.reader();
        for checkpoint in checkpoints {
            let title = checkpoint.message.clone().or_else(|| checkpoint.origin.prompt.clone());
            let message = format!(
                "{}\n\nvib checkpoint {}\n",
                title.unwrap_or_else(|| "checkpoint".to_owned()),
                checkpoint.id
            );
            let seconds = checkpoint.created_ms / 1000;
            write!(
                out,
                "commit {branch}\ncommitter vib <vib@localhost> {seconds} +0000\ndata {}\n",
                message.len()
            )?;
            out.write_all(message.as_bytes())?;
            out.write_all(b"deleteall\n")?;
            self.each_entry(checkpoint, |path, entry: Entry| {
                let mode = match entry.kind {
                    EntryKind::Dir => return Ok(()),
                    _ if entry.sensitive => {
                        report.left_out += 1;
                        return Ok(());
                    }
                    EntryKind::Symlink => "120000",
                    EntryKind::File if entry.mode & 0o111 != 0 => "100755",
                    EntryKind::File => "100644",
                };
                let content = reader.read(&entry.hash)?;
                write!(out, "M {mode} inline {}\ndata {}\n", quoted(path.as_bytes()), content.len())?;
                out.write_all(&content)?;
                out.write_all(b"\n")?;
                report.files += 1;
                Ok(())
            })?;
            out.write_all(b"\n")?;
            report.checkpoints += 1;
        }
        out.write_all(b"done\n")?;
        Ok(out.flush()?)
    }

    fn git(&self, arguments: &[&str]) -> Result<()> {
        let status = self
            .git_command(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|error| Error::GitExport(error.to_string()))?;
        if status.success() { Ok(()) } else { Err(Error::GitExport(arguments.join(" "))) }
    }

    fn git_command(&self, arguments: &[&str]) -> Command {
        let mut command = git::writer(self.project.root());
        command.args(arguments);
        command
    }
}

/// A path as fast-import reads it: C-style quotes, so that any byte passes.
fn quoted(path: &[u8]) -> String {
    let mut out = String::from("\"");
    for &byte in path {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            0x20..=0x7e => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}
