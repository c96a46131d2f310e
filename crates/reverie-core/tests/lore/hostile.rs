//! Can a book stop a chat? Whatever is in it, a search ends, and says what it left out.
//!
//! No time is asserted here: what is wrong would take hours or all memory.

use std::sync::Arc;

use reverie_core::lore::entry::Position;
use reverie_core::lore::{Activation, Book, Entry, Meter, Request, Rules, Shelf, Timers, place, scan};

const METER: Meter = Meter { length: str::len, per_token: 4 };

fn book(entries: impl IntoIterator<Item = Entry>) -> Book {
    let numbered = (0..).zip(entries);
    let entries = numbered.map(|(id, entry): (u32, _)| Entry { id: Arc::from(id.to_string()), ..entry });
    Book {
        id: Arc::from("hostile"),
        name: String::new(),
        rank: 0,
        scan_depth: None,
        token_budget: None,
        recursive: None,
        entries: entries.map(Arc::new).collect(),
    }
}

fn keyed(key: impl Into<String>) -> Entry {
    Entry { keys: vec![key.into()], content: "content".to_owned(), ..Entry::default() }
}

fn search(book: &Book, rules: &Rules, text: &str, timers: Timers) -> Activation {
    let shelf = Shelf::new([book], rules.spelling).unwrap();
    let messages = [("Mira", text)];
    let request = Request { messages: &messages, max_context: usize::MAX >> 8, ..Request::default() };
    scan(&shelf, rules, &request, timers, METER, &mut |_| 0.5)
}

#[test]
fn ten_thousand_constants_that_feed_each_other_and_stay() {
    let entries = (0..10_000).map(|number| Entry {
        constant: true,
        content: format!("word{number} {{{{char}}}}"),
        keys: vec![format!("word{}", number + 1)],
        sticky: Some(2),
        cooldown: Some(2),
        position: Position::Outlet,
        outlet: format!("outlet {number}"),
        ..Entry::default()
    });
    let book = book(entries);
    let rules = Rules { recursive: true, ..Rules::default() };
    let first = search(&book, &rules, "word1", Timers::default());
    assert_eq!(first.active.len(), 10_000);
    assert_eq!(place(&first.active).len(), 10_000);
    let shelf = Shelf::new([&book], rules.spelling).unwrap();
    let messages = [("Mira", "one"), ("Tom", "two"), ("Mira", "three"), ("Tom", "four")];
    let request = Request { messages: &messages, max_context: usize::MAX >> 8, ..Request::default() };
    let later = scan(&shelf, &rules, &request, first.timers, METER, &mut |_| 0.5);
    assert_eq!(later.active.len(), 0, "all rest");
}

#[test]
fn a_long_chain_is_followed_and_one_without_end_is_cut_and_told() {
    let chain = |links: u32| {
        book(
            (0..links)
                .map(|number| Entry { content: format!("<{}>", number + 1), ..keyed(format!("<{number}>")) }),
        )
    };
    let rules = Rules { recursive: true, ..Rules::default() };
    let long = search(&chain(250), &rules, "<0>", Timers::default());
    assert_eq!((long.active.len(), long.problems.len()), (250, 0));
    let endless = search(&chain(3_000), &rules, "<0>", Timers::default());
    assert_eq!(endless.active.len(), 2_000);
    assert_eq!((endless.problems.len(), &*endless.problems[0].entry), (1, "1999"));
    assert!(endless.problems[0].message.contains("cut after 2000 passes"));
    let ordered = Rules { max_recursion_steps: 7, ..rules };
    let stopped = search(&chain(250), &ordered, "<0>", Timers::default());
    assert_eq!((stopped.active.len(), stopped.problems.len()), (7, 0), "as ordered");
}

#[test]
fn a_dear_chain_is_cut_earlier() {
    let slow = (0..100).map(|number| keyed(format!(r"/[xyz][§¶]{{{}}}/", number + 2)));
    let chain =
        (0..300).map(|number| Entry { content: format!("<{}>", number + 1), ..keyed(format!("<{number}>")) });
    let rules = Rules { recursive: true, most_steps: 80_000_000, ..Rules::default() };
    let text = format!("{} <0>", "a".repeat(20_000));
    let found = search(&book(slow.chain(chain)), &rules, &text, Timers::default());
    assert_eq!(found.active.len(), 200);
    assert_eq!(told(&found, "cut after 200 passes"), 1);
    assert_eq!(told(&found, "took all the work that one search may do"), 100, "long before the end");
    assert_eq!((found.problems.len(), found.steps), (101, rules.most_steps));
}

