//! How does an OpenAPI document read as tables?

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::json::{at, list, text};
use anyhow::{Context, Result};
use serde_json::Value;

/// The page of all operations.
pub(super) fn page(document: &str) -> Result<String> {
    let document: Value = serde_json::from_str(document).context("the OpenAPI document is not JSON")?;
    let about = text(&document, "/info/description").unwrap_or_default();
    let mut page = format!(
        "# HTTP API\n\n{about}\n\n\
         The same as OpenAPI 3.1, with every type and example, is at `/openapi.json` of a running server, and readable at `/docs`.\n\n\
         Besides these a server answers MCP clients at `/mcp` ([guide](../guides/mcp.md)), and code for mem0 at `/memories`, `/search`, \
         `/reset` and `/configure` ([guide](../guides/mem0.md)).\n\n\
         | operation | method | path | summary | body → answer | query |\n|---|---|---|---|---|---|\n"
    );
    let mut parameters: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (path, item) in at(&document, "/paths").as_object().context("the OpenAPI document has no paths")? {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let id = text(operation, "/operationId").with_context(|| format!("{method} {path} has no id"))?;
            let query = query_parameters(operation);
            writeln!(
                page,
                "| `{id}` | {} | `{path}` | {} | {} | {} |",
                method.to_uppercase(),
                cell(text(operation, "/summary").unwrap_or_default()),
                types(&document, operation),
                query.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", "),
            )?;
            for (name, meaning) in query {
                parameters.entry((name, meaning)).or_default().push(format!("`{id}`"));
            }
        }
    }
    page.push_str("\n## Query parameters\n\n| name | meaning | operations |\n|---|---|---|\n");
    for ((name, meaning), operations) in parameters {
        writeln!(page, "| `{name}` | {} | {} |", cell(&meaning), operations.join(", "))?;
    }
    Ok(page)
}

fn query_parameters(operation: &Value) -> Vec<(String, String)> {
    let all = list(operation, "/parameters");
    let query = all.filter(|parameter| *at(parameter, "/in") == "query");
    query
        .filter_map(|parameter| {
            let meaning = text(parameter, "/description").unwrap_or_default();
            Some((text(parameter, "/name")?.to_owned(), meaning.to_owned()))
        })
        .collect()
}

/// `PutWorld → WorldView`, by the names of the schemas.
fn types(document: &Value, operation: &Value) -> String {
    let body = name_of(document, at(operation, "/requestBody/content"));
    let answer = name_of(document, at(operation, "/responses/200/content"));
    match (body, answer) {
        (None, None) => String::new(),
        (body, answer) => {
            format!("{} → {}", body.unwrap_or_default(), answer.unwrap_or_default()).trim().to_owned()
        }
    }
}

fn name_of(document: &Value, content: &Value) -> Option<String> {
    let (media, holder) = content.as_object()?.iter().next()?;
    let Some(reference) = text(holder, "/schema/$ref") else { return Some(format!("`{media}`")) };
    let item = at(document, reference.trim_start_matches('#'));
    match text(item, "/properties/items/items/$ref") {
        Some(of) => Some(format!("page of `{}`", last_part(of))),
        None => Some(format!("`{}`", last_part(reference))),
    }
}

fn last_part(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or(reference)
}

/// A bar would end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_operation_is_a_row() {
        let document = r##"{"info":{"description":"About."},"paths":{"/v1/x":{"get":{"operationId":"getX","summary":"Read",
            "parameters":[{"name":"limit","in":"query","description":"so many"},{"name":"x","in":"path"}],
            "responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/X"}}}}}}}}}"##;
        let page = super::page(document).unwrap();
        assert!(page.contains("| `getX` | GET | `/v1/x` | Read | → `X` | `limit` |"), "{page}");
        assert!(page.contains("| `limit` | so many | `getX` |"), "{page}");
    }
}
