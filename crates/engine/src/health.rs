//! Is the ground sound? The state folder, the project, the store. Makes nothing that was not there, but for the state
//! folder itself.

use project::{Context, platform};
use store::{HistoryFilter, Progress};

use crate::{Engine, Result};

/// So many of the deleted files whose last copies went are named.
const GONE_SHOWN: usize = 3;

/// One thing that was looked at.
#[derive(Debug, serde::Serialize)]
pub struct Finding {
    /// What.
    pub what: &'static str,
    /// It works.
    pub ok: bool,
    /// It has to be mended; else it is only worth knowing.
    pub problem: bool,
    /// What was found.
    pub detail: String,
    /// What to do about it.
    pub fix: Option<String>,
}

/// Looks at the ground under the current folder.
pub fn examine(context: Context, progress: &dyn Progress) -> Vec<Finding> {
    let mut findings = vec![match state(&context) {
        Ok(folder) => good("state folder", format!("`{folder}` can be written")),
        Err(error) => bad("state folder", &error),
    }];
    findings.extend(outside(&context, progress));
    match project::find_root(&context) {
        Ok((root, _, Some(_))) => {
            findings.push(good("project", format!("`{}`", root.display())));
            findings.extend(switched_off(&context));
            findings.extend(model(&context));
            match store(context, progress) {
                Ok(more) => findings.extend(more),
                Err(error) => findings.push(bad("store", &error)),
            }
        }
        Ok((root, _, None)) => findings.push(Finding {
            what: "project",
            ok: false,
            problem: false,
            detail: format!("vib does not know `{}` yet", root.display()),
            fix: Some("`vib init` starts protecting it".to_owned()),
        }),
        Err(error) => {
            let finding = bad("project", &error.into());
            findings.push(Finding { problem: false, ..finding });
        }
    }
    findings
}

/// The store of files that lie in no project, where there is one.
fn outside(context: &Context, progress: &dyn Progress) -> Option<Finding> {
    let folder = context.state().ok()?.join("loose");
    folder.symlink_metadata().ok()?;
    let looked = crate::outside::loose_files(context, context.cwd()).and_then(|engine| {
        let opened = engine.store(progress)?;
        Ok((opened.store.stats()?, opened.store.lost()?))
    });
    Some(match looked {
        Ok((_, Some(lost))) => Finding {
            what: "files outside",
            ok: false,
            problem: true,
            detail: crate::storage::lost_in_words(&lost),
            fix: Some("`vib store check --repair --outside`".to_owned()),
        },
        Ok((stats, None)) => good(
            "files outside",
            format!(
                "what agents changed outside every project is saved ({} states, {} KB); `vib undo /path` takes it back",
                stats.turns,
                stats.bytes_on_disk.div_ceil(1024)
            ),
        ),
        Err(error) => bad("files outside", &error),
    })
}

fn good(what: &'static str, detail: String) -> Finding {
    Finding { what, ok: true, problem: false, detail, fix: None }
}

fn bad(what: &'static str, error: &crate::Error) -> Finding {
    Finding { what, ok: false, problem: true, detail: error.to_string(), fix: Some(error.next()) }
}

/// The person switched vib off here: nothing is broken, and nothing is saved.
fn switched_off(context: &Context) -> Option<Finding> {
    let engine = Engine::open(context.beside(context.cwd()).ok()?).ok()?;
    crate::switch::switched_off(&engine)?;
    Some(Finding {
        what: "switch",
        ok: false,
        problem: false,
        detail: "vib is switched off in this project: no agent's step is saved or judged".to_owned(),
        fix: Some("`vib init --on` switches it on".to_owned()),
    })
}

/// The model for recall, if the person named one. Without it memories are found by words, so nothing is broken.
fn model(context: &Context) -> Option<Finding> {
    let engine = Engine::open(context.beside(context.cwd()).ok()?).ok()?;
    Some(match crate::recall::examine_model(&engine)? {
        Ok(detail) => good("model for recall", detail),
        Err((detail, fix)) => {
            Finding { what: "model for recall", ok: false, problem: true, detail, fix: Some(fix) }
        }
    })
}

fn state(context: &Context) -> Result<String> {
    let folder = context.state()?;
    let probe = folder.join(format!(".doctor-{:016x}", context.random_u64()));
    platform::make_private_dir(folder).map_err(project::Error::from)?;
    drop(platform::open_private_append(&probe).map_err(project::Error::from)?);
    std::fs::remove_file(&probe).map_err(project::Error::from)?;
    Ok(folder.display().to_string())
}

fn store(context: Context, progress: &dyn Progress) -> Result<Vec<Finding>> {
    let engine = Engine::open(context)?;
    let opened = engine.store(progress)?;
    let newest = opened.store.history(&HistoryFilter { limit: 1, ..HistoryFilter::default() })?;
    let mut findings = vec![match (newest.first(), opened.store.lost()?) {
        (_, Some(lost)) => Finding {
            what: "store",
            ok: false,
            problem: true,
            detail: crate::storage::lost_in_words(&lost),
            fix: Some("`vib store check --repair`".to_owned()),
        },
        (Some(newest), None) => good("store", format!("opens; the newest checkpoint is {}", newest.id)),
        (None, None) => good("store", "opens; there is no checkpoint yet".to_owned()),
    }];
    let gone = opened.store.gone(GONE_SHOWN)?;
    if gone.files > 0 {
        let names: Vec<String> = gone.newest.iter().map(|one| format!("`{}`", one.path)).collect();
        findings.push(Finding {
            what: "last copies",
            ok: false,
            problem: false,
            detail: format!(
                "the last copies of deleted files went because of your limits ({} so far): {}",
                gone.files,
                names.join(", ")
            ),
            fix: Some("`vib config set retention.max_store_size 20GB` keeps more".to_owned()),
        });
    }
    Ok(findings)
}