fn told(found: &Activation, words: &str) -> usize {
    found.problems.iter().filter(|problem| problem.message.contains(words)).count()
}

/// Letters and spaces without any order.
fn noise(length: usize) -> String {
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 40
    };
    (0..length).map(|_| char::from(b"abcdefghijklmnopqrstuvwxyz  "[(next() % 28) as usize])).collect()
}

/// Thousands of patterns, a long window and many passes: what all of them do is counted, and no more than may be done.
#[test]
fn the_work_of_all_patterns_is_bounded() {
    type Hostile = fn(u32) -> String;
    let hostile: &[(&str, u32, Hostile)] = &[
        ("read everything", 3_000, |number| format!(r"/[xyz龙][§¶]{{{}}}/", 2 + number % 50)),
        ("make many states", 500, |number| {
            format!(r"/(?:[a-m]\w{{{}}}[§¶]|[b-q].{{90}}[¶§])/", 30 + number % 50)
        }),
        ("look around", 3_000, |number| format!(r"/(?<![§¶])[^{}][§¶](?!x)/", number % 10)),
        ("look far", 3_000, |number| format!(r"/(?=.*[§¶])(?=.*[§ß]{{{}}})/", number % 10)),
        ("turn round inside", 500, |number| format!(r"/(?=(?:\w*)*[§¶]{{{}}})/", 1 + number)),
        ("refer back", 500, |number| format!(r"/(\w+) .*\1[§¶]{{{}}}/i", 1 + number)),
        ("name somebody", 3_000, |number| format!("{{{{char}}}} the {number}th")),
        ("name somebody in a pattern", 500, |number| format!(r"/[xyz]{{{{noop}}}}[§¶]{{{}}}/", 1 + number)),
    ];
    let rules = Rules { recursive: true, most_steps: 3_000_000, ..Rules::default() };
    let text = format!("{} <0>", noise(10_000));
    for (what, count, key) in hostile {
        let chain = (0..60)
            .map(|number| Entry { content: format!("<{}>", number + 1), ..keyed(format!("<{number}>")) });
        let book = book((0..*count).map(|number| keyed(key(number))).chain(chain));
        let found = search(&book, &rules, &text, Timers::default());
        let told = told(&found, "look");
        assert_eq!(found.active.len(), 60, "{what}: plain keys are found whatever patterns do");
        assert!(found.steps <= rules.most_steps, "{what}: {} steps", found.steps);
        assert!(told > *count as usize / 2, "{what}: {told} of {count} are told");
        let again = search(&book, &rules, &text, Timers::default());
        assert_eq!((again.steps, again.problems.len()), (found.steps, found.problems.len()), "{what}");
    }
}

/// Enough entries are looked for as far back as anything stands, with a pass for what could matter and no other.
#[test]
fn the_only_key_stands_far_back() {
    let rules = Rules { min_activations: 1, include_names: false, ..Rules::default() };
    let look = |key: &str, back: usize, rules: &Rules| {
        let mut messages = vec![("Mira", "nothing of note"); back];
        messages.insert(0, ("Tom", "灯塔 and the lighthouse"));
        let shelf = Shelf::new([&book([keyed(key)])], rules.spelling).unwrap();
        let request =
            Request { messages: &messages, max_context: 100_000, explain: true, ..Request::default() };
        scan(&shelf, rules, &request, Timers::default(), METER, &mut |_| 0.5)
    };
    for key in ["lighthouse", "灯塔", "/light(?:house)/", "{{noop}}lighthouse"] {
        let found = look(key, 260, &rules);
        assert_eq!((found.active.len(), found.problems.len()), (1, 0), "{key}");
    }
    assert_eq!(look("lighthouse", 900, &rules).verdicts[0].pass, 2, "in one leap");
    let shallow = Rules { min_activations_depth_max: 100, ..rules.clone() };
    let found = look("lighthouse", 260, &shallow);
    assert_eq!((found.active.len(), found.problems.len()), (0, 0), "as ordered");
    let found = look("lighthouse", 1_500, &rules);
    assert_eq!((found.active.len(), found.problems.len()), (0, 1));
    assert!(found.problems[0].message.contains("further back than 1000 messages"));
}

