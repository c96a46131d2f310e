//! What must hold for every request of a chat client?

use reverie_core::perspective::Role;

use crate::completions::{
    Alignment, Body, By, Dialogue, Insert, Late, Path, Place, Rules, Stored, Then, align, inject,
};

/// What is not changed is written equal; what is recorded is not new again, wherever the list is cut off; what is put into a
/// request is put there once.
pub fn completions(bytes: &[u8]) {
    let Ok(body) = Body::parse(bytes) else { return };
    let written = body.to_bytes();
    let again = Body::parse(&written).expect("what was written can be read");
    assert_eq!(again.to_bytes(), written, "a request is written as it was read");
    let rules =
        Rules { users: vec![vec!["Tom".into()]], characters: vec![vec!["Alice".into()]], ..Rules::default() };
    let dialogue = body.dialogue(&rules);
    assert_eq!(again.dialogue(&rules), dialogue);
    let places: Vec<usize> = dialogue.said.iter().map(|said| said.at).collect();
    assert!(places.is_sorted_by(|a, b| a < b) && places.iter().all(|at| *at < body.message_count()));
    assert!(dialogue.said.iter().all(|said| !said.text.trim().is_empty()), "nobody says nothing");
    let gone = body.message_count() - body.without(&places).message_count();
    assert_eq!(gone, places.len() - calls(&body, &places), "{places:?}");
    recorded(&dialogue);
    let insert =
        |place, text: &str| Insert { place, role: Role::System, text: text.to_owned(), items: Vec::new() };
    let inserts = [
        insert(Place::System, "灵溪镇在雾山脚下。\n\nThe bell."),
        insert(Place::BeforeNewest, "Tom is afraid."),
        insert(Place::Depth(2), "Be brief."),
    ];
    for late in [Late::OwnMessage, Late::InUserMessage] {
        let once = inject(&body, &inserts, late).body;
        assert_eq!(inject(&once, &inserts, late).body.to_bytes(), once.to_bytes(), "once is enough");
    }
}

/// Messages that stay because they call tools.
fn calls(body: &Body, places: &[usize]) -> usize {
    body.messages()
        .iter()
        .enumerate()
        .filter(|(at, message)| message.calls && places.binary_search(at).is_ok())
        .count()
}

/// The whole list is recorded, then sent again: whole, cut off at the front, and without its end.
fn recorded(dialogue: &Dialogue) {
    let lines: Vec<Stored<usize>> = dialogue
        .said
        .iter()
        .enumerate()
        .map(|(key, said)| Stored {
            key,
            by: said.by,
            name: said.name.clone(),
            speaker: said.speaker.clone(),
            text: said.text.clone(),
            exchange: None,
            hidden: false,
            waits: false,
        })
        .collect();
    let path = Path { lines: &lines, is_whole: true };
    for cut in 0..dialogue.said.len().min(20) {
        let said = dialogue.said.get(cut..).unwrap_or_default().to_vec();
        let count = said.len();
        let found = found(path, &Dialogue { said, ..dialogue.clone() });
        let is_nothing_new = match found.then {
            Then::Append { from } => from == count,
            Then::Continue { .. } => true,
            // Words that were said before stand for those that were said last.
            Then::Regenerate { .. } | Then::Reword { .. } | Then::Elsewhere { .. } => repeats(dialogue),
            Then::Branch { .. } => false,
        };
        assert!(is_nothing_new && found.revised.is_empty(), "cut off at {cut}: {found:?} of {dialogue:?}");
    }
    let mut shorter = dialogue.clone();
    let gone = shorter.said.pop();
    let has_user = shorter.said.iter().any(|said| said.by == By::User);
    if let (Some(gone), true, false) = (gone, has_user, repeats(dialogue)) {
        let found = found(path, &shorter).then;
        let expected = Then::Regenerate { beside: shorter.said.len() };
        assert!(gone.by == By::User || found == expected, "{found:?} of {dialogue:?}");
    }
}

fn found(path: Path<'_, usize>, dialogue: &Dialogue) -> Alignment<usize> {
    align(path, |_| Vec::new(), dialogue)
}

/// True if something is said twice, or what is said begins like something else.
fn repeats(dialogue: &Dialogue) -> bool {
    let squeezed = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let texts: Vec<String> = dialogue.said.iter().map(|said| squeezed(&said.text)).collect();
    texts.iter().enumerate().any(|(at, text)| {
        texts.iter().enumerate().any(|(other, longer)| at != other && longer.starts_with(text.as_str()))
    })
}
