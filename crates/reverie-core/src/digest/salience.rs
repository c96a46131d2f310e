//! What weighs more than other things, as far as rules can tell?
//!
//! The rules, added up and cut off at 1: something that happened weighs 0.5; a word of the list below adds 0.2, once; a feeling
//! adds 0.1; more than one witness adds 0.1.

const EVENT: u32 = 50;
const GRAVE: u32 = 20;
const FELT: u32 = 10;
const SHARED: u32 = 10;

/// The weight of something that the host says happened, if the host does not say how much it matters.
pub fn importance_of_event(text: &str, has_emotion: bool, witnesses: usize) -> f64 {
    // In hundredths, so that the sum is the number that one would write.
    let mut importance = EVENT;
    if is_grave(text) {
        importance += GRAVE;
    }
    if has_emotion {
        importance += FELT;
    }
    if witnesses > 1 {
        importance += SHARED;
    }
    f64::from(importance.min(100)) / 100.0
}

/// Whether a text speaks of what people remember for long: death, birth, marriage, promises, wounds, betrayal.
pub(crate) fn is_grave(text: &str) -> bool {
    let lower = text.to_lowercase();
    CJK.split_whitespace().any(|word| lower.contains(word))
        || crate::words::words(&lower)
            .any(|word| LATIN.split_whitespace().any(|grave| word.starts_with(grave)))
}

const CJK: &str = "
    死 去世 牺牲 出生 怀孕 结婚 婚礼 求婚 离婚 分手 表白 背叛 受伤 重伤 战斗 袭击 失踪 答应 承诺 发誓 约定 保证 秘密 生日 辞职 毕业 搬家 住院
    結婚 婚禮 犧牲 懷孕 離婚 受傷 襲擊 失蹤 答應 承諾 發誓 約定 祕密 畢業 搬家
    亡くな 生まれ 結婚 婚約 離婚 別れ 裏切 怪我 戦 襲 約束 誓 秘密 誕生日 卒業 引っ越";

/// Beginnings of words.
const LATIN: &str = "
    die died death dead kill murder born birth pregnan marr wedding engag divorc betray wound injur fight attack missing promis
    swear swore vow secret birthday graduat hospital";

#[cfg(test)]
mod tests {
    use super::importance_of_event;

    #[test]
    fn rules_add_up() {
        for (text, felt, witnesses, importance) in [
            ("张三修好了屋顶", false, 1, 0.5),
            ("张三和李四举行了婚礼", false, 1, 0.7),
            ("張三去世了", true, 3, 0.9),
            ("The roof was mended", true, 1, 0.6),
            ("They were married in spring", false, 2, 0.8),
            ("彼は約束した", false, 1, 0.7),
        ] {
            let found = importance_of_event(text, felt, witnesses);
            assert!((found - importance).abs() < 1e-9, "{text}: {found}");
        }
    }
}
