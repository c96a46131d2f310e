//! Which characters are one? Traditional and Japanese ones count as their simplified form.
//!
//! The pairs are part of the table, so that a table and the way in which texts are spelled for it belong together.

use std::collections::BTreeMap;

pub(crate) struct Forms {
    /// No form leads to another.
    pub(crate) pairs: BTreeMap<char, char>,
}

/// What Japanese writes for another character, and Chinese for itself.
const OF_CHINESE: &[char] = &['沪', '弁', '疏', '欠', '予', '醋'];
/// Written so in names and old prints, and one way to write a zero.
const MORE: &[(char, char)] = &[
    ('〇', '零'),
    ('倂', '并'),
    ('冨', '富'),
    ('尭', '尧'),
    ('嶋', '岛'),
    ('愼', '慎'),
    ('戯', '戏'),
    ('擧', '举'),
    ('晄', '晃'),
    ('槪', '概'),
    ('澁', '涩'),
    ('濵', '滨'),
    ('甁', '瓶'),
    ('硏', '研'),
    ('竝', '并'),
    ('緖', '绪'),
    ('艶', '艳'),
    ('芸', '艺'),
    ('萠', '萌'),
    ('衞', '卫'),
    ('襃', '褒'),
    ('邉', '边'),
    ('郞', '郎'),
    ('鄕', '乡'),
    ('鑛', '矿'),
    ('飜', '翻'),
    ('餠', '饼'),
    ('髙', '高'),
    ('鬭', '斗'),
    ('﨑', '崎'),
];

impl Forms {
    /// From a list of traditional characters with their simplified forms, and one of traditional characters with their
    /// Japanese forms.
    pub(crate) fn read(simplified: &str, japanese: &str) -> Self {
        let mut pairs: BTreeMap<char, char> = MORE.iter().copied().collect();
        for line in simplified.lines() {
            let mut letters = line.chars().filter(|c| !c.is_whitespace());
            if let (Some(traditional), Some(first)) = (letters.next(), letters.next()) {
                pairs.entry(traditional).or_insert(first);
            }
        }
        // What is simplified already stays: Japanese writes many characters as Chinese does today.
        let is_last = |form: &char| pairs.values().any(|simplified| simplified == form);
        let mut more = BTreeMap::new();
        for line in japanese.lines() {
            let mut letters = line.chars().filter(|c| !c.is_whitespace());
            let Some(traditional) = letters.next() else { continue };
            for form in letters {
                if !pairs.contains_key(&form) && !is_last(&form) && !OF_CHINESE.contains(&form) {
                    more.entry(form).or_insert(traditional);
                }
            }
        }
        pairs.extend(more);
        let last = |mut c: char| {
            // A ring of forms would be an error of a list: as many steps as there are pairs are enough for any chain.
            for _ in 0..pairs.len() {
                match pairs.get(&c) {
                    Some(next) if *next != c => c = *next,
                    _ => break,
                }
            }
            c
        };
        let pairs = pairs.keys().map(|from| (*from, last(*from))).filter(|(from, to)| from != to).collect();
        Self { pairs }
    }

    pub(crate) fn fold(&self, text: &str) -> String {
        text.chars().map(|c| self.pairs.get(&c).copied().unwrap_or(c)).collect()
    }

    /// What is known of a word by another spelling is known by the one that is looked up; a word that is spelled so by
    /// itself comes first.
    pub(crate) fn fold_keys<T>(&self, words: BTreeMap<String, T>) -> BTreeMap<String, T> {
        let (mut folded, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            words.into_iter().partition(|(word, _)| self.fold(word) == *word);
        for (word, value) in others {
            folded.entry(self.fold(&word)).or_insert(value);
        }
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_leads_to_the_simplified_one() {
        let forms = Forms::read(
            "氣\t气\n乾\t干 乾\n龍\t龙\n薴\t苧\n苧\t苎\n鑛\t矿\n著\t著 着\n來\t来\n",
            "氣 気\n龍 竜\n來 来\n瓣 弁\n鑛 鉱\n",
        );
        for (text, folded) in [
            ("天気 天氣 天气", "天气 天气 天气"),
            ("竜 龍", "龙 龙"),
            ("薴", "苎"),
            ("鉱", "矿"),
            ("弁 著 来 來", "弁 著 来 来"),
            ("二〇二四", "二零二四"),
            ("髙", "高"),
        ] {
            assert_eq!(forms.fold(text), folded);
            assert_eq!(forms.fold(folded), folded, "once is enough");
        }
        let words = BTreeMap::from([("乾隆".to_owned(), 1), ("天氣".to_owned(), 2), ("天气".to_owned(), 3)]);
        let expected = BTreeMap::from([("干隆".to_owned(), 1), ("天气".to_owned(), 3)]);
        assert_eq!(forms.fold_keys(words), expected);
    }
}
