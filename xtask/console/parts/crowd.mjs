// Somebody who remembers very much: a world as an export has it, so that it is there within seconds.

const SUBJECTS = ["Miso", "Tomas", "Mira", "the harbour master", "the old pier", "the lighthouse", "味噌", "老汤", "小澜", "灯塔", "a stranger", "the ferry", "the bakery", "码头"];
const DEEDS = ["was seen near", "asked about", "promised to mend", "never speaks of", "is afraid of", "keeps a key to", "dreams of", "counted", "lost", "found", "悄悄离开了", "想念着"];
const THINGS = ["the blue boat", "forty lanterns", "a letter without a name", "the northern rock", "salmon", "lamp oil", "the flood", "a broken lens", "the mainland", "the last winter", "旧渔网", "灯节", "jasmine tea", "a map of the coast", "the third bell"];
const TAILS = ["before dawn", "after the storm", "when nobody looked", "for the second time", "as every year", "and told nobody", "in the rain", "by the stove", "很久以前", "with a smile"];
const KINDS = ["episodic", "episodic", "episodic", "semantic", "semantic", "trait", "goal"];
const LAYERS = ["situational", "events", "archive"];
const FEELINGS = ["", "", "", "calm", "worried", "happy", "sad", "担忧", "amused"];
const DAY = 86_400_000;

/** The same numbers every time. */
function dice(seed) {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** Lines of an export: `count` memories of one character called `aya`, over ten years, some of them shared with `mira`. */
function exported(id, count) {
  const roll = dice(20260101);
  const pick = (list) => list[roll(list.length)];
  const begun = Date.UTC(2016, 0, 1);
  const lines = [
    { type: "world", version: 3, id, created_ms: begun, revision: count + 3, next_line: 1, next_memory: count + 1 },
    { type: "settings", version: 0, preset: "companion", pairs: { language: "en" } },
    ...["aya", "mira", "tomas"].map((who, index) => ({ type: "character", id: who, cards: [{ version: 0, kind: "person", display_name: who[0].toUpperCase() + who.slice(1) }], revision: index + 1 })),
  ];
  const holdings = [];
  const changes = [];
  for (let memory = 1; memory <= count; memory++) {
    const [kind, feeling, revision] = [pick(KINDS), pick(FEELINGS), memory + 3];
    const [subject, thing] = [pick(SUBJECTS), pick(THINGS)];
    const state = kind === "episodic" ? { layer: pick(LAYERS), activity: 1 } : { activity: 1 };
    lines.push({
      type: "memory", id: memory, kind, origin: "hand", text: `${subject} ${pick(DEEDS)} ${thing} ${pick(TAILS)} (${memory}).`, about: [pick(["aya", "mira", "tomas"])],
      importance: (1 + roll(9)) / 10, keywords: [subject, thing], emotions: feeling ? [feeling] : [], wall_ms: begun + Math.floor((memory / count) * 3650) * DAY + roll(DAY), revision,
    });
    for (const holder of memory % 10 === 0 ? ["aya", "mira"] : ["aya"]) {
      holdings.push({ type: "holding", memory, holder, states: [state] });
      changes.push({ type: "holding_change", revision, memory, holder, version: 0 });
    }
  }
  const all = [...lines, ...holdings, ...changes];
  return [...all, { type: "end", records: all.length }].map((line) => JSON.stringify(line)).join("\n");
}

/** Brings it, and waits until every text has its place among meanings. */
export async function crowdedWorld(api, id, count, patience = 20 * 60_000) {
  await api("POST", "/v1/import", exported(id, count), "application/x-ndjson");
  const until = Date.now() + patience;
  for (;;) {
    const { embedding } = await api("GET", `/v1/worlds/${id}/stats`);
    const done = Math.max(0, ...Object.values(embedding?.by_space ?? {}));
    if (done >= (embedding?.texts ?? 0)) return;
    if (Date.now() > until) throw new Error(`only ${done} of ${embedding.texts} texts are embedded`);
    await new Promise((resolve) => { setTimeout(resolve, 1000); });
  }
}
