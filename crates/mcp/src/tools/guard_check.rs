//! `guard_check`: may this go on? Looks at what changed; runs nothing.

use engine::audit::{Event, Intent};
use engine::grants::Capability;
use engine::guard::{self, GuardOptions};
use serde_json::json;
use store::Silent;

use super::{LOOKS, Tool};
use crate::call::{Call, Done, Provenance, Stop};
use crate::offer::Offer;
use crate::schema;

/// Violations that are listed.
const MOST: usize = 50;

pub const TOOL: Tool = Tool {
    name: "guard_check",
    title: "Check what changed",
    about: "Looks at what changed since the last request or save: secrets, protected files, keep regions, anchors, broken syntax, \
            tests that check less, marks of a merge, checks that no longer hold. The verdict is pass, prepare (look at something \
            first) or stop. Runs no command. Call it before you say that you are done.",
    event: Event::ProjectRead,
    hints: LOOKS,
    offer: Offer::With(Capability::PatchApply),
    input: || {
        schema::input(vec![
            schema::flag("staged", "look at what the next git commit would hold instead")
                .default(json!(false)),
        ])
    },
    output: || {
        let violation = schema::object(vec![
            schema::text("rule", "which rule").required(),
            schema::text("level", "prepare or stop").required(),
            schema::text("path", "the file"),
            schema::count("line", "the line"),
            schema::text("name", "the test or the named place"),
            schema::text("message", "what is the matter").required(),
            schema::text("fix", "how to put it right").required(),
        ]);
        schema::object(vec![
            schema::text("verdict", "pass, prepare or stop").required(),
            schema::text("risk", "low, medium or high: the one verdict that every command gives").required(),
            schema::list(
                "reasons",
                schema::report("one reason: why, risk, and what it speaks of"),
                "the weightiest first",
            )
            .required(),
            schema::list("violations", violation, "the weightiest first").required(),
            schema::count("violations_total", "how many there are in all").required(),
            schema::count("files", "files that changed").required(),
            schema::texts("checks_not_run", "the project's own checks: run them yourself").required(),
        ])
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Done, Stop> {
    let staged = call.args.flag("staged")?.unwrap_or(false);
    call.row.intent = Some(Intent::Absent);
    let options = GuardOptions { run: false, staged, check_timeout: None };
    let report = guard::guard(call.engine, &options, &Silent)?;
    engine::memory::guard_answered(call.engine, "mcp", &report);
    call.row.paths_count.total = report.files as u64;
    let checks: Vec<_> = report.checks.iter().map(|check| check.check.line()).collect();
    let total = report.violations.len();
    let data = json!({
        "verdict": report.verdict, "risk": report.risk.risk, "reasons": report.risk.reasons.iter().take(MOST).collect::<Vec<_>>(),
        "violations": report.violations.iter().take(MOST).collect::<Vec<_>>(),
        "violations_total": total, "files": report.files, "checks_not_run": checks,
    });
    let summarized = total > MOST || report.left_out > 0;
    let now = call.engine.context().now_ms();
    Ok(Done {
        data,
        provenance: vec![Provenance {
            source: "project_files",
            updated_by: "vib".to_owned(),
            last_updated: now,
        }],
        omitted: if summarized { vec!["violations".to_owned()] } else { Vec::new() },
        summarized,
        note: None,
    })
}
