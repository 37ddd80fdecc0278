//! One call: sent, read with limits of time and size, and either a whole answer or a fault, with what it took.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::dialect::{self, Request};
use crate::draft::Draft;
use crate::fault::{Class, Fault, of_status, wait_of};
use crate::http::{self, Head, Piece, Way};
use crate::model::Dialect;
use crate::policy::Policy;
use crate::secret::Secret;
use crate::sse;

/// How one call ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// With an answer.
    Answered(Draft),
    /// The connection ended behind a call of a tool that is whole.
    CutBehindCall(Draft),
    /// Without. Where a draft is there, the server had begun to answer, and what it took is charged.
    Failed(Fault, Option<Draft>),
    /// Somebody stopped it.
    Stopped(Option<Draft>),
    /// Whoever listens does not want this model to go on.
    Unwanted(Draft),
}

/// Who listens while an answer comes.
pub(crate) struct Listener<'a> {
    /// The model's name is known: shall it go on?
    pub(crate) model: &'a mut dyn FnMut(&str) -> bool,
    /// The model says this.
    pub(crate) text: &'a mut dyn FnMut(String),
    pub(crate) stop: &'a dyn Fn() -> bool,
}

/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(50);
/// The most of an error that is read.
const ERROR_BYTES: usize = 64 << 10;

/// Sends a request and reads the answer.
pub(crate) fn exchange(
    request: Request,
    dialect: Dialect,
    way: Way,
    policy: &Policy,
    now_ms: i64,
    listener: &mut Listener<'_>,
) -> Outcome {
    let key = request.key.as_ref().map(|(_, key)| key.clone());
    let asks_stream = request.body.contains("\"stream\":true");
    if let Err(fault) = http::check_url(&request.url) {
        return Outcome::Failed(fault, None);
    }
    let pieces = http::send(request, way, policy);
    let mut wire = Wire { pieces, began: Instant::now(), policy, read: 0 };
    let outcome = match wire.next(policy.first_byte + policy.connect, listener.stop) {
        Got::Piece(Piece::Head(head)) => wire.answer(&head, asks_stream, dialect, now_ms, listener),
        Got::Piece(Piece::Failed(fault)) => Outcome::Failed(fault, None),
        Got::Piece(_) => Outcome::Failed(Fault::new(Class::Again, "connection"), None),
        // The question was sent: what it takes to read it may be charged, whether somebody waits for the answer or not.
        Got::Silence => Outcome::Failed(Fault::new(Class::Again, "no_answer"), Some(Draft::default())),
        Got::TooSlow => Outcome::Failed(Fault::new(Class::Switch, "too_slow"), Some(Draft::default())),
        Got::Stopped => Outcome::Stopped(Some(Draft::default())),
    };
    without_key(outcome, key.as_ref())
}

/// A server may repeat the key in what it says.
fn without_key(outcome: Outcome, key: Option<&Secret>) -> Outcome {
    match (outcome, key) {
        (Outcome::Failed(mut fault, draft), Some(key)) => {
            fault.said = key.taken_out_of(&fault.said);
            Outcome::Failed(fault, draft)
        }
        (outcome, _) => outcome,
    }
}

struct Wire<'a> {
    pieces: Receiver<Piece>,
    began: Instant,
    policy: &'a Policy,
    read: usize,
}

enum Got {
    Piece(Piece),
    Silence,
    TooSlow,
    Stopped,
}