#[test]
fn patterns_without_end_are_given_up_together() {
    let catastrophes = (0..1_000).map(|number| keyed(format!(r"/(?=(a+)+[b{number}]$)\1/")));
    let chain =
        (0..50).map(|number| Entry { content: format!("<{}>", number + 1), ..keyed(format!("<{number}>")) });
    let rules = Rules { recursive: true, ..Rules::default() };
    let text = format!("{} <0>", "a".repeat(5_000));
    let found = search(&book(catastrophes.chain(chain)), &rules, &text, Timers::default());
    assert_eq!(found.active.len(), 50);
    assert_eq!(found.problems.len(), 1_000, "everyone is told");
    let (given_up, not_tried) = (told(&found, "too many steps"), told(&found, "was not looked for"));
    assert_eq!((given_up, given_up + not_tried), (8, 1_000));
    assert!(found.steps < rules.most_steps / 3 + 2_000 * text.len());
}

#[test]
fn patterns_that_need_nothing_and_look_around_are_not_tried_for_ever() {
    let slow = (0..500).map(|_| keyed(r"/(?<![0-9])[^a][§¶](?!x)/"));
    let chain =
        (0..150).map(|number| Entry { content: format!("<{}>", number + 1), ..keyed(format!("<{number}>")) });
    let rules = Rules { recursive: true, most_steps: 32_000_000, ..Rules::default() };
    let text = format!("{} <0>", noise(20_000));
    let found = search(&book(slow.chain(chain)), &rules, &text, Timers::default());
    assert_eq!((found.active.len(), found.problems.len()), (150, 500));
    assert!(found.steps < rules.most_steps, "their share is smaller");
}

#[test]
fn a_key_that_nobody_can_say_is_refused_and_told() {
    let rules = Rules::default();
    let long = "龙".repeat(40_000);
    let book = book([keyed(long.clone()), keyed("lamp")]);
    let shelf = Shelf::new([&book], rules.spelling).unwrap();
    assert_eq!(shelf.problems().len(), 1);
    assert!(shelf.problems().iter().all(|problem| problem.message.len() < 300));
    assert_eq!(search(&book, &rules, &format!("{long} lamp"), Timers::default()).active.len(), 1);
}

#[test]
fn more_keys_than_memory_are_refused() {
    let keys = (0..20_000).map(|number| keyed(format!("{number:0>1000}")));
    let refused = Shelf::new([&book(keys)], Rules::default().spelling);
    assert!(refused.is_err_and(|error| error.contains("all keys together")));
}

#[test]
fn keys_inside_keys_take_the_room_of_one_each() {
    let entries = (1..=300).map(|length| keyed("a".repeat(length)));
    let found = search(&book(entries), &Rules::default(), &"a".repeat(5_000), Timers::default());
    assert_eq!(found.active.len(), 300);
}

#[test]
fn a_million_groups() {
    let entries = (0..1_000_u32).map(|number| Entry {
        groups: (0..1_000).map(|group| format!("{}", number / 2 * 1_000 + group)).collect(),
        group_scoring: Some(number % 2 == 0),
        ..keyed("lamp")
    });
    let found = search(&book(entries), &Rules::default(), "lamp", Timers::default());
    assert_eq!(found.active.len(), 500);
}

#[test]
fn a_depth_of_its_own_for_everybody() {
    let entries = (1..=2_000).map(|depth| Entry { scan_depth: Some(depth), ..keyed(r"/x(?=y)[^]{9}z/") });
    let messages: Vec<(&str, &str)> = (0..300).map(|_| ("Mira", "xy and some more words")).collect();
    let shelf = Shelf::new([&book(entries)], Rules::default().spelling).unwrap();
    let request = Request { messages: &messages, max_context: 1_000_000, ..Request::default() };
    let found = scan(&shelf, &Rules::default(), &request, Timers::default(), METER, &mut |_| 0.5);
    assert_eq!(found.active.len(), 0);
}

