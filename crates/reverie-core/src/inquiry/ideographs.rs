//! Which Chinese and Japanese words ask, and which of them ask for what is remembered?
//!
//! Nothing stands between words here, so each place of a sentence is read as the longest of these that begins there. What none of them
//! reads is what else is asked for.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Heard, Piece};
use crate::mind::terms::SPELLING;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    Open,
    Who,
    Manner,
    Telling,
    Remembering,
    /// Asks for a memory, and says of what.
    OfSomething,
    Me,
    /// Makes a question at the end of a clause.
    Particle,
    /// Asks to be told.
    TellMe,
    Light,
}

/// The same in Chinese and in Japanese, where one of them has no other sense in the other.
const SENSES: [(Sense, &str); 10] = [
    (Sense::Open, "什么 啥 哪里 哪儿 哪些 哪 多少 何 なに なん なんて 何て どこ どれ どの"),
    (Sense::Who, "谁 誰 だれ"),
    (Sense::Manner, "怎么样 怎样 咋样 如何 怎么 什么样 どう どんな"),
    (
        Sense::Telling,
        "告诉 说过 说了 说 讲过 讲了 讲 聊过 聊了 聊 谈过 谈 提过 提到 提起 听说 听 交代 发生过 发生 消息 \
         言って 言った 言い 言わ 言う 言 話して 話した 話し 話す 話 聞いて 聞いた 聞い 伝えて 伝えた 伝え 伝言",
    ),
    (
        Sense::Remembering,
        "记不记得 记得 想不想得起 想得起 想起 回忆 知不知道 知道 印象 覚えて 覚え 知って 知ら 知り 思い出して 思い出 記憶",
    ),
    (Sense::OfSomething, "答应 认识 见过 约定 了解 約束 会った 会って"),
    (Sense::Me, "我 咱 私 僕 俺 わたし ぼく おれ あたし"),
    (Sense::Particle, "吗 呢 嘛 么 没有 か の かな っけ"),
    (
        Sense::TellMe,
        "告诉我 跟我说说 和我说说 给我说说 给我讲讲 跟我讲讲 跟我聊聊 和我聊聊 说说 讲讲 聊聊 谈谈 介绍一下 介绍 私に教えて 僕に教えて \
         俺に教えて 教えて",
    ),
    (
        Sense::Light,
        "关于 有关 这个人 那个人 的人 人 事情 事儿 的事 事 的话 话 东西 一些 些 最近 上次 上回 之前 以前 曾经 曾 还 都 有没有 有 跟 和 对 \
         向 给 与 你们 你 您 他们 她们 他 她 它 们 的 了 过 着 吧 啊 呀 是 在 就 也 又 再 那么 那 这 把 被 让 一下 来着 没 不 请 能 可以 \
         会 到底 究竟 然后 诶 喂 嗯 哦 哎 好 大家 样 先生 小姐 \
         について のこと こと さん ちゃん くん くれた くれて くれ もらった ました ません ます です だった でしょう いた いる いて ている てる \
         てた から まで より など なの んだ は が を に へ と も で や ね よ な し た て だ る ら り れ い っ ん う あなた きみ おまえ まだ もう \
         また ねえ なあ あの その この それ ください お願い した して する あった ある ない 最近 前 今 君 様 達 って 下さい",
    ),
];

/// Said like a question, and none.
const NO_QUESTIONS: &str = "什么都 什么也 没什么 没说什么 谁都 谁也 哪都 哪里都 不怎么 何も 誰も";
/// What `你` says behind a name, if it does not speak to its bearer: `莱姆你还记得吗`.
const OF_THE_NAME: &str = "记得 认识 了解";
/// With these somebody is asked to tell a person something.
const REQUESTS: &str = "能 可以 请 帮 麻烦";

pub(super) fn listen(pieces: &[Piece<'_>], heard: &mut Heard) {
    let mut no_question = false;
    let mut last = None;
    for (place, piece) in pieces.iter().enumerate() {
        let Piece::Run(run) = piece else {
            last = None;
            continue;
        };
        no_question |= folded(NO_QUESTIONS).any(|phrase| run.contains(&phrase));
        let is_behind_name = place > 0 && pieces.get(place - 1) == Some(&Piece::Name);
        let is_before_name = pieces.get(place + 1) == Some(&Piece::Name);
        let is_behind_first = place == 1 && is_behind_name;
        heard.is_called |= is_behind_first && is_spoken_to(run) || is_before_name && is_told(run);
        let senses = read(run);
        // `莱姆呢？`
        heard.open |= is_behind_name && matches!(senses.as_slice(), [Some((Sense::Particle, "呢"))]);
        for (sense, _) in senses.iter().flatten() {
            match sense {
                Sense::Open => heard.open = true,
                Sense::Who => (heard.open, heard.who) = (true, true),
                Sense::Manner => heard.manner = true,
                Sense::Telling => heard.telling = true,
                Sense::Remembering => heard.remembering = true,
                Sense::OfSomething => (heard.telling, heard.something) = (true, true),
                Sense::TellMe => (heard.telling, heard.is_question) = (true, true),
                Sense::Me => heard.me = true,
                Sense::Particle | Sense::Light => {}
            }
        }
        heard.something |= senses.iter().any(Option::is_none);
        let asks = |sense: &Sense| matches!(sense, Sense::Open | Sense::Who | Sense::Manner);
        heard.is_question |= !no_question && senses.iter().flatten().any(|(sense, _)| asks(sense));
        last = senses.last().copied().flatten();
    }
    heard.is_question |= matches!(last, Some((Sense::Particle, _)));
}

/// What a run says, from place to place; None where it is something else.
fn read(run: &str) -> Vec<Option<(Sense, &'static str)>> {
    let mut senses = Vec::new();
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let found =
            phrases().get(&first).into_iter().flatten().find(|(phrase, _)| rest.starts_with(phrase.as_str()));
        let length = found.map_or(first.len_utf8(), |(phrase, _)| phrase.len());
        senses.push(found.map(|(phrase, sense)| (*sense, phrase.as_str())));
        rest = rest.get(length..).unwrap_or_default();
    }
    senses
}

/// As they are spelled, by the first character; the longest first.
fn phrases() -> &'static HashMap<char, Vec<(String, Sense)>> {
    static PHRASES: OnceLock<HashMap<char, Vec<(String, Sense)>>> = OnceLock::new();
    PHRASES.get_or_init(|| {
        let mut phrases: HashMap<char, Vec<(String, Sense)>> = HashMap::new();
        for (sense, list) in SENSES {
            for phrase in folded(list) {
                let Some(first) = phrase.chars().next() else { continue };
                phrases.entry(first).or_default().push((phrase, sense));
            }
        }
        phrases
            .values_mut()
            .for_each(|of_one| of_one.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len())));
        phrases
    })
}

fn folded(list: &str) -> impl Iterator<Item = String> {
    list.split_whitespace().map(|phrase| SPELLING.fold(phrase))
}

/// `莱姆你说什么`: who is named is spoken to.
fn is_spoken_to(behind: &str) -> bool {
    behind.starts_with(['你', '您']) && !folded(OF_THE_NAME).any(|phrase| behind.contains(&phrase))
}

/// `能告诉莱姆我来了吗`
fn is_told(before: &str) -> bool {
    before.ends_with("告诉") && folded(REQUESTS).any(|phrase| before.contains(&phrase))
}
