//! What does a step stand for, among what exists now?

use std::sync::PoisonError;

use reverie_core::character::{CharacterKind, CharacterPatch, Named, Namespace, Who};
use reverie_core::conversation::{
    Append, AppendKey, Attach, ExpectedHead, HeadTarget, LinesQuery, OpenConversation, WhichLines,
};
use reverie_core::fingerprint::fingerprint;
use reverie_core::line::{NewLine, Wording};
use reverie_core::record::Record;
use reverie_core::settings::Preset;
use reverie_core::store::{Erase, LinePatch, Select};
use reverie_core::world::WorldPatch;
use reverie_core::{
    Attribute, CharacterId, CheckpointId, Conversation, ConversationId, DocumentId, LineId, WorldId,
};

use super::{Twins, Verdict, essence, exported};
use crate::story::{At, Expect, Pick, Said, Step, Target};

const MOST_WORLDS: usize = 3;

impl Twins<'_> {
    pub(super) fn take(&mut self, step: &Step) -> Verdict {
        self.begin()?;
        match step {
            Step::Open { world, id, name, people } => {
                let open = OpenConversation {
                    id: id.map(|id| ConversationId::new(&format!("房间 {}", id % 3)).expect("legal")),
                    name: name
                        .and_then(|name| pick(&["酒馆", "居酒屋", "Tavern, 2:a"], name))
                        .map(|name| (*name).to_owned()),
                    participants: people.iter().map(|pick| who(*pick)).collect(),
                };
                let world = self.world(*world);
                self.both("open", |store| store.open_conversation(&world, &open)).map(drop)
            }
            Step::Append { world, room, lines, attach, expect, key, timers, round, refreshed } => {
                let world = self.world(*world);
                let Some(room) = self.room(&world, *room)? else { return Ok(()) };
                let mut append = self.append_of(&world, &room, lines, *attach, *expect, *key)?;
                append.lore_timers = timers.then(|| format!("计时 {}", self.texts));
                append.keepsakes =
                    (0..append.lines.len()).step_by(2).map(|at| (at, format!("抄 {at}"))).collect();
                append.keepsakes.truncate(usize::from(*timers));
                if let Some(round) = round {
                    let round = self.some_round(&world, &room.id, *round)?;
                    append.lines.iter_mut().for_each(|line| line.round = Some(round));
                }
                let all = self.all_held(&world)?;
                let fresh = refreshed.iter().filter_map(|at| pick(&all, *at));
                append.refreshed = fresh.map(|held| (held.memory.id, held.holder.clone())).collect();
                self.both("append", |store| store.append(&world, &room.id, append.clone())).map(drop)
            }
            Step::SetPresent { world, room, people, expect } => {
                let world = self.world(*world);
                let Some(room) = self.room(&world, *room)? else { return Ok(()) };
                let people: Vec<Who> = people.iter().map(|pick| who(*pick)).collect();
                let expected = self.expected(&world, &room, *expect)?;
                self.both("presence", |store| store.set_present(&world, &room.id, &people, expected))
                    .map(drop)
            }
            Step::MoveHead { world, room, to, expect } => {
                let world = self.world(*world);
                let Some(room) = self.room(&world, *room)? else { return Ok(()) };
                let target = match to {
                    Target::Empty => HeadTarget::Empty,
                    Target::Line(pick) => HeadTarget::Line(self.line(&world, &room.id, *pick)?),
                    Target::Back(count) => HeadTarget::Back(usize::from(*count)),
                };
                let expected = self.expected(&world, &room, *expect)?;
                self.both("head", |store| store.move_head(&world, &room.id, target, expected)).map(drop)
            }
            Step::Revise { world, line, reword, hidden } => {
                let world = self.world(*world);
                let Some(room) = self.room(&world, *line)? else { return Ok(()) };
                let line = self.line(&world, &room.id, *line)?;
                let wording = reword.then(|| self.wording("改"));
                let patch = LinePatch { hidden: *hidden, ..wording.map(LinePatch::from).unwrap_or_default() };
                self.both("revision", |store| store.revise(&world, line, &patch)).map(drop)
            }
            Step::PutCharacter { world, who: pick, card } => {
                let (world, patch) = (self.world(*world), patch(*card));
                self.both("character", |store| store.put_character(&world, &who(*pick), &patch)).map(drop)
            }
            Step::PutWorld { world, setting, value } => {
                let (world, patch) = (self.world(*world), setting_patch(*setting, *value));
                self.both("settings", |store| store.put_world(&world, &patch, 8)).map(drop)
            }
            Step::Checkpoint { world, id } => {
                let (world, id) = (self.world(*world), checkpoint_id(*id));
                self.both("checkpoint", |store| store.put_checkpoint(&world, &id, 9)).map(drop)
            }
            Step::Restore { world, id } => {
                let (world, id) = (self.world(*world), checkpoint_id(*id));
                self.both("restore", |store| store.restore(&world, &id)).map(drop)
            }
            Step::EraseCheckpoint { world, id } => {
                let (world, what) = (self.world(*world), Erase::Checkpoint(checkpoint_id(*id)));
                self.both("erasing a checkpoint", |store| store.erase(&world, &what)).map(drop)
            }
            Step::EraseLine { world, line } => {
                let world = self.world(*world);
                let Some(room) = self.room(&world, *line)? else { return Ok(()) };
                let what = Erase::Line(self.line(&world, &room.id, *line)?);
                self.both("erasing a line", |store| store.erase(&world, &what)).map(drop)
            }
            Step::EraseCharacter { world, who } => {
                let world = self.world(*world);
                let known = self.both("characters", |store| store.characters(&world, &Select::default()))?;
                let Some(gone) = pick(&known.unwrap_or_default(), *who).cloned() else { return Ok(()) };
                let what = Erase::Character(gone.id);
                self.both("erasing a character", |store| store.erase(&world, &what)).map(drop)
            }
            Step::Fork { world, checkpoint, meanwhile } => {
                self.fork(&self.world(*world), *checkpoint, meanwhile.as_ref())
            }
            Step::EraseWorld { world } => {
                let world = self.world(*world);
                if self.worlds.len() > 1 {
                    self.both("erasing a world", |store| store.erase(&world, &Erase::World))?;
                    self.worlds.retain(|other| *other != world);
                }
                Ok(())
            }
            Step::PutDocument { id, entries, expect } => self.put_document(*id, entries, *expect),
            Step::ChangeEntries { id, changes } => self.change_entries(*id, changes),
            Step::EraseDocument { id } => self.erase_document(*id),
            Step::Link { world, scope, book, rank } => self.link(&self.world(*world), *scope, *book, *rank),
            Step::Unlink { world, link } => self.unlink(&self.world(*world), *link),
            Step::Keep { world, of, text } => self.keep(&self.world(*world), of, *text),
            Step::Mind { world, step } => self.take_mind_step(&self.world(*world), step),
            Step::Aside { world, step } => self.take_aside_step(&self.world(*world), step),
            Step::Ask(question) => self.ask(question),
        }
    }

    fn begin(&mut self) -> Verdict {
        if self.worlds.is_empty() {
            let id = world_id("世界");
            self.both("new world", |store| store.put_world(&id, &WorldPatch::default(), 7))?;
            self.worlds.push(id);
        }
        Ok(())
    }

    /// A conversation of some of the cast and a guest, every seventh with a crowd of guests.
    pub(super) fn take_past(&mut self, number: Pick) -> Verdict {
        self.begin()?;
        let world = self.world(0);
        let guests = if number.is_multiple_of(7) { 14 } else { u8::from(!number.is_multiple_of(3)) };
        let mut participants: Vec<Who> =
            [0, 1, 2, 5].into_iter().take(2 + usize::from(number % 3)).map(who).collect();
        for guest in 0..guests {
            participants.push(Who::Id(CharacterId::new(&format!("客 {number}.{guest}")).expect("legal")));
        }
        let name = number.is_multiple_of(2).then(|| format!("往事 {number}"));
        let open = OpenConversation { id: None, name, participants };
        let opened = self.both("past", |store| store.open_conversation(&world, &open))?;
        let Some((room, _)) = opened else { return Ok(()) };
        let said = |tick: u8, witnesses: Option<Vec<Pick>>| Said {
            attribute: Attribute::Assistant,
            speaker: Some(number.wrapping_mul(29) | 1),
            tick: Some(i64::from(tick % 17)),
            witnesses,
            hidden: false,
            host_id: None,
            named: false,
        };
        let lines =
            [said(number.wrapping_mul(7), None), said(number.wrapping_mul(11), Some(vec![number % 3]))];
        let append = self.append_of(&world, &room, &lines, At::Head, Expect::Any, None)?;
        self.both("past words", |store| store.append(&world, &room.id, append.clone())).map(drop)
    }

    /// Each store exports, and the other one takes it in.
    fn fork(
        &mut self,
        world: &WorldId,
        checkpoint: Option<Pick>,
        meanwhile: Option<&(Pick, Vec<Pick>)>,
    ) -> Verdict {
        let checkpoint = checkpoint.map(checkpoint_id);
        let export = |store: &dyn reverie_core::Store| exported(store, world, checkpoint.as_ref());
        self.both("export", |store| export(store).map(essence))?;
        let (Ok(from_model), Ok(from_other)) = (export(self.model), export(self.other)) else {
            return Ok(());
        };
        if self.worlds.len() >= MOST_WORLDS {
            return Ok(());
        }
        if let Some((id, entries)) = meanwhile {
            self.put_document(*id, entries, None)?;
        }
        self.forks += 1;
        let fork = world_id(&format!("分岐 {}", self.forks));
        let adapted = |mut records: Vec<Record>| {
            if let Some(Record::World(head)) = records.first_mut() {
                head.forked_from = Some(world.clone());
            }
            records
        };
        let taken_by_model = self.model.import(&fork, &mut adapted(from_other).into_iter().map(Ok));
        let taken_by_other = self.other.import(&fork, &mut adapted(from_model).into_iter().map(Ok));
        if taken_by_model != taken_by_other || taken_by_model.is_err() {
            return Err(format!(
                "import differs\n   model: {taken_by_model:?}\n   other: {taken_by_other:?}"
            ));
        }
        self.worlds.push(fork);
        if self.worlds.len() < MOST_WORLDS {
            let own = world_id(&format!("自分岐 {}", self.forks));
            self.both("fork", |store| store.fork(world, &own, checkpoint.as_ref(), 77))?;
            self.worlds.push(own);
        }
        Ok(())
    }

    fn append_of(
        &mut self,
        world: &WorldId,
        room: &Conversation,
        lines: &[Said],
        attach: At,
        expect: Expect,
        key: Option<Pick>,
    ) -> Verdict<Append> {
        let mut append = Append {
            lines: Vec::new(),
            attach: match attach {
                At::Head => Attach::Head,
                At::Root => Attach::Root,
                At::Behind(pick) => Attach::Behind(self.line(world, &room.id, pick)?),
                At::Beside(pick) => Attach::Beside(self.line(world, &room.id, pick)?),
            },
            expected_head: self.expected(world, room, expect)?,
            now_ms: 1_000 + self.texts as i64,
            key: None,
            lore_timers: None,
            refreshed: Vec::new(),
            keepsakes: Vec::new(),
        };
        for said in lines {
            let speaker = said.speaker.map(|pick| self.speaker(room, pick));
            append.lines.push(NewLine {
                attribute: said.attribute,
                speaker,
                display_name: said.named.then(|| "化名".to_owned()),
                wording: self.wording("说"),
                tick: said.tick,
                wall_ms: None,
                host_id: said.host_id.map(|id| format!("h{id}")),
                witnesses: said.witnesses.as_ref().map(|all| all.iter().map(|pick| who(*pick)).collect()),
                hidden: said.hidden,
                round: None,
            });
        }
        append.key = key.map(|key| AppendKey { key: format!("k{key}"), digest: fingerprint(&append) });
        Ok(append)
    }

    /// Mostly somebody who may speak there, so that most lines are recorded.
    fn speaker(&self, room: &Conversation, pick: Pick) -> Who {
        let (which, place) = (pick % 4, usize::from(pick / 4));
        match room.present.get(place % room.present.len().max(1)) {
            Some(id) if which > 0 => Who::Id(id.clone()),
            _ => who(pick / 4),
        }
    }

    fn wording(&mut self, verb: &str) -> Wording {
        self.texts += 1;
        let content = format!("{verb}〔{}〕", self.texts);
        let some = |is_there: bool, text: &str| is_there.then(|| text.to_owned());
        Wording {
            content,
            original_emotion: some(self.texts.is_multiple_of(3), "开心"),
            predicted_emotion: some(self.texts.is_multiple_of(5), "嬉しい"),
            tts: some(self.texts.is_multiple_of(7), "tts"),
            action: some(self.texts.is_multiple_of(4), "挥手"),
            audio: some(self.texts.is_multiple_of(11), "a.ogg"),
        }
    }

    pub(super) fn world(&self, at: Pick) -> WorldId {
        pick(&self.worlds, at).cloned().expect("there is always one")
    }

    pub(super) fn room(&self, world: &WorldId, at: Pick) -> Verdict<Option<Conversation>> {
        let all = self.both("conversations", |store| store.conversations(world, &Select::default()))?;
        let ids: Vec<ConversationId> = {
            let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
            let ever = rooms.entry(world.clone()).or_default();
            ever.extend(all.into_iter().flatten().map(|room| room.id));
            ever.iter().cloned().collect()
        };
        let Some(id) = pick(&ids, at) else { return Ok(None) };
        let one = Select::One(id.to_string());
        let found = self.both("conversation", |store| store.conversations(world, &one))?;
        Ok(found.into_iter().flatten().next())
    }

    /// A line of the conversation, or now and then one that is not there.
    pub(super) fn line(&self, world: &WorldId, room: &ConversationId, at: Pick) -> Verdict<LineId> {
        let query = LinesQuery {
            which: WhichLines::Tree,
            witness: None,
            after: None,
            newest_first: false,
            limit: usize::MAX,
        };
        let lines = self.both("tree", |store| store.lines(world, room, &query))?.unwrap_or_default();
        let nowhere = LineId::new(u64::from(at) + 1).map_err(|error| error.to_string())?;
        Ok(pick(&lines, at).filter(|_| at % 16 != 15).map_or(nowhere, |line| line.id))
    }

    fn expected(&self, world: &WorldId, room: &Conversation, expect: Expect) -> Verdict<ExpectedHead> {
        Ok(match expect {
            Expect::Any => ExpectedHead::Any,
            Expect::Empty => ExpectedHead::Empty,
            Expect::Right => room.head.map_or(ExpectedHead::Empty, ExpectedHead::Line),
            Expect::Line(pick) => ExpectedHead::Line(self.line(world, &room.id, pick)?),
        })
    }
}

