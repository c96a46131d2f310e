//! What is the sum of products of half bytes with bytes, in the widest registers that the machine has?
//!
//! Whole numbers, and so the same everywhere. A half byte is from 0 to 15, a byte of a query from -127 to 127: the sum of four
//! products fits into 16 bits, so nothing is ever cut off.

use multiversion::multiversion;
use multiversion::target::match_target;

/// A query for halves: for the lower half of each byte and for the upper one. The bytes are whole numbers with a sign.
#[derive(Debug)]
pub(super) struct Halves {
    pub(super) low: Vec<u8>,
    pub(super) high: Vec<u8>,
}

/// For each row of halves, the sum of its products with a query.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx512vnni", "x86_64+avx2"))]
pub(super) fn products_of(rows: &[u8], query: &Halves, products: &mut [i32]) {
    let width = query.low.len().max(1);
    for (row, place) in rows.chunks_exact(width).zip(products) {
        *place = match_target! {
            "x86_64+avx512f+avx512bw+avx512vl+avx512vnni" => wide::product_vnni(row, &query.low, &query.high),
            "x86_64+avx2" => wide::product(row, &query.low, &query.high),
            _ => product(row, &query.low, &query.high),
        };
    }
}

/// The same for some rows alone.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx512vnni", "x86_64+avx2"))]
pub(super) fn products_of_some(halves: &[u8], query: &Halves, rows: &[u32], products: &mut [i32]) {
    let width = query.low.len();
    for (row, place) in rows.iter().zip(products) {
        let begin = *row as usize * width;
        let row = halves.get(begin..begin + width).unwrap_or_default();
        *place = match_target! {
            "x86_64+avx512f+avx512bw+avx512vl+avx512vnni" => wide::product_vnni(row, &query.low, &query.high),
            "x86_64+avx2" => wide::product(row, &query.low, &query.high),
            _ => product(row, &query.low, &query.high),
        };
    }
}

fn product(row: &[u8], low: &[u8], high: &[u8]) -> i32 {
    let of = |((halves, low), high): ((&u8, &u8), &u8)| {
        let products = |half: u8, query: u8| i16::from(half) * i16::from(query.cast_signed());
        i32::from(products(halves & 0x0F, *low) + products(halves >> 4, *high))
    };
    row.iter().zip(low).zip(high).map(of).sum()
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2,avx512f,avx512vl,avx512vnni")]
    #[inline]
    pub(super) fn product_vnni(row: &[u8], low: &[u8], high: &[u8]) -> i32 {
        let lower = _mm256_set1_epi8(0x0F);
        let (mut lows, mut highs) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        let ((blocks, rest), (of_low, rest_low), (of_high, rest_high)) =
            (row.as_chunks::<32>(), low.as_chunks::<32>(), high.as_chunks::<32>());
        for ((block, low), high) in blocks.iter().zip(of_low).zip(of_high) {
            let halves = load(block);
            let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(halves), lower);
            lows = _mm256_dpbusd_epi32(lows, _mm256_and_si256(halves, lower), load(low));
            highs = _mm256_dpbusd_epi32(highs, upper, load(high));
        }
        sum(_mm256_add_epi32(lows, highs)) + super::product(rest, rest_low, rest_high)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn product(row: &[u8], low: &[u8], high: &[u8]) -> i32 {
        let (lower, one) = (_mm256_set1_epi8(0x0F), _mm256_set1_epi16(1));
        let mut all = _mm256_setzero_si256();
        let ((blocks, rest), (of_low, rest_low), (of_high, rest_high)) =
            (row.as_chunks::<32>(), low.as_chunks::<32>(), high.as_chunks::<32>());
        for ((block, low), high) in blocks.iter().zip(of_low).zip(of_high) {
            let halves = load(block);
            let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(halves), lower);
            let lows = _mm256_maddubs_epi16(_mm256_and_si256(halves, lower), load(low));
            let highs = _mm256_maddubs_epi16(upper, load(high));
            all = _mm256_add_epi32(all, _mm256_madd_epi16(_mm256_add_epi16(lows, highs), one));
        }
        sum(all) + super::product(rest, rest_low, rest_high)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(bytes: &[u8; 32]) -> __m256i {
        let [a, b, c, d] = bytes.as_chunks::<8>().0 else { return _mm256_setzero_si256() };
        let [a, b, c, d] = [a, b, c, d].map(|word| i64::from_le_bytes(*word));
        _mm256_set_epi64x(d, c, b, a)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn sum(all: __m256i) -> i32 {
        let four = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b0100_1110>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b1011_0001>(two)))
    }
}
