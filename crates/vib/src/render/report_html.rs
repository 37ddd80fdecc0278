//! `vib report --format html`: one file that needs nothing else, with its plots in it.

use engine::report::{Report, RequestRow};

use super::report::{dollars, standing, tokens};
use super::words::{count, date, grouped};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1c1e21;background:#fff}\
h1{font-size:1.6rem}h2{margin-top:2rem;font-size:1.15rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}\
th{font-weight:600}.dim{color:#667}.cards{display:flex;flex-wrap:wrap;gap:.6rem}.card{border:1px solid #ddd;border-radius:.5rem;padding:.5rem .9rem}.card b{display:block;font-size:1.2rem}\
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}svg{width:100%;height:auto}.bad{color:#b3261e}\
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#17181a}th,td,.card{border-color:#3a3d42}.dim{color:#9aa}.bad{color:#f2887f}}";

/// The whole page.
pub(crate) fn report_html(report: &Report) -> String {
    let title = format!("What the agents did in {}", text(&report.project));
    let since =
        report.since_ms.map_or("from the beginning".to_owned(), |since| format!("since {}", date(since)));
    let session = report.session.as_ref().map(|one| format!(", session {}", text(one))).unwrap_or_default();
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n<p class=\"dim\">{since}{session}, as of {}</p>\n",
        date(report.now_ms)
    );
    out.push_str(&cards(report));
    out.push_str(&activity(report));
    out.push_str(&requests(report));
    out.push_str(&lists(report));
    out.push_str(&money(report));
    if report.redacted {
        out.push_str("<p class=\"dim\">Secrets and private details were taken out of the texts above.</p>\n");
    }
    out.push_str("</body></html>\n");
    out
}

