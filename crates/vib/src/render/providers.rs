//! Providers of models.

use crate::commands::providers::{CheckReport, ExplainReport, KeyLine, ProviderLine, ProvidersReport};
use crate::theme::{Theme, paint};

/// `vib providers`
pub(crate) fn providers(report: &ProvidersReport, theme: &Theme) -> String {
    let mut out = String::new();
    if report.providers.is_empty() {
        out.push_str("No provider of a model is set up.\n");
    }
    for provider in &report.providers {
        out.push_str(&line(provider, theme));
    }
    for problem in &report.problems {
        out.push_str(&format!("{} {problem}\n", paint(theme.warning, "warning:")));
    }
    match report.order.as_slice() {
        [] => out.push_str("\nHow to set one up: `vib providers explain`\n"),
        [only] => out.push_str(&format!("\nAsked: {only}, and nobody else (`run.provider` names more)\n")),
        [first, others @ ..] => out.push_str(&format!(
            "\nAsked: {first}; when it cannot answer: {}{}\n",
            others.join(", "),
            if report.allow_weaker { ", also weaker ones" } else { "; a weaker one only after you agree" }
        )),
    }
    if !report.providers.is_empty() {
        let dates = format!("Models as of {}, prices as of {}", report.models_as_of, report.prices_as_of);
        out.push_str(&format!("{}\n", paint(theme.dim, dates)));
    }
    out
}

fn line(provider: &ProviderLine, theme: &Theme) -> String {
    let model = provider.model.as_deref().unwrap_or("no model named");
    let class = provider.class.map_or("class unknown".to_owned(), |class| format!("class {class}"));
    let price = match &provider.price {
        Some(price) => format!("${} in, ${} out per million tokens", price.input, price.output),
        None => "price unknown".to_owned(),
    };
    let tools = if provider.tools { "" } else { ", no tools" };
    let from = if provider.from == "settings" {
        "your settings".to_owned()
    } else {
        format!("because {} is set", provider.from)
    };
    format!(
        "{}  {model}  {class}, {} tokens{tools}\n  {}, {price}\n  {}\n",
        paint(theme.strong, &provider.name),
        thousands(provider.context),
        key(&provider.key, theme),
        paint(theme.dim, format!("{} at {} ({from})", provider.dialect, provider.url)),
    )
}

fn key(key: &KeyLine, theme: &Theme) -> String {
    let name = key.name.as_deref().unwrap_or_default();
    let place = match key.kind {
        "variable" => format!("key in {name}"),
        "keyring" => format!("key in the keyring ({name})"),
        _ => return "needs no key".to_owned(),
    };
    match (&key.problem, key.present) {
        (Some(problem), _) => format!("{place}: {}", paint(theme.warning, problem)),
        (None, true) => format!("{place}: there"),
        (None, false) => format!("{place}: {}", paint(theme.warning, "missing")),
    }
}

fn thousands(number: u32) -> String {
    if number >= 10_000 { format!("{}k", number / 1000) } else { number.to_string() }
}

/// `vib providers check`
pub(crate) fn provider_checked(report: &CheckReport, theme: &Theme) -> String {
    let mut out = String::new();
    for happened in &report.happened {
        out.push_str(&format!("{}\n", paint(theme.dim, format!("on the way: {happened}"))));
    }
    if report.answers {
        let model = report.model.as_deref().unwrap_or_default();
        out.push_str(&format!(
            "{} {} answers, as {model}, in {} ms\n",
            paint(theme.added, "✓"),
            paint(theme.strong, &report.provider),
            report.milliseconds
        ));
        if let Some(usage) = &report.usage {
            let cost = report.dollars.map_or("cost unknown".to_owned(), |dollars| format!("${dollars:.6}"));
            out.push_str(&format!("  {} tokens, {cost}\n", usage.tokens()));
        }
        return out;
    }
    let message = report.message.as_deref().unwrap_or_default();
    out.push_str(&format!("{} {message}\n", paint(theme.error, "✗")));
    let in_a_run = match report.class {
        Some("retry") => "it is asked again, and after three failures the next provider is",
        Some("switch") => "the next provider is asked at once",
        Some("adapt") => "it is asked differently, once; then the next provider is",
        Some("fatal") => "the run pauses: nobody else is asked",
        _ => "the run pauses",
    };
    out.push_str(&format!("  In a run: {in_a_run}\n"));
    if let Some(next) = &report.next {
        out.push_str(&format!("  {next}\n"));
    }
    out
}

/// `vib providers explain`
pub(crate) fn providers_explained(report: &ExplainReport, theme: &Theme) -> String {
    let title = |text: &str| paint(theme.strong, text);
    let file = report.settings_file.as_deref().unwrap_or("your settings file");
    let mut out = format!(
        "{}\n\
         Set ANTHROPIC_API_KEY, OPENAI_API_KEY or OLLAMA_HOST, or write into {file}:\n\n  \
         [run.providers.mine]\n  \
         dialect = \"openai-chat\"            # or \"anthropic\"\n  \
         url = \"https://models.example/v1\"  # http:// only for this machine\n  \
         model = \"some-model\"\n  \
         key_env = \"MINE_API_KEY\"           # or key_keyring = \"NAME\"; never the key itself\n  \
         # tools, context, max_output, class (1 small, 2 everyday, 3 strong, 4 strongest), price_in, price_out\n\n",
        title("Setting one up"),
    );
    if let Some(command) = &report.keyring {
        out.push_str(&format!("A key gets into the keyring with: {command}\n"));
    }
    out.push_str(&format!(
        "`run.provider` says who is asked, and who when that one cannot answer. A project cannot name providers.\n\n\
         {}\n\
         The same is asked at most {} times, with a growing wait; what the server asks for is waited, up to {} s.\n\
         A connection has {} s, the first word {} s, a silence within an answer {} s, a whole call {} s.\n\n",
        title("When there is no answer"),
        report.attempts,
        report.longest_wait_seconds,
        report.connect_seconds,
        report.first_byte_seconds,
        report.idle_seconds,
        report.whole_seconds,
    ));
    for (class, what) in [
        ("retry", "asked again, then the next provider"),
        ("switch", "the next provider at once"),
        ("adapt", "asked differently, once"),
        ("fatal", "nobody is asked"),
    ] {
        out.push_str(&format!("{} ({what})\n", title(class)));
        for fault in report.faults.iter().filter(|fault| fault.class == class) {
            out.push_str(&format!("  {:<22} {}\n", fault.code, fault.meaning));
        }
    }
    out.push_str(&format!(
        "\n{}\n\
         Every switch is told, with what is lost. A weaker or unknown class, or a context that is too small, needs your yes: `run.allow_weaker`.\n\
         A server that answers with another model than it was asked for is told the same way.\n\n\
         {}\n\
         Before each call everything it may take is set aside; afterwards the server's own count is settled, also for answers that broke off.\n\
         At {} % you are told, and a call that could go beyond 100 % is not made: the run pauses and asks.\n",
        title("Never a silent downgrade"),
        title("Budgets"),
        report.notice_percent,
    ));
    out
}
