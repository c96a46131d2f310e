"""Lets mem0 itself keep a few memories in a folder, without any model: `mem0_store.py FOLDER`."""

import hashlib
import json
import os
import sys

folder = sys.argv[1]
os.environ["MEM0_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = f"{folder}/home"

from mem0 import Memory

memory = Memory.from_config(
    {
        "vector_store": {
            "provider": "qdrant",
            "config": {"path": f"{folder}/qdrant", "collection_name": "mem0", "embedding_model_dims": 8, "on_disk": True},
        },
        # Neither is ever asked.
        "embedder": {"provider": "openai", "config": {"api_key": "none", "embedding_dims": 8}},
        "llm": {"provider": "openai", "config": {"api_key": "none"}},
        "history_db_path": f"{folder}/history.db",
    }
)


def embed(text, *_, **__):
    return [byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:8]]


memory.embedding_model.embed = embed
memory.embedding_model.embed_batch = lambda texts, *_, **__: [embed(text) for text in texts]

said = [{"role": "user", "content": "I love hiking in the Alps"}, {"role": "assistant", "content": "Noted, the Alps!"}]
first, second = memory.add(said, user_id="alice", metadata={"category": "hobby", "n": 3}, infer=False)["results"]
memory.add([{"role": "user", "content": "钦灵怕水", "name": "李四"}], user_id="alice", agent_id="bot", run_id="r1", infer=False)
memory.update(first["id"], "I love hiking in the Dolomites")
memory.delete(second["id"])
with open(f"{folder}/all.json", "w", encoding="utf-8") as file:
    json.dump(memory.get_all(filters={"user_id": "alice"}), file, ensure_ascii=False)
memory.vector_store.client.close()
