"""The calls that mem0 documents for its REST server, with plain `requests`: `mem0_calls.py URL TOKEN`."""

import sys

import requests

url, token = sys.argv[1:3]
session = requests.Session()
session.headers["X-API-Key"] = token


def ask(method, path, expected=200, **more):
    answer = session.request(method, url + path, timeout=60, **more)
    assert answer.status_code == expected, (method, path, answer.status_code, answer.text)
    return answer.json()


def memories(answer):
    return [one["memory"] for one in answer["results"]]


assert "message" in ask("POST", "/configure", json={"version": "v1.1", "llm": {"provider": "openai", "config": {"model": "gpt-4o"}}})
assert ask("POST", "/reset") == {"message": "All memories reset"}
assert ask("GET", "/memories", params={"user_id": "alice"}) == {"results": []}

# Create memories, from a conversation and as they stand.
messages = [
    {"role": "user", "content": "I'm planning to watch a movie tonight. Any recommendations?"},
    {"role": "assistant", "content": "How about a thriller?"},
    {"role": "user", "content": "I'm not a big fan of thrillers but I love sci-fi movies."},
]
added = ask("POST", "/memories", json={"messages": messages, "user_id": "alice", "agent_id": "film-bot", "run_id": "evening", "metadata": {"category": "movies"}})
assert [one["event"] for one in added["results"]] == ["ADD"] and "sci-fi" in memories(added)[0], added
notes = [{"role": "user", "content": "Alice is allergic to peanuts."}, {"role": "assistant", "content": "爱丽丝住在上海。"}]
plain = ask("POST", "/memories", json={"messages": notes, "user_id": "alice", "infer": False, "metadata": {"category": "facts", "level": 2}})
assert memories(plain) == [note["content"] for note in notes], plain
assert {"id", "memory", "event", "role", "actor_id"} <= plain["results"][0].keys(), plain

# Get all of one, of another id, and of nobody.
assert len(memories(ask("GET", "/memories", params={"user_id": "alice"}))) == 3
for scope in ({"agent_id": "film-bot"}, {"run_id": "evening"}, {"user_id": "alice", "run_id": "evening"}):
    listed = ask("GET", "/memories", params=scope)["results"]
    assert [one["metadata"] for one in listed] == [{"category": "movies"}], listed
assert ask("GET", "/memories", params={"user_id": "bob"}) == {"results": []}
one = ask("GET", f"/memories/{plain['results'][0]['id']}")
for name in ("id", "memory", "hash", "metadata", "created_at", "updated_at", "user_id"):
    assert one[name], (name, one)

# Search, with ids at the top, in filters, and with what else is filtered by.
for where in ({"user_id": "alice"}, {"filters": {"user_id": "alice"}}, {"filters": {"AND": [{"user_id": "alice"}]}}):
    found = ask("POST", "/search", json={"query": "What kind of films does she like?", **where})["results"]
    assert "sci-fi" in found[0]["memory"] and 0 < found[0]["score"] <= 1, found
found = ask("POST", "/search", json={"query": "food", "user_id": "alice", "filters": {"level": {"gte": 2}}, "top_k": 1})
assert memories(found) == ["Alice is allergic to peanuts."], found
found = ask("POST", "/search", json={"query": "她住在哪个城市？", "user_id": "alice", "filters": {"category": "facts"}})
assert memories(found)[0] == "爱丽丝住在上海。", found

# Update, history, delete.
memory = plain["results"][0]["id"]
assert ask("PUT", f"/memories/{memory}", json={"text": "Alice is allergic to peanuts and soy."})["message"]
assert ask("GET", f"/memories/{memory}")["memory"] == "Alice is allergic to peanuts and soy."
history = ask("GET", f"/memories/{memory}/history")
assert [(event["event"], event["new_memory"]) for event in history] == [
    ("ADD", "Alice is allergic to peanuts."),
    ("UPDATE", "Alice is allergic to peanuts and soy."),
], history
assert ask("DELETE", f"/memories/{memory}") == {"message": "Memory deleted successfully"}
assert "detail" in ask("GET", f"/memories/{memory}", expected=404)
assert ask("GET", f"/memories/{memory}/history")[-1]["is_deleted"] is True
assert ask("DELETE", "/memories", params={"user_id": "alice"}) == {"message": "All relevant memories deleted"}
assert ask("GET", "/memories", params={"user_id": "alice"}) == {"results": []}

# What is wrong is told in the same shape.
assert "identifier" in ask("POST", "/memories", expected=400, json={"messages": notes})["detail"]
assert ask("POST", "/search", expected=422, json={"user_id": "alice"})["detail"][0]["loc"] == ["body", "query"]
session.headers["X-API-Key"] = "rv_not-this-one"
ask("GET", "/memories", expected=401, params={"user_id": "alice"})
print("every documented call of mem0's REST server", flush=True)
