//! Do compiled patterns take the memory that their shelf says, and no more than twice that?
//!
//! What is allocated is counted, so this test has a program of its own.

#![expect(clippy::unwrap_used, reason = "a test that breaks here has found something")]
#![expect(unsafe_code, reason = "whoever counts allocations must be the allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use reverie_core::lore::{Book, Entry, Meter, Request, Rules, Shelf, Timers, scan};

struct Counting;

thread_local! {
    /// Bytes that this thread holds.
    static HELD: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Each stands for a kind, with a text in which it must be looked for. NUMBER makes every pattern of a kind another one.
const KINDS: &[(&str, &str)] = &[
    (r"/dragonNUMBER/", "dragonNUMBER"),
    (r"/dragon(?:s|lings?)? NUMBER|wyrm|龙NUMBER/i", "Dragon NUMBER 龙NUMBER"),
    (r"/[青蓝]龙NUMBER/", "龙NUMBER"),
    (r"/\bwardNUMBER\b[\s\S]{0,9}gate/i", "wardNUMBER"),
    (r"/[a-z]NUMBER/", "NUMBER"),
    (r"/\p{L}NUMBER/u", "NUMBER"),
    (r"/\p{L}{5}NUMBER/iu", "NUMBER"),
    (r"/\P{Lu}{4}NUMBER/u", "NUMBER"),
    (r"/[^x]{50}NUMBER/", "NUMBER"),
    (r"/(?:[\u4e00-\u9fff]{2,10}){3}NUMBER/", "NUMBER"),
    (r"/\p{Script=Han}{2,8}NUMBER/u", "NUMBER"),
    (r"/(?:a{1,30}){1,10}NUMBER/", "NUMBER"),
    (r"/[a-z]{500}NUMBER/", "NUMBER"),
    (r"/(?:(?:ab|cd)+(?:e|f)?){100}NUMBER/", "NUMBER"),
    (r"/\w+\W\s\S\d\D.NUMBER/", "NUMBER"),
    (r"/ab|cd|ef|gh|ij|kl|mn|NUMBER/", "NUMBER"),
    (
        r"/(?:red|green|blue|white|black) (?:dragon|wyrm|drake|serpent) of (?:the )?(?:north|south)NUMBER/i",
        "north NUMBER",
    ),
    (r"/(?:青|赤|白|黒|黄)(?:竜|龍|龙)の(?:巣|城|森|谷)NUMBER/", "赤竜の巣 NUMBER"),
    (r"/a*b+c?d{3}e{2,}NUMBER/", "NUMBER"),
    (r"/gold(?!en)NUMBER/", "gold NUMBER"),
    (r"/(?<!un)happyNUMBER/i", "happyNUMBER"),
    (r"/(?<=\p{L}{3})\p{L}{20}NUMBER(?!x)/iu", "NUMBER"),
    (r"/^(?=.*lamp)(?=.*gate)NUMBER/m", "lamp gate NUMBER"),
    (r"/(\w)\1xNUMBER/", "xNUMBER"),
    (r"/^x*[^y]NUMBER$/m", "NUMBER"),
    (r"/^x*[^y]NUMBER$/m", "NUMBER\r"),
    (r"/[😀😎]{5}NUMBER/", "NUMBER"),
    (r"/[α-ωſß]{5}NUMBER/i", "NUMBER"),
    (r"/(?<x>[a-z]{200})\k<x>NUMBER/", "NUMBER"),
    (r"/(?:[^x]{0,40}(?=y)){5}NUMBER/", "y NUMBER"),
    (r"/(?:(a)|(b)|(c)|(d))+\3xNUMBER/", "xNUMBER"),
    (r"/(?:(?:(?:a|b)?c){1,9}(?:d|e(?=f))*){9}NUMBER/", "NUMBER"),
    (r"/(?:x|y|z|\d{2,4}|[α-ω]+){30}(?!q)NUMBER/i", "NUMBER"),
];

const OF_A_KIND: usize = 64;

fn book(kind: &str, count: usize) -> Book {
    let entry = |number: usize| Entry {
        id: Arc::from(number.to_string()),
        keys: vec![numbered(kind, number)],
        ..Entry::default()
    };
    Book {
        id: Arc::from("kind"),
        name: String::new(),
        rank: 0,
        scan_depth: None,
        token_budget: None,
        recursive: None,
        entries: (0..count).map(|number| Arc::new(entry(number))).collect(),
    }
}

fn numbered(text: &str, number: usize) -> String {
    text.replace("NUMBER", &format!("{number:03}"))
}

/// What a shelf says that it takes and what it holds, with all its patterns compiled.
fn weigh(kind: &str, text: &str, count: usize) -> (usize, usize) {
    let text: Vec<String> = (0..count).map(|number| numbered(text, number)).collect();
    let text = text.join(" ");
    let book = book(kind, count);
    let before = HELD.get();
    let shelf = Shelf::new([&book], Rules::default().spelling).unwrap();
    assert_eq!(shelf.problems(), [], "all are looked for");
    let messages = [("Mira", text.as_str())];
    let request = Request { messages: &messages, max_context: 100_000, explain: true, ..Request::default() };
    let meter = Meter { length: str::len, per_token: 4 };
    let found = scan(&shelf, &Rules::default(), &request, Timers::default(), meter, &mut |_| 0.5);
    assert!(found.steps >= text.len() * count, "{kind}: each reads the text, and so is compiled");
    drop(found);
    let held = usize::try_from(HELD.get() - before).unwrap();
    (shelf.memory(), held)
}

/// One pattern more, of what is said and of what is held.
fn weigh_one(kind: &str, text: &str) -> (usize, usize) {
    // Tables of letters that all patterns share are made with the first that asks.
    weigh(kind, text, 1);
    let (few, many) = (weigh(kind, text, OF_A_KIND / 2), weigh(kind, text, OF_A_KIND));
    ((many.0 - few.0) / (OF_A_KIND / 2), (many.1 - few.1) / (OF_A_KIND / 2))
}

/// Characters that share little in their bytes, so that each takes states of its own.
fn scattered(from: u32, step: usize, count: usize) -> String {
    let chars = (from..).step_by(step).filter_map(char::from_u32).take(count);
    format!("/[{}]NUMBER/u", chars.collect::<String>())
}

#[test]
fn a_pattern_takes_at_most_twice_what_is_reckoned() {
    let scattered = [
        (0xA0, 7, 200),
        (0x4E00, 64, 300),
        (0x4E00, 97, 200),
        (0x1_0000, 64, 300),
        (0x1_0000, 4_097, 150),
        (0x400, 130, 100),
    ]
    .map(|(from, step, count)| (scattered(from, step, count), "NUMBER"));
    let scattered = scattered.iter().map(|(kind, text)| (kind.as_str(), *text));
    for (kind, text) in KINDS.iter().copied().chain(scattered) {
        let (said, held) = weigh_one(kind, text);
        println!("{kind}: {said} said, {held} held");
        assert!(held <= 2 * said, "{kind}: {said} bytes were reckoned, {held} are held");
        assert!(said <= 8 * held, "{kind}: {said} bytes were reckoned, only {held} are held");
    }
}
