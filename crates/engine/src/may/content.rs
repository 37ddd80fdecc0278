//! What a change would do to the lines that a person wants to keep. (G2)

use std::path::Path;

use super::{Act, Answer, Objection, Target, real};
use crate::Engine;
use crate::agent::{self, Change};

/// The lines between VIBE-KEEP START and END stay as they are.
pub(super) fn keep_region(engine: &Engine, target: &Target<'_>) -> Option<Objection> {
    let shown =
        target.inside.as_ref().map_or_else(|| target.wish.path.display().to_string(), ToString::to_string);
    let before = match target.wish.act {
        Act::Become { before, after } => {
            let (what, _) = ::patch::keep_region_lost(before?, after.unwrap_or_default())?;
            return Some(lost(&shown, &what));
        }
        Act::Written { recursive: true } | Act::Deleted { recursive: true } => return None,
        Act::Deleted { .. } if target.full.is_symlink() => return None,
        _ => read(engine, target)?,
    };
    if !::patch::has_keep_regions(&before) {
        return None;
    }
    let unseen = |by: &str| {
        let reason = format!(
            "`{shown}` has a keep region (VIBE-KEEP), and vib cannot see whether this {by} leaves it as it is."
        );
        Some(Objection::new(Answer::Ask, "keep_region_unseen", &shown, reason))
    };
    let Act::Edit(change) = target.wish.act else {
        let by_tool = matches!(target.wish.act, Act::Taken | Act::Mentioned);
        return unseen(if by_tool { "tool" } else { "command" });
    };
    match agent::after_change(Some(&before), change, &|name: &Path| is_same(engine, name, target)) {
        Some(after) => ::patch::keep_region_lost(&before, &after).map(|(what, _)| lost(&shown, &what)),
        // An edit that names text which is not there fails by itself.
        None if matches!(change, Change::Replace(_)) => None,
        None => unseen("edit"),
    }
}

fn lost(shown: &str, what: &str) -> Objection {
    let reason = format!(
        "this edit of `{shown}` is refused: {what}. A person wants the lines between VIBE-KEEP START and END to stay as they are. \
         Leave them alone, or tell the person what you would change and why."
    );
    Objection::new(Answer::Deny, "keep_region", &shown, reason)
}

/// A patch names its files itself.
pub(super) fn is_same(engine: &Engine, name: &Path, target: &Target<'_>) -> bool {
    let full = engine.context().cwd().join(name);
    full == target.full || real::written(&full) == real::written(&target.full)
}

/// The content as it is, links followed. Files outside the project are not looked at: nobody keeps regions there.
fn read(engine: &Engine, target: &Target<'_>) -> Option<Vec<u8>> {
    let is_ours = || real::written(&target.full).starts_with(engine.project().root());
    if target.inside.is_none() && !is_ours() {
        return None;
    }
    agent::small_file(&target.full)
}
