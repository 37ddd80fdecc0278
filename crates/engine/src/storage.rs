//! Upkeep of the store: check, clean, count, export.

use std::path::Path;

use project::{Context, StoredProject};
use store::{
    CheckReport, Checkpoint, ExportReport, GcReport, HistoryFilter, Lost, Missing, Progress, RepairReport,
    Stats, Store,
};

use crate::{Engine, Error, Result};

/// Every project with checkpoints on this machine.
pub fn list(context: &Context) -> Result<Vec<StoredProject>> {
    Ok(project::stored_projects(context)?)
}

/// Verifies everything; with `repair`, mends what can be mended.
pub fn check(engine: &Engine, repair: bool, progress: &dyn Progress) -> Result<CheckReport> {
    if !repair {
        return Ok(engine.store(progress)?.store.check(progress)?);
    }
    let (mut store, rebuilt) = Store::open_or_rebuild(engine.context(), engine.project())?;
    let lock = store.lock_tree("repairing the store")?;
    store.finish_restores(&lock, progress)?;
    let mut report = store.repair(&lock, progress)?;
    if rebuilt.is_some() {
        report.repair.get_or_insert_with(RepairReport::default).index_rebuilt = rebuilt;
    }
    Ok(report)
}

/// What the store has lost, if it can be asked; makes no store where there is none.
pub fn lost(engine: &Engine) -> Option<Lost> {
    if !engine.project().kept_record().exists() {
        return None;
    }
    Store::open(engine.context(), engine.project()).ok()?.lost().ok()?
}

/// A loss in words, for surfaces that speak English only.
pub fn lost_in_words(lost: &Lost) -> String {
    let Lost { kept, newest, left, .. } = lost;
    let what = match lost.what {
        Missing::Checkpoints => format!(
            "checkpoints are missing: {kept} were kept here, the newest was `{newest}`, and it is gone; {left} are there now"
        ),
        Missing::Content => format!(
            "saved content is missing: files of the store were removed or cut short; of {kept} checkpoints some cannot be \
             brought back any more"
        ),
    };
    format!(
        "{what}. Vib did not do that. `vib store check --repair` says what is lost and brings back what can be"
    )
}

/// Cleans up completely.
pub fn gc(engine: &Engine, progress: &dyn Progress) -> Result<GcReport> {
    crate::private_copy::clean_up(engine);
    let mut opened = engine.store(progress)?;
    let lock = opened.store.lock_tree("cleaning the store")?;
    Ok(opened.store.gc(&lock, None, progress)?)
}

/// Counts what is in the store.
pub fn stats(engine: &Engine, progress: &dyn Progress) -> Result<Stats> {
    Ok(engine.store(progress)?.store.stats()?)
}

/// Writes one checkpoint (the newest, if none is named) as a tar file.
pub fn export_tar(
    engine: &Engine,
    id: Option<&str>,
    file: &Path,
    progress: &dyn Progress,
) -> Result<ExportReport> {
    let opened = engine.store(progress)?;
    let checkpoint = choose(&opened.store, id)?;
    Ok(opened.store.export_tar(&checkpoint, &engine.context().cwd().join(file))?)
}

/// Writes one checkpoint, or all of the whole tree, as commits of a new git branch.
pub fn export_git(
    engine: &Engine,
    id: Option<&str>,
    all: bool,
    branch: &str,
    progress: &dyn Progress,
) -> Result<ExportReport> {
    let opened = engine.store(progress)?;
    let chosen = if all {
        let mut whole = opened.store.history(&HistoryFilter::default())?;
        whole.retain(|checkpoint| checkpoint.whole_tree);
        whole.reverse();
        whole
    } else {
        vec![choose(&opened.store, id)?]
    };
    Ok(opened.store.export_git(&chosen, branch)?)
}

fn choose(store: &Store<'_>, id: Option<&str>) -> Result<Checkpoint> {
    match id {
        Some(id) => {
            let checkpoint = store.resolve(id)?;
            if !checkpoint.whole_tree {
                return Err(Error::Usage(format!(
                    "checkpoint `{}` saved single files, not the whole tree",
                    checkpoint.id
                )));
            }
            Ok(checkpoint)
        }
        None => store
            .history(&HistoryFilter::default())?
            .into_iter()
            .find(|checkpoint| checkpoint.whole_tree)
            .ok_or_else(|| Error::Usage("there is no checkpoint yet; `vib checkpoint` makes one".to_owned())),
    }
}
