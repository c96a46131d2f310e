//! What holds of digesting and of layers, whatever was said and whenever?

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use reverie_core::digest::{Closing, DigestRules, digest_rounds};
use reverie_core::layers::{Dormant, LayerRules, Now, activity, standings};
use reverie_core::line::Wording;
use reverie_core::memories::{Backlog, Effect, Guard, NewMemory, PathLine};
use reverie_core::memory::{Held, Kind, Layer, Memory, Origin, Source, State};
use reverie_core::round::{Participant, Round, RoundState, Span};
use reverie_core::settings::WorldSettings;
use reverie_core::time::Language;
use reverie_core::{Attribute, CharacterId, ConversationId, Line, LineId, MemoryId, RoundId};

const PEOPLE: [&str; 4] = ["张三", "さくら", "Bob", "旁白"];

fn person(at: usize) -> CharacterId {
    CharacterId::new(PEOPLE[at]).unwrap()
}

#[derive(Debug, Clone)]
struct Said {
    attribute: Attribute,
    speaker: usize,
    witnesses: BTreeSet<usize>,
    content: &'static str,
    hidden: bool,
    round: Option<u64>,
    pause_ms: i64,
}

fn said() -> impl Strategy<Value = Said> {
    (
        prop_oneof![
            4 => Just(Attribute::User),
            5 => Just(Attribute::Assistant),
            1 => Just(Attribute::System),
        ],
        0..4usize,
        proptest::collection::btree_set(0..3usize, 0..4),
        prop_oneof![Just("你好"), Just("はい"), Just("so it is"), Just(" ")],
        prop::bool::weighted(0.1),
        option::weighted(0.4, 1..4u64),
        prop_oneof![5 => 0..1000i64, 1 => Just(400_000)],
    )
        .prop_map(|(attribute, speaker, witnesses, content, hidden, round, pause_ms)| Said {
            attribute,
            speaker,
            witnesses,
            content,
            hidden,
            round,
            pause_ms,
        })
}

/// A conversation of which nothing is remembered yet, with three rounds of a host: open, closed and closed.
fn backlog(said: &[Said], is_cut: bool) -> Backlog {
    let conversation = ConversationId::new("酒馆").unwrap();
    let participant = |at: usize| Participant { character: person(at), name: Some(PEOPLE[at].to_owned()) };
    let mut wall_ms = 0;
    let mut lines = Vec::new();
    for (place, said) in said.iter().enumerate() {
        wall_ms += said.pause_ms;
        let is_narrator = said.speaker == 3;
        let mut witnesses: BTreeSet<CharacterId> = said.witnesses.iter().map(|at| person(*at)).collect();
        if !is_narrator {
            witnesses.insert(person(said.speaker));
        }
        lines.push(PathLine {
            line: Line {
                id: LineId::new(place as u64 + 1).unwrap(),
                conversation: conversation.clone(),
                parent: LineId::new(place as u64).ok(),
                attribute: said.attribute,
                speaker: Some(person(said.speaker)),
                name: Some(PEOPLE[said.speaker].to_owned()),
                wording: Wording { content: said.content.to_owned(), ..Wording::default() },
                tick: Some(place as i64),
                wall_ms,
                host_id: None,
                witnesses: witnesses.into_iter().collect(),
                hidden: said.hidden,
                forgotten_by: Vec::new(),
                shown: true,
                round: said.round.map(|id| RoundId::new(id).unwrap()),
                version: 0,
            },
            present: (0..3).map(participant).collect(),
            own_name: None,
            by_person: !is_narrator,
        });
    }
    let round = |id: u64, state| {
        let id = RoundId::new(id).unwrap();
        let mut own = lines.iter().filter(|line| line.line.round == Some(id)).map(|line| line.line.id);
        let first = own.next()?;
        // Of a round that is cut off, the last line is one that nobody read.
        let last = own.next_back().unwrap_or(first);
        let last = if is_cut { LineId::new(last.get() + 1000).unwrap() } else { last };
        Some(Round {
            id,
            conversation: conversation.clone(),
            explicit: true,
            state,
            present: vec![participant(1)],
            opened_ms: 0,
            span: Some(Span { first, last }),
        })
    };
    let rounds = [(1, RoundState::Open), (2, RoundState::Closed), (3, RoundState::Closed)];
    let rounds = rounds.into_iter().filter_map(|(id, state)| round(id, state)).collect();
    Backlog { conversation, covered: None, rounds, lines, is_cut }
}

