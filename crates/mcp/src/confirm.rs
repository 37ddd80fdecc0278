//! Asking a person, in the one way that this client can: a form while the call runs (session era), an answer that asks to be called
//! again (stateless era), or `vib approve` in a terminal.
//!
//! An accepted form is no proof of a person: some clients accept empty forms, or fill in defaults. So the form has a required field
//! whose default is the safe answer, and anything but the one word that means yes is a no.

use std::collections::BTreeMap;

use engine::{Engine, Error, approvals};
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, EnumSchema,
    InputRequest, InputRequiredResult, PrimitiveSchemaDefinition,
};
use serde_json::{Value, json};

use crate::call::{Confirmed, Denial, Question, Via};
use crate::client::Client;
use crate::pending::{self, Refusal};

/// The field of the form.
pub const FIELD: &str = "decision";
/// The word that means yes.
pub const YES: &str = "yes, do it";
/// The word that means no, and that is there when nobody chooses.
pub const NO: &str = "no, leave everything as it is";
/// The key of the one question in a stateless answer.
const KEY: &str = "confirm";
/// Lines of the preview that a form shows.
const MOST_LINES: usize = 30;
/// Lines of it that a request for a terminal has room for.
const MOST_SUMMARY: usize = 12;

/// The form.
pub fn form(question: &Question, client: &Client) -> ElicitRequestParams {
    let field = EnumSchema::builder(vec![NO.to_owned(), YES.to_owned()])
        .title("Your decision")
        .description("Nothing happens unless you choose yes.");
    let field = field.with_default(NO).map_or_else(
        |_| EnumSchema::builder(vec![NO.to_owned(), YES.to_owned()]).build(),
        |field| field.build(),
    );
    let mut schema =
        ElicitationSchema::new(BTreeMap::from([(FIELD.to_owned(), PrimitiveSchemaDefinition::Enum(field))]));
    schema = schema.with_required(vec![FIELD.to_owned()]);
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(question, client),
        requested_schema: schema,
    }
}

/// What the person reads.
fn message(question: &Question, client: &Client) -> String {
    let mut text = format!("{} asks vib: {}", client.name, question.title);
    for line in question.lines.iter().take(MOST_LINES) {
        text.push_str("\n  ");
        text.push_str(line);
    }
    if let Some(more) = question.lines.len().checked_sub(MOST_LINES + 1) {
        text.push_str(&format!("\n  and {} more", more + 1));
    }
    text
}

/// True only for the one word.
pub fn is_yes(answer: &ElicitResult) -> bool {
    let chosen = answer.content.as_ref().and_then(|content| content.get(FIELD)).and_then(Value::as_str);
    answer.action == ElicitationAction::Accept && chosen == Some(YES)
}

/// The stateless way: writes down what waits, and answers that a person has to be asked first.
pub fn ask_to_call_again(
    engine: &Engine,
    client: &Client,
    question: &Question,
) -> Result<InputRequiredResult, Error> {
    let waits = pending::open(engine, client, question)?;
    let form = InputRequest::Elicitation(ElicitRequest::new(form(question, client)));
    Ok(InputRequiredResult::new(Some(BTreeMap::from([(KEY.to_owned(), form)])), Some(waits.id)))
}

/// What came of a form.
pub enum Answered {
    /// The one word that means yes.
    Yes(Confirmed),
    /// Anything else.
    No(Denial),
    /// A plain no, which some clients give by themselves.
    Refused,
    /// It was closed without an answer: nobody may have been there to see it, so they are asked elsewhere.
    Closed,
}

/// The other half of it: what came with the second call. The handle is used up, whatever the answer was.
pub fn answered(
    engine: &Engine,
    client: &Client,
    state: &str,
    responses: Option<&BTreeMap<String, Value>>,
) -> Result<Answered, Error> {
    let waits = match pending::take(engine, client, state)? {
        Ok(waits) => waits,
        Err(refusal) => return Ok(Answered::No(refused(refusal))),
    };
    let answer = responses.and_then(|all| all.get(KEY)).cloned();
    let answer = answer.and_then(|value| serde_json::from_value::<ElicitResult>(value).ok());
    Ok(match answer {
        Some(answer) if is_yes(&answer) => Answered::Yes(Confirmed { digest: waits.digest, via: Via::Form }),
        Some(answer) if answer.action == ElicitationAction::Cancel => Answered::Closed,
        Some(answer) if answer.action == ElicitationAction::Decline => Answered::Refused,
        _ => Answered::No(declined(engine, client, None)),
    })
}

/// The person said no. Some clients say so by themselves when they run without anybody in front of them: then `question` waits for a
/// terminal, where only a person can answer it.
pub fn declined(engine: &Engine, client: &Client, question: Option<&Question>) -> Denial {
    let operation = question.and_then(|question| request_approval(engine, client, question).ok());
    let command = operation.map(|operation| format!("vib approve {operation}"));
    let next = match &command {
        Some(command) => format!(
            "if the person was asked and said no, do not ask again for the same; if nobody was asked, they can run `{command}` in \
             a terminal within 5 minutes, and you call again with the same arguments and that `operation_id`"
        ),
        None => "do not ask again for the same; ask the person what they want instead".to_owned(),
    };
    Denial {
        code: "declined",
        message: "the person did not say yes, so nothing was done".to_owned(),
        next,
        command,
    }
}

/// A handle that does not count.
fn refused(refusal: Refusal) -> Denial {
    match refusal {
        Refusal::Gone => Denial::not_valid(),
        Refusal::OtherClient => Denial {
            message: "this confirmation belongs to another client".to_owned(),
            ..Denial::not_valid()
        },
    }
}

/// Writes down what a person has to approve in a terminal; gives the operation's id.
fn request_approval(engine: &Engine, client: &Client, question: &Question) -> Result<String, Error> {
    let mut summary = question.title.clone();
    for (at, line) in question.lines.iter().take(MOST_SUMMARY).enumerate() {
        summary.push_str(if at == 0 { ": " } else { "; " });
        summary.push_str(line);
    }
    if let Some(more) = question.lines.len().checked_sub(MOST_SUMMARY).filter(|more| *more > 0) {
        summary.push_str(&format!("; and {more} more"));
    }
    let request = approvals::Request {
        client: client.name.clone(),
        capability: question.capability,
        // The digest stands for the plan, and for the arguments too.
        plan: None,
        digest: question.digest.clone(),
        summary,
    };
    Ok(approvals::request(engine, &request)?.id)
}

/// For a client that can show no form: what waits, and how to go on.
pub fn wait_for_approval(engine: &Engine, client: &Client, question: &Question) -> Result<Value, Error> {
    let operation = request_approval(engine, client, question)?;
    let command = format!("vib approve {operation}");
    Ok(json!({
        "code": "needs_confirmation",
        "message": format!("a person has to say yes first: {}", question.title),
        "next": format!(
            "ask the person to run `{command}` in a terminal of this project within 5 minutes; then call this tool again with \
             the same arguments and `operation_id`: `{operation}`"
        ),
        "command": command,
        "operation_id": operation,
        "expires_in_seconds": pending::WAITS_MS / 1000,
    }))
}
