//! What does the sentence transformer say a text means?

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::arithmetic::{exp, gelu};
use crate::matrix::{Matrix, Panels};

/// A BERT encoder with the mean of its last layer as the text's vector.
pub(crate) struct Transformer {
    words: Matrix,
    positions: Matrix,
    kind: Vec<f32>,
    first: Norm,
    layers: Vec<Layer>,
}

const HEADS: usize = 12;
/// Tokens that go through the layers together.
const BATCH: usize = 3072;

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    mixed: Linear,
    after_mixing: Norm,
    up: Linear,
    down: Linear,
    after_bending: Norm,
}

impl Transformer {
    /// From a safetensors file of 32-bit floats.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let tensors = Tensors::read(bytes)?;
        let mut layers = Vec::new();
        while tensors.has(&format!("encoder.layer.{}.output.dense.weight", layers.len())) {
            let at = format!("encoder.layer.{}.", layers.len());
            let linear = |name: &str| Linear::read(&tensors, &format!("{at}{name}"));
            let norm = |name: &str| Norm::read(&tensors, &format!("{at}{name}"));
            layers.push(Layer {
                query: linear("attention.self.query")?,
                key: linear("attention.self.key")?,
                value: linear("attention.self.value")?,
                mixed: linear("attention.output.dense")?,
                after_mixing: norm("attention.output.LayerNorm")?,
                up: linear("intermediate.dense")?,
                down: linear("output.dense")?,
                after_bending: norm("output.LayerNorm")?,
            });
        }
        if layers.is_empty() {
            bail!("the model file has no encoder layers");
        }
        Ok(Self {
            words: tensors.matrix("embeddings.word_embeddings.weight")?,
            positions: tensors.matrix("embeddings.position_embeddings.weight")?,
            kind: tensors.matrix("embeddings.token_type_embeddings.weight")?.row(0).to_vec(),
            first: Norm::read(&tensors, "embeddings.LayerNorm")?,
            layers,
        })
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.words.columns
    }

    /// The mean over the tokens of each text, not scaled. Texts of one length go together, so that nothing is padded.
    pub(crate) fn means(&self, texts: &[Vec<u32>]) -> Matrix {
        let mut means = Matrix::zeros(texts.len(), self.dimensions());
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|text| texts.get(*text).map_or(0, Vec::len));
        let length = |text: &usize| texts.get(*text).map_or(0, Vec::len);
        for same in order.chunk_by(|a, b| length(a) == length(b)) {
            let long = same.first().map_or(0, length);
            if long == 0 {
                continue;
            }
            for batch in same.chunks((BATCH / long).max(1)) {
                let ids: Vec<u32> =
                    batch.iter().filter_map(|text| texts.get(*text)).flatten().copied().collect();
                let last = self.forward(&ids, long);
                for (text, rows) in batch.iter().zip(last.values.chunks_exact(long * last.columns)) {
                    let mean = means.row_mut(*text);
                    for row in rows.chunks_exact(last.columns) {
                        mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value);
                    }
                    mean.iter_mut().for_each(|value| *value /= long as f32);
                }
            }
        }
        means
    }

    fn forward(&self, ids: &[u32], long: usize) -> Matrix {
        let mut x = Matrix::zeros(ids.len(), self.dimensions());
        for (at, id) in ids.iter().enumerate() {
            let sources =
                self.words.row(*id as usize).iter().zip(self.positions.row(at % long)).zip(&self.kind);
            let places = x.row_mut(at).iter_mut().zip(sources);
            places.for_each(|(place, ((word, position), kind))| *place = word + position + kind);
        }
        self.first.apply(&mut x);
        for layer in &self.layers {
            let (query, key, value) = (layer.query.apply(&x), layer.key.apply(&x), layer.value.apply(&x));
            let mut mixed = layer.mixed.apply(&attend(&query, &key, &value, long));
            add(&mut mixed, &x);
            layer.after_mixing.apply(&mut mixed);
            let mut up = layer.up.apply(&mixed);
            up.values.iter_mut().for_each(|value| *value = gelu(*value));
            let mut down = layer.down.apply(&up);
            add(&mut down, &mixed);
            layer.after_bending.apply(&mut down);
            x = down;
        }
        x
    }
}

fn add(to: &mut Matrix, from: &Matrix) {
    to.values.iter_mut().zip(&from.values).for_each(|(to, from)| *to += from);
}

