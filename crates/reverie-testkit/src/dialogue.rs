//! How is the dialogue language read? (The crate's page describes it.)
//!
//! A mistake in a fixture is a mistake in a test: it panics and shows the line.

use crate::{Line, Speaker};
use reverie_core::attribute::Attribute;

/// Reads a whole dialogue.
#[track_caller]
pub fn parse_dialogue(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match parse_line(line) {
            Ok(line) => lines.push(line),
            Err(problem) => panic!("{problem} in the line: {line}"),
        }
    }
    lines
}

/// Reads who is meant: `钦灵`, `[role_id=1]` or `钦灵[role_id=1, script_role_id=x]`.
#[track_caller]
pub fn parse_speaker(text: &str) -> Speaker {
    match speaker(text) {
        Ok(speaker) => speaker,
        Err(problem) => panic!("{problem} in the speaker: {text}"),
    }
}

fn parse_line(line: &str) -> Result<Line, String> {
    let (head, spoken) = line.split_once(':').ok_or("no `:` behind the speaker")?;
    let (attribute, head) = if let Some(addressee) = head.strip_prefix('#') {
        (Attribute::System, addressee)
    } else if let Some(player) = head.strip_prefix('@') {
        (Attribute::User, player)
    } else {
        (Attribute::Assistant, head)
    };
    let (who, witnesses) = match head.split_once('→') {
        Some(_) if attribute == Attribute::System => {
            return Err("a direction has no witnesses besides its addressee".to_owned());
        }
        Some((who, witnesses)) => {
            (who, Some(witnesses.split('、').map(speaker).collect::<Result<Vec<_>, _>>()?))
        }
        None => (head, None),
    };
    let spoken = Spoken::parse(spoken.trim_start())?;
    Ok(Line {
        attribute,
        speaker: speaker(who)?,
        content: spoken.content,
        emotion: spoken.emotion,
        tts: spoken.tts,
        action: spoken.action,
        witnesses,
    })
}

fn speaker(text: &str) -> Result<Speaker, String> {
    let text = text.trim();
    let (name, ids) = match text.split_once('[') {
        Some((name, ids)) => (name.trim(), ids.strip_suffix(']').ok_or("`[` without `]` at the end")?),
        None => (text, ""),
    };
    let mut speaker = if name.is_empty() { Speaker::default() } else { Speaker::named(name) };
    for pair in ids.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').ok_or("an id is written key=value")?;
        let part = match key {
            "role_id" => &mut speaker.role_id,
            "script_role_id" => &mut speaker.script_role_id,
            "display_name" => &mut speaker.display_name,
            _ => return Err(format!("unknown key `{key}`; known are role_id, script_role_id, display_name")),
        };
        *part = Some(value.to_owned());
    }
    Ok(speaker)
}

struct Spoken {
    content: String,
    emotion: Option<String>,
    tts: Option<String>,
    action: Option<String>,
}

impl Spoken {
    /// `【emotion】content<tts>（action）`, read from both ends: the emotion first, the action and then the
    /// speech last, so that brackets in the middle of the content stay content.
    fn parse(text: &str) -> Result<Self, String> {
        let glyphs = Glyph::read(text)?;
        let (emotion, rest) = match glyphs.as_slice() {
            [first, rest @ ..] if first.is('【') => {
                let end = rest.iter().position(|glyph| glyph.is('】')).ok_or("`【` without `】`")?;
                let (emotion, rest) = rest.split_at(end);
                (Some(Glyph::write(emotion)), rest.get(1..).unwrap_or_default())
            }
            whole => (None, whole),
        };
        let (rest, action) = part_at_the_end(rest, '（', '）');
        let (content, tts) = part_at_the_end(rest, '<', '>');
        Ok(Self { content: Glyph::write(content), emotion, tts, action })
    }
}

