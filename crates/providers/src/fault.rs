//! What goes wrong, and what is done about it.
//!
//! Four classes. *Again*: the same may work in a moment. *Switch*: this provider will not answer, another one may. *Adapt*: it answers when it is
//! asked differently. *Fatal*: nobody would answer this. A class comes from the status, then from the error's type and code, and only where
//! servers give neither from words in its message.

use std::time::Duration;

use serde_json::Value;

use crate::codes;

/// What is done about a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The same is asked again, after a wait.
    Again,
    /// Another provider is asked.
    Switch,
    /// It is asked differently.
    Adapt(Adaptation),
    /// Nobody is asked.
    Fatal,
}

impl Class {
    /// Its name in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Again => "retry",
            Self::Switch => "switch",
            Self::Adapt(_) => "adapt",
            Self::Fatal => "fatal",
        }
    }
}

/// How a question is changed so that it can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adaptation {
    /// Old results of tools are left out.
    Shorten,
    /// The answer comes in one piece.
    WithoutStream,
    /// The stream is not asked to tell what it took.
    WithoutStreamUsage,
    /// The limit of the answer goes by its other name.
    OtherNameOfLimit,
}

impl Adaptation {
    /// Its code in events.
    pub fn word(self) -> &'static str {
        match self {
            Self::Shorten => "shortened",
            Self::WithoutStream => "without_stream",
            Self::WithoutStreamUsage => "without_stream_usage",
            Self::OtherNameOfLimit => "other_name_of_limit",
        }
    }
}

/// Something that went wrong with one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// What is done about it.
    pub class: Class,
    /// A stable code.
    pub code: &'static str,
    /// What the server or the system said about it; no key in it.
    pub said: String,
    /// How long the server wants to be left alone.
    pub wait: Option<Duration>,
}

/// The most of a server's words that is kept.
const SAID: usize = 300;

impl Fault {
    /// A fault that nobody said anything about.
    pub(crate) fn new(class: Class, code: &'static str) -> Self {
        Self { class, code, said: String::new(), wait: None }
    }

    /// With what was said about it: one line, cut.
    pub(crate) fn saying(mut self, text: &str) -> Self {
        let line: String =
            text.chars().map(|one| if one.is_control() { ' ' } else { one }).take(SAID).collect();
        line.trim().clone_into(&mut self.said);
        self
    }

    /// What happened, to whom.
    pub(crate) fn message(&self, provider: &str, failures: u32) -> String {
        let said = if self.said.is_empty() { String::new() } else { format!(": {}", self.said) };
        let times = if failures > 1 { format!(", {failures} times") } else { String::new() };
        format!(
            "`{provider}` gives no answer: {} ({}{times}){said}",
            codes::meaning(self.code).unwrap_or("something went wrong"),
            self.code
        )
    }

    /// What a person does about it.
    pub(crate) fn next(&self, provider: &str) -> String {
        match self.code {
            "key_missing" => format!("set the variable or the entry of the keyring that `vib providers` names for `{provider}`"),
            "keyring" => "put the key into a variable instead, or repair the keyring".to_owned(),
            "key_unusable" => "a key is one word of plain letters: look at what the variable holds".to_owned(),
            "bad_key" => format!("put a key that is valid into what `vib providers` names for `{provider}`"),
            "forbidden" => "look at what this key may use, in your account with the provider".to_owned(),
            "quota" => "look at your balance and limits with the provider, or name another one in `run.provider`".to_owned(),
            "model_not_found" => format!("look at the model and the address of `{provider}`: `vib providers`"),
            "bad_url" | "plain_http" | "redirected" => {
                format!("look at `url` of `{provider}` in your settings: `https://…`, or `http://` for this machine")
            }
            "tools_unsupported" => "take a model that knows tools".to_owned(),
            "too_long" => "make the task smaller, or take a model with a larger context".to_owned(),
            "content_policy" => "say it in other words: the provider refuses this text".to_owned(),
            "malformed_request" => "the server did not understand the question: look at `dialect` of this provider, and tell us if it is right".to_owned(),
            "tls" => "look at the date of this machine and at the certificates it trusts".to_owned(),
            "rate_limited" | "overloaded" => match self.wait {
                Some(wait) => format!("wait {} s, or name another provider in `run.provider`", wait.as_secs().max(1)),
                None => "wait a little, or name another provider in `run.provider`".to_owned(),
            },
            _ => format!("try `vib providers check {provider}`; name another provider in `run.provider` to go on with that one"),
        }
    }
}

