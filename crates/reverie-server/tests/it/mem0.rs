//! Code for mem0's REST server against the real one: its calls, its key header, its shape of errors, and a world of choice.

use serde_json::{Value, json};

use crate::caller::{Caller, check_quiet};
use crate::client::{get, request};
use crate::run::serve;

fn texts(answer: &Value) -> Vec<String> {
    let all = answer["results"].as_array().unwrap_or_else(|| panic!("{answer}"));
    all.iter().map(|one| one["memory"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_documented_calls_work_over_http() {
    let server = serve(&["--mem0-world", "客厅"], &[]);
    let mut caller = Caller::new(&server);
    let messages = json!([{"role": "user", "content": "I planted dahlias behind the house."},
        {"role": "assistant", "content": "I will remember the dahlias."}]);
    let added =
        caller.call("POST /memories", json!({"messages": messages, "user_id": "ann", "agent_id": "fern"}));
    assert_eq!(added["results"][0]["event"], "ADD", "{added}");
    let note = json!({"messages": [{"role": "user", "content": "Ann keeps bees."}], "user_id": "ann", "infer": false,
        "metadata": {"source": "form"}});
    let id = caller.call("POST /memories", note)["results"][0]["id"].as_str().unwrap().to_owned();
    // By meaning alone: the built-in table knows what a flower is, and it is asked before the answer comes.
    let found = caller.call("POST /search", json!({"query": "flowers in the garden", "user_id": "ann"}));
    assert!(texts(&found)[0].contains("dahlias"), "{found}");
    assert!(found["results"][0]["score"].as_f64().unwrap() > 0.0, "{found}");
    assert_eq!(texts(&caller.get("/memories/?agent_id=fern")).len(), 1);
    caller.call(&format!("PUT /memories/{id}"), json!({"text": "Ann keeps bees and one hen."}));
    assert_eq!(caller.get(&format!("/memories/{id}"))["memory"], "Ann keeps bees and one hen.");
    assert_eq!(caller.get(&format!("/memories/{id}/history")).as_array().unwrap().len(), 2);
    caller.call(&format!("DELETE /memories/{id}"), Value::Null);
    assert_eq!(get(server.address, &format!("/memories/{id}")).status, 404);
    let in_world = caller.get("/v1/worlds/%E5%AE%A2%E5%8E%85/characters/ann/memories");
    assert_eq!(in_world["items"].as_array().unwrap().len(), 1, "{in_world}");
    caller.call("DELETE /memories?user_id=ann", Value::Null);
    assert_eq!(texts(&caller.get("/memories?user_id=ann")), [""; 0]);
    check_quiet(&server.log(), &["dahlias", "bees", "ann"]);
}

#[test]
fn its_key_header_carries_our_token() {
    let server = serve(&[], &[("REVERIE_TOKEN", "rv_0123456789abcdef0123456789abcdef")]);
    let ask = |extra: &str| request(server.address, "GET /memories?user_id=a", extra, "").status;
    assert_eq!(ask("X-API-Key: rv_0123456789abcdef0123456789abcdef"), 200);
    assert_eq!(ask("X-API-Key: rv_another"), 401);
    assert_eq!(ask("X-API-Key: m0-key"), 401);
    assert_eq!(ask(""), 401);
    // No page of another site gets in, whatever the shape.
    assert_eq!(
        request(server.address, "GET /memories?user_id=a", "Origin: https://evil.example", "").status,
        403
    );
    // What is refused at the door is told in its shape, too, and elsewhere in ours.
    for (asked, extra) in [
        ("GET /memories?user_id=a", "X-API-Key: rv_another"),
        ("GET /memories/m1/history", ""),
        ("POST /search/", "Origin: https://evil.example"),
    ] {
        let reply = request(server.address, asked, extra, "").json();
        assert!(reply["detail"].is_string() && reply.get("error").is_none(), "{asked}: {reply}");
    }
    assert!(request(server.address, "GET /v1/worlds", "", "").json()["error"]["message"].is_string());
}
