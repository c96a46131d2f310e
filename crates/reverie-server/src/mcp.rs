//! The tools for MCP clients: how does the protocol reach them, over standard input and over HTTP?

use std::sync::Arc;
use std::time::Duration;

use reverie_api::tools::{self, Defaults, Outcome};
use reverie_core::{Code, Error};
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::json;

use crate::http::{Admission, Admitted, Dispatch};

/// One for all clients: what differs between them is in their requests.
#[derive(Clone)]
pub(crate) struct Tools(Arc<Inner>);

struct Inner {
    dispatch: Dispatch,
    defaults: Defaults,
    /// Calls touch the disk, so they run on threads of their own: a bounded number, with a bounded queue.
    admission: Admission,
    patience: Duration,
    all: Vec<Tool>,
}

const INSTRUCTIONS: &str = "Long-term memory. Search before you answer what may have come up before; add what will matter later. \
                            Every tool takes `world` and `character` where the configured ones are not meant.";

impl Tools {
    pub(crate) fn new(
        dispatch: Dispatch,
        defaults: Defaults,
        admission: Admission,
        patience: Duration,
    ) -> Self {
        let all = tools::all().into_iter().map(described).collect();
        Self(Arc::new(Inner { dispatch, defaults, admission, patience, all }))
    }

    async fn call(&self, request: CallToolRequestParams) -> Result<CallToolResult, ErrorData> {
        let inner = Arc::clone(&self.0);
        let name = request.name.into_owned();
        if !inner.all.iter().any(|tool| tool.name == name) {
            let known: Vec<&str> = inner.all.iter().map(|tool| tool.name.as_ref()).collect();
            let message = format!("there is no tool of this name; there are: {}", known.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        }
        let arguments = request.arguments.unwrap_or_default();
        let deadline = tokio::time::Instant::now() + inner.patience;
        let work = {
            let inner = Arc::clone(&inner);
            move || {
                let ask = |request: &reverie_api::Request| (inner.dispatch)(request);
                tools::call(&ask, &inner.defaults, &name, arguments)
            }
        };
        Ok(match inner.admission.run(deadline, work).await {
            Admitted::Done(Some(Outcome::Done(answer))) => CallToolResult::structured(answer),
            Admitted::Done(Some(Outcome::Failed(error))) => CallToolResult::structured_error(error),
            Admitted::Busy => {
                failed(Code::Unavailable, "too many calls are waiting already", "try again in a moment")
            }
            Admitted::TimedOut => failed(
                Code::Unavailable,
                "the call took too long; a change may still be made",
                "look whether it was made before you try again",
            ),
            Admitted::Done(None) | Admitted::Panicked => {
                failed(Code::Internal, "this call met a defect of Reverie", "the log has its place")
            }
        })
    }
}

fn failed(code: Code, message: &str, hint: &str) -> CallToolResult {
    let error = Error::new(code, message).hint(hint);
    let response = reverie_api::error_response(error.code(), error.message(), error.hint_text());
    CallToolResult::structured_error(serde_json::from_slice(&response.body).unwrap_or_else(|_| json!({})))
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let about = Implementation::new("reverie", env!("CARGO_PKG_VERSION")).with_title("Reverie");
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities).with_server_info(about).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.all.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.all.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request).await.map(Into::into)
    }
}

fn described(tool: tools::Tool) -> Tool {
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(tool.reads_only)
        .destructive(tool.is_destructive)
        .idempotent(tool.is_idempotent)
        .open_world(false);
    let mut described = Tool::new(tool.name, tool.description, Arc::new(tool.arguments));
    described.title = Some(tool.title.to_owned());
    described.annotations = Some(annotations);
    described
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Whoever reads the list pays for every word of it in every conversation.
    #[test]
    fn the_list_of_tools_stays_short() {
        let all: Vec<Tool> = tools::all().into_iter().map(described).collect();
        let written = serde_json::to_string(&all).unwrap();
        assert!(written.len() < 8000, "{} bytes: {written}", written.len());
        for tool in all {
            let schema = Value::Object((*tool.input_schema).clone());
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert!(!schema.to_string().contains("$ref"), "{}: {schema}", tool.name);
        }
    }
}
