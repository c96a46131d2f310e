"""The same vectors in other stores, searched one after the other: what `cargo xtask bench --peers` measures against.

    python peers.py VECTORS QUERIES DIMENSIONS FOLDER {numpy|lancedb|mem0}…

VECTORS and QUERIES are raw little-endian float32, row by row, each of length 1. Every store is asked in one thread. Prints a line
of JSON when all are loaded, then answers each line `STORE QUERY TOP` from standard input with one: how long the search took in
nanoseconds, and the rows that it found, the nearest first.
"""

import json
import os
import pathlib
import shutil
import sys
import time
import uuid

# Before anything is imported that reads them.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS"):
    os.environ[name] = "1"
for name in ("LANCE_CPU_THREADS", "LANCE_IO_THREADS"):
    os.environ[name] = "1"
os.environ["MEM0_TELEMETRY"] = "false"
os.environ["ANONYMIZED_TELEMETRY"] = "false"
os.environ["DO_NOT_TRACK"] = "1"

from importlib.metadata import version

import numpy as np

OWNER = "somebody"
BATCH = 5000


def main():
    vectors_file, queries_file, dimensions, folder, *names = sys.argv[1:]
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ["MEM0_DIR"] = str(folder / "mem0-home")
    vectors = np.fromfile(vectors_file, dtype="<f4").reshape(-1, int(dimensions))
    queries = np.fromfile(queries_file, dtype="<f4").reshape(-1, int(dimensions))
    stores, told = {}, {}
    for name in names:
        start = time.perf_counter()
        try:
            stores[name] = STORES[name](vectors, folder / name)
        except Exception as error:  # One that does not work here does not keep the others from it.
            told[name] = {"failed": f"{type(error).__name__}: {error}"[:400]}
            continue
        told[name] = {"version": stores[name].version, "load_s": round(time.perf_counter() - start, 2)}
        print(f"  loaded {name} in {told[name]['load_s']} s", file=sys.stderr, flush=True)
    say({"ready": told})
    for line in sys.stdin:
        name, query, top = line.split()
        store, query, top = stores[name], queries[int(query)], int(top)
        start = time.perf_counter_ns()
        found = store.search(query, top)
        took = time.perf_counter_ns() - start
        say({"ns": took, "rows": store.rows(found)})


def say(what):
    print(json.dumps(what), flush=True)


class Numpy:
    """The whole matrix times the query, then the nearest of that."""

    def __init__(self, vectors, _):
        self.vectors, self.version = vectors, version("numpy")

    def search(self, query, top):
        near = self.vectors @ query
        best = np.argpartition(-near, top)[:top] if top < len(near) else np.arange(len(near))
        return best[np.argsort(-near[best], kind="stable")]

    def rows(self, found):
        return [int(row) for row in found]


class Lance:
    """A table without an index: the search is exact."""

    def __init__(self, vectors, folder):
        import lancedb
        import pyarrow as pa

        self.version = version("lancedb")
        dimensions = vectors.shape[1]
        schema = pa.schema([("row", pa.int64()), ("vector", pa.list_(pa.float32(), dimensions))])

        def batches():
            for begin in range(0, len(vectors), BATCH):
                part = vectors[begin : begin + BATCH]
                rows = pa.array(range(begin, begin + len(part)), pa.int64())
                flat = pa.array(part.reshape(-1), pa.float32())
                yield pa.record_batch([rows, pa.FixedSizeListArray.from_arrays(flat, dimensions)], schema=schema)

        whole = pa.Table.from_batches(list(batches()), schema=schema)
        self.table = lancedb.connect(str(folder)).create_table("memories", whole)

    def search(self, query, top):
        search = self.table.search(query, vector_column_name="vector").distance_type("cosine")
        return search.select(["row", "_distance"]).limit(top).to_arrow()

    def rows(self, found):
        return found["row"].to_pylist()


class Mem0:
    """Its default store, Qdrant in local mode, filled and searched through mem0's own class."""

    def __init__(self, vectors, folder):
        from mem0.vector_stores.qdrant import Qdrant

        self.version = version("mem0ai")
        # It writes every point to the disk by itself, which takes minutes; searches do not read it.
        memory = pathlib.Path("/dev/shm")
        folder = memory / f"reverie-peers-{os.getpid()}" if memory.is_dir() else folder
        self.store = Qdrant("memories", vectors.shape[1], path=str(folder), on_disk=False)
        for begin in range(0, len(vectors), BATCH):
            part = vectors[begin : begin + BATCH]
            ids = [str(uuid.UUID(int=begin + place)) for place in range(len(part))]
            payloads = [{"user_id": OWNER, "data": ""} for _ in ids]
            self.store.insert(part.tolist(), payloads, ids)
        if memory.is_dir():
            shutil.rmtree(folder, ignore_errors=True)

    def search(self, query, top):
        query = query.tolist()
        return self.store.search("", query, top_k=top, filters={"user_id": OWNER})

    def rows(self, found):
        return [uuid.UUID(str(point.id)).int for point in found]


STORES = {"numpy": Numpy, "lancedb": Lance, "mem0": Mem0}
main()
