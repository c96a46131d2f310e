//! How is a table written down?

use reverie_offline::format::{HASH_BEGIN, HEADER, MAGIC, SPELLED_LENGTH, ZERO, hash, slot};

use crate::forms::Forms;
use crate::recipe::Space;
use crate::vocabulary::Vocabulary;

/// The largest value of a half byte, and where it lies in the spread of a row's values.
const LARGEST: f32 = 7.0;
const SPREAD: f32 = 2.8;

/// The table, and how near the stored vectors are to the exact ones on average, as a cosine.
pub(crate) fn table(words: &Vocabulary, space: &Space, forms: &Forms) -> (Vec<u8>, f64) {
    let steps: Vec<f32> = (0..space.vectors.rows).map(|row| step(space.vectors.row(row))).collect();
    let scaled = steps.iter().zip(&space.weights).map(|(step, weight)| step * weight);
    let unit = f32::from(u16::MAX) / scaled.clone().fold(0.0, f32::max);
    let mut vectors = Vec::new();
    let mut nearness = 0.0;
    for (row, step) in steps.iter().enumerate() {
        let exact = space.vectors.row(row);
        let stored: Vec<i32> = exact.iter().map(|value| quantised(*value, *step)).collect();
        nearness += cosine(exact, &stored);
        let (low, high) = stored.split_at(stored.len() / 2);
        vectors
            .extend(low.iter().zip(high).map(|(low, high)| (low + ZERO) as u8 | ((high + ZERO) as u8) << 4));
    }
    let scales = scaled.flat_map(|scale| ((scale * unit).round_ties_even() as u16).to_le_bytes());
    let scales: Vec<u8> = scales.collect();

    let mut text: Vec<u8> = Vec::new();
    let mut ends = Vec::new();
    for entry in &words.entries {
        text.extend(entry.spelling.as_bytes());
        ends.extend((text.len() as u32).to_le_bytes());
    }
    let slots = slots(words);
    let costs = words.entries.iter().map(|entry| cost(entry.share));

    let header: [u32; HEADER] = [
        MAGIC,
        space.vectors.columns as u32,
        words.entries.len() as u32,
        space.vectors.rows as u32,
        slots.len() as u32,
        text.len() as u32,
        forms.pairs.len() as u32,
        (f64::from(unit) / SPELLED_LENGTH).round_ties_even() as u32,
    ];
    let mut bytes: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend(vectors);
    bytes.extend(slots.iter().flat_map(|slot| slot.to_le_bytes()));
    bytes.extend(ends);
    bytes.extend(scales);
    bytes.extend(costs);
    bytes.extend(text);
    bytes.extend(
        forms.pairs.iter().flat_map(|(from, to)| [*from, *to]).flat_map(|c| u32::from(c).to_le_bytes()),
    );
    (bytes, nearness / steps.len().max(1) as f64)
}

/// Of one stored unit of a row.
fn step(row: &[f32]) -> f32 {
    let squares: f32 = row.iter().map(|value| value * value).sum();
    SPREAD * (squares / row.len().max(1) as f32).sqrt() / LARGEST
}

fn quantised(value: f32, step: f32) -> i32 {
    if step == 0.0 {
        return 0;
    }
    (value / step).round_ties_even().clamp(-LARGEST, LARGEST) as i32
}

fn cosine(exact: &[f32], stored: &[i32]) -> f64 {
    let pairs = || exact.iter().zip(stored).map(|(exact, stored)| (f64::from(*exact), f64::from(*stored)));
    let product: f64 = pairs().map(|(a, b)| a * b).sum();
    let lengths =
        pairs().map(|(a, _)| a * a).sum::<f64>().sqrt() * pairs().map(|(_, b)| b * b).sum::<f64>().sqrt();
    if lengths > 0.0 { product / lengths } else { 1.0 }
}

/// The first free slot from an entry's hash on; half as many again as there are entries, at least.
fn slots(words: &Vocabulary) -> Vec<u32> {
    let count = (words.entries.len() * 3 / 2).next_power_of_two();
    let mut slots = vec![0u32; count];
    for (entry, number) in words.entries.iter().zip(1u32..) {
        let state = entry.spelling.bytes().fold(HASH_BEGIN, hash);
        let begin = slot(state, count as u32) as usize;
        let free = (begin..count).chain(0..begin).find(|at| slots.get(*at) == Some(&0));
        if let Some(place) = free.and_then(|at| slots.get_mut(at)) {
            *place = number;
        }
    }
    slots
}

/// Eighths of -log₂, by how often the eighth root of two has to be multiplied: no machine rounds it otherwise.
fn cost(share: f64) -> u8 {
    let factor = 2.0f64.sqrt().sqrt().sqrt();
    let mut cost = 0;
    let mut share = share;
    while share < 1.0 && cost < u8::MAX {
        share *= factor;
        cost += 1;
    }
    cost
}
