//! What holds for every dialogue, however odd, and every profile?

use proptest::prelude::*;
use reverie_core::perspective::{Message, Messages, Profile, Role, Seen, Voice, perspective};
use reverie_testkit::strategies::{MARKER_CLOSE, MARKER_OPEN, dialogues, profiles, speakers};
use reverie_testkit::{Line, SlowMessage, Speaker, render, seen_by, slow_perspective};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_slow_one_agrees(target in speakers(), lines in dialogues(), profile in profiles()) {
        let quick = perspective(view(&target, &lines), &profile);
        let slow = slow_perspective(&target, &lines, &profile);
        let quick: Vec<Message<'_>> = quick.iter().collect();
        let slow: Vec<Message<'_>> = slow.iter().map(SlowMessage::as_message).collect();
        prop_assert_eq!(&quick, &slow, "\nquick\n{}slow\n{}", render(quick.clone()), render(slow.clone()));
    }

    /// Own lines in assistant messages, the rest in user and system messages, unseen lines nowhere.
    #[test]
    fn each_seen_line_is_told_once_in_order_by_its_role(target in speakers(), lines in dialogues()) {
        let lines = marked(lines);
        let seen: Vec<(usize, Seen<'_>)> = seen_by(&target, &lines).collect();
        let messages = perspective(seen.iter().map(|(_, line)| *line), &Profile::example());
        for role in [Role::System, Role::User, Role::Assistant] {
            let expected: Vec<String> = (seen.iter())
                .filter(|(_, line)| role_of(line.voice) == role)
                .map(|(index, _)| format!("content{index}"))
                .collect();
            prop_assert_eq!(markers(messages.iter(), role, "content"), expected);
        }
    }

    #[test]
    fn only_own_lines_tell_emotion_and_speech(target in speakers(), lines in dialogues()) {
        let lines = marked(lines);
        let seen: Vec<(usize, Seen<'_>)> = seen_by(&target, &lines).collect();
        let messages = perspective(seen.iter().map(|(_, line)| *line), &Profile::example());
        for kind in ["emotion", "tts", "action"] {
            let own: Vec<String> = (seen.iter())
                .filter(|(_, line)| line.voice == Voice::Own)
                .filter(|(_, line)| part(line, kind).is_some())
                .map(|(index, _)| format!("{kind}{index}"))
                .collect();
            prop_assert_eq!(markers(messages.iter(), Role::Assistant, kind), own);
            prop_assert!(markers(messages.iter(), Role::System, kind).is_empty());
        }
        prop_assert!(markers(messages.iter(), Role::User, "emotion").is_empty());
        prop_assert!(markers(messages.iter(), Role::User, "tts").is_empty());
    }

    #[test]
    fn equal_roles_never_meet(target in speakers(), lines in dialogues(), profile in profiles()) {
        let messages = perspective(view(&target, &lines), &profile);
        for (before, after) in messages.iter().zip(messages.iter().skip(1)) {
            prop_assert!(before.role != after.role || before.role == Role::System, "{}", render(messages.iter()));
        }
    }

    #[test]
    fn every_index_is_covered_once_in_order(target in speakers(), lines in dialogues()) {
        let lines = marked(lines);
        let seen: Vec<(usize, Seen<'_>)> = seen_by(&target, &lines).collect();
        let messages = perspective(seen.iter().map(|(_, line)| *line), &Profile::example());
        let covered: Vec<usize> = messages.iter().flat_map(|message| message.lines).collect();
        prop_assert_eq!(covered, (0..seen.len()).collect::<Vec<_>>());
        for message in messages.iter() {
            let covered: Vec<String> =
                seen[message.lines.clone()].iter().map(|(index, _)| format!("content{index}")).collect();
            prop_assert_eq!(markers([message.clone()], message.role, "content"), covered);
        }
    }

    /// What goes in comes out at most once, plus a constant per line.
    #[test]
    fn the_output_is_bounded_by_the_input(target in speakers(), lines in dialogues(), profile in profiles()) {
        let seen: Vec<Seen<'_>> = view(&target, &lines).collect();
        let bytes_in: usize = seen.iter().map(size).sum();
        let messages = perspective(seen.iter().copied(), &profile);
        prop_assert!(bytes(&messages) <= bytes_in + seen.len() * most_marks_per_line(&profile));
    }

    #[test]
    fn lines_are_drawn_once_and_the_double_costs_the_double(
        target in speakers(), lines in dialogues(), profile in profiles()
    ) {
        let once: Vec<Seen<'_>> = view(&target, &lines).collect();
        let seam = Seen { voice: Voice::System, name: None, content: "——", emotion: None, tts: None, action: None };
        let twice: Vec<Seen<'_>> = once.iter().copied().chain([seam]).chain(once.iter().copied()).collect();
        let (once_messages, once_drawn) = counted(&once, &profile);
        let (twice_messages, twice_drawn) = counted(&twice, &profile);
        prop_assert_eq!(once_drawn, once.len());
        prop_assert_eq!(twice_drawn, 2 * once.len() + 1);
        prop_assert_eq!(twice_messages.len(), 2 * once_messages.len() + 1);
        prop_assert_eq!(bytes(&twice_messages), 2 * bytes(&once_messages) + seam.content.len());
    }
}

/// A single message of very many lines, in each voice: nothing is searched or copied again per line.
#[test]
fn a_long_run_is_one_message() {
    let count = 200_000;
    for (voice, marks) in [(Voice::Own, 0), (Voice::User, 0), (Voice::Other, "：旁白\n".len())] {
        let line =
            Seen { voice, name: Some("旁白"), content: "一", emotion: None, tts: None, action: None };
        let messages = perspective(std::iter::repeat_n(line, count), &Profile::example());
        assert_eq!(messages.len(), 1);
        let message = messages.iter().next().unwrap();
        assert_eq!(message.lines, 0..count);
        let braces_less_last_joiner = if voice == Voice::Other { 1 } else { 0 };
        assert_eq!(message.content.len(), count * ("一".len() + marks) + braces_less_last_joiner);
    }
}

fn view<'a>(target: &'a Speaker, lines: &'a [Line]) -> impl Iterator<Item = Seen<'a>> {
    seen_by(target, lines).map(|(_, seen)| seen)
}

fn role_of(voice: Voice) -> Role {
    match voice {
        Voice::System => Role::System,
        Voice::Own => Role::Assistant,
        Voice::User | Voice::Other => Role::User,
    }
}

/// Every text of every line says which line it belongs to, as what.
fn marked(mut lines: Vec<Line>) -> Vec<Line> {
    for (index, line) in lines.iter_mut().enumerate() {
        let mark = |kind: &str, text: &mut String| {
            text.insert_str(0, &format!("{MARKER_OPEN}{kind}{index}{MARKER_CLOSE}"));
        };
        mark("content", &mut line.content);
        for (kind, part) in
            [("emotion", &mut line.emotion), ("tts", &mut line.tts), ("action", &mut line.action)]
        {
            if let Some(text) = part {
                mark(kind, text);
            }
        }
    }
    lines
}

/// The markers of one kind in the messages of one role, in order.
fn markers<'a>(messages: impl IntoIterator<Item = Message<'a>>, role: Role, kind: &str) -> Vec<String> {
    (messages.into_iter().filter(|message| message.role == role))
        .flat_map(|message| message.content.split(MARKER_OPEN).skip(1))
        .filter_map(|after| after.split_once(MARKER_CLOSE).map(|(marker, _)| marker))
        .filter(|marker| marker.starts_with(kind))
        .map(str::to_owned)
        .collect()
}

fn part<'a>(line: &Seen<'a>, kind: &str) -> Option<&'a str> {
    match kind {
        "emotion" => line.emotion,
        "tts" => line.tts,
        _ => line.action,
    }
}

fn size(line: &Seen<'_>) -> usize {
    let parts = [line.name, line.emotion, line.tts, line.action];
    line.content.len() + parts.into_iter().flatten().map(str::len).sum::<usize>()
}

fn most_marks_per_line(profile: &Profile) -> usize {
    let brackets = [&profile.scene, &profile.emotion, &profile.tts, &profile.action];
    let marks = [
        &profile.name_separator,
        &profile.unknown_name,
        &profile.scene_joiner,
        &profile.after_scene,
        &profile.addressed_joiner,
        &profile.own_joiner,
    ];
    brackets.iter().map(|pair| pair.open.len() + pair.close.len()).sum::<usize>()
        + marks.iter().map(|mark| mark.len()).sum::<usize>()
}

fn bytes(messages: &Messages) -> usize {
    messages.iter().map(|message| message.content.len()).sum()
}

fn counted(lines: &[Seen<'_>], profile: &Profile) -> (Messages, usize) {
    let mut drawn = 0;
    let messages = perspective(lines.iter().copied().inspect(|_| drawn += 1), profile);
    (messages, drawn)
}
