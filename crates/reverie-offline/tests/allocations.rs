//! Does a token cost an allocation?
//!
//! What is allocated is counted, so this test has a program of its own.

#![expect(unsafe_code, reason = "whoever counts allocations must be the allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use reverie_offline::OfflineEmbedder;

struct Counting;

thread_local! {
    /// How often this thread asked for memory, or for more of it.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    let _ = ASKED.try_with(|asked| asked.set(asked.get() + 1));
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(texts: &[&str]) -> usize {
    let embedder = OfflineEmbedder::new();
    let before = ASKED.get();
    let vectors = embedder.vectors(texts);
    let asked = ASKED.get() - before;
    assert_eq!(vectors.len(), texts.len());
    asked
}

/// Buffers grow for the first text; from then on only the vectors themselves are new.
#[test]
fn a_text_more_is_one_vector_more_and_nothing_else() {
    for text in [
        "我最爱吃四川火锅，昨天和妈妈去公园散步，新年快乐！",
        "我愛吃四川火鍋。Ｗｉｄｅ",
        "What spicy food does he like? Antidisestablishmentarianism, zorblaxian!",
        "Un café crème à Zürich, s'il vous plaît",
        "昨日、駅でコーヒーを飲みました。ﾃｽﾄ ガ",
        "안녕하세요 привет 😀😀 👍🏽 2024 ①",
        "",
    ] {
        let long = text.repeat(40);
        for text in [text, long.as_str()] {
            let one = allocations(&[text]);
            assert_eq!(allocations(&[text; 21]), one + 20, "{text}");
        }
    }
}

/// Twice as long a text needs at most one step of growth more of each of the few buffers.
#[test]
fn a_longer_text_does_not_ask_for_each_of_its_words() {
    for text in ["我最爱吃四川火锅，", "spicy food, zorblaxian ", "コーヒー안녕😀é"] {
        let (short, long) = (text.repeat(500), text.repeat(1000));
        let (short, long) = (allocations(&[&short]), allocations(&[&long]));
        assert!(long <= short + 5, "{text}: {short} {long}");
    }
}
