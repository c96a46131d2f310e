//! In what words do background, scene and other data enter the prompt?

use crate::cue::Scene;
use crate::line::Line;
use crate::perspective::Profile;
use crate::time::{Calendar, Language, Moment};

/// The labels of one language.
pub(super) struct Labels {
    pub(super) background: &'static str,
    pub(super) granted: &'static str,
    scene: &'static str,
    other: &'static str,
    time: &'static str,
    place: &'static str,
    people: &'static str,
    event: &'static str,
    colon: &'static str,
    comma: &'static str,
}

pub(super) fn labels(language: Language) -> &'static Labels {
    match language {
        Language::Zh => &Labels {
            background: "[背景参考资料]",
            granted: "[背景参考资料：引用的对话]",
            scene: "[场景]",
            other: "[其他资料]",
            time: "时间",
            place: "地点",
            people: "人物",
            event: "事件",
            colon: "：",
            comma: "、",
        },
        Language::En => &Labels {
            background: "[Background]",
            granted: "[Background: quoted conversation]",
            scene: "[Scene]",
            other: "[Other information]",
            time: "Time",
            place: "Place",
            people: "People",
            event: "Event",
            colon: ": ",
            comma: ", ",
        },
    }
}

/// One line of background: `[时间: …] 张三：……（笑）`.
pub(super) fn background_line(
    line: &Line,
    profile: &Profile,
    calendar: Option<&Calendar>,
    language: Language,
) -> String {
    let moment = Moment { tick: line.tick, wall_ms: Some(line.wall_ms) };
    let mut text = stamp(calendar, moment, language);
    text.push_str(line.name.as_deref().unwrap_or(&profile.unknown_name));
    text.push_str(&profile.name_separator);
    text.push_str(&line.wording.content);
    if let Some(action) = line.wording.action.as_deref().filter(|action| !action.is_empty()) {
        text.push_str(&profile.action.open);
        text.push_str(action);
        text.push_str(&profile.action.close);
    }
    text
}

/// The stamp in front of a message, with the blank behind it; empty where there is no calendar.
pub(super) fn stamp(calendar: Option<&Calendar>, moment: Moment, language: Language) -> String {
    let stamp = calendar.and_then(|calendar| calendar.format(moment, language));
    stamp.map_or_else(String::new, |stamp| stamp + " ")
}

pub(super) fn scene(scene: &Scene, language: Language) -> Option<String> {
    let labels = labels(language);
    let people = (!scene.people.is_empty()).then(|| scene.people.join(labels.comma));
    let fixed = [
        (labels.time, scene.time.as_deref()),
        (labels.place, scene.place.as_deref()),
        (labels.people, people.as_deref()),
        (labels.event, scene.event.as_deref()),
    ];
    let fixed = fixed.into_iter().filter_map(|(label, text)| text.map(|text| (label, text)));
    let more = scene.more.iter().map(|(label, text)| (label.as_str(), text.as_str()));
    section(labels.scene, labels.colon, fixed.chain(more))
}

pub(super) fn other(data: &[(String, String)], language: Language) -> Option<String> {
    let labels = labels(language);
    section(labels.other, labels.colon, data.iter().map(|(label, text)| (label.as_str(), text.as_str())))
}

fn section<'a>(title: &str, colon: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) -> Option<String> {
    let mut text = title.to_owned();
    for (label, value) in rows.filter(|(_, value)| !value.is_empty()) {
        text.push('\n');
        text.push_str(label);
        text.push_str(colon);
        text.push_str(value);
    }
    (text.len() > title.len()).then_some(text)
}