/// What an error of a server says about itself.
#[derive(Debug, Default)]
struct Words {
    kind: String,
    message: String,
}

impl Words {
    /// `{"error": {"type", "code", "message"}}`, `{"error": "text"}`, `{"message"}`, or plain text.
    fn of(body: &str) -> Self {
        let Ok(value) = serde_json::from_str::<Value>(body) else {
            return Self { kind: String::new(), message: body.chars().take(2000).collect() };
        };
        let error = value.get("error").unwrap_or(&value);
        let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let message = error.as_str().map_or_else(|| text("message"), str::to_owned);
        Self { kind: format!("{} {}", text("type"), text("code")).to_lowercase(), message }
    }

    fn is_kind(&self, names: &[&str]) -> bool {
        self.kind.split_whitespace().any(|word| names.contains(&word))
    }

    fn says(&self, texts: &[&str]) -> bool {
        let small = self.message.to_lowercase();
        texts.iter().any(|text| small.contains(text))
    }

    fn is_too_long(&self) -> bool {
        self.is_kind(&[
            "context_length_exceeded",
            "exceed_context_size_error",
            "request_too_large",
            "string_above_max_length",
        ]) || self.says(&[
            "prompt is too long",
            "maximum context length",
            "context length exceeded",
            "context window",
            "exceeds the available context",
            "exceed context limit",
            "input is too long",
            "too many tokens",
            "reduce the length",
        ])
    }

    fn is_quota(&self) -> bool {
        self.is_kind(&[
            "insufficient_quota",
            "billing_error",
            "billing_hard_limit_reached",
            "insufficient_balance",
            "billing_not_active",
        ]) || self.says(&[
            "credit balance",
            "exceeded your current quota",
            "insufficient balance",
            "insufficient credits",
            "billing hard limit",
        ])
    }

    fn is_content_policy(&self) -> bool {
        self.is_kind(&[
            "content_policy_violation",
            "content_filter",
            "moderation_blocked",
            "responsibleaipolicyviolation",
        ]) || self.says(&[
            "content policy",
            "content filter",
            "content management policy",
            "usage policy",
            "usage policies",
        ])
    }

    /// A parameter that this server or model does not take, by the way it complains.
    fn unsupported(&self) -> Option<Class> {
        let is_complaint = self.is_kind(&["unsupported_parameter", "unsupported_value", "unknown_parameter"])
            || self.says(&[
                "unsupported",
                "not support",
                "unrecognized",
                "unknown",
                "extra inputs",
                "extra_forbidden",
                "not permitted",
                "unexpected",
                "must be verified to stream",
            ]);
        if !is_complaint {
            return None;
        }
        if self.says(&["max_tokens", "max_completion_tokens"]) {
            return Some(Class::Adapt(Adaptation::OtherNameOfLimit));
        }
        if self.says(&["stream_options", "include_usage"]) {
            return Some(Class::Adapt(Adaptation::WithoutStreamUsage));
        }
        if self.says(&["stream"]) {
            return Some(Class::Adapt(Adaptation::WithoutStream));
        }
        self.says(&["tools", "tool use", "tool_choice", "function call"]).then_some(Class::Switch)
    }
}

/// A status that is no answer, and what came with it.
pub(crate) fn of_status(status: u16, body: &str, wait: Option<Duration>) -> Fault {
    let words = Words::of(body);
    let mut fault = match status {
        300..=399 => Fault::new(Class::Switch, "redirected"),
        401 => return Fault::new(Class::Switch, "bad_key"),
        402 => Fault::new(Class::Switch, "quota"),
        403 if words.is_content_policy() => Fault::new(Class::Fatal, "content_policy"),
        // What such an answer says may hold half of the key: it is not repeated.
        403 => return Fault::new(Class::Switch, "forbidden"),
        // A server that is there and does not take questions at this address.
        404 | 405 | 410 => Fault::new(Class::Switch, "model_not_found"),
        408 => Fault::new(Class::Again, "timed_out"),
        409 | 425 => Fault::new(Class::Again, "try_again"),
        429 if words.is_quota() => Fault::new(Class::Switch, "quota"),
        429 => Fault::new(Class::Again, "rate_limited"),
        413 => Fault::new(Class::Adapt(Adaptation::Shorten), "too_long"),
        503 | 529 => Fault::new(Class::Again, "overloaded"),
        500..=599 => {
            // llama.cpp and others answer 500 for what no second try changes.
            let by_words = of_words(&words);
            by_words.unwrap_or_else(|| Fault::new(Class::Again, "server_error"))
        }
        400..=499 => of_words(&words).unwrap_or_else(|| Fault::new(Class::Fatal, "malformed_request")),
        _ => Fault::new(Class::Switch, "not_an_answer"),
    };
    fault = fault.saying(&words.message);
    fault.wait = wait;
    fault
}

