//! Providers of models, in the person's language.

use texts::Language;

use crate::commands::providers::{CheckReport, ExplainReport, KeyLine, ProviderLine, ProvidersReport};
use crate::theme::{Theme, paint};

/// What each code means: `providers::codes` has the codes.
#[rustfmt::skip]
static MEANINGS: &[(&str, &str)] = &[
    ("rate_limited", "providers-fault-rate-limited"),
    ("overloaded", "providers-fault-overloaded"),
    ("server_error", "providers-fault-server-error"),
    ("timed_out", "providers-fault-timed-out"),
    ("try_again", "providers-fault-try-again"),
    ("connection", "providers-fault-connection"),
    ("connect_timeout", "providers-fault-connect-timeout"),
    ("host_not_found", "providers-fault-host-not-found"),
    ("no_answer", "providers-fault-no-answer"),
    ("stream_cut", "providers-fault-stream-cut"),
    ("stream_idle", "providers-fault-stream-idle"),
    ("malformed_stream", "providers-fault-malformed-stream"),
    ("malformed_answer", "providers-fault-malformed-answer"),
    ("malformed_http", "providers-fault-malformed-http"),
    ("key_missing", "providers-fault-key-missing"),
    ("keyring", "providers-fault-keyring"),
    ("key_unusable", "providers-fault-key-unusable"),
    ("bad_key", "providers-fault-bad-key"),
    ("forbidden", "providers-fault-forbidden"),
    ("quota", "providers-fault-quota"),
    ("model_not_found", "providers-fault-model-not-found"),
    ("bad_url", "providers-fault-bad-url"),
    ("plain_http", "providers-fault-plain-http"),
    ("redirected", "providers-fault-redirected"),
    ("proxy", "providers-fault-proxy"),
    ("tls", "providers-fault-tls"),
    ("not_an_answer", "providers-fault-not-an-answer"),
    ("answer_too_large", "providers-fault-answer-too-large"),
    ("too_slow", "providers-fault-too-slow"),
    ("tools_unsupported", "providers-fault-tools-unsupported"),
    ("too_long", "providers-fault-too-long"),
    ("unsupported_parameter", "providers-fault-unsupported-parameter"),
    ("malformed_request", "providers-fault-malformed-request"),
    ("content_policy", "providers-fault-content-policy"),
];

/// What a code means, in the person's language; what is not known is said as it is.
fn meaning(code: &str, theme: &Theme) -> String {
    let known = MEANINGS.iter().find(|(known, _)| *known == code);
    known.map_or_else(|| code.to_owned(), |(_, id)| theme.word(id))
}

/// `vib providers`
pub(crate) fn providers(report: &ProvidersReport, theme: &Theme) -> String {
    let mut out = String::new();
    if report.providers.is_empty() {
        out.push_str(&format!("{}\n", theme.word("providers-none")));
    }
    for provider in &report.providers {
        out.push_str(&line(provider, theme));
    }
    for problem in &report.problems {
        out.push_str(&format!("{} {problem}\n", paint(theme.warning, theme.word("providers-warning"))));
    }
    let asked = match report.order.as_slice() {
        [] => theme.word("providers-how"),
        [only] => theme.say("providers-asked-one", &[("name", only.as_str().into())]),
        [first, others @ ..] => {
            let id = if report.allow_weaker { "providers-asked-weaker" } else { "providers-asked" };
            theme.say(id, &[("name", first.as_str().into()), ("others", others.join(", ").into())])
        }
    };
    out.push_str(&format!("\n{asked}\n"));
    if !report.providers.is_empty() {
        let values = [("models", report.models_as_of.into()), ("prices", report.prices_as_of.into())];
        out.push_str(&format!("{}\n", paint(theme.dim, theme.say("providers-dates", &values))));
    }
    out
}