impl Wire<'_> {
    /// The next piece, unless it takes too long or somebody stops it.
    fn next(&mut self, silence: Duration, stop: &dyn Fn() -> bool) -> Got {
        let since = Instant::now();
        loop {
            if stop() {
                return Got::Stopped;
            }
            if self.began.elapsed() >= self.policy.whole {
                return Got::TooSlow;
            }
            let left = silence.saturating_sub(since.elapsed());
            match self.pieces.recv_timeout(left.min(LOOK)) {
                Ok(piece) => {
                    if let Piece::Bytes(bytes) = &piece {
                        self.read = self.read.saturating_add(bytes.len());
                    }
                    return Got::Piece(piece);
                }
                Err(RecvTimeoutError::Disconnected) => return Got::Piece(Piece::End),
                Err(RecvTimeoutError::Timeout) if since.elapsed() >= silence => return Got::Silence,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn answer(
        &mut self,
        head: &Head,
        asks_stream: bool,
        dialect: Dialect,
        now_ms: i64,
        listener: &mut Listener<'_>,
    ) -> Outcome {
        if head.status != 200 {
            let body = match self.whole(ERROR_BYTES, listener.stop) {
                Ok(body) | Err(Short::Large(body) | Short::Cut(body)) => body,
                Err(Short::Stopped) => return Outcome::Stopped(None),
            };
            let wait = wait_of(head.retry_after.as_deref(), head.retry_after_ms.as_deref(), now_ms);
            return Outcome::Failed(of_status(head.status, &String::from_utf8_lossy(&body), wait), None);
        }
        let kind = head.content_type.split(';').next().unwrap_or_default().trim();
        match kind {
            "text/event-stream" => self.stream(dialect, listener),
            "" if asks_stream => self.stream(dialect, listener),
            "" | "application/json" => self.document(dialect, listener),
            _ => Outcome::Failed(Fault::new(Class::Switch, "not_an_answer").saying(kind), None),
        }
    }

    /// An answer in one piece.
    fn document(&mut self, dialect: Dialect, listener: &mut Listener<'_>) -> Outcome {
        let body = match self.whole(self.policy.answer_bytes, listener.stop) {
            Ok(body) => body,
            Err(Short::Large(_)) => {
                return Outcome::Failed(
                    Fault::new(Class::Switch, "answer_too_large"),
                    Some(Draft::default()),
                );
            }
            // It was charged, whatever came of it.
            Err(Short::Cut(_)) if self.began.elapsed() >= self.policy.whole => {
                return Outcome::Failed(Fault::new(Class::Switch, "too_slow"), Some(Draft::default()));
            }
            Err(Short::Cut(_)) => {
                return Outcome::Failed(Fault::new(Class::Again, "stream_cut"), Some(Draft::default()));
            }
            Err(Short::Stopped) => return Outcome::Stopped(Some(Draft::default())),
        };
        let draft = match dialect::read_whole(dialect, &String::from_utf8_lossy(&body)) {
            Ok(draft) => draft,
            // An error in place of an answer costs nothing; an answer that nobody can read does.
            Err(fault) => {
                let is_charged = fault.code == "malformed_answer";
                return Outcome::Failed(fault, is_charged.then(Draft::default));
            }
        };
        if let Some(model) = &draft.model
            && !(listener.model)(model)
        {
            return Outcome::Unwanted(draft);
        }
        for (_, block) in &draft.blocks {
            if let crate::draft::Block::Text(text) = block
                && !text.is_empty()
            {
                (listener.text)(text.clone());
            }
        }
        Outcome::Answered(draft)
    }

    /// A stream of events.
    fn stream(&mut self, dialect: Dialect, listener: &mut Listener<'_>) -> Outcome {
        let mut reader = sse::Reader::new(self.policy.line_bytes);
        let mut draft = Draft::default();
        let mut knows_model = false;
        let fault = loop {
            let bytes = match self.next(self.policy.idle, listener.stop) {
                Got::Piece(Piece::Bytes(bytes)) => bytes,
                Got::Piece(Piece::Failed(fault)) => break fault,
                Got::Piece(_) => break Fault::new(Class::Again, "stream_cut"),
                Got::Silence => break Fault::new(Class::Again, "stream_idle"),
                Got::TooSlow => break Fault::new(Class::Switch, "too_slow"),
                Got::Stopped => return Outcome::Stopped(Some(draft)),
            };
            if self.read > self.policy.answer_bytes {
                break Fault::new(Class::Switch, "answer_too_large");
            }
            let events = match reader.feed(&bytes) {
                Ok(events) => events,
                Err(sse::TooLong) => break Fault::new(Class::Switch, "answer_too_large"),
            };
            let read = events.iter().try_for_each(|event| {
                let said = dialect::read_event(dialect, &mut draft, &event.data)?;
                if let (Some(model), false) = (&draft.model, knows_model) {
                    knows_model = true;
                    if !(listener.model)(model) {
                        return Err(None);
                    }
                }
                if let Some(said) = said {
                    (listener.text)(said);
                }
                Ok::<(), Option<Fault>>(())
            });
            match read {
                Ok(()) if draft.is_over => return Outcome::Answered(draft),
                Ok(()) => {}
                Err(None) => return Outcome::Unwanted(draft),
                Err(Some(fault)) => break fault,
            }
        };
        // It said why it ends: what is missing is only the goodbye.
        if draft.end.is_some() && fault.class == Class::Again {
            return Outcome::Answered(draft);
        }
        if fault.class == Class::Again && draft.has_complete_call() {
            return Outcome::CutBehindCall(draft);
        }
        Outcome::Failed(fault, Some(draft))
    }

    /// Everything that comes, up to a limit.
    fn whole(&mut self, limit: usize, stop: &dyn Fn() -> bool) -> Result<Vec<u8>, Short> {
        let mut body = Vec::new();
        loop {
            match self.next(self.policy.idle, stop) {
                Got::Piece(Piece::Bytes(bytes)) => body.extend(bytes),
                Got::Piece(Piece::End) => return Ok(body),
                Got::Stopped => return Err(Short::Stopped),
                _ => return Err(Short::Cut(body)),
            }
            if body.len() > limit {
                body.truncate(limit);
                return Err(Short::Large(body));
            }
        }
    }
}

enum Short {
    Large(Vec<u8>),
    Cut(Vec<u8>),
    Stopped,
}
