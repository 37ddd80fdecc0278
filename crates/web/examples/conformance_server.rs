//! A server for the official conformance suite, never shipped: vib's own server and guard with the tools, resources and prompts that the
//! suite's scenarios call, or (`--shipped FOLDER`) with the tools that are shipped. Without a token, because the suite has none.
//!
//! Prints the address on the first line and serves until it is stopped.
#![expect(
    deprecated,
    reason = "the suite also tests sampling and logging, which newer revisions of the protocol drop"
)]
#![expect(clippy::print_stdout, reason = "the address is for the program that started this one")]

use std::path::PathBuf;
use std::time::Duration;

use mcp::Handler;
use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::*;
use rmcp::service::{RequestContext, RoleServer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use vib_web::{Options, Server};

/// One red pixel, and a sound of no length.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

const PLAIN_TOOLS: [&str; 8] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_tool_with_progress",
    "test_error_handling",
];
const ASKING_TOOLS: [&str; 5] = [
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_reconnection",
];

#[derive(Debug, Clone, Copy)]
struct Fixtures;

fn made<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn failed(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn says(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn tools() -> Value {
    let plain = PLAIN_TOOLS.iter().map(|name| (*name, json!({"type": "object", "properties": {}})));
    let asking = ASKING_TOOLS.iter().map(|name| {
        let text = json!({"type": "string"});
        (*name, json!({"type": "object", "properties": {"prompt": text, "message": text}}))
    });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"type": "object", "properties": {
            "street": {"type": "string"}, "city": {"type": "string"},
        }}},
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": false,
    });
    let all = plain.chain(asking).chain([("json_schema_2020_12_tool", schema)]);
    let tool = |(name, schema): (&str, Value)| json!({"name": name, "description": "A tool of the conformance suite", "inputSchema": schema});
    json!({"tools": all.map(tool).collect::<Vec<_>>()})
}

async fn pause() {
    tokio::time::sleep(Duration::from_millis(50)).await;
}

async fn log(context: &RequestContext<RoleServer>, text: &str) -> Result<(), ErrorData> {
    let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(text));
    context.peer.notify_logging_message(message).await.map_err(failed)
}

async fn ask(context: &RequestContext<RoleServer>, message: &str, schema: Value) -> Result<Value, ErrorData> {
    let form = made(json!({"mode": "form", "message": message, "requestedSchema": schema}))?;
    let answer = context.peer.create_elicitation(form).await.map_err(failed)?;
    serde_json::to_value(answer).map_err(failed)
}

async fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Value, ErrorData> {
    let argument = |name: &str| {
        let value = request.arguments.as_ref().and_then(|all| all.get(name)).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
    Ok(match &*request.name {
        "test_simple_text" => says("This is a simple text response for testing."),
        "test_image_content" => json!({"content": [image]}),
        "test_audio_content" => json!({"content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]}),
        "test_embedded_resource" => json!({"content": [{"type": "resource", "resource": {
            "uri": "test://embedded-resource", "mimeType": "text/plain",
            "text": "This is an embedded resource content.",
        }}]}),
        "test_multiple_content_types" => json!({"content": [
            {"type": "text", "text": "Multiple content types test:"},
            image,
            {"type": "resource", "resource": {
                "uri": "test://mixed-content-resource", "mimeType": "application/json",
                "text": "{\"test\":\"data\",\"value\":123}",
            }},
        ]}),
        "test_tool_with_logging" => {
            for text in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
                log(context, text).await?;
                pause().await;
            }
            says("Logged three times.")
        }
        "test_tool_with_progress" => {
            let token = context.meta.get_progress_token();
            for progress in [0.0, 50.0, 100.0] {
                if let Some(token) = token.clone() {
                    let progress = ProgressNotificationParam::new(token, progress).with_total(100.0);
                    context.peer.notify_progress(progress).await.map_err(failed)?;
                }
                pause().await;
            }
            says("Three steps.")
        }
        "test_error_handling" => json!({
            "isError": true,
            "content": [{"type": "text", "text": "This tool intentionally returns an error for testing"}],
        }),
        "test_sampling" => {
            let wish = made(json!({
                "messages": [{"role": "user", "content": {"type": "text", "text": argument("prompt")}}],
                "maxTokens": 100,
            }))?;
            let answer = context.peer.create_message(wish).await.map_err(failed)?;
            let answer = serde_json::to_value(answer).map_err(failed)?;
            says(&format!("LLM response: {}", answer["content"]["text"].as_str().unwrap_or_default()))
        }
        "test_elicitation" => {
            let text = |about: &str| json!({"type": "string", "description": about});
            let schema = json!({
                "type": "object",
                "properties": {"username": text("User's response"), "email": text("User's email address")},
                "required": ["username", "email"],
            });
            let answer = ask(context, &argument("message"), schema).await?;
            says(&format!("User response: action={}, content={}", answer["action"], answer["content"]))
        }
        "test_elicitation_sep1034_defaults" => {
            let schema = json!({"type": "object", "properties": {
                "name": {"type": "string", "default": "John Doe"},
                "age": {"type": "integer", "default": 30},
                "score": {"type": "number", "default": 95.5},
                "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
                "verified": {"type": "boolean", "default": true},
            }});
            let answer = ask(context, "Please look at the defaults", schema).await?;
            says(&format!(
                "Elicitation completed: action={}, content={}",
                answer["action"], answer["content"]
            ))
        }
        "test_elicitation_sep1330_enums" => {
            let titled = |title: &str| {
                let one = |n: usize, word: &str| json!({"const": format!("value{n}"), "title": format!("{word} {title}")});
                json!([one(1, "First"), one(2, "Second"), one(3, "Third")])
            };
            let words = json!(["option1", "option2", "option3"]);
            let schema = json!({"type": "object", "properties": {
                "untitledSingle": {"type": "string", "enum": words},
                "titledSingle": {"type": "string", "oneOf": titled("Option")},
                "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                               "enumNames": ["Option One", "Option Two", "Option Three"]},
                "untitledMulti": {"type": "array", "items": {"type": "string", "enum": words}},
                "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
            }});
            let answer = ask(context, "Please choose", schema).await?;
            says(&format!(
                "Elicitation completed: action={}, content={}",
                answer["action"], answer["content"]
            ))
        }
        "test_reconnection" | "json_schema_2020_12_tool" => says("Done."),
        _ => return Err(ErrorData::invalid_params("no such tool", None)),
    })
}

fn read(uri: &str) -> Result<Value, ErrorData> {
    let content = match uri {
        "test://static-text" | "test://watched-resource" => json!({
            "uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource.",
        }),
        "test://static-binary" => json!({"uri": uri, "mimeType": "image/png", "blob": PNG}),
        _ => match uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data")) {
            Some(id) => json!({
                "uri": uri, "mimeType": "application/json",
                "text": json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")}).to_string(),
            }),
            None => return Err(ErrorData::resource_not_found("no such resource", None)),
        },
    };
    Ok(json!({"contents": [content]}))
}

fn prompt(name: &str, argument: &dyn Fn(&str) -> String) -> Result<Value, ErrorData> {
    let message = |content: Value| json!({"role": "user", "content": content});
    let text = |text: &str| message(json!({"type": "text", "text": text}));
    let messages = match name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            vec![text(&format!(
                "Prompt with arguments: arg1='{}', arg2='{}'",
                argument("arg1"),
                argument("arg2")
            ))]
        }
        "test_prompt_with_embedded_resource" => vec![
            message(json!({"type": "resource", "resource": {
                "uri": argument("resourceUri"), "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            }})),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image" => vec![
            message(json!({"type": "image", "data": PNG, "mimeType": "image/png"})),
            text("Please analyze the image above."),
        ],
        _ => return Err(ErrorData::invalid_params("no such prompt", None)),
    };
    Ok(json!({"messages": messages}))
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .enable_completions()
            .enable_logging()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("vib-conformance", "0"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        made(tools())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let result: CallToolResult = made(call(&request, &context).await?)?;
        Ok(result.into())
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resource = |uri: &str, mime: &str| json!({"uri": uri, "name": uri, "mimeType": mime});
        made(json!({"resources": [
            resource("test://static-text", "text/plain"),
            resource("test://static-binary", "image/png"),
            resource("test://watched-resource", "text/plain"),
        ]}))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        made(json!({"resourceTemplates": [
            {"uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "application/json"},
        ]}))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let result: ReadResourceResult = made(read(&request.uri)?)?;
        Ok(result.into())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let argument = |name: &str| json!({"name": name, "required": true});
        made(json!({"prompts": [
            {"name": "test_simple_prompt", "description": "A prompt of the suite"},
            {"name": "test_prompt_with_arguments", "description": "A prompt of the suite",
             "arguments": [argument("arg1"), argument("arg2")]},
            {"name": "test_prompt_with_embedded_resource", "description": "A prompt of the suite",
             "arguments": [argument("resourceUri")]},
            {"name": "test_prompt_with_image", "description": "A prompt of the suite"},
        ]}))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = serde_json::to_value(&request.arguments).unwrap_or_default();
        let argument = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
        let result: GetPromptResult = made(prompt(&request.name, &argument)?)?;
        Ok(result.into())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        made(json!({"completion": {"values": ["paris", "park", "party"], "total": 3, "hasMore": false}}))
    }
}

fn serve(context: project::Context, handler: impl Handler) -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::bind_without_token(context, Options::default(), handler)?;
    println!("{}", server.agents().url);
    server.run(std::future::pending())?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = project::Context::from_process()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [flag, folder] if flag == "--shipped" => {
            let folder = PathBuf::from(folder);
            let shipped = mcp::Server::new(context.beside(&folder)?, folder);
            serve(context, shipped)
        }
        _ => serve(context, Fixtures),
    }
}
