// A small world as it may look after some weeks: a harbour, four people, a cat. In English and in Chinese, the same story.

import { cardPicture } from "./files.mjs";

const DAY = 86_400_000;
const pick = (language) => (pair) => (Array.isArray(pair) ? pair[language === "en" ? 0 : 1] : pair);

const PEOPLE = [
  ["aya", ["Aya", "绫"], ["Aya keeps the tea house at the harbour. She notices everything and says little.", "绫在港口开着一间茶馆。她什么都看在眼里，话却不多。"], { sky: [122, 92, 168], cloth: [64, 44, 92], hair: [38, 26, 40] }],
  ["tomas", ["Tomas", "老汤"], ["Tomas mends nets and boats, and grumbles about the weather.", "老汤修渔网也修船，总爱抱怨天气。"], { sky: [88, 140, 160], cloth: [42, 74, 92], hair: [150, 146, 140] }],
  ["mira", ["Mira", "小澜"], ["Mira wants to light the lighthouse again.", "小澜想让灯塔重新亮起来。"], { sky: [214, 150, 96], cloth: [150, 62, 48], hair: [120, 66, 30] }],
  ["you", ["You", "旅人"], null, null],
];

/** kind, emotion, importance, days ago, text. */
const OF_AYA = [
  ["semantic", "", .6, 39, ["Miso the cat only eats salmon.", "味噌只吃三文鱼。"]],
  ["semantic", "", .5, 37, ["Miso sleeps on the warm roof of the bakery.", "味噌喜欢睡在面包房暖和的屋顶上。"]],
  ["episodic", "amused", .4, 36, ["Miso knocked a whole tray of tea cups off the counter.", "味噌把柜台上一整盘茶杯都碰翻了。"]],
  ["episodic", "worried", .6, 30, ["Miso did not come home for two nights.", "味噌两个晚上没有回家。"]],
  ["semantic", "", .7, 34, ["The lamp of the lighthouse has been dark since the flood.", "自从那场洪水，灯塔的灯就再也没亮过。"]],
  ["goal", "hopeful", .9, 28, ["I promised Mira to ask the harbour master for lamp oil.", "我答应小澜去向港务长要灯油。"]],
  ["episodic", "hopeful", .7, 27, ["Mira climbed the lighthouse and cleaned the lens by herself.", "小澜一个人爬上灯塔，把透镜擦干净了。"]],
  ["episodic", "sad", .8, 33, ["Mira told how her father went out with the boat and did not return.", "小澜说起父亲驾船出海，再也没有回来。"]],
  ["trait", "", .7, 40, ["I never repeat what is told to me over tea.", "茶桌上听来的话，我从不外传。"]],
  ["trait", "", .5, 40, ["I count the cups before I count the money.", "我先数茶杯，再数钱。"]],
  ["semantic", "", .4, 25, ["Tomas takes his tea black, with two spoons of honey.", "老汤喝浓茶，加两勺蜂蜜。"]],
  ["semantic", "", .5, 22, ["Tomas cannot swim and tells nobody.", "老汤不会游泳，从不告诉别人。"]],
  ["episodic", "amused", .3, 21, ["Tomas blamed the moon for the hole in his net.", "老汤说渔网上的洞都怪月亮。"]],
  ["episodic", "afraid", .8, 18, ["The storm tore the roof off the fish market.", "暴风雨掀掉了鱼市的屋顶。"]],
  ["episodic", "calm", .5, 17, ["After the storm everybody drank tea at my place until morning.", "暴风雨过后，大家在我店里喝茶喝到天亮。"]],
  ["semantic", "", .6, 16, ["The bridge to the mainland is closed until the autumn.", "通往大陆的桥要到秋天才开放。"]],
  ["episodic", "worried", .7, 12, ["A stranger asked how deep the water is below the old pier.", "有个陌生人打听旧码头下面的水有多深。"]],
  ["episodic", "worried", .7, 11, ["I saw a light under the old pier, long after midnight.", "半夜过后很久，我看见旧码头底下有光。"]],
  ["semantic", "", .6, 10, ["Crates without a mark are stored below the old pier.", "旧码头底下放着没有记号的木箱。"]],
  ["goal", "", .8, 9, ["Find out who throws stones at the lamp on the pier.", "查出是谁在码头朝灯扔石头。"]],
  ["semantic", "", .5, 8, ["The lantern festival is on the last night of the month.", "灯节在这个月的最后一晚。"]],
  ["goal", "happy", .6, 7, ["Bake forty moon cakes for the lantern festival.", "为灯节烤四十个月饼。"]],
  ["episodic", "happy", .5, 5, ["The children painted fish on all my paper lanterns.", "孩子们在我的纸灯笼上都画了鱼。"]],
  ["episodic", "calm", .4, 3, ["The first jasmine tea of the year arrived, a little damp.", "今年第一批茉莉花茶到了，有点受潮。"]],
];

