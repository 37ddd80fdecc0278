//! Making a lane: reserve → write the state out → its own store → what no state holds → open. Whoever dies on the way leaves a lane that is
//! still "being made"; the next one takes that away. Nothing of the project is touched at any point.

use std::path::Path;

use project::{FileLock, Project, ProjectId, new_id};
use serde::Serialize;
use store::{Progress, Store, View};

use super::record::{LaneStatus, Record};
use super::{Lane, LaneError, all, drop, place};
use crate::bisect::state_of;
use crate::private_copy::{self, Carried};
use crate::{Engine, Error, Notice, Result};

/// The file that whoever makes or changes a lane holds.
const LOCK: &str = "making.lock";

/// What kind of lane.
#[derive(Debug, Clone, Default)]
pub struct NewLane {
    /// Its name; none: the next free number.
    pub name: Option<String>,
    /// The state: after this step or request, or of this checkpoint; none or `now`: everything as it is, unsaved work included.
    pub from: Option<String>,
    /// Who makes it: the client, or none for a person.
    pub made_by: Option<String>,
}

/// A lane that was made.
#[derive(Debug, Serialize)]
pub struct Made {
    /// Its name.
    pub name: String,
    /// Where its files are.
    pub folder: String,
    /// The checkpoint of the project that it began with.
    pub from: String,
    /// Files, links and folders that were written.
    pub written: u64,
    /// The folder of a lane that was put away was used again, and only what is different was written.
    pub warm: bool,
    /// Folders that no state holds (dependencies) and that came along.
    pub carried: Vec<String>,
    /// Such folders that did not, because they are too large or `lane.carry` says so.
    pub not_carried: Vec<String>,
    /// How long it took.
    pub milliseconds: u64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Takes the right to make, drop or bring back lanes of a project. Held for moments only.
pub(super) fn lock_all(engine: &Engine) -> Result<FileLock> {
    let path = engine.project().state().join("lanes.lock");
    Ok(FileLock::wait(&path).map_err(store::Error::from)?)
}

/// Takes the right to one lane.
pub(super) fn lock_one(state: &Path) -> Result<FileLock> {
    Ok(FileLock::wait(&state.join(LOCK)).map_err(store::Error::from)?)
}

/// Makes a lane.
pub fn make(engine: &Engine, wish: &NewLane, progress: &dyn Progress) -> Result<Made> {
    let began = std::time::Instant::now();
    let mut opened = engine.store(progress)?;
    let words = wish.from.clone().unwrap_or_else(|| "now".to_owned());
    let seq = match words.as_str() {
        "now" => private_copy::save_now(&mut opened.store, "lane", progress)?.seq,
        typed => state_of(&opened.store, typed, false)?,
    };
    let from = opened.store.checkpoint(seq)?;
    let from = from.ok_or_else(|| Error::NotInHistory(format!("kept state near `{words}`")))?;
    let reserved = reserve(engine, wish, (from.id.as_str(), seq, &words), progress)?;
    let view = opened.store.recorded_state_at(seq);
    match fill(engine, &opened.store, &reserved, &view, progress) {
        Ok(filled) => Ok(Made {
            name: reserved.record.name.clone(),
            folder: reserved.record.folder.display().to_string(),
            from: from.id.to_string(),
            written: filled.written,
            warm: filled.warm,
            carried: filled.carried.carried,
            not_carried: filled.carried.left_out,
            milliseconds: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            notices: opened.notices,
        }),
        Err(error) => {
            take_away(&reserved.record.folder, &reserved.state);
            Err(error)
        }
    }
}

/// A lane that has a name, a folder and an id, and nothing in it.
pub(super) struct Reserved {
    pub(super) id: ProjectId,
    pub(super) record: Record,
    pub(super) state: std::path::PathBuf,
    /// A lane that was put away and whose folder this one gets.
    pub(super) warm: Option<Lane>,
    _lock: FileLock,
}

fn reserve(
    engine: &Engine,
    wish: &NewLane,
    from: (&str, i64, &str),
    progress: &dyn Progress,
) -> Result<Reserved> {
    let _all = lock_all(engine)?;
    let mut lanes = all(engine)?;
    clean_up(&mut lanes);
    let name = match &wish.name {
        Some(name) if !place::is_name(name) => return Err(LaneError::BadName(name.clone()).into()),
        Some(name) => name.clone(),
        None => place::next_name(&lanes),
    };
    if let Some(other) = lanes.iter().find(|lane| lane.name() == name) {
        let dropped = other.record.status == LaneStatus::Dropped;
        return Err(LaneError::Taken { name, dropped }.into());
    }
    let warm = drop::warmest(engine, &lanes, progress).map(|at| lanes.remove(at));
    let folder = match &warm {
        Some(lane) => lane.record.folder.clone(),
        None => place::free(engine, &lanes)?,
    };
    let context = engine.context();
    let id = new_id(context)?;
    let by = wish.made_by.as_deref().unwrap_or("person");
    let record = Record::new(&name, &folder, from, context.now_ms(), by);
    let state = Project::reserve_lane(context, &id, engine.project().id(), &name)?;
    let lock = lock_one(&state)?;
    record.write(&state)?;
    let warm = warm.map(|mut lane| -> Result<Lane> {
        // From here on the folder is the new lane's; what was in it is in the old one's store.
        lane.record.folder_given_up = true;
        lane.record.write(&lane.state)?;
        Ok(lane)
    });
    Ok(Reserved { id, record, state, warm: warm.transpose()?, _lock: lock })
}

/// What filling it did.
struct Filled {
    written: u64,
    warm: bool,
    carried: Carried,
}

fn fill(
    engine: &Engine,
    store: &Store<'_>,
    reserved: &Reserved,
    view: &View,
    progress: &dyn Progress,
) -> Result<Filled> {
    let folder = &reserved.record.folder;
    let context = engine.context();
    let title = format!("lane {} begins", reserved.record.name);
    let (copy, written) = match &reserved.warm {
        Some(old) => {
            let old = old.engine_of_store(context)?;
            let opened = old.store(progress)?;
            let (copy, moved) = store.take_over(view, &opened.store, progress)?;
            (copy, moved.written + moved.removed)
        }
        None => {
            let copy = store.materialise(view, folder, progress)?;
            let count = copy.len() as u64;
            (copy, count)
        }
    };
    let project = Project::begin_lane(context, folder, &reserved.id)?;
    settings_along(engine.project(), &project);
    let mut own = Store::open(context, &project)?;
    store.begin_lane(&mut own, &copy, &title)?;
    let carried = private_copy::carry_into_lane(engine, store, folder)?;
    let mut record = reserved.record.clone();
    record.status = LaneStatus::Open;
    record.carried.clone_from(&carried.carried);
    record.write(&reserved.state)?;
    Ok(Filled { written, warm: reserved.warm.is_some(), carried })
}

/// The project's own settings hold in its lanes, too.
pub(super) fn settings_along(main: &Project, lane: &Project) {
    let entries = std::fs::read_dir(main.own_folder()).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())) {
        let name = entry.file_name();
        if name != "id" && name != ".gitignore" {
            // Without them the user's settings hold.
            let _ = std::fs::copy(entry.path(), lane.own_folder().join(&name));
        }
    }
}

/// Takes away what somebody who died left half made.
pub(super) fn clean_up(lanes: &mut Vec<Lane>) {
    lanes.retain(|lane| {
        if lane.record.status != LaneStatus::Making {
            return true;
        }
        // Whoever holds the lock is still at work.
        let Ok(Some(_lock)) = FileLock::try_now(&lane.state.join(LOCK)) else { return true };
        take_away(lane.folder(), &lane.state);
        false
    });
}

/// Nobody ever worked in it: there is nothing to lose.
fn take_away(folder: &Path, state: &Path) {
    if store::remove_folder(folder).is_ok() {
        let _ = store::remove_folder(state);
    }
}