/// Text that cannot be read as HTML.
fn text(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = String::from("<table><thead><tr>");
    heads.iter().for_each(|head| out.push_str(&format!("<th>{head}</th>")));
    out.push_str("</tr></thead><tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        row.iter().for_each(|cell| out.push_str(&format!("<td>{cell}</td>")));
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
    out
}

fn cards(report: &Report) -> String {
    let totals = &report.totals;
    let rows = [
        ("requests", grouped(totals.requests)),
        ("steps", grouped(totals.steps)),
        ("files", grouped(totals.files)),
        (
            "checks passed / failed",
            format!("{} / {}", grouped(totals.checks_passed), grouped(totals.checks_failed)),
        ),
        ("stopped", grouped(totals.stopped)),
        ("went back", grouped(totals.back)),
        ("lines that stand", standing(totals.lines_written, totals.lines_standing)),
        ("tokens", tokens(&totals.cost)),
        ("cost", dollars(&totals.cost)),
    ];
    let mut out = String::from("<div class=\"cards\">");
    for (name, value) in rows {
        out.push_str(&format!("<div class=\"card\"><b>{value}</b>{name}</div>"));
    }
    out.push_str("</div>\n");
    out
}

/// Bars over time: steps of agents, those that changed something darker, what was stopped on top.
fn activity(report: &Report) -> String {
    const HEIGHT: f64 = 90.0;
    const WIDE: i64 = 14;
    let (Some(first), Some(last)) = (report.activity.first(), report.activity.last()) else {
        return String::new();
    };
    let stretches = (last.from_ms - first.from_ms) / report.stretch_ms.max(1) + 1;
    let most = report.activity.iter().map(|one| one.steps + one.by_hand).max().unwrap_or(1).max(1) as f64;
    let mut bars = String::new();
    for one in &report.activity {
        let x = (one.from_ms - first.from_ms) / report.stretch_ms.max(1) * WIDE;
        let mut y = HEIGHT;
        let parts = [
            (one.changing, "#2f6fde"),
            (one.steps - one.changing - one.stopped.min(one.steps - one.changing), "#9dbcf3"),
            (one.stopped, "#c0392b"),
            (one.by_hand, "#8a8f98"),
        ];
        for (number, colour) in parts {
            let high = number as f64 / most * (HEIGHT - 6.0);
            if number > 0 {
                y -= high;
                bars.push_str(&format!(
                    "<rect x=\"{x}\" y=\"{y:.1}\" width=\"{}\" height=\"{high:.1}\" fill=\"{colour}\"/>",
                    WIDE - 2
                ));
            }
        }
        bars.push_str(&format!(
            "<rect x=\"{x}\" y=\"0\" width=\"{WIDE}\" height=\"{HEIGHT}\" fill=\"transparent\"><title>{}: {}, {} stopped, {} by hand</title></rect>",
            date(one.from_ms),
            count(one.steps, "step"),
            one.stopped,
            one.by_hand
        ));
    }
    format!(
        "<h2>When</h2>\n<svg viewBox=\"0 0 {} {HEIGHT}\" role=\"img\" aria-label=\"Steps over time\" preserveAspectRatio=\"none\" style=\"height:7rem\">{bars}</svg>\n\
         <p class=\"dim\">{} to {}. Dark: steps that changed files; light: those that only looked or ran; red: stopped; grey: by hand.</p>\n",
        (stretches * WIDE).max(200),
        date(first.from_ms),
        date(last.from_ms + report.stretch_ms)
    )
}

/// How much of what a request wrote still stands.
fn meter(request: &RequestRow) -> String {
    let (Some(written), Some(stands)) = (request.lines_written, request.lines_standing) else {
        return "–".to_owned();
    };
    if written == 0 {
        return "–".to_owned();
    }
    let wide = (stands as f64 / written as f64 * 80.0).clamp(0.0, 80.0);
    format!(
        "<svg viewBox=\"0 0 80 8\" role=\"img\" aria-label=\"{stands} of {written} lines stand\" style=\"width:80px;height:8px\"><rect width=\"80\" height=\"8\" rx=\"4\" fill=\"#d5d9e0\"/>\
         <rect width=\"{wide:.1}\" height=\"8\" rx=\"4\" fill=\"#2f6fde\"/></svg> {}",
        standing(Some(written), Some(stands))
    )
}

fn requests(report: &Report) -> String {
    let rows: Vec<Vec<String>> = report
        .requests
        .iter()
        .map(|request| {
            let taken_back = if request.undone { " <span class=\"dim\">(taken back)</span>" } else { "" };
            let files =
                match request.files_count as usize - request.files.len().min(request.files_count as usize) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
            let names: Vec<String> =
                request.files.iter().map(|file| format!("<code>{}</code>", text(file))).collect();
            vec![
                request.number.clone(),
                format!(
                    "{}{taken_back}<br><span class=\"dim\">{}{files}</span>",
                    text(&request.words),
                    names.join(" ")
                ),
                text(request.client.as_deref().unwrap_or("–")),
                format!(
                    "{}{}",
                    request.steps,
                    if request.stopped > 0 {
                        format!("<br><span class=\"bad\">{} stopped</span>", request.stopped)
                    } else {
                        String::new()
                    }
                ),
                format!("{} / {}", request.checks_passed, request.checks_failed),
                meter(request),
                tokens(&request.cost),
                dollars(&request.cost),
            ]
        })
        .collect();
    if rows.is_empty() {
        return "<p>No request in this time.</p>\n".to_owned();
    }
    let heads =
        ["", "asked for", "by", "steps", "checks passed / failed", "lines that stand", "tokens", "cost"];
    format!("<h2>Requests</h2>\n{}", table(&heads, &rows))
}

fn lists(report: &Report) -> String {
    let mut out = String::new();
    if !report.stopped.is_empty() {
        let rows: Vec<Vec<String>> = report
            .stopped
            .iter()
            .rev()
            .map(|one| {
                let by = if one.by_person { "refused" } else { "vib" };
                vec![
                    one.step.to_string(),
                    format!("<code>{}</code>", text(&one.what)),
                    by.to_owned(),
                    text(one.reason.as_deref().unwrap_or("")),
                ]
            })
            .collect();
        out.push_str(&format!("<h2>Stopped</h2>\n{}", table(&["", "what", "by", "why"], &rows)));
    }
    if !report.checks.is_empty() {
        let rows: Vec<Vec<String>> = report
            .checks
            .iter()
            .rev()
            .map(|one| {
                let how = match one.passed {
                    Some(true) => "passed",
                    Some(false) => "<span class=\"bad\">failed</span>",
                    None => "unknown",
                };
                vec![
                    one.step.map_or("<code>vib verify</code>".to_owned(), |step| step.to_string()),
                    format!("<code>{}</code>", text(&one.command)),
                    how.to_owned(),
                ]
            })
            .collect();
        out.push_str(&format!("<h2>Checks</h2>\n{}", table(&["", "command", "result"], &rows)));
    }
    if !report.back.is_empty() {
        let row = |one: &engine::report::BackRow| {
            vec![one.step.to_string(), text(&one.tool), text(&one.what), count(one.files, "file")]
        };
        let rows: Vec<Vec<String>> = report.back.iter().rev().map(row).collect();
        out.push_str(&format!("<h2>Went back</h2>\n{}", table(&["", "how", "what", "files"], &rows)));
    }
    if !report.files.is_empty() {
        let rows: Vec<Vec<String>> = report
            .files
            .iter()
            .map(|file| {
                let lines = match (file.lines_by_agents, file.lines) {
                    (Some(own), Some(all)) => format!("{} of {}", grouped(own), grouped(all)),
                    _ => "–".to_owned(),
                };
                vec![format!("<code>{}</code>", text(&file.path)), file.steps.to_string(), lines]
            })
            .collect();
        out.push_str(&format!("<h2>Files</h2>\n{}", table(&["file", "steps", "lines by agents"], &rows)));
    }
    out
}

fn money(report: &Report) -> String {
    let mut rows = Vec::new();
    for session in &report.sessions {
        let name = format!(
            "{} {}",
            text(&session.client),
            text(&session.session.chars().take(8).collect::<String>())
        );
        if session.models.is_empty() {
            rows.push(vec![
                name.clone(),
                "unknown".to_owned(),
                "unknown".to_owned(),
                "unknown".to_owned(),
                "unknown".to_owned(),
            ]);
        }
        for model in &session.models {
            let helpers = if model.by_helpers { " (sub-agents)" } else { "" };
            rows.push(vec![
                name.clone(),
                format!("{}{helpers}", text(model.model.as_deref().unwrap_or("unknown"))),
                model.cost.calls.map_or("unknown".to_owned(), grouped),
                tokens(&model.cost),
                dollars(&model.cost),
            ]);
        }
        if session.told_by_client {
            rows.push(vec![
                name,
                "<i>as the client sums it up</i>".to_owned(),
                String::new(),
                String::new(),
                dollars(&session.cost),
            ]);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "<h2>Cost</h2>\n{}<p class=\"dim\">Tokens are those that the clients' own records tell, sub-agents included. Prices as of {} ({}); what is not known there is unknown.</p>\n",
        table(&["session", "model", "calls", "tokens", "cost"], &rows),
        report.prices.date,
        text(report.prices.sources)
    )
}
