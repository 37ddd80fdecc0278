//! `vib run --demo`

use engine::Result;

use crate::answer::Answer;
use crate::cli::Session;

pub(super) fn run(_session: &mut Session) -> Result<Answer> {
    Err(engine::Error::Usage("not yet".to_owned()))
}
