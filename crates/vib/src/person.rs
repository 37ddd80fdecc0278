//! Is a person there? What only a person may do asks here first.

use engine::Result;
use engine::grants::{self, Capability};
use engine::person::{self, Act, ByPerson, Passphrase, Who};
use engine::undo::Confirmation;
use engine::{Engine, Error};
use project::Context;

/// The proof that a person runs this; their passphrase is asked for at the terminal, where one is set.
pub(crate) fn required(context: &Context, act: Act) -> Result<ByPerson> {
    person::require(context, act, &|| passphrase("Your vib passphrase: "))
}

/// Asks for a passphrase at the terminal, whatever standard input is, and shows nothing of it.
pub(crate) fn passphrase(question: &str) -> std::io::Result<Passphrase> {
    rpassword::prompt_password(question).map(Passphrase::new)
}

/// How an edit is confirmed that an agent may make too, with a grant as over MCP.
pub(crate) fn said_yes_to_patch(engine: &Engine) -> Result<Confirmation> {
    if let Who::Agent(agent) = person::who(engine.context())
        && let Some(client) = agent.client
        && grants::find(engine, client, "", Capability::PatchApply).is_some()
    {
        return Ok(Confirmation::Grant);
    }
    required(engine.context(), Act::Patch).map(Confirmation::Yes)
}

/// How something is confirmed that an agent may do without asking: by whom, the records say.
pub(crate) fn said_yes(context: &Context, act: Act) -> Result<Confirmation> {
    match required(context, act) {
        Ok(by) => Ok(Confirmation::Yes(by)),
        Err(Error::Person(error)) if error.code() == "needs_person" => Ok(Confirmation::Agent),
        Err(error) => Err(error),
    }
}