fn made(effects: &[Effect]) -> Vec<&NewMemory> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Remember(new) => Some(new),
            _ => None,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nobody_remembers_what_they_did_not_witness(
        said in vec(said(), 0..24),
        now in any::<bool>(),
        is_cut in prop::bool::weighted(0.2),
    ) {
        let backlog = backlog(&said, is_cut);
        let closing = if now { Closing::Now } else { Closing::Due { now_ms: 5_000_000 } };
        let found = digest_rounds(&backlog, &DigestRules::default(), Language::Zh, closing);
        let lines: BTreeMap<LineId, &PathLine> =
            backlog.lines.iter().map(|line| (line.line.id, line)).collect();
        let mut seen: BTreeSet<(CharacterId, LineId)> = BTreeSet::new();
        for new in made(&found.commit.effects) {
            prop_assert!(!new.sources.is_empty() && !new.holders.is_empty());
            for (holder, _) in &new.holders {
                for source in &new.sources {
                    let line = lines[&source.line];
                    prop_assert!(line.line.is_witnessed_by(holder), "{holder} and {}", source.line);
                    prop_assert!(!line.line.hidden && line.line.attribute != Attribute::System);
                    prop_assert!(seen.insert((holder.clone(), source.line)), "a line is remembered once");
                    prop_assert_ne!(line.line.round, RoundId::new(1).ok(), "that round is still open");
                }
            }
            // The text holds these lines and no others.
            let lines_of_text = new.text.lines().count() - 1;
            prop_assert_eq!(lines_of_text, new.sources.len());
        }
        if is_cut {
            let touches_rounds = |effect: &Effect| matches!(effect, Effect::Digested(_));
            prop_assert!(!found.commit.effects.iter().any(touches_rounds), "half a round is none");
        } else if now {
            for line in &backlog.lines {
                let line = &line.line;
                let is_to_remember = !line.hidden
                    && line.attribute != Attribute::System
                    && !line.wording.content.trim().is_empty()
                    && line.round != RoundId::new(1).ok();
                for witness in line.witnesses.iter().filter(|_| is_to_remember) {
                    prop_assert!(seen.contains(&(witness.clone(), line.id)), "{witness} lost {}", line.id);
                }
            }
        }
    }

    /// All that is written was read, so that nothing is written about what is not so any more.
    #[test]
    fn every_source_is_guarded(said in vec(said(), 0..24)) {
        let found = digest_rounds(&backlog(&said, false), &DigestRules::default(), Language::Zh, Closing::Now);
        let guarded: BTreeSet<LineId> = found.commit.guards.iter().flat_map(|guard| match guard {
            Guard::Lines(lines) => lines.iter().map(|read| read.line).collect(),
            _ => Vec::new(),
        }).collect();
        for new in made(&found.commit.effects) {
            prop_assert!(new.sources.iter().all(|source| guarded.contains(&source.line)));
        }
    }

    #[test]
    fn layers_have_room_for_so_many(all in vec(held(), 0..60), capacity in 0..8usize, hours in 0..200i64) {
        let rules = rules(capacity);
        let all = numbered(all);
        let now = Now::new(&rules, None, Some(hours * 10), 0);
        let standings = standings(&all, &rules, &now);
        for layer in [Layer::Situational, Layer::Events, Layer::Archive] {
            let awake = all.iter().zip(&standings).filter(|(held, standing)| {
                let takes_a_place = !held.state.pinned && !is_noted(held);
                held.state.layer == Some(layer) && takes_a_place && standing.dormant.is_none()
            });
            let awake: Vec<f64> = awake.map(|(_, standing)| standing.activity).collect();
            prop_assert!(awake.len() <= capacity, "{layer:?}");
            prop_assert!(awake.iter().all(|activity| *activity >= rules.floor));
            // Nobody gives way to somebody less lively.
            let crowded = all.iter().zip(&standings).filter(|(held, standing)| {
                held.state.layer == Some(layer) && standing.dormant == Some(Dormant::Crowded)
            });
            for (_, standing) in crowded {
                prop_assert!(awake.len() == capacity && awake.iter().all(|other| *other >= standing.activity));
            }
        }
        for (held, standing) in all.iter().zip(&standings) {
            prop_assert!(!held.state.pinned || standing.dormant.is_none(), "pinned is never dormant");
            prop_assert!(!is_noted(held) || standing.dormant != Some(Dormant::Crowded), "what is noted gives way to nothing");
            let is_active = held.state.layer == Some(Layer::Active);
            prop_assert!(!is_active || held.summarised.is_some() || standing.dormant.is_none(), "not before its summary");
        }
    }

    #[test]
    fn fading_goes_one_way(one in held(), earlier in 0..500i64, later in 0..500i64) {
        let rules = rules(5);
        let one = numbered(vec![one]).remove(0);
        let at = |hours: i64| activity(&one, &rules, &Now::new(&rules, None, Some(hours * 10), 0));
        let (earlier, later) = (earlier.min(later), earlier.max(later));
        prop_assert!(at(earlier) >= at(later));
        prop_assert!((0.0..=1.0).contains(&at(later)));
        prop_assert!(!one.state.pinned || at(later) == one.state.activity);
    }
}

