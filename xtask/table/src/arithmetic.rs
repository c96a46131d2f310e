//! Functions that a machine's own library may round differently: here they are plain sums and products.

/// e to the power of `x`, to about a millionth part.
pub(crate) fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    let whole = (x * std::f32::consts::LOG2_E).round_ties_even();
    // In two parts, so that nothing is lost where x is large.
    let rest = (x - whole * 0.693_359_4) - whole * -2.121_944_4e-4;
    let series = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let value = series.iter().fold(0.0f32, |sum, factor| sum * rest + factor);
    value * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// What a transformer's layers bend their values with: x times the share of the normal distribution below x. After
/// Abramowitz and Stegun, 7.1.26.
pub(crate) fn gelu(x: f32) -> f32 {
    let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = [1.061_405_4, -1.453_152_1, 1.421_413_7, -0.284_496_74, 0.254_829_6];
    let poly = series.iter().fold(0.0f32, |sum, factor| sum * t + factor) * t;
    let erf = 1.0 - poly * exp(-z * z);
    let signed = if x < 0.0 { -erf } else { erf };
    0.5 * x * (1.0 + signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_the_exact_values() {
        for (x, expected) in [
            (0.0, 1.0),
            (1.0, std::f32::consts::E),
            (-1.0, 0.367_879_45),
            (10.0, 22_026.465),
            (-20.0, 2.061_153_6e-9),
        ] {
            assert!((exp(x) / expected - 1.0).abs() < 2e-6, "e^{x} is {}", exp(x));
        }
        for (x, expected) in
            [(0.0, 0.0), (1.0, 0.841_344_7), (-1.0, -0.158_655_26), (3.0, 2.995_950_3), (-6.0, 0.0)]
        {
            assert!((gelu(x) - expected).abs() < 2e-6, "gelu({x}) is {}", gelu(x));
        }
    }
}
