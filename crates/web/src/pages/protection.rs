//! The line that says whether agents really call vib here, and what is wrong where they do not.

use install::gone::Gone;
use install::protection::obstacles::Obstacle;
use install::protection::{ClientProtection, Protection, Standing, Verdict};
use maud::{Markup, html};

use crate::ask::Ask;
use crate::html::{self, ago, tag};

/// How the project stands now; none where there is no place for vib's state.
pub(crate) fn look(ask: &Ask) -> Option<Protection> {
    let (context, project) = (ask.engine.context(), ask.engine.project());
    let world = install::protection::world(context, project.root().to_path_buf())?;
    Some(install::protection::look(&world, Some(project), context.now_ms()))
}

/// The card on the home page.
pub(crate) fn card(ask: &Ask) -> Markup {
    let Some(protection) = look(ask) else { return html! {} };
    if let Some(since) = protection.switched_off_since_ms {
        let body = html! {
            p {
                (tag("warn", &ask.t("web-protection-switched-off"))) " " (ask.t("web-protection-off-why")) " "
                (ago(ask, since, protection.now_ms))
            }
            p.dim { code { "vib init --on" } }
        };
        return html::card("protection", &ask.t("web-protection-title"), &body);
    }
    let (class, verdict, why) = match protection.verdict {
        Verdict::Hooks => ("good", "web-protection-hooks", "web-protection-hooks-why"),
        Verdict::NeverCalled => ("warn", "web-protection-never-called", "web-protection-never-called-why"),
        Verdict::SwitchedOff => ("bad", "web-protection-switched-off", "web-protection-switched-off-why"),
        Verdict::ByHand => ("warn", "web-protection-by-hand", "web-protection-by-hand-why"),
    };
    let body = html! {
        p { (tag(class, &ask.t(verdict))) " " (ask.t(why)) }
        ul.plain {
            @for client in &protection.clients { @if let Some(line) = line(ask, client, protection.now_ms) { li { (line) } } }
            @for gone in protection.gone() { li { (lost(ask, gone)) } }
        }
        @if protection.verdict == Verdict::ByHand && protection.gone().next().is_none() { p.dim { code { "vib init" } } }
    };
    html::card("protection", &ask.t("web-protection-title"), &body)
}

/// What one client did, and what keeps it from calling.
fn line(ask: &Ask, client: &ClientProtection, now_ms: i64) -> Option<Markup> {
    if client.standing == Standing::NotInstalled && client.last_call.is_none() {
        return None;
    }
    let name = || ("client", client.title.into());
    let hindrance = client.hindrances.iter().find(|hindrance| !hindrance.disproved);
    Some(html! {
        @match &client.last_call {
            Some(call) => { (ask.say("web-protection-called", &[name()])) " " (ago(ask, call.at_ms, now_ms)) }
            None => (ask.say("web-protection-never", &[name()])),
        }
        @if let Some(hindrance) = hindrance { " · " (obstacle(ask, &hindrance.obstacle)) }
        @else if client.standing == Standing::Broken { " · " (ask.t("web-protection-damaged")) " " code { "vib doctor" } }
    })
}

fn obstacle(ask: &Ask, obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Unread { file, why } => {
            let values = [("file", ask.clean(file).into()), ("line", (why.line as i64).into())];
            ask.say("web-protection-unread", &values)
        }
        Obstacle::SwitchedOff { file, switch } => {
            let values = [("file", ask.clean(file).into()), ("key", ask.clean(&switch.key).into())];
            ask.say("web-protection-switch", &values)
        }
        Obstacle::FolderNotTrusted => ask.t("web-protection-untrusted"),
        Obstacle::NotApproved { .. } | Obstacle::ChangedSinceApproval | Obstacle::Disabled { .. } => {
            ask.t("web-protection-unapproved")
        }
    }
}

fn lost(ask: &Ask, gone: &Gone) -> Markup {
    let files = ask.clean(&gone.files.join(", "));
    html! {
        (ask.say("web-protection-gone", &[("client", gone.title.into()), ("files", files.into())])) " " code { (gone.command) }
    }
}
