"""The SDK's own client lists and calls every tool, over both transports: `mcp_tools.py stdio PROGRAM FOLDER` or `http URL TOKEN`."""

import asyncio
import sys

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

TOOLS = {
    # name: reads only, destructive, idempotent
    "search_memories": (True, False, True),
    "add_memory": (False, False, False),
    "get_memories": (True, False, True),
    "update_memory": (False, True, True),
    "delete_memory": (False, True, True),
    "recall_context": (True, False, True),
    "record_lines": (False, False, False),
}


async def tour(client, mode):
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(listed) == set(TOOLS), listed.keys()
    for name, hints in TOOLS.items():
        told = listed[name].annotations
        assert (told.read_only_hint, told.destructive_hint, told.idempotent_hint) == hints, (name, told)
        assert listed[name].input_schema["type"] == "object" and listed[name].description, name

    called = set()

    async def call(name, fails=None, **arguments):
        answer = await client.call_tool(name, arguments)
        assert bool(answer.is_error) == bool(fails), (name, arguments, answer)
        if fails:
            error = answer.structured_content["error"]
            assert error["code"] == fails and error["hint"], error
            return error
        called.add(name)
        return answer.structured_content

    world = f"world of {mode}"
    where = {"world": world, "character": "mo"}
    assert (await call("get_memories"))["memories"] == []
    note = await call("add_memory", text="The lighthouse keeper is afraid of gulls.", **where)
    found = await call("search_memories", query="which birds is he scared of", **where)
    assert found["memories"][0]["id"] == note["id"], found
    await call("update_memory", id=note["id"], text="The lighthouse keeper loves gulls.", **where)
    listed_now = await call("get_memories", **where)
    assert listed_now["memories"][0]["text"] == "The lighthouse keeper loves gulls.", listed_now
    lines = [
        {"speaker": "夏", "content": "我姐姐住在灯塔里。"},
        {"speaker": "mo", "content": "那我们去灯塔看她。"},
    ]
    recorded = await call("record_lines", lines=lines, **where)
    assert len(recorded["lines"]) == 2, recorded
    recalled = await call("recall_context", message="我姐姐在哪里？", conversation=recorded["conversation"], **where)
    assert "我姐姐住在灯塔里。" in str(recalled["messages"]), recalled
    elsewhere = await call("search_memories", query="姐姐", world=world, character="夏")
    assert "灯塔" in str(elsewhere), elsewhere
    await call("delete_memory", id=note["id"], **where)
    left = [memory["id"] for memory in (await call("get_memories", **where))["memories"]]
    assert left and note["id"] not in left, left
    await call("update_memory", fails="not_found", id="999", text="x", **where)
    await call("add_memory", fails="invalid", txt="x")
    # An agent that looks first, before it has remembered anything, finds nothing; a world that is not there is a slip.
    nothing = await call("search_memories", query="x", character="nobody", world=world)
    assert nothing["memories"] == [], nothing
    await call("search_memories", fails="not_found", query="x", character="nobody", world="nowhere")
    assert called == set(TOOLS), set(TOOLS) - called
    print(f"every tool over {mode}, as the protocol of {client.protocol_version}", flush=True)


async def main():
    transport, where, what = sys.argv[1:4]
    # `auto` is the newest protocol that both know; `legacy` begins with a handshake, as most clients do.
    for connect in ("auto", "legacy"):
        mode = f"{transport} ({connect})"
        if transport == "stdio":
            arguments = ["mcp", "--data", what, "--log-level", "warn"]
            async with Client(StdioServerParameters(command=where, args=arguments), mode=connect) as client:
                await tour(client, mode)
        else:
            http = create_mcp_http_client(headers={"authorization": f"Bearer {what}"})
            async with Client(streamable_http_client(where, http_client=http), mode=connect) as client:
                await tour(client, mode)


asyncio.run(main())