/// Every token looks at every token of its own text.
fn attend(query: &Matrix, key: &Matrix, value: &Matrix, long: usize) -> Matrix {
    let mut out = Matrix::zeros(query.rows, query.columns);
    let size = query.columns / HEADS;
    let scale = 1.0 / (size as f32).sqrt();
    let mut shares = vec![0.0f32; long];
    for at in 0..query.rows {
        let begin = at - at % long;
        for head in 0..HEADS {
            let part = head * size..(head + 1) * size;
            let asks = query.row(at).get(part.clone()).unwrap_or_default();
            for (share, other) in shares.iter_mut().zip(begin..) {
                let key = key.row(other).get(part.clone()).unwrap_or_default();
                *share = dot(asks, key) * scale;
            }
            let top = shares.iter().copied().fold(f32::MIN, f32::max);
            shares.iter_mut().for_each(|share| *share = exp(*share - top));
            let sum: f32 = shares.iter().sum();
            let place = out.row_mut(at).get_mut(part.clone()).unwrap_or_default();
            for (share, other) in shares.iter().zip(begin..) {
                let weight = share / sum;
                let value = value.row(other).get(part.clone()).unwrap_or_default();
                place.iter_mut().zip(value).for_each(|(place, value)| *place += weight * value);
            }
        }
    }
    out
}

/// Eight partial sums, always in the same order.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum()
}

struct Linear {
    weights: Panels,
    bias: Vec<f32>,
}

impl Linear {
    fn read(tensors: &Tensors<'_>, name: &str) -> Result<Self> {
        let weights = tensors.matrix(&format!("{name}.weight"))?.transposed();
        let bias = tensors.matrix(&format!("{name}.bias"))?.values;
        Ok(Self { weights: Panels::of(&weights), bias })
    }

    fn apply(&self, x: &Matrix) -> Matrix {
        let mut product = self.weights.after(x);
        for row in product.values.chunks_exact_mut(self.bias.len()) {
            row.iter_mut().zip(&self.bias).for_each(|(value, bias)| *value += bias);
        }
        product
    }
}

struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Norm {
    fn read(tensors: &Tensors<'_>, name: &str) -> Result<Self> {
        let part = |part: &str| Ok::<_, anyhow::Error>(tensors.matrix(&format!("{name}.{part}"))?.values);
        Ok(Self { weight: part("weight")?, bias: part("bias")? })
    }

    fn apply(&self, x: &mut Matrix) {
        let count = self.weight.len() as f32;
        for row in x.values.chunks_exact_mut(self.weight.len()) {
            let mean = row.iter().sum::<f32>() / count;
            row.iter_mut().for_each(|value| *value -= mean);
            let scale = 1.0 / (dot(row, row) / count + 1e-12).sqrt();
            let learned = self.weight.iter().zip(&self.bias);
            row.iter_mut()
                .zip(learned)
                .for_each(|(value, (weight, bias))| *value = *value * scale * weight + bias);
        }
    }
}

struct Tensors<'a> {
    index: Value,
    data: &'a [u8],
}

impl<'a> Tensors<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self> {
        let (length, rest) = bytes.split_first_chunk::<8>().context("the model file is empty")?;
        let length = usize::try_from(u64::from_le_bytes(*length))?;
        let (header, data) = rest.split_at_checked(length).context("the model file is cut short")?;
        Ok(Self { index: serde_json::from_slice(header)?, data })
    }

    fn has(&self, name: &str) -> bool {
        self.index.get(name).is_some()
    }

    fn matrix(&self, name: &str) -> Result<Matrix> {
        let entry = self.index.get(name).with_context(|| format!("the model file has no {name}"))?;
        if entry.get("dtype").and_then(Value::as_str) != Some("F32") {
            bail!("{name} is not of 32-bit floats");
        }
        let numbers = |field: &str| -> Result<Vec<usize>> {
            let list = entry
                .get(field)
                .and_then(Value::as_array)
                .with_context(|| format!("{name} has no {field}"))?;
            Ok(list.iter().filter_map(Value::as_u64).map(|number| number as usize).collect())
        };
        let (shape, place) = (numbers("shape")?, numbers("data_offsets")?);
        let (Some(begin), Some(end)) = (place.first(), place.get(1)) else { bail!("{name} has no place") };
        let bytes = self.data.get(*begin..*end).with_context(|| format!("{name} is cut short"))?;
        let values: Vec<f32> =
            bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        let columns = shape.last().copied().unwrap_or(1);
        Ok(Matrix { rows: values.len() / columns.max(1), columns, values })
    }
}
