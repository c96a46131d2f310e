//! Which languages does a space of meanings speak?
//!
//! Asked once of every embedder: sentences that say the same in other words. Where it finds the one by the other, it speaks the
//! language; where it finds nothing, what it says of memories in that language is noise. An embedder that speaks none of these is
//! of another kind, and nobody here can tell. Where there are vectors and nobody who could be asked, the memories tell: those that
//! share rare words must be nearer to each other than to any others.

use super::{Embedder, Vector};
use crate::Result;

/// A language that can be told by its letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tongue {
    Chinese,
    English,
    Japanese,
}

/// Frequent characters that neither simplified nor traditional Chinese writes so.
const JAPANESE: &str = "駅気楽発図売読帰働込畑峠辻枠桜沢渋剣検険験権観歓巻圏広鉱拡仏払恵経軽継総聴庁徳転伝両亜悪囲栄営駆薬訳譲焼乗畳変実対帯団弾遅鉄闘脳廃拝髪抜氷様揺謡頼覧竜猟緑涙塁隣霊齢暦歴労録";
/// If one of so many is among them, the text is Japanese.
const FEW: usize = 12;

impl Tongue {
    pub const ALL: [Self; 3] = [Self::Chinese, Self::English, Self::Japanese];

    /// Of most letters of a text; None: of another one, or of none.
    pub fn of(text: &str) -> Option<Self> {
        let (mut han, mut kana, mut japanese, mut latin, mut other) = (0, 0, 0, 0, 0);
        for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
            match letter {
                '\u{3040}'..='\u{30FF}' => kana += 1,
                '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => {
                    han += 1;
                    japanese += usize::from(JAPANESE.contains(letter));
                }
                'a'..='z' | 'A'..='Z' => latin += 1,
                _ => other += 1,
            }
        }
        // A Latin word has several letters where a Chinese one has two.
        let together = 3 * (han + kana);
        match (together, latin) {
            _ if other > together.max(latin) || together.max(latin) == 0 => None,
            (together, latin) if together < latin => Some(Self::English),
            // Few Japanese sentences are without any.
            _ if kana * 5 > han => Some(Self::Japanese),
            // Headings, names of places and the like are; some of their characters are written so in Japan alone.
            _ if japanese * FEW > han => Some(Self::Japanese),
            _ => Some(Self::Chinese),
        }
    }

    /// Whether words in common mean the same in both: Chinese and Japanese share characters, and what has no kana may be either.
    pub fn shares_words_with(self, other: Self) -> bool {
        self == other || (self != Self::English && other != Self::English)
    }

    fn pairs(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::English => &[
                ("The child was scared of the dark.", "At night the little one was afraid."),
                ("He repaired the broken car.", "The mechanic fixed a damaged vehicle."),
                ("She is getting married next spring.", "Their wedding will be in April."),
                ("It rained heavily all day.", "The storm never stopped pouring."),
                ("I love spicy food.", "Hot chilli dishes are my favourite."),
                ("My dog ran away.", "The puppy escaped and is missing."),
                ("He lost his job last month.", "The company fired him recently."),
                ("We climbed the mountain at sunrise.", "They hiked to the summit at dawn."),
                ("She plays the violin in an orchestra.", "The musician performs with her fiddle."),
                (
                    "The doctor said the wound will heal.",
                    "His injury is going to recover, according to the physician.",
                ),
            ],
            Self::Chinese => &[
                ("孩子害怕黑暗。", "到了晚上，小家伙就吓得发抖。"),
                ("他把坏掉的汽车修好了。", "师傅维修了出故障的车辆。"),
                ("她明年春天结婚。", "婚礼定在四月举行。"),
                ("一整天都在下大雨。", "暴风雨始终没有停。"),
                ("我最爱吃辣的。", "麻辣口味的菜是我的心头好。"),
                ("我的狗跑丢了。", "小狗走失了，到处找不到。"),
                ("他上个月失业了。", "公司最近把他辞退了。"),
                ("我们在日出时登上了山。", "他们清晨爬到了顶峰。"),
                ("她在乐团里拉小提琴。", "这位音乐家用弦乐器演奏。"),
                ("医生说伤口会愈合。", "大夫认为他的伤能好起来。"),
            ],
            Self::Japanese => &[
                ("子供は暗闇を怖がっていた。", "夜になると幼い子がおびえた。"),
                ("彼は壊れた車を修理した。", "整備士が故障した自動車を直した。"),
                ("彼女は来年の春に結婚する。", "式は四月に挙げる予定だ。"),
                ("一日中ひどい雨だった。", "嵐は少しもやまなかった。"),
                ("私は辛い食べ物が大好きだ。", "唐辛子のきいた料理がお気に入りです。"),
                ("飼い犬が逃げてしまった。", "子犬が行方不明になった。"),
                ("彼は先月仕事を失った。", "会社は最近その人を解雇した。"),
                ("私たちは日の出に山へ登った。", "夜明けに頂上まで歩いた。"),
                ("彼女は楽団でバイオリンを弾く。", "その音楽家は弦楽器を演奏する。"),
                ("医者は傷は治ると言った。", "けがは回復すると医師が話した。"),
            ],
        }
    }
}

