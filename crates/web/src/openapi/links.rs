//! What an answer leads to: which of its values another operation takes.

use serde_json::{Map, Value, json};

/// One step from an answer to the next request.
struct Link {
    from: &'static str,
    to: &'static str,
    /// `id` or `from`: a parameter; anything else: a field of the body.
    takes: &'static str,
    /// Where in the answer the value is; without a leading `/`: the value itself.
    value: &'static str,
}

const fn link(from: &'static str, to: &'static str, takes: &'static str, value: &'static str) -> Link {
    Link { from, to, takes, value }
}

const LINKS: [Link; 17] = [
    link("saveCheckpoint", "showCheckpoint", "id", "/data/checkpoint/id"),
    link("saveCheckpoint", "pinCheckpoint", "id", "/data/checkpoint/id"),
    link("saveCheckpoint", "diff", "from", "/data/checkpoint/id"),
    link("saveCheckpoint", "previewRecovery", "to", "/data/checkpoint/id"),
    link("timeline", "showCheckpoint", "id", "/data/groups/0/checkpoints/0/id"),
    link("timeline", "pinCheckpoint", "id", "/data/groups/0/checkpoints/0/id"),
    link("timeline", "previewRecovery", "to", "/data/groups/0/checkpoints/0/id"),
    link("history", "showStep", "id", "/data/entries/0/steps/0/number"),
    link("history", "previewUndo", "what", "/data/entries/0/steps/0/number"),
    link("previewUndo", "applyUndo", "digest", "/data/digest"),
    link("lessons", "pinLesson", "id", "/data/lessons/0/id"),
    link("lessons", "removeLesson", "id", "/data/lessons/0/id"),
    link("addLesson", "pinLesson", "id", "/data/lesson/id"),
    link("addLesson", "removeLesson", "id", "/data/lesson/id"),
    link("recovery", "previewRecovery", "way", "/data/ways/0/number"),
    link("previewRecovery", "applyRecovery", "plan", "/data/plan"),
    link("applyRecovery", "previewRecovery", "to", "before"),
];

/// The links of one operation's answer.
pub(super) fn links_of(operation: &str) -> Option<Value> {
    let mut links = Map::new();
    for link in LINKS.iter().filter(|link| link.from == operation) {
        let value = match link.value.strip_prefix('/') {
            Some(place) => format!("$response.body#/{place}"),
            None => link.value.to_owned(),
        };
        let taken = json!({link.takes: value});
        let part = if matches!(link.takes, "id" | "from") { "parameters" } else { "requestBody" };
        links.insert(link.to.to_owned(), json!({"operationId": link.to, part: taken}));
    }
    (!links.is_empty()).then_some(Value::Object(links))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::operations::operations;

    #[test]
    fn links_lead_from_operations_to_operations_that_take_the_value() {
        let operations = operations();
        let named = |id: &str| operations.iter().find(|operation| operation.id == id);
        for link in &LINKS {
            assert!(named(link.from).is_some(), "{}", link.from);
            let to = named(link.to).unwrap_or_else(|| panic!("{} is no operation", link.to));
            let taken = match link.takes {
                "id" => to.path.contains("{id}"),
                "from" => to.query.iter().any(|parameter| parameter["name"] == "from"),
                field => to.body.as_ref().is_some_and(|body| body["properties"][field].is_object()),
            };
            assert!(taken, "{} does not take `{}`", link.to, link.takes);
        }
    }
}