#[test]
fn a_content_of_nothing_but_braces_and_numbers_at_their_edges() {
    let braces = Entry { constant: true, content: "{{".repeat(500_000), ..Entry::default() };
    let edges = Entry {
        scan_depth: Some(u32::MAX),
        delay_until_recursion: u32::MAX,
        sticky: Some(u32::MAX),
        cooldown: Some(u32::MAX),
        order: i64::MIN,
        group_weight: f64::NAN,
        groups: vec![String::new(), "0".to_owned()],
        probability: Some(f64::NAN),
        ..keyed("lamp")
    };
    let rules = Rules {
        depth: u32::MAX,
        min_activations: u32::MAX,
        min_activations_depth_max: u32::MAX,
        max_recursion_steps: u32::MAX,
        budget_percent: f64::INFINITY,
        recursive: true,
        ..Rules::default()
    };
    let found = search(&book([braces, edges.clone(), edges]), &rules, "lamp", Timers::default());
    assert!(!found.active.is_empty());
}

/// Patterns of some ten kilobytes each, up to more than a hundred.
fn large_patterns(count: u32, start: &str) -> impl Iterator<Item = Entry> {
    let start = start.to_owned();
    (0..count).map(move |number| keyed(format!("/{start}\\p{{L}}{{{}}}x{number}/u", 2 + number % 6)))
}

#[test]
fn all_patterns_together_take_what_they_may_and_the_others_are_told() {
    let book = book(large_patterns(2_000, "").chain([keyed("/lamp(?=x)/"), keyed("lamp")]));
    let shelf = Shelf::new([&book], Rules::default().spelling).unwrap();
    let told = shelf.problems().len();
    assert!((300..1_700).contains(&told), "{told}");
    let message = &shelf.problems()[0].message;
    assert!(message.contains("is not looked for: all patterns together take more memory"), "{message}");
    let found = search(&book, &Rules::default(), "abcdefghx1 lamp", Timers::default());
    assert_eq!(found.active.len(), 2, "the first patterns and plain keys are looked for");
}

#[test]
fn patterns_that_name_somebody_have_a_smaller_purse() {
    let book = book(large_patterns(500, "{{noop}}"));
    let found = search(&book, &Rules::default(), "abcdefghx1", Timers::default());
    assert_eq!(found.active.len(), 1);
    assert!((300..500).contains(&found.problems.len()), "{}", found.problems.len());
    let message = &found.problems[0].message;
    assert!(message.contains("is not looked for: all patterns together take more memory"), "{message}");
}

#[test]
fn a_pattern_that_is_too_large_alone_or_takes_long_to_read_is_told() {
    let wide = keyed(format!("/{}/iu", r"[\0-\u{10ffff}]".repeat(200)));
    let all_cases = (0..600).map(|number| keyed(format!("/[{}]z{number}/iu", r"\p{L}".repeat(60))));
    let nested = keyed(r"/(?:(?:a{1,1000}){1,1000}){1,1000}(?=b)/");
    let book = book([keyed(r"/\p{L}{1000}/u"), nested, wide].into_iter().chain(all_cases));
    let shelf = Shelf::new([&book], Rules::default().spelling).unwrap();
    let told = |words: &str| shelf.problems().iter().filter(|told| told.message.contains(words)).count();
    assert_eq!(told("compiled it takes about"), 2);
    assert!((100..600).contains(&told("take more time than they may")));
}

#[test]
fn ten_thousand_patterns_of_the_usual_kind_are_looked_for() {
    let entries = (0..10_000).map(|number| keyed(format!(r"/\bward{number}\b[\s\S]{{0,9}}gate/i")));
    let book = book(entries);
    let shelf = Shelf::new([&book], Rules::default().spelling).unwrap();
    assert_eq!(shelf.problems(), []);
    let found = search(&book, &Rules::default(), "Ward7\n(the gate), ward9999 gate", Timers::default());
    assert_eq!(found.active.len(), 2);
}

#[test]
fn a_shelf_knows_how_much_it_takes() {
    let memory =
        |entries: Vec<Entry>| Shelf::new([&book(entries)], Rules::default().spelling).unwrap().memory();
    let contents = Entry { content: "x".repeat(1 << 20), ..keyed("lamp") };
    let keys = (0..1_000).map(|number| keyed(format!("{number:0>100}"))).collect();
    assert!(memory(vec![contents]) > 1 << 20);
    assert!(memory(keys) > 300 << 10);
    assert!(memory(large_patterns(10, "").collect()) > 512 << 10);
    assert!(memory(vec![keyed("lamp")]) < 64 << 10);
}
