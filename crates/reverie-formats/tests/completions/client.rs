//! A client that talks, swipes, edits, deletes and cuts off: is the path always what its chat shows?

use proptest::prelude::*;
use reverie_formats::completions::{By, Dialogue, Then};

use crate::tree::{Tree, dialogue};

/// What somebody does in a chat client.
#[derive(Debug, Clone)]
enum Act {
    Say(u8),
    /// Another answer to the last message.
    Regenerate,
    /// The swipe so many before the last one, and something said.
    SwipeBack(u8, u8),
    /// Other words for the last message of the user, and an answer.
    Edit(u8),
    /// So many messages gone, and something said.
    Delete(u8, u8),
    /// The last answer goes on.
    Continue,
    /// Other words for the message before the last so many, and something said behind all of them.
    Reword(u8, u8),
    /// The request was sent, and no answer came; it is sent again.
    Retry(u8),
}

fn act() -> impl Strategy<Value = Act> {
    let word = 0..8_u8;
    prop_oneof![
        4 => word.clone().prop_map(Act::Say),
        2 => Just(Act::Regenerate),
        1 => (1..3_u8, word.clone()).prop_map(|(back, word)| Act::SwipeBack(back, word)),
        1 => word.clone().prop_map(Act::Edit),
        1 => (1..4_u8, word.clone()).prop_map(|(count, word)| Act::Delete(count, word)),
        1 => Just(Act::Continue),
        1 => (1..3_u8, word.clone()).prop_map(|(back, word)| Act::Reword(back, word)),
        1 => word.prop_map(Act::Retry),
    ]
}

/// What the client shows, and all answers that its last message had.
#[derive(Debug, Default)]
struct Client {
    chat: Vec<(By, String)>,
    swipes: Vec<String>,
    said: usize,
}

impl Client {
    /// Some say the same again and again.
    fn words(&mut self, word: u8) -> String {
        self.said += 1;
        match word {
            0 => "嗯".into(),
            1 => "ok".into(),
            _ => format!("第{}句：我们去看第{}座山吧", self.said, self.said),
        }
    }

    /// The beginning and the end of what it shows.
    fn without_the_middle(&self, first: usize, last: usize) -> Dialogue {
        let rest = self.chat.len().saturating_sub(last).max(first);
        let shown = self.chat.iter().take(first).chain(self.chat.iter().skip(rest));
        dialogue(shown.map(|(by, text)| (*by, None, text.clone())), false)
    }

    fn list(&self, window: usize, continues: bool) -> Dialogue {
        let begin = self.chat.len().saturating_sub(window);
        dialogue(self.chat[begin..].iter().map(|(by, text)| (*by, None, text.clone())), continues)
    }

    /// Sends the list, records what it says, and what was answered.
    fn ask(&mut self, tree: &mut Tree, window: usize, continues: bool) {
        self.send(tree, self.list(window, continues), continues);
    }

    fn send(&mut self, tree: &mut Tree, list: Dialogue, continues: bool) {
        let place = tree.record(&tree.align(&list), &list);
        check_nothing_new(tree, &list);
        self.said += 1;
        let answer = format!("这是第{}次回答。", self.said);
        tree.answer(place, &answer);
        match continues {
            true => self.chat.last_mut().unwrap().1.push_str(&answer),
            false => {
                self.chat.push((By::Assistant, answer.clone()));
                self.swipes.push(answer);
            }
        }
    }

    fn say(&mut self, tree: &mut Tree, window: usize, word: u8) {
        let words = self.words(word);
        self.chat.push((By::User, words));
        self.swipes.clear();
        self.ask(tree, window, false);
    }

