//! The description of the API, in OpenAPI 3.1. One table of operations; `/api/openapi.json` is made from it.

mod bodies;
mod links;
mod operations;
mod parts;
mod runs;
mod schemas;

use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use links::links_of;
use operations::operations;
use parts::{object, reference};
use schemas::schemas;

/// The whole document.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    for operation in operations() {
        let failure = |about: &str| json!({"description": about, "content": {"application/json": {"schema": reference("Failure")}}});
        let patch = operation.path == "/api/patch/diff";
        let good = if patch {
            operation.data.clone()
        } else {
            object(
                &[
                    ("ok", json!({"const": true})),
                    ("error", json!({"type": "null"})),
                    ("data", operation.data),
                ],
                &[],
            )
        };
        let mut responses = json!({
            "200": {"description": "done", "content": {"application/json": {"schema": good}}},
            "400": failure("not understood"), "401": failure("no session, and no token"),
            "403": failure("refused: another site, no CSRF token, or a person is needed"),
            "404": failure("there is no such thing"), "409": failure("something else is going on"), "410": failure("no longer kept"),
            "413": failure("too large"), "415": failure("not JSON"), "421": failure("another host name"),
            "422": failure("cannot be done as things are"), "429": failure("too many requests"),
            "503": failure("took too long"), "507": failure("the disk is full"),
        });
        if patch {
            let refused = json!({"anyOf": [reference("Patch"), reference("Failure")]});
            for status in ["400", "404", "409", "422", "507"] {
                responses[status]["content"]["application/json"]["schema"] = refused.clone();
            }
        }
        if let Some(links) = links_of(operation.id) {
            responses["200"]["links"] = links;
        }
        let mut parameters = operation.query;
        for (name, pattern, about) in
            [("run", bodies::RUN, "the id of a run"), ("card", bodies::CARD, "the id of a card in its run")]
        {
            if operation.path.contains(&format!("{{{name}}}")) {
                parameters.push(json!({"name": name, "in": "path", "required": true,
                    "description": about, "schema": {"type": "string", "pattern": pattern}}));
            }
        }
        if operation.path.contains("{id}") {
            let (pattern, about) = match operation.path.split('/').nth(2) {
                Some("checkpoints") => (bodies::CHECKPOINT, "the id, or the beginning of it"),
                Some("steps") => (bodies::STEP, "the number of a step"),
                Some("requests") => (bodies::REQUEST, "the number of a request"),
                _ => ("^[a-z0-9]{1,64}$", "the id, or the beginning of it"),
            };
            parameters.push(json!({"name": "id", "in": "path", "required": true,
                "description": about, "schema": {"type": "string", "pattern": pattern}}));
        }
        let who = if operation.person { " (a person's session only)" } else { "" };
        // What counts as a person's word needs their session.
        let session = json!({"session": []});
        let security = if operation.person { json!([session]) } else { json!([{"token": []}, session]) };
        let mut described = json!({
            "operationId": operation.id, "summary": format!("{}{who}", operation.about), "parameters": parameters, "responses": responses, "security": security,
        });
        if let Some(body) = operation.body {
            described["requestBody"] =
                json!({"required": true, "content": {"application/json": {"schema": body}}});
        }
        let entry = paths.entry(operation.path.to_owned()).or_insert_with(|| json!({}));
        entry[operation.method] = described;
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "VibeLign", "version": env!("CARGO_PKG_VERSION"),
            "description": "Undo, memory and guard rails for AI coding agents, on this machine only. Programs send `Authorization: Bearer` \
                with the token of `web.json`. A page of a person has its own address, `/k/CAPABILITY/…`, before all of these paths."},
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "header", "name": "X-CSRF-Token",
                    "description": "A person's session: requests go to `/k/CAPABILITY` before the path, the address of their page; what \
                        changes something carries the token of that page."},
            },
        },
    })
}

pub(crate) async fn serve() -> Response {
    axum::Json(document()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere_and_every_route_is_described() {
        let document = document();
        let text = document.to_string();
        for part in text.split("\"#/components/schemas/").skip(1) {
            let name = part.split('"').next().unwrap_or_default();
            assert!(document["components"]["schemas"][name].is_object(), "{name}");
        }
        let routes = include_str!("../api/mod.rs");
        let named: Vec<&str> = routes
            .lines()
            .filter_map(|line| line.trim().strip_prefix(".route(\"")?.split('"').next())
            .filter(|path| *path != "/api/openapi.json")
            .collect();
        let described: Vec<&str> =
            document["paths"].as_object().expect("paths").keys().map(String::as_str).collect();
        for path in &named {
            assert!(described.contains(path), "{path} is not described");
        }
        assert_eq!(named.len(), described.len());
    }
}