pub(super) fn pick<T>(all: &[T], at: Pick) -> Option<&T> {
    all.get(usize::from(at) % all.len().max(1))
}

/// The cast: plain ids, a narrator, hosts' numbers in two namespaces, namesakes, and ids that look like lists.
pub(super) fn who(pick: Pick) -> Who {
    let id = |id: &str| Who::Id(CharacterId::new(id).expect("legal"));
    let named = |role: Option<&str>, script: Option<&str>, name: Option<&str>| {
        let own = |text: Option<&str>| text.map(str::to_owned);
        Who::Named(Named { role_id: own(role), script_role_id: own(script), display_name: own(name) })
    };
    match pick % 13 {
        0 => id("白小喵"),
        1 => id("さくら"),
        2 => id("Bob"),
        3 => named(Some("1"), None, Some("钦灵")),
        4 => named(None, Some("1"), Some("白小喵")),
        5 => named(None, None, Some("莱姆")),
        6 => id("旁白"),
        7 => id("3:Bob"),
        8 => named(Some("2"), None, Some("Bob")),
        9 => named(None, None, Some("白小喵")),
        10 => named(Some("1"), Some("9"), None),
        11 => id("Bob,さくら"),
        _ => id("deleted:1"),
    }
}

fn patch(pick: Pick) -> CharacterPatch {
    let mut patch = CharacterPatch::default();
    match pick % 9 {
        0 => patch.persona = Some(Some(format!("人设 {pick}"))),
        1 => patch.display_name = Some(Some("白小喵".to_owned())),
        2 => patch.kind = Some(CharacterKind::Narrator),
        3 => patch.kind = Some(CharacterKind::Person),
        4 => {
            patch.host_ids = vec![(Namespace::Role, Some(pick % 4).filter(|n| *n > 0).map(|n| n.to_string()))]
        }
        5 => patch.display_name = Some(None),
        6 => {
            let card = DocumentId::new(&format!("卡{pick}")).expect("legal");
            patch.document = Some(Some(card).filter(|_| pick > 8));
        }
        7 => {
            let all = ["莱姆", "Bob", "老默", "灯塔爷爷"].map(str::to_owned);
            patch.aliases =
                Some(all.into_iter().skip(usize::from(pick) % 3).take(usize::from(pick) % 4).collect());
        }
        _ => {
            patch.tags =
                Some(Some(pick / 8).filter(|n| *n > 0).map(|n| vec!["英雄".to_owned(), n.to_string()]))
        }
    }
    patch
}

fn setting_patch(setting: Pick, value: Pick) -> WorldPatch {
    let (key, values) = match setting % 5 {
        0 => ("audience", ["open", "strict", "same-conversation", ""]),
        1 => ("prompt.background_lines", ["0", "2", "5", ""]),
        2 => ("narrator.names.0", ["莱姆", "Bob", "", "x"]),
        3 => ("prompt.history", ["conversation", "primary", "nonsense", ""]),
        _ => {
            let preset = pick(&[Preset::Companion, Preset::Game, Preset::Bot], value).copied();
            return WorldPatch { preset, ..WorldPatch::default() };
        }
    };
    let value = pick(&values, value).map_or(String::new(), |value| (*value).to_owned());
    WorldPatch { preset: None, settings: [(key.to_owned(), value)].into() }
}

pub(super) fn checkpoint_id(at: Pick) -> CheckpointId {
    let id = pick(&["自动存档", "セーブ", "quick save"], at).expect("there are three");
    CheckpointId::new(id).expect("legal")
}

fn world_id(text: &str) -> WorldId {
    WorldId::new(text).expect("legal")
}