fn line(provider: &ProviderLine, theme: &Theme) -> String {
    let model = provider.model.clone().unwrap_or_else(|| theme.word("providers-no-model"));
    let class = match provider.class {
        Some(class) => theme.say("providers-class", &[("class", class.into())]),
        None => theme.word("providers-class-unknown"),
    };
    let price = match &provider.price {
        Some(price) => {
            let values =
                [("input", price.input.to_string().into()), ("output", price.output.to_string().into())];
            theme.say("providers-price", &values)
        }
        None => theme.word("providers-price-unknown"),
    };
    let tokens = theme.say("providers-tokens", &[("count", thousands(provider.context).into())]);
    let tools =
        if provider.tools { String::new() } else { format!(", {}", theme.word("providers-no-tools")) };
    let from = match provider.from.as_str() {
        "settings" => theme.word("providers-your-settings"),
        name => theme.say("providers-because", &[("name", name.into())]),
    };
    let place =
        [("dialect", provider.dialect.into()), ("url", provider.url.as_str().into()), ("from", from.into())];
    format!(
        "{}  {model}  {class}, {tokens}{tools}\n  {}, {price}\n  {}\n",
        paint(theme.strong, &provider.name),
        key(&provider.key, theme),
        paint(theme.dim, theme.say("providers-place", &place)),
    )
}

fn key(key: &KeyLine, theme: &Theme) -> String {
    let name = || [("name", key.name.as_deref().unwrap_or_default().into())];
    let place = match key.kind {
        "variable" => theme.say("providers-key-in", &name()),
        "keyring" => theme.say("providers-key-keyring", &name()),
        _ => return theme.word("providers-key-none"),
    };
    match (&key.problem, key.present) {
        (Some(problem), _) => format!("{place}: {}", paint(theme.warning, problem)),
        (None, true) => format!("{place}: {}", theme.word("providers-key-there")),
        (None, false) => format!("{place}: {}", paint(theme.warning, theme.word("providers-key-missing"))),
    }
}

fn thousands(number: u32) -> String {
    if number >= 10_000 { format!("{}k", number / 1000) } else { number.to_string() }
}

/// `vib providers check`
pub(crate) fn provider_checked(report: &CheckReport, theme: &Theme) -> String {
    let mut out = String::new();
    for happened in &report.happened {
        let said = theme.say("providers-on-the-way", &[("what", happened.as_str().into())]);
        out.push_str(&format!("{}\n", paint(theme.dim, said)));
    }
    if report.answers {
        let model = report.model.as_deref().unwrap_or_default();
        let values = [
            ("name", paint(theme.strong, &report.provider).into()),
            ("model", model.into()),
            ("time", report.milliseconds.to_string().into()),
        ];
        out.push_str(&format!("{} {}\n", paint(theme.added, "✓"), theme.say("providers-answers", &values)));
        if let Some(usage) = &report.usage {
            let cost = report
                .dollars
                .map_or_else(|| theme.word("providers-cost-unknown"), |dollars| format!("${dollars:.6}"));
            let tokens = theme.say("providers-tokens", &[("count", usage.tokens().to_string().into())]);
            out.push_str(&format!("  {tokens}, {cost}\n"));
        }
        return out;
    }
    let message = report.message.as_deref().unwrap_or_default();
    let code = report.code.as_deref().unwrap_or_default();
    // The library's own sentence holds what the server said; in other languages it stands below the one that is read first.
    let is_english = theme.texts.language() == Language::En;
    let known = MEANINGS.iter().any(|(known, _)| *known == code);
    if is_english || !known {
        out.push_str(&format!("{} {message}\n", paint(theme.error, "✗")));
    } else {
        let values = [
            ("name", report.provider.as_str().into()),
            ("meaning", meaning(code, theme).into()),
            ("code", code.into()),
        ];
        out.push_str(&format!("{} {}\n", paint(theme.error, "✗"), theme.say("providers-no-answer", &values)));
        out.push_str(&format!("  {}\n", paint(theme.dim, message)));
    }
    let in_a_run = theme.word(match report.class {
        Some("retry") => "providers-run-retry",
        Some("switch") => "providers-run-switch",
        Some("adapt") => "providers-run-adapt",
        Some("fatal") => "providers-run-fatal",
        _ => "providers-run-pauses",
    });
    out.push_str(&format!("  {}\n", theme.say("providers-in-a-run", &[("what", in_a_run.into())])));
    match (is_english || !known, &report.next) {
        (true, Some(next)) => out.push_str(&format!("  {next}\n")),
        (true, None) => {}
        (false, _) => out.push_str(&format!("  {}\n", next(code, &report.provider, theme))),
    }
    out
}

