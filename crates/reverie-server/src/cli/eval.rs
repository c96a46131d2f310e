//! `reverie eval`: how well does recall find what it should, on dialogue of one's own?
//!
//! The same search as recall's, with everything lifted that bounds a prompt: caps, threshold, budget.

mod data;
mod missing;
mod score;

use std::path::PathBuf;
use std::time::Instant;

use reverie_core::laps::Laps;
use reverie_core::memory::Kind;
use reverie_core::mind::Note;
use reverie_core::rank::{Candidate, recollect};
use reverie_core::settings::RecallRules;
use reverie_core::settings::recall::Legs;
use reverie_core::{Error, Result};
use serde_json::{Map, Value};

use crate::output::{Failure, Output, counted};
use crate::progress::Progress;
use data::{Corpus, Query, Vectors};
use missing::Missing;
use score::{Cutoffs, Latency, Score, Told};

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// What there is to find, one object a line: id, scope, text; also speaker, time, seq.
    #[arg(long, value_name = "FILE")]
    corpus: PathBuf,
    /// What is asked, one object a line: id, scope, query, gold (ids of the corpus); also category, as_of, as_of_seq.
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,
    /// Vectors of any model for both, one object a line: id, vector. Without them the built-in table is asked.
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
    /// Compares no meanings.
    #[arg(long, conflicts_with = "vectors")]
    no_embedder: bool,
    /// Of how many found ones the share of wanted ones is told.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_values_t = [5, 10, 20])]
    k: Vec<usize>,
}

pub(super) fn run(output: Output, options: &Options) -> Result<(), Failure> {
    let mut vectors = match &options.vectors {
        Some(file) => Vectors::read(file)?,
        None if options.no_embedder => Vectors::default(),
        None => Vectors::built_in()?,
    };
    let corpus = Corpus::read(&options.corpus, &vectors)?;
    vectors.listen_to(&corpus);
    let queries = data::queries(&options.queries, &corpus)?;
    if !queries.iter().any(Query::counts) {
        return Err(nothing_counts(&options.queries).into());
    }
    let missing = match &options.vectors {
        Some(file) => Some(vectors.missing(file, &corpus, &queries)?),
        None => None,
    };
    if let (Some(missing), Some(file)) = (missing.filter(|missing| missing.any()), &options.vectors) {
        output.warning(&missing.text(file));
    }
    let cutoffs = Cutoffs::new(&options.k)?;
    let with_meaning = !options.no_embedder;
    let mut progress = Progress::new(output, "asking");
    let mut legs: Vec<(&str, RecallRules, Score)> =
        legs(with_meaning).into_iter().map(|(name, rules)| (name, rules, Score::new(&cutoffs))).collect();
    let mut latency = Latency::default();
    let mut told = Told::default();
    for (done, query) in queries.iter().enumerate() {
        progress.at(done as u64, queries.len() as u64);
        let Some(scope) = corpus.scope(&query.scope) else { continue };
        let question = query.question(&vectors);
        for (name, rules, score) in &mut legs {
            let begin = Instant::now();
            let is_visible = |note: &Note| scope.is_visible(note, query);
            let found = recollect(&scope.mind, &question, rules, &is_visible, &Laps::default());
            if *name == FUSED {
                latency.took(begin.elapsed());
            }
            if query.counts() {
                if *name == FUSED {
                    let near = found.iter().filter(|candidate| is_told(candidate, rules));
                    told.add(near.filter_map(|candidate| scope.id_of(candidate.slot)), &query.gold);
                }
                let found = found.iter().filter_map(|candidate| scope.id_of(candidate.slot));
                score.add(found, &query.gold);
            }
        }
    }
    drop(progress);
    answer(output, &queries, &legs, (&told, &latency, missing));
    Ok(())
}

const FUSED: &str = "fused";

/// All together, and each leg alone.
fn legs(with_meaning: bool) -> Vec<(&'static str, RecallRules)> {
    let all = RecallRules::default();
    let none =
        Legs { lexical: 0.0, semantic: 0.0, keyword: 0.0, temporal: 0.0, emotional: 0.0, related: 0.0 };
    let only = |legs: Legs| {
        let mut rules = RecallRules::default();
        rules.legs = legs;
        rules
    };
    let mut legs = vec![(FUSED, all.clone()), ("lexical", only(Legs { lexical: all.legs.lexical, ..none }))];
    if with_meaning {
        legs.push(("semantic", only(Legs { semantic: all.legs.semantic, ..none })));
    }
    legs.push(("keyword", only(Legs { keyword: all.legs.keyword, ..none })));
    legs.push(("temporal", only(Legs { temporal: all.legs.temporal, ..none })));
    legs.push(("emotional", only(Legs { emotional: all.legs.emotional, ..none })));
    legs.push(("related", only(Legs { related: all.legs.related, ..none })));
    legs
}

fn nothing_counts(queries: &std::path::Path) -> Error {
    Error::invalid(format!("{} asks for nothing that counts", queries.display()))
        .hint("a query counts if `gold` names what should be found and its category is not adversarial")
}

/// Whether it would reach a prompt's threshold, as a memory of what happened.
fn is_told(candidate: &Candidate, rules: &RecallRules) -> bool {
    candidate.nearness * rules.of(Kind::Episodic).weight >= rules.threshold
}

fn answer(
    output: Output,
    queries: &[Query],
    legs: &[(&str, RecallRules, Score)],
    (told, latency, missing): (&Told, &Latency, Option<Missing>),
) {
    let counted_ones = queries.iter().filter(|query| query.counts()).count();
    let mut json = Map::new();
    let mut text = format!("{}\n", counted(counted_ones as u64, "query", "queries"));
    for (name, _, score) in legs {
        json.insert((*name).to_owned(), score.json());
        text += &format!("{name:10} {}\n", score.text());
    }
    json.insert("queries".to_owned(), counted_ones.into());
    json.extend(missing.map(|missing| ("without_vector".to_owned(), missing.json())));
    json.insert("threshold".to_owned(), told.json());
    text += &format!("{:10} {}\n", "threshold", told.text());
    json.insert("latency_ms".to_owned(), latency.json());
    text += &format!("{:10} {}\n", "latency", latency.text());
    output.answer(&text, &Value::Object(json));
}
