//! Is a file the one that was meant? By its SHA-256 (FIPS 180-4), in hexadecimal digits.

use std::fmt::Write;

pub(crate) fn sha256(bytes: &[u8]) -> String {
    let constants = roots(3);
    let mut state = [0u32; 8];
    state.iter_mut().zip(roots(2)).for_each(|(place, root)| *place = root);
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.as_chunks::<64>().0 {
        take(&mut state, block, &constants);
    }
    state.iter().fold(String::new(), |mut text, word| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{word:08x}");
        text
    })
}

fn take(state: &mut [u32; 8], block: &[u8; 64], constants: &[u32]) {
    let mut words: Vec<u32> = block.as_chunks::<4>().0.iter().map(|four| u32::from_be_bytes(*four)).collect();
    for at in 16..64 {
        let word = |back: usize| words.get(at - back).copied().unwrap_or_default();
        let (near, far) = (word(2), word(15));
        let near = near.rotate_right(17) ^ near.rotate_right(19) ^ near >> 10;
        let far = far.rotate_right(7) ^ far.rotate_right(18) ^ far >> 3;
        words.push(word(16).wrapping_add(far).wrapping_add(word(7)).wrapping_add(near));
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in words.iter().zip(constants) {
        let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let chosen = (e & f) ^ (!e & g);
        let first = [turned, chosen, *constant, *word].into_iter().fold(h, u32::wrapping_add);
        let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let most = (a & b) ^ (a & c) ^ (b & c);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(turned).wrapping_add(most));
    }
    let sums = [a, b, c, d, e, f, g, h];
    state.iter_mut().zip(sums).for_each(|(place, value)| *place = place.wrapping_add(value));
}

/// The first 32 bits behind the point of the square (2) or cube (3) roots of the first 64 primes: the constants are made so.
fn roots(power: u32) -> Vec<u32> {
    let primes = (2u128..).filter(|number| (2..*number).all(|divisor| number % divisor != 0)).take(64);
    let root = |prime: u128| {
        // The largest whole number whose power is not above the prime, both shifted by 32 bits.
        let shifted = prime << (32 * power);
        let bits = (0..36).rev();
        bits.fold(
            0u128,
            |root, bit| if (root | 1 << bit).pow(power) <= shifted { root | 1 << bit } else { root },
        )
    };
    primes.map(|prime| root(prime) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn of_the_texts_that_the_standard_gives() {
        for (text, digest) in [
            (String::new(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc".to_owned(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".to_owned(),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            ("a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ] {
            assert_eq!(sha256(text.as_bytes()), digest);
        }
    }
}