/// How well a space speaks each language, from 0 to 1, beside the one that it speaks best; and how well it finds what is said in
/// one by what is said in another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Languages {
    /// By the language of what is asked, then by that of what is found.
    shares: [[f32; TONGUES]; TONGUES],
    /// It was asked, and so it is known what it finds in another language.
    is_asked: bool,
}

/// What memories of one language tell of a space: of pairs that belong together, how often nothing else was nearer.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Evidence {
    pairs: u64,
    /// In millionths, so that no order of memories changes a sum.
    won: u64,
}

impl Evidence {
    /// A pair: how many others are further away, of all that were met.
    pub fn add(&mut self, further: usize, met: usize) {
        if met > 0 {
            self.pairs += 1;
            self.won += further as u64 * MILLION / met as u64;
        }
    }

    /// What other memories tell of the same space.
    pub fn and(self, other: Self) -> Self {
        Self { pairs: self.pairs + other.pairs, won: self.won + other.won }
    }

    /// What is so little that nobody can tell is taken to speak.
    fn share(self) -> f32 {
        let won = self.won as f32 / MILLION as f32;
        let found = (won + UNSEEN * SPOKEN) / (self.pairs as f32 + UNSEEN);
        ((found - NOISE) / (HEARD - NOISE)).clamp(0.0, 1.0)
    }
}

const MILLION: u64 = 1_000_000;
/// Before anything is seen, so many pairs are thought of as a space finds them that speaks.
const UNSEEN: f32 = 8.0;
const SPOKEN: f32 = 0.9;
/// Where words are only shapes, pairs are found by the letters that they share: so often and no oftener. Where they are understood, at
/// least so often.
const NOISE: f32 = 0.77;
const HEARD: f32 = 0.81;

const TONGUES: usize = Tongue::ALL.len();
/// By chance a sentence is found by another in half of all cases. What speaks none so much better is of another kind.
const CHANCE: f32 = 0.5;
const SPEAKS: f32 = 0.8;

impl Languages {
    /// Asks an embedder, once, with all sentences.
    pub fn ask(embedder: &dyn Embedder, deadline_ms: i64) -> Result<Self> {
        let texts: Vec<&str> = Tongue::ALL
            .into_iter()
            .flat_map(|tongue| tongue.pairs().iter().flat_map(|(one, other)| [*one, *other]))
            .collect();
        let made = embedder.embed(&texts, deadline_ms)?;
        let vectors: Vec<Option<Vector>> = made.into_iter().map(Vector::normal).collect();
        let mut spoken: [&[Option<Vector>]; TONGUES] = [&[]; TONGUES];
        let mut rest = vectors.as_slice();
        for (tongue, spoken) in Tongue::ALL.into_iter().zip(&mut spoken) {
            (*spoken, rest) = rest.split_at(rest.len().min(2 * tongue.pairs().len()));
        }
        let found = spoken.map(|asked| spoken.map(|among| how_often_found(asked, among)));
        let own = found.iter().enumerate().filter_map(|(at, found)| found.get(at).copied());
        let best = own.fold(CHANCE, f32::max);
        let share = |found: f32| ((found - CHANCE) / (best - CHANCE).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        // Half spoken is hardly understood.
        let heard = |found: f32| share(found) * share(found);
        Ok(Self {
            shares: if best < SPEAKS {
                [[1.0; TONGUES]; TONGUES]
            } else {
                found.map(|found| found.map(heard))
            },
            is_asked: true,
        })
    }

    /// As memories tell, for each language in the order of [`Tongue::ALL`].
    pub fn seen(evidence: [Evidence; TONGUES]) -> Self {
        let own = evidence.map(Evidence::share);
        Self { shares: own.map(|asked| own.map(|told| asked.min(told))), is_asked: false }
    }

    /// Whether it is known how well what is said in one language is found by what is said in another.
    pub fn knows_across(&self) -> bool {
        self.is_asked
    }

    /// How well what is said in one language is found by what is said in another, or in the same. What nobody can tell is taken to be.
    pub fn finds(&self, asked: Option<Tongue>, told: Option<Tongue>) -> f32 {
        let at = |tongue: Tongue| Tongue::ALL.iter().position(|other| *other == tongue);
        let place = asked.and_then(at).zip(told.and_then(at));
        let share = place.and_then(|(asked, told)| self.shares.get(asked)?.get(told).copied());
        share.unwrap_or(1.0)
    }
}

/// Of all other sentences, how many are further from one than the one that says the same; on average.
fn how_often_found(asked: &[Option<Vector>], among: &[Option<Vector>]) -> f32 {
    let (mut won, mut met) = (0usize, 0usize);
    let sayings = |pairs: &[Option<Vector>], which: usize| -> Vec<Option<Vector>> {
        pairs.chunks_exact(2).map(|pair| pair.get(which).cloned().flatten()).collect()
    };
    let (asked, among) = (sayings(asked, 0), sayings(among, 1));
    for (place, one) in asked.iter().enumerate() {
        let Some((one, same)) = one.as_ref().zip(among.get(place).and_then(Option::as_ref)) else { continue };
        let near = one.cosine(same);
        let others = among.iter().enumerate().filter(|(other, _)| *other != place);
        for other in others.filter_map(|(_, other)| other.as_ref()) {
            met += 1;
            won += usize::from(near > one.cosine(other));
        }
    }
    if met == 0 { CHANCE } else { won as f32 / met as f32 }
}