fn is_noted(held: &Held) -> bool {
    held.memory.origin == Origin::Hand && held.state.layer == Some(Layer::Situational)
}

/// An hour is 10 ticks.
fn rules(capacity: usize) -> LayerRules {
    let capacities = ["situational", "events", "archive"]
        .map(|layer| (format!("layers.{layer}.capacity"), capacity.to_string()));
    let pairs = capacities.into_iter().chain([("layers.hour".to_owned(), "10".to_owned())]).collect();
    WorldSettings::resolve(Default::default(), &pairs).unwrap().layers
}

fn held() -> impl Strategy<Value = Held> {
    (
        option::weighted(0.9, prop::sample::select(Layer::ALL)),
        prop::sample::select(Kind::ALL),
        prop::bool::weighted(0.15),
        any::<bool>(),
        option::of(0..1000i64),
        option::weighted(0.3, 0..1000i64),
        0.0..=1.0f64,
        prop::sample::select(&[Origin::Hand, Origin::Event][..]),
    )
        .prop_map(|(layer, kind, pinned, summarised, since, refreshed, importance, origin)| {
            let kind = if layer.is_some() { Kind::Episodic } else { kind };
            let memory = Memory {
                id: MemoryId::new(1).unwrap(),
                kind,
                origin,
                text: "雨".to_owned(),
                sources: vec![Source { line: LineId::new(1).unwrap(), version: 0 }],
                from: Vec::new(),
                about: Vec::new(),
                importance,
                keywords: Vec::new(),
                topics: Vec::new(),
                emotions: Vec::new(),
                tick: since,
                wall_ms: 0,
                model: None,
                revision: 1,
            };
            Held {
                memory,
                holder: person(0),
                state: State { pinned, ..State::new(layer, since) },
                version: 0,
                live: true,
                summarised: summarised.then(|| MemoryId::new(9_999).unwrap()),
                superseded: None,
                refreshed: refreshed
                    .map(|tick| reverie_core::time::Moment { tick: Some(tick), wall_ms: Some(0) }),
            }
        })
}

fn numbered(mut all: Vec<Held>) -> Vec<Held> {
    for (place, held) in all.iter_mut().enumerate() {
        held.memory.id = MemoryId::new(place as u64 + 1).unwrap();
    }
    all
}