/// What to do about a code.
fn next(code: &str, provider: &str, theme: &Theme) -> String {
    let name = provider.split('/').next().unwrap_or(provider);
    let named = [("name", name.into())];
    match code {
        "key_missing" | "keyring" | "key_unusable" | "bad_key" => theme.say("providers-next-key", &named),
        "forbidden" | "quota" => theme.word("providers-next-account"),
        "model_not_found"
        | "bad_url"
        | "plain_http"
        | "redirected"
        | "not_an_answer"
        | "malformed_request"
        | "malformed_http"
        | "unsupported_parameter" => theme.say("providers-next-address", &named),
        "connection" | "connect_timeout" | "host_not_found" | "proxy" | "tls" => {
            theme.word("providers-next-machine")
        }
        "tools_unsupported" | "too_long" | "answer_too_large" | "too_slow" => {
            theme.word("providers-next-model")
        }
        "content_policy" => theme.word("providers-next-words"),
        _ => theme.word("providers-next-wait"),
    }
}

/// `vib providers explain`
pub(crate) fn providers_explained(report: &ExplainReport, theme: &Theme) -> String {
    let title = |id: &str| paint(theme.strong, theme.word(id));
    let file = report.settings_file.clone().unwrap_or_else(|| theme.word("providers-explain-your-file"));
    let mut out = format!(
        "{}\n\
         {}\n\n  \
         [run.providers.mine]\n  \
         dialect = \"openai-chat\"            # {or} \"anthropic\"\n  \
         url = \"https://models.example/v1\"  # {}\n  \
         model = \"some-model\"\n  \
         key_env = \"MINE_API_KEY\"           # {or} key_keyring = \"NAME\"; {}\n  \
         # tools, context, max_output, {}, price_in, price_out\n\n",
        title("providers-explain-set-up"),
        theme.say("providers-explain-write", &[("file", file.into())]),
        theme.word("providers-explain-url"),
        theme.word("providers-explain-never"),
        theme.word("providers-explain-class"),
        or = theme.word("providers-explain-or"),
    );
    if let Some(command) = &report.keyring {
        let said = theme.say("providers-explain-keyring", &[("command", command.as_str().into())]);
        out.push_str(&format!("{said}\n"));
    }
    let seconds = |number: u64| number.to_string();
    let again = [("attempts", report.attempts.into()), ("wait", seconds(report.longest_wait_seconds).into())];
    let times = [
        ("connect", seconds(report.connect_seconds).into()),
        ("first", seconds(report.first_byte_seconds).into()),
        ("idle", seconds(report.idle_seconds).into()),
        ("whole", seconds(report.whole_seconds).into()),
    ];
    out.push_str(&format!(
        "{}\n\n{}\n{}\n{}\n\n",
        theme.word("providers-explain-order"),
        title("providers-explain-no-answer"),
        theme.say("providers-explain-again", &again),
        theme.say("providers-explain-times", &times),
    ));
    for (class, id) in [
        ("retry", "providers-explain-retry"),
        ("switch", "providers-explain-switch"),
        ("adapt", "providers-explain-adapt"),
        ("fatal", "providers-explain-fatal"),
    ] {
        out.push_str(&format!("{} ({})\n", paint(theme.strong, class), theme.word(id)));
        for fault in report.faults.iter().filter(|fault| fault.class == class) {
            out.push_str(&format!("  {:<22} {}\n", fault.code, meaning(fault.code, theme)));
        }
    }
    let percent = [("percent", report.notice_percent.into())];
    out.push_str(&format!(
        "\n{}\n{}\n{}\n\n{}\n{}\n{}\n{}\n",
        title("providers-explain-downgrade"),
        theme.word("providers-explain-downgrade-text"),
        theme.word("providers-explain-substitute"),
        title("providers-explain-budgets"),
        theme.word("providers-explain-budgets-text"),
        theme.say("providers-explain-budgets-stop", &percent),
        theme.word("providers-explain-budgets-price"),
    ));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_meaning_that_is_the_librarys_in_english() {
        let theme = Theme::plain();
        assert_eq!(MEANINGS.len(), providers::codes::FAULTS.len());
        for (code, _, said) in providers::codes::FAULTS {
            assert_eq!(meaning(code, &theme), *said, "{code}");
        }
    }
}
