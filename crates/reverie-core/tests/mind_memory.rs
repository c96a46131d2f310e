//! Does a mind take as much memory as it says? The limit of all that are at hand is kept by what they say.
//!
//! What is allocated is counted, so this test has a program of its own.

#![expect(clippy::unwrap_used, reason = "a test that breaks here has found something")]
#![expect(unsafe_code, reason = "whoever counts allocations must be the allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use reverie_core::embed::Vector;
use reverie_core::memory::{Held, Kind, Memory, Origin, Source, State};
use reverie_core::mind::Mind;
use reverie_core::recollection::{Kept, Place};
use reverie_core::{CharacterId, LineId, MemoryId};

struct Counting;

thread_local! {
    /// Bytes that this thread holds.
    static HELD: Cell<isize> = const { Cell::new(0) };
}

fn count(pieces: isize, layout: Layout) {
    // What common allocators take for a piece: a word of their own, and all of it in steps of 16.
    let piece = (layout.size() + size_of::<usize>()).next_multiple_of(16).max(32);
    let _ = HELD.try_with(|held| held.set(held.get() + pieces * piece as isize));
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-1, layout);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const NOUNS: &[&str] =
    &["灯塔", "海风", "钥匙", "lantern", "harbour", "letter", "猫", "雪花", "sword", "茶杯"];

/// A round of a talk, as the digest without a model makes them.
fn kept(number: u64, dimensions: usize) -> Kept {
    let noun =
        |step: u64| NOUNS.iter().copied().cycle().nth((number / step % NOUNS.len() as u64) as usize).unwrap();
    let text =
        format!("梅: 我在{}旁边找到了{number}号{}。\nTom: I am so happy, my {}!", noun(1), noun(10), noun(7));
    let source = |line: u64| Source { line: LineId::new(line).unwrap(), version: 1 };
    let memory = Memory {
        id: MemoryId::new(number).unwrap(),
        kind: Kind::Episodic,
        origin: Origin::Round,
        text,
        sources: vec![source(number * 2), source(number * 2 + 1)],
        from: Vec::new(),
        about: vec![CharacterId::new("mei").unwrap(), CharacterId::new("tom").unwrap()],
        importance: 0.6,
        keywords: vec![noun(1).to_owned(), noun(10).to_owned(), format!("{number}号")],
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms: number as i64 * 60_000,
        model: None,
        revision: number,
    };
    let held = Held {
        memory,
        holder: CharacterId::new("mei").unwrap(),
        state: State::new(None, None),
        version: 0,
        live: true,
        summarised: None,
        superseded: None,
        refreshed: None,
    };
    let values = (0..dimensions).map(|place| ((number * 31 + place as u64 * 17) % 101) as f32 - 50.0);
    Kept {
        held,
        place: Some(Place { conversation: 1, order: number }),
        names: vec!["梅".to_owned(), "Tom".to_owned()],
        vectors: Vector::normal(values.collect()).into_iter().collect(),
    }
}

/// What a mind says that it takes and what it holds, after so many memories that came in parts.
fn weigh(memories: u64, at_once: usize, dimensions: usize) -> (usize, usize) {
    let numbers: Vec<u64> = (1..=memories).collect();
    let before = HELD.get();
    let mut mind = Mind::default();
    for part in numbers.chunks(at_once) {
        let read: Vec<Kept> = part.iter().map(|number| kept(*number, dimensions)).collect();
        mind.expect(&read);
        read.into_iter().for_each(|kept| mind.keep(kept, None));
    }
    (mind.bytes(), usize::try_from(HELD.get() - before).unwrap())
}

#[test]
fn a_mind_takes_about_what_it_says() {
    // Tables of words and feelings that all minds share are made with the first memory.
    weigh(1, 1, 8);
    for (memories, at_once) in [(30, 1), (30, 30), (1_000, 1), (3_000, 3_000)] {
        for dimensions in [0, 256] {
            let (said, held) = weigh(memories, at_once, dimensions);
            let share = said as f64 / held as f64;
            println!(
                "{memories} memories, {at_once} at once, {dimensions} dimensions: {said} said, {held} held, {share:.3}"
            );
            assert!(
                (0.95..=1.05).contains(&share),
                "{memories} memories: {said} bytes are said, {held} are held"
            );
        }
    }
}