fn part_at_the_end(glyphs: &[Glyph], open: char, close: char) -> (&[Glyph], Option<String>) {
    if let [before @ .., last] = glyphs
        && last.is(close)
        && let Some(start) = before.iter().rposition(|glyph| glyph.is(open))
    {
        let (rest, part) = before.split_at(start);
        return (rest, Some(Glyph::write(part.get(1..).unwrap_or_default())));
    }
    (glyphs, None)
}

/// A character, and whether `\` stood before it.
struct Glyph {
    character: char,
    escaped: bool,
}

impl Glyph {
    fn read(text: &str) -> Result<Vec<Self>, String> {
        let mut glyphs = Vec::new();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            glyphs.push(match character {
                '\\' => Self { character: characters.next().ok_or("nothing behind `\\`")?, escaped: true },
                '⏎' => Self { character: '\n', escaped: true },
                '␠' => Self { character: ' ', escaped: true },
                _ => Self { character, escaped: false },
            });
        }
        Ok(glyphs)
    }

    fn write(glyphs: &[Self]) -> String {
        glyphs.iter().map(|glyph| glyph.character).collect()
    }

    fn is(&self, mark: char) -> bool {
        !self.escaped && self.character == mark
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(line: &str) -> [Option<String>; 4] {
        let [Line { content, emotion, tts, action, .. }] = parse_dialogue(line).try_into().unwrap();
        [emotion, Some(content), tts, action]
    }

    #[test]
    fn parts_are_read_from_both_ends() {
        for (text, expected) in [
            ("好", ["-", "好", "-", "-"]),
            ("【开心】好<はい>（笑）", ["开心", "好", "はい", "笑"]),
            ("好（笑）", ["-", "好", "-", "笑"]),
            ("<はい>", ["-", "", "はい", "-"]),
            ("【】好<>（）", ["", "好", "", ""]),
            ("", ["-", "", "-", "-"]),
            ("a（b）c【d】e<f>g", ["-", "a（b）c【d】e<f>g", "-", "-"]),
            ("好（一）（二）", ["-", "好（一）", "-", "二"]),
            ("\\【开心】好\\（笑\\）", ["-", "【开心】好（笑）", "-", "-"]),
            ("␠一⏎二␠", ["-", " 一\n二 ", "-", "-"]),
            ("12:30 见", ["-", "12:30 见", "-", "-"]),
        ] {
            let expected = expected.map(|part| (part != "-").then(|| part.to_owned()));
            assert_eq!(spoken(&format!("钦灵: {text}")), expected, "{text}");
        }
    }

    #[test]
    fn heads_say_who_speaks_how_and_to_whom() {
        let lines = parse_dialogue(
            "
            #: 一
            #钦灵: 二

            @莱姆: 三
            钦灵[role_id=1, script_role_id=x]: 四
            [display_name=] →莱姆、[role_id=2]: 五",
        );
        let attributes: Vec<_> = lines.iter().map(|line| line.attribute.as_str()).collect();
        assert_eq!(attributes, ["system", "system", "user", "assistant", "assistant"]);
        assert_eq!(lines[0].speaker, Speaker::default());
        assert_eq!(lines[1].speaker, Speaker::named("钦灵"));
        assert_eq!(
            lines[3].speaker,
            Speaker {
                role_id: Some("1".into()),
                script_role_id: Some("x".into()),
                display_name: Some("钦灵".into())
            }
        );
        assert_eq!(lines[4].speaker, Speaker::named(""));
        assert_eq!(lines[4].witnesses, Some(vec![Speaker::named("莱姆"), parse_speaker("[role_id=2]")]));
        assert_eq!(lines[3].witnesses, None);
    }

    #[test]
    #[should_panic(expected = "no `:` behind the speaker in the line: 钦灵 你好")]
    fn a_mistake_shows_its_line() {
        parse_dialogue("@莱姆: 一\n钦灵 你好");
    }

    #[test]
    #[should_panic(expected = "unknown key `roleid`")]
    fn an_unknown_id_is_refused() {
        parse_speaker("钦灵[roleid=1]");
    }
}