    fn act(&mut self, tree: &mut Tree, window: usize, act: &Act) {
        match act {
            Act::Say(word) => self.say(tree, window, *word),
            Act::Regenerate => {
                self.chat.pop();
                self.ask(tree, window, false);
            }
            Act::SwipeBack(back, word) => {
                let swipe = self.swipes.len().saturating_sub(1 + usize::from(*back));
                self.chat.last_mut().unwrap().1 = self.swipes[swipe].clone();
                self.say(tree, window, *word);
            }
            Act::Edit(word) => {
                let words = self.words(*word);
                let last = self.chat.iter().rposition(|(by, _)| *by == By::User).unwrap();
                self.chat.truncate(last);
                self.chat.push((By::User, words));
                self.swipes.clear();
                self.ask(tree, window, false);
            }
            Act::Delete(count, word) => {
                // A window in which nobody answers would look like a client that keeps no answers.
                let count = usize::from(*count) * if window == usize::MAX { 1 } else { 2 };
                let left = self.chat.len().saturating_sub(count).max(2);
                self.chat.truncate(left);
                self.say(tree, window, *word);
            }
            Act::Continue => {
                self.swipes.clear();
                self.ask(tree, window, true);
                self.swipes.push(self.chat.last().unwrap().1.clone());
            }
            Act::Reword(back, word) => {
                let words = self.words(7);
                let message = self.chat.len() - 1 - usize::from(*back);
                self.chat[message].1 = words;
                self.say(tree, window, *word);
            }
            Act::Retry(word) => {
                let words = self.words(*word);
                self.chat.push((By::User, words));
                self.swipes.clear();
                let list = self.list(window, false);
                tree.record(&tree.align(&list), &list);
                self.ask(tree, window, false);
            }
        }
    }
}

/// What was recorded is not new when the same list comes again.
fn check_nothing_new(tree: &Tree, list: &Dialogue) {
    let again = tree.align(list);
    let is_nothing_new = match again.then {
        Then::Append { from } | Then::Branch { from, .. } => from == list.said.len(),
        Then::Regenerate { .. } | Then::Reword { .. } | Then::Continue { .. } => true,
        Then::Elsewhere { .. } => false,
    };
    assert!(
        is_nothing_new && again.revised.is_empty() && again.switch.is_none(),
        "{again:?}\n{list:?}\n{tree:?}"
    );
}

fn follow(window: usize, acts: &[Act]) -> Result<(), TestCaseError> {
    let (mut client, mut tree) = (Client::default(), Tree::default());
    client.chat.push((By::Assistant, "欢迎来到茶馆，客官想喝什么茶？".into()));
    client.say(&mut tree, window, 7);
    for act in acts {
        client.act(&mut tree, window, act);
        let path: Vec<String> = tree.path().into_iter().map(|line| line.text).collect();
        let shown: Vec<String> = client.chat.iter().map(|(_, text)| text.clone()).collect();
        prop_assert_eq!(path, shown, "after {:?} of {:?}", act, acts);
    }
    Ok(())
}

/// What a client cuts out of the middle is not forgotten: all of it stays on the path, but for one exchange where nothing tells
/// whether it was removed.
#[test]
fn the_middle_that_a_client_cuts_out_stays() {
    for (first, last) in [(1, 6), (2, 5), (3, 4), (3, 20), (4, 13), (2, 30), (5, 8)] {
        let (mut client, mut tree) = (Client::default(), Tree::default());
        client.chat.push((By::Assistant, "Welcome to the tea house, what will it be?".into()));
        for turn in 0..30 {
            client.chat.push((By::User, format!("Remark {turn}: tea of the year {}", 1900 + turn)));
            let list = client.without_the_middle(first, last);
            client.send(&mut tree, list, false);
        }
        let most = if last < 12 && first > 1 { 2 } else { 0 };
        let lost = client.chat.len() - tree.path().len();
        assert!(lost <= most, "{lost} of {first} and {last}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_path_is_what_the_client_shows(acts in prop::collection::vec(act(), 1..25)) {
        follow(usize::MAX, &acts)?;
    }

    #[test]
    fn the_path_is_what_a_client_shows_that_sends_only_its_end(
        window in 5..12_usize,
        acts in prop::collection::vec(act(), 1..25),
    ) {
        follow(window, &acts)?;
    }
}
