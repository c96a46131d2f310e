//! Do the README's calls work as printed, in this order, on a fresh data directory?

use serde_json::Value;

use crate::caller::Caller;
use crate::run::{Directory, serve};

const READMES: [&str; 2] =
    [include_str!("../../../../README.md"), include_str!("../../../../README.zh-CN.md")];
const ADDRESS: &str = "http://127.0.0.1:7878";

#[test]
fn every_curl_line_of_the_readme_answers() {
    for readme in READMES {
        let data = Directory::new();
        let server = serve(&["--data", data.path().to_str().unwrap()], &[]);
        let mut caller = Caller::new(&server);
        let calls = calls(readme);
        assert!(calls.len() >= 9, "{calls:?}");
        for (line, body) in &calls {
            let reply = caller.try_send(line, body).unwrap();
            assert!(reply.status < 300, "{line} {body}: {} {}", reply.status, reply.body);
            let answer = reply.json();
            assert_ne!(answer["messages"], Value::Array(Vec::new()), "{line} {body}");
            assert!(answer["degraded"].as_array().is_none_or(Vec::is_empty), "{line} {body}: {answer}");
        }
        let restored = caller.get("/v1/worlds/colony/conversations/duet/lines");
        assert_eq!(
            restored["items"].as_array().map(Vec::len),
            Some(2),
            "the restore took the last line back"
        );
    }
}

/// The same of the guide for code that was written for mem0.
#[test]
fn every_curl_line_of_the_mem0_guide_answers() {
    let guide = include_str!("../../../../docs/guides/mem0.md");
    let server = serve(&[], &[]);
    let mut caller = Caller::new(&server);
    let answers: Vec<Value> = calls(guide)
        .into_iter()
        .map(|(line, body)| {
            let reply = caller.try_send(&line, &body).unwrap();
            assert_eq!(reply.status, 200, "{line} {body}: {}", reply.body);
            reply.json()
        })
        .collect();
    let [films, peanuts, likes, eats, all, first, reworded, history, _, _] = answers.as_slice() else {
        panic!("{answers:?}")
    };
    assert_eq!((&films["results"][0]["id"], &peanuts["results"][0]["id"]), (&"1".into(), &"2".into()));
    assert!(likes["results"][0]["memory"].as_str().unwrap().contains("sci-fi"), "{likes}");
    assert_eq!(eats["results"][0]["memory"], "Alice is allergic to peanuts.", "{eats}");
    assert_eq!(all["results"].as_array().map(Vec::len), Some(2), "{all}");
    assert_eq!(first["metadata"]["category"], "films", "{first}");
    assert_eq!(reworded["message"], "Memory updated successfully!");
    assert_eq!(history.as_array().map(Vec::len), Some(2), "{history}");
    assert_eq!(caller.get("/memories?user_id=alice")["results"], Value::Array(Vec::new()));
}

/// Method and path, and the body, of each `curl` in a shell block.
fn calls(readme: &str) -> Vec<(String, String)> {
    let mut calls = Vec::new();
    for call in readme.split("\ncurl ").skip(1) {
        let quoted: Vec<&str> = call.split('\'').collect();
        let url_at = call.find(ADDRESS).unwrap() + ADDRESS.len();
        let path: String = call[url_at..].chars().take_while(|c| !c.is_whitespace() && *c != '\'').collect();
        let body = match call.find(" -d '") {
            Some(at) if at < call.find('\n').unwrap_or(call.len()) => {
                let before = call[..at + 4].matches('\'').count();
                quoted[before + 1].to_owned()
            }
            _ => String::new(),
        };
        let method = match call.split_once("-X ") {
            Some((before, after)) if !before.contains('\n') => after.split(' ').next().unwrap(),
            _ if body.is_empty() => "GET",
            _ => "POST",
        };
        calls.push((format!("{method} {path}"), body));
    }
    calls
}
