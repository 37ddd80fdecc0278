//! Redirections: where a command reads from and writes to.

use crate::findings::Weight;
use crate::value::{Arg, Data, Taint};
use crate::verdict::Place;
use crate::walk::Walk;
use brush_parser::ast::{IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, ProcessSubstitutionKind};

/// A command's streams while its redirections are applied.
pub(crate) struct Streams {
    pub stdin: Data,
    /// Files that receive the output; `true` when appended.
    outputs: Vec<(Arg, bool)>,
    /// Scripts that receive the output through `>(...)`.
    consumers: Vec<brush_parser::ast::CompoundList>,
    /// The output no longer flows on.
    diverted: bool,
}

impl Streams {
    pub(crate) fn new(stdin: Data) -> Self {
        Self { stdin, outputs: Vec::new(), consumers: Vec::new(), diverted: false }
    }
}

impl Walk<'_> {
    /// Applies one redirection.
    pub(crate) fn redirect(&mut self, redirect: &IoRedirect, streams: &mut Streams) {
        match redirect {
            IoRedirect::HereDocument(_, document) => {
                let text = if document.requires_expansion {
                    self.expand_here_document(&document.doc.value)
                } else {
                    Arg::new(document.doc.value.clone())
                };
                streams.stdin = Data::text(text.text).tainted(text.taint);
            }
            IoRedirect::HereString(_, word) => {
                let text = self.expand_whole(&word.value);
                streams.stdin = Data::text(text.text + "\n").tainted(text.taint);
            }
            IoRedirect::OutputAndError(word, append) => {
                let path = self.redirect_target(&word.value);
                self.output_to(path, *append, true, streams);
            }
            IoRedirect::File(fd, kind, target) => self.file_redirect(*fd, kind, target, streams),
        }
    }

    fn file_redirect(
        &mut self,
        fd: Option<i32>,
        kind: &IoFileRedirectKind,
        target: &IoFileRedirectTarget,
        streams: &mut Streams,
    ) {
        match target {
            IoFileRedirectTarget::Filename(word) => {
                let path = self.redirect_target(&word.value);
                match kind {
                    IoFileRedirectKind::Read => {
                        let data = self.read_file(&path);
                        if fd.is_none_or(|fd| fd == 0) {
                            streams.stdin = data;
                        }
                    }
                    IoFileRedirectKind::ReadAndWrite => {
                        self.output_to(path, true, false, streams);
                        streams.stdin = Data::unknown(Taint::default());
                    }
                    _ => {
                        let append = matches!(kind, IoFileRedirectKind::Append);
                        self.output_to(path, append, fd.is_none_or(|fd| fd != 2), streams);
                    }
                }
            }
            IoFileRedirectTarget::ProcessSubstitution(ProcessSubstitutionKind::Read, script) => {
                streams.stdin = self.subshell(&script.list, &Data::default());
                streams.stdin.present = true;
            }
            IoFileRedirectTarget::ProcessSubstitution(ProcessSubstitutionKind::Write, script) => {
                streams.consumers.push(script.list.clone());
            }
            IoFileRedirectTarget::Fd(_) => {
                if matches!(kind, IoFileRedirectKind::DuplicateInput) {
                    streams.stdin = Data::unknown(Taint::default());
                }
            }
            IoFileRedirectTarget::Duplicate(word) => {
                let to = self.expand_whole(&word.value);
                let is_fd = to.text.trim_end_matches('-').chars().all(|c| c.is_ascii_digit());
                if matches!(kind, IoFileRedirectKind::DuplicateInput) {
                    streams.stdin = Data::unknown(Taint::default());
                } else if !is_fd && to.known() {
                    self.output_to(to, false, true, streams);
                } else if !to.known() {
                    self.found.unknown(
                        Weight::Note,
                        "unknown_stream",
                        "writes to a stream that is not known here",
                        &to.text,
                    );
                }
            }
        }
    }

    fn redirect_target(&mut self, word: &str) -> Arg {
        let mut words = self.expand_plain(word);
        if words.len() == 1 {
            return words.swap_remove(0);
        }
        // One of several, as a listing gives them: the one that matters most.
        let matters = words.into_iter().find(|word| {
            word.known()
                && !matches!(
                    self.place_of(word).1,
                    Place::Project | Place::ProjectRoot | Place::Temp | Place::Stream | Place::Unknown
                )
        });
        matters.unwrap_or_else(Arg::hole)
    }

    fn output_to(&mut self, path: Arg, append: bool, carries_output: bool, streams: &mut Streams) {
        if self.is_socket(&path) {
            return;
        }
        let how = if append { "added to" } else { "redirected output" };
        let path = self.last_choice(path, |walk, path| walk.writes(path, how));
        self.redirects_exactly(|walk| walk.writes(&path, how));
        if carries_output {
            streams.diverted = true;
            streams.outputs.push((path, append));
        }
    }

    /// `/dev/tcp/host/port` is a network connection, not a file.
    pub(crate) fn is_socket(&mut self, path: &Arg) -> bool {
        let socket = path.text.starts_with("/dev/tcp/") || path.text.starts_with("/dev/udp/");
        if socket {
            self.found.verdict.network = true;
            self.found.add(
                Weight::Ask,
                "raw_connection",
                "opens a raw network connection from the shell",
                &path.text,
            );
        }
        socket
    }

    /// Hands a command's output to where its redirections send it; returns what still flows on.
    pub(crate) fn store_output(&mut self, streams: &Streams, out: Data) -> Data {
        for (path, append) in &streams.outputs {
            self.remember_file(path, &out, *append);
        }
        for consumer in &streams.consumers {
            // Nobody waits for it.
            self.found.exact.is_not();
            let mut stdin = out.clone();
            stdin.present = true;
            self.subshell(consumer, &stdin);
        }
        if streams.diverted { Data::nothing() } else { out }
    }

    /// Notes what a file holds after this line wrote it.
    pub(crate) fn remember_file(&mut self, path: &Arg, data: &Data, append: bool) {
        let Some(key) = self.file_key(path) else { return };
        if self.files.len() >= 256 {
            return;
        }
        let mut content =
            if data.present || data.text.is_some() { data.clone() } else { Data::unknown(data.taint) };
        content.present = true;
        if append {
            let old = self.files.remove(&key).or_else(|| self.script_file(path).map(Data::text));
            // Without the old text only the new lines can be judged; the rest is the project's own.
            content = old.map_or(content.clone(), |old| crate::walk::join(old, content));
        } else if self.branches > 0
            && let Some(old) = self.files.get(&key)
        {
            content = crate::walk::join(old.clone(), content);
        }
        self.files.insert(key, content);
    }

    pub(crate) fn file_key(&self, path: &Arg) -> Option<String> {
        if !path.known() {
            return None;
        }
        crate::place::absolute(&path.text, self.cwd.as_deref()).map(|path| crate::place::normalise(&path))
    }

    /// The content of a file, as far as this line or the file system tells, with its taint.
    pub(crate) fn read_file(&mut self, path: &Arg) -> Data {
        if self.is_socket(path) {
            return Data::unknown(Taint { network: true, ..Taint::default() });
        }
        let mut taint = path.taint;
        taint.secret |= self.reads_secret(path);
        if let Some(data) = self.file_key(path).and_then(|key| self.files.get(&key)) {
            return data.clone().tainted(taint);
        }
        // What is on the disk now is what the command would read.
        match self.script_file(path) {
            Some(text) if !taint.secret => Data::text(text).tainted(taint),
            // What only sets variables runs nothing; their values stay out of every message.
            Some(text) if self.wants_settings => match crate::settings_file::without_values(&text) {
                Some(settings) => Data::text(settings).tainted(taint),
                None => Data::unknown(taint),
            },
            _ => Data::unknown(taint),
        }
    }
}
