"""The OpenAI SDK for Python against the real proxy in front of a real model: does it notice anything but the memory?

Environment: REVERIE (address), UPSTREAM (the model's own address), RECORD (what the upstream was sent, a line each).
"""

import json
import os
import urllib.request

import openai

REVERIE = os.environ["REVERIE"]
MODEL = "SmolLM2-135M-Instruct"
client = openai.OpenAI(base_url=f"{REVERIE}/v1", api_key="none", max_retries=0, timeout=300)
direct = openai.OpenAI(base_url=f"{os.environ['UPSTREAM']}/v1", api_key="none", max_retries=0, timeout=300)
SHORT = {"max_tokens": 12, "temperature": 0}
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a town",
        "parameters": {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]},
    },
}
CAT = {
    "type": "json_schema",
    "json_schema": {
        "name": "cat",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer"}},
            "required": ["name", "age"],
            "additionalProperties": False,
        },
    },
}


def last_request():
    with open(os.environ["RECORD"], encoding="utf-8") as seen:
        return json.loads(seen.readlines()[-1])


def remember():
    request = urllib.request.Request(
        f"{REVERIE}/v1/worlds/default/digest", data=b'{"now":true}', headers={"content-type": "application/json"}
    )
    urllib.request.urlopen(request, timeout=60).read()


def chat():
    raw = client.chat.completions.with_raw_response.create(
        model=f"{MODEL}@Ann", messages=[{"role": "user", "content": "Good morning, Ann!"}], user="Tom", **SHORT
    )
    assert raw.headers["x-reverie-memory"].startswith("on"), raw.headers
    completion = raw.parse()
    assert completion.choices[0].message.role == "assistant" and completion.choices[0].message.content
    assert completion.usage.completion_tokens > 0
    sent = last_request()
    assert sent["model"] == MODEL, sent["model"]
    assert sent["max_tokens"] == 12 and "reverie" not in sent, sent


def stream():
    pieces = list(
        client.chat.completions.create(
            model=f"{MODEL}@Ann",
            messages=[{"role": "user", "content": "Count to five."}],
            user="Tom",
            stream=True,
            stream_options={"include_usage": True},
            **SHORT,
        )
    )
    texts = [piece.choices[0].delta.content for piece in pieces if piece.choices and piece.choices[0].delta.content]
    assert len(texts) > 1, pieces
    assert any(piece.choices and piece.choices[0].finish_reason for piece in pieces)
    assert pieces[-1].usage.completion_tokens > 0


def tools():
    """This model calls none; what it is told of them, and of calls before, must reach it as it is."""
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"town":"Paris"}'}}
    messages = [
        {"role": "user", "content": "What is the weather in Paris?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "Rain until noon."},
    ]
    completion = client.chat.completions.create(
        model=f"{MODEL}@Ann", messages=messages, user="Tom", tools=[WEATHER], tool_choice="auto", **SHORT
    )
    assert completion.choices[0].finish_reason
    sent = last_request()
    assert (sent["tools"], sent["tool_choice"]) == ([WEATHER], "auto"), sent
    assert [message for message in sent["messages"] if message in messages] == messages, sent["messages"]


def json_schema():
    completion = client.chat.completions.create(
        model=f"{MODEL}@Ann",
        messages=[{"role": "user", "content": "Make up a cat."}],
        user="Tom",
        response_format=CAT,
        max_tokens=40,
        temperature=0,
    )
    assert set(json.loads(completion.choices[0].message.content)) == {"name", "age"}
    assert last_request()["response_format"] == CAT


def errors():
    def refused(of):
        try:
            of.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": 5}])
        except openai.APIStatusError as error:
            return error.status_code, error.body
        raise AssertionError("it was not refused")

    assert refused(client) == refused(direct)


def models():
    names = [model.id for model in client.models.list()]
    assert f"{MODEL}@Ann" in names, names
    assert any("@" not in name for name in names), names


def embeddings():
    answer = client.embeddings.create(model="offline", input=["我最爱吃四川火锅", "他喜欢什么辣的食物", "Der Zug"])
    assert len(answer.data) == 3 and len(answer.data[0].embedding) == len(answer.data[1].embedding) > 0


def another_conversation():
    """What is told to Ann is recalled by Ann in another conversation, and by nobody else."""
    tell = [{"role": "user", "content": "My cat is called Miso and she only eats salmon."}]
    client.chat.completions.create(
        model=f"{MODEL}@Ann", messages=tell, user="Tom", extra_headers={"X-Reverie-Conversation": "monday"}, **SHORT
    )
    remember()
    ask = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What does my cat eat?"}]
    for character, knows in [("Ann", True), ("Bob", False)]:
        client.chat.completions.create(
            model=f"{MODEL}@{character}",
            messages=ask,
            user="Tom",
            extra_headers={"X-Reverie-Conversation": f"friday-{character}"},
            **SHORT,
        )
        sent = json.dumps(last_request()["messages"])
        assert ("Miso" in sent) == knows, (character, sent)


failed = False
for check in [chat, stream, tools, json_schema, errors, models, embeddings, another_conversation]:
    try:
        check()
        print(f"ok {check.__name__}", flush=True)
    except Exception as error:
        failed = True
        print(f"FAILED {check.__name__}: {type(error).__name__}: {error}", flush=True)
raise SystemExit(failed)
