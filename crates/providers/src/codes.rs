//! What codes mean, in one table: for messages, for `vib providers explain`, and for whoever reads an event of last week.

/// A code, what is done about it, and what it means.
pub type FaultRow = (&'static str, &'static str, &'static str);

/// Every fault there is. `retry`: asked again, at most three times in all, then somebody else is. `switch`: somebody else is asked at once. `adapt`: it
/// is asked differently, once. `fatal`: nobody is asked.
#[rustfmt::skip]
pub const FAULTS: &[FaultRow] = &[
    ("rate_limited", "retry", "it wants to be asked less often"),
    ("overloaded", "retry", "it has too much to do"),
    ("server_error", "retry", "something is wrong on its side"),
    ("timed_out", "retry", "it says that it takes too long"),
    ("try_again", "retry", "it wants to be asked again"),
    ("connection", "retry", "it cannot be reached, or closed the connection"),
    ("connect_timeout", "retry", "no connection came about in time"),
    ("host_not_found", "retry", "its host is not known"),
    ("no_answer", "retry", "it accepted the question and said nothing"),
    ("stream_cut", "retry", "its answer broke off"),
    ("stream_idle", "retry", "it fell silent in the middle of an answer"),
    ("malformed_stream", "retry", "its answer cannot be read"),
    ("malformed_answer", "retry", "its answer cannot be read"),
    ("malformed_http", "retry", "what it sends is no HTTP"),
    ("key_missing", "switch", "its key is not there"),
    ("keyring", "switch", "the keyring cannot be asked"),
    ("key_unusable", "switch", "what should be its key cannot be one"),
    ("bad_key", "switch", "it does not accept the key"),
    ("forbidden", "switch", "the key may not use this"),
    ("quota", "switch", "the account has nothing left"),
    ("model_not_found", "switch", "it does not know this model or address"),
    ("bad_url", "switch", "its address cannot be used"),
    ("plain_http", "switch", "its address is not encrypted and not on this machine"),
    ("redirected", "switch", "it sends to another address, which is not followed"),
    ("proxy", "switch", "the proxy does not lead there"),
    ("tls", "switch", "the connection could not be encrypted with somebody who is trusted"),
    ("not_an_answer", "switch", "what answers there is no model"),
    ("answer_too_large", "switch", "its answer is larger than is read"),
    ("too_slow", "switch", "the whole call takes too long"),
    ("tools_unsupported", "switch", "this model takes no tools"),
    ("too_long", "adapt", "the conversation is too long for it"),
    ("unsupported_parameter", "adapt", "it does not know something that it is asked with"),
    ("malformed_request", "fatal", "it does not understand the question"),
    ("content_policy", "fatal", "it refuses this text"),
];

/// What a code means.
pub fn meaning(code: &str) -> Option<&'static str> {
    FAULTS.iter().find(|(known, ..)| *known == code).map(|(_, _, meaning)| *meaning)
}

/// What is done about it: `retry`, `switch`, `adapt` or `fatal`.
pub fn class(code: &str) -> Option<&'static str> {
    FAULTS.iter().find(|(known, ..)| *known == code).map(|(_, class, _)| *class)
}