/// What the words of an error alone say, whatever the status.
fn of_words(words: &Words) -> Option<Fault> {
    if words.is_too_long() {
        return Some(Fault::new(Class::Adapt(Adaptation::Shorten), "too_long"));
    }
    if words.is_quota() {
        return Some(Fault::new(Class::Switch, "quota"));
    }
    if words.is_content_policy() {
        return Some(Fault::new(Class::Fatal, "content_policy"));
    }
    let class = words.unsupported()?;
    let code = if class == Class::Switch { "tools_unsupported" } else { "unsupported_parameter" };
    Some(Fault::new(class, code))
}

/// An error that came within an answer that had begun well.
pub(crate) fn of_error_in_answer(error: &Value) -> Fault {
    let words = Words::of(&serde_json::json!({ "error": error }).to_string());
    let fault =
        if words.is_kind(&["rate_limit_error", "rate_limit_exceeded", "rate_limit"]) && !words.is_quota() {
            Fault::new(Class::Again, "rate_limited")
        } else if words.is_kind(&["overloaded_error", "overloaded", "service_unavailable"]) {
            Fault::new(Class::Again, "overloaded")
        } else if words.is_kind(&["authentication_error", "invalid_api_key"]) {
            return Fault::new(Class::Switch, "bad_key");
        } else if words.is_kind(&["permission_error"]) {
            return Fault::new(Class::Switch, "forbidden");
        } else if words.is_kind(&["not_found_error", "model_not_found"]) {
            Fault::new(Class::Switch, "model_not_found")
        } else if let Some(fault) = of_words(&words) {
            fault
        } else if words.is_kind(&["invalid_request_error"]) {
            Fault::new(Class::Fatal, "malformed_request")
        } else {
            Fault::new(Class::Again, "server_error")
        };
    fault.saying(&words.message)
}

/// `Retry-After`, in seconds or as a date, or `retry-after-ms`.
pub(crate) fn wait_of(
    seconds_or_date: Option<&str>,
    milliseconds: Option<&str>,
    now_ms: i64,
) -> Option<Duration> {
    // Nothing longer than a day means anything here.
    let bounded = |seconds: f64| {
        (seconds.is_finite() && seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(86_400.0)))
    };
    if let Some(wait) = milliseconds.and_then(|text| bounded(text.trim().parse::<f64>().ok()? / 1000.0)) {
        return Some(wait);
    }
    let text = seconds_or_date?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return bounded(seconds);
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let then_ms = date.duration_since(std::time::UNIX_EPOCH).ok()?.as_millis() as f64;
    bounded((then_ms - now_ms as f64).max(0.0) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read_in_seconds_in_milliseconds_and_as_dates() {
        let now = 1_445_412_470_000;
        for (seconds, milliseconds, want) in [
            (Some("7"), None, Some(7_000)),
            (Some(" 1.5 "), None, Some(1_500)),
            (Some("7"), Some("250"), Some(250)),
            (Some("Wed, 21 Oct 2015 07:28:00 GMT"), None, Some(10_000)),
            (Some("Wed, 21 Oct 2015 07:27:00 GMT"), None, Some(0)),
            (Some("-3"), None, None),
            (Some("soon"), None, None),
            (Some("NaN"), None, None),
            (Some("99999999999999999999"), None, Some(86_400_000)),
            (None, Some("x"), None),
            (None, None, None),
        ] {
            let told = wait_of(seconds, milliseconds, now).map(|wait| wait.as_millis());
            assert_eq!(told, want, "{seconds:?} {milliseconds:?}");
        }
    }

    #[test]
    fn what_a_server_says_is_one_short_line_and_nothing_after_a_bad_key() {
        let fault = of_status(
            500,
            &format!("{{\"error\":{{\"message\":\"a\\nb\\u001b[31m{}\"}}}}", "x".repeat(5000)),
            None,
        );
        assert!(fault.said.starts_with("a b [31mxx") && fault.said.chars().count() <= SAID, "{}", fault.said);
        assert_eq!(
            of_status(401, "{\"error\":{\"message\":\"Incorrect API key provided: sk-ab***cd\"}}", None).said,
            ""
        );
    }
}
