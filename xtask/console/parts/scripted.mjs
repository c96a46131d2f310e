// A server of models that says what is expected of it: enough of OpenAI's API for a test of the connection.

import { createServer } from "node:http";

const vector = (size) => Array.from({ length: size }, (_, index) => (index === 0 ? 1 : 0));

function answer(path, body) {
  if (path.endsWith("/models")) return { object: "list", data: [{ id: "scripted", object: "model" }] };
  if (path.endsWith("/embeddings")) {
    return { object: "list", data: [body.input].flat().map((_, index) => ({ object: "embedding", index, embedding: vector(body.dimensions ?? 8) })), model: body.model, usage: { prompt_tokens: 1, total_tokens: 1 } };
  }
  return { id: "1", object: "chat.completion", created: 0, model: body.model, choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "{\"ok\": true}" } }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
}

/** On a port of its own: `{url, seen(), close()}`. */
export async function scriptedModel() {
  const seen = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const body = text ? JSON.parse(text) : {};
    seen.push({ path: request.url, authorization: request.headers.authorization, body });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer(request.url, body)));
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    seen: () => seen,
    close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }),
  };
}