const EVENTS = [
  [["aya", "tomas", "mira"], 18, ["The storm flooded the lower street.", "暴风雨淹了下街。"]],
  [["aya", "mira"], 6, ["The lamp on the pier was broken again.", "码头的灯又被打碎了。"]],
  [["tomas", "mira"], 4, ["Tomas and Mira carried the new lens up the tower.", "老汤和小澜把新透镜抬上了塔。"]],
  [["aya", "tomas"], 2, ["Tomas fell off the pier and Aya pulled him out.", "老汤掉下码头，绫把他拉了上来。"]],
];

const OF_OTHERS = [
  ["tomas", "semantic", ["The blue boat needs a new mast before winter.", "入冬前蓝船要换一根新桅杆。"]],
  ["tomas", "goal", ["Learn to swim, quietly, where nobody looks.", "找个没人的地方，悄悄学会游泳。"]],
  ["mira", "goal", ["Light the lighthouse on the night of the lanterns.", "在灯节那晚点亮灯塔。"]],
  ["mira", "semantic", ["The lens of the lighthouse came from overseas in 1889.", "灯塔的透镜是 1889 年从海外运来的。"]],
  ["mira", "trait", ["I do not like to be called brave.", "我不喜欢别人说我勇敢。"]],
];

const LINES = [
  ["you", ["Good evening, Aya. Is the kettle on?", "晚上好，绫。水烧上了吗？"]],
  ["aya", ["It always is. Sit by the window, the stove smokes today.", "一直烧着呢。坐窗边吧，今天炉子冒烟。"], { emotion: ["calm", "平静"] }],
  ["you", ["My cat ran away again. Have you seen her?", "我的猫又跑了，你见过她吗？"]],
  ["aya", ["Miso? I shall leave a piece of salmon at the back door.", "味噌？我在后门给她留块三文鱼。"], { emotion: ["amused", "忍俊不禁"], action: ["wipes a cup", "擦着茶杯"] }],
  ["mira", ["They broke the lamp on the pier. The third time this month!", "码头的灯又被打碎了，这个月第三次了！"], { emotion: ["angry", "气愤"] }],
  ["aya", ["I know who throws the stones, but I promised not to tell.", "我知道是谁扔的石头，可我答应过不说。"], { emotion: ["worried", "担忧"], witnesses: ["you", "aya"] }],
  ["mira", ["What are you two whispering about?", "你们俩在悄悄说什么？"]],
  ["you", ["About salmon. Will the lighthouse be lit for the festival?", "在说三文鱼。灯节那天灯塔会亮吗？"]],
];

/** Makes it, and gives the ids that the pages are about. `id`: of the world. */
export async function sampleWorld(api, id, language) {
  const say = pick(language);
  const path = `/v1/worlds/${encodeURIComponent(id)}`;
  const ago = (days) => new Date(Date.now() - days * DAY).toISOString();
  const book = say(["Harbour", "港口"]);
  await api("PUT", path, { settings: language === "en" ? { language: "en" } : {} });
  for (const [who, name, persona, look] of PEOPLE) {
    if (!look) {
      await api("PUT", `${path}/characters/${who}`, { display_name: say(name) });
      continue;
    }
    await api("PUT", `/v1/cards/${encodeURIComponent(`${id}-${who}`)}`, cardPicture({ name: say(name), description: say(persona) }, { size: 160, colour: face(look) }), "image/png");
    await api("PUT", `${path}/characters/${who}/card`, { card: `${id}-${who}` });
  }
  await api("PUT", `/v1/books/${encodeURIComponent(book)}`, { name: book, entries: Object.fromEntries([
    [["Lighthouse", "灯塔"], ["lighthouse, lamp", "灯塔,灯"], ["The lighthouse stands on the northern rock. Its lamp went out in the flood of last year.", "灯塔立在北边的礁石上，去年洪水时熄灭了。"]],
    [["Old pier", "旧码头"], ["pier", "码头"], ["Nobody has repaired the old pier since the ferry stopped.", "渡船停运以后，旧码头就没人修过。"]],
    [["Lantern festival", "灯节"], ["festival, lantern", "灯节,灯笼"], ["On the last night of the month paper lanterns float out to sea.", "月末的夜晚，纸灯笼会漂向大海。"]],
    [["Tea house", "茶馆"], ["tea, kettle", "茶,水壶"], ["The tea house has five tables and a stove that smokes in east wind.", "茶馆有五张桌子，刮东风时炉子会冒烟。"]],
  ].map(([comment, keys, content], uid) => [uid, { uid, key: say(keys).split(/, ?/), keysecondary: [], comment: say(comment), content: say(content), order: 100 - uid, position: uid % 2, disable: false, selective: true }])) });
  await api("PUT", `${path}/lore/${encodeURIComponent(book)}`, {});
  const ids = [];
  for (const [kind, emotion, importance, days, text] of OF_AYA) {
    const feeling = { amused: "忍俊不禁", worried: "担忧", hopeful: "充满希望", sad: "难过", afraid: "害怕", calm: "平静", happy: "开心" }[emotion];
    ids.push((await api("POST", `${path}/characters/aya/memories`, { kind, importance, text: say(text), time: ago(days), emotions: emotion ? [say([emotion, feeling])] : [] })).id);
  }
  for (const [who, kind, text] of OF_OTHERS) await api("POST", `${path}/characters/${who}/memories`, { kind, text: say(text), time: ago(14) });
  for (const [witnesses, days, text] of EVENTS) await api("POST", `${path}/events`, { text: say(text), witnesses, time: ago(days) });
  await api("PUT", `${path}/checkpoints/${encodeURIComponent(say(["before the festival", "灯节之前"]))}`);
  const { id: talk } = await api("POST", `${path}/conversations`, { id: "tea-house", name: say(["The tea house", "茶馆"]), participants: ["you", "aya", "mira"] });
  const lines = `${path}/conversations/${talk}/lines`;
  for (const [speaker, content, more = {}] of LINES) {
    const details = Object.fromEntries(Object.entries(more).map(([name, value]) => [name, name === "witnesses" ? value : say(value)]));
    await api("POST", lines, { lines: [{ speaker, attribute: speaker === "you" ? "user" : "assistant", content: say(content), ...details }] });
  }
  const { lines: [answer] } = await api("POST", lines, { lines: [{ speaker: "mira", attribute: "assistant", content: say(["If Aya gets the oil, yes.", "要是绫能要到灯油，就会。"]) }] });
  await api("POST", lines, { swipe_of: answer.id, lines: [{ speaker: "mira", attribute: "assistant", content: say(["It will, and you will see it from the other shore!", "会亮的，你在对岸都能看见！"]), emotion: say(["hopeful", "充满希望"]) }] });
  await api("POST", `${path}/digest`, { now: true, slice_ms: 5000 });
  const [promised, spilt, light] = [ids[5], ids[2], ids[17]];
  await api("PATCH", `${path}/memories/${promised}`, { pinned: true });
  await api("PATCH", `${path}/memories/${light}`, { text: say(["I saw a light under the old pier, long after midnight, and heard a cat.", "半夜过后很久，我看见旧码头底下有光，还听见猫叫。"]), importance: 0.8 });
  await api("DELETE", `${path}/memories/${spilt}`);
  return { world: id, character: "aya", conversation: talk, book, memory: light, path, message: say(["Did you see Miso near the old pier last night?", "你昨晚在旧码头附近见过味噌吗？"]) };
}

/** A person before the sky, drawn by a few curves. */
function face({ sky, cloth, hair }) {
  const skin = [232, 190, 160];
  return (x, y) => {
    const [u, v] = [x / 160 - .5, y / 160 - .5];
    const inside = (cx, cy, rx, ry) => ((u - cx) / rx) ** 2 + ((v - cy) / ry) ** 2 < 1;
    if (inside(-.075, -.02, .018, .024) || inside(.075, -.02, .018, .024)) return [50, 36, 40];
    if (inside(0, .1, .05, .016)) return [176, 92, 88];
    if (inside(0, -.17, .2, .13) && v < -.08) return hair;
    if (inside(0, 0, .175, .22)) return skin;
    if (inside(0, -.04, .215, .26)) return hair;
    if (inside(0, .2, .07, .12)) return skin.map((part) => part - 18);
    if (inside(0, .52, .36, .3)) return cloth;
    return sky.map((part) => part + (.1 - v) * 70);
  };
}
