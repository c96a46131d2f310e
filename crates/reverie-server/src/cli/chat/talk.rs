//! One talk between a person and a character: something is said, remembered with, answered, recorded.

use std::io::Write;
use std::time::{Duration, Instant};

use reverie_api::wire::{Explained, RecallView};
use reverie_core::conversation::{ExpectedHead, HeadTarget, LinesQuery, WhichLines};
use reverie_core::line::NewLine;
use reverie_core::round::{CloseRound, Ending};
use reverie_core::store::Place;
use reverie_core::{
    Attribute, CharacterId, Code, ConversationId, Cue, Engine, Error, Line, Record, Result, RoundId, Slice,
    Who, WorldId,
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::cli::people;
use crate::output::Output;
use crate::proxy::{ECHO_PAUSE, Speaker, Spoken};

/// Who talks where.
pub(super) struct People {
    pub(super) world: WorldId,
    pub(super) room: ConversationId,
    pub(super) user: CharacterId,
    pub(super) character: CharacterId,
}

pub(super) struct Talk<'a> {
    pub(super) output: Output,
    pub(super) engine: &'a Engine,
    pub(super) people: People,
    /// The last prompt, explained.
    pub(super) recalled: Option<RecallView>,
    speaker: Speaker,
    model: &'a str,
    runtime: Runtime,
}

/// What was heard of an answer, and how it ended.
struct Heard {
    text: String,
    /// None: it was said to its end.
    trouble: Option<Error>,
}

/// So long memories are made after an answer; the rest comes after the next one.
const DIGEST_FOR: Duration = Duration::from_millis(200);

impl<'a> Talk<'a> {
    pub(super) fn new(
        output: Output,
        engine: &'a Engine,
        speaker: Speaker,
        people: People,
        model: &'a str,
    ) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Error::new(Code::Internal, format!("a talk cannot begin: {error}")))?;
        Ok(Self { output, engine, people, recalled: None, speaker, model, runtime })
    }

    pub(super) fn user(&self) -> &CharacterId {
        &self.people.user
    }

    pub(super) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// One exchange. Words to which no answer came are there already when they are said again.
    pub(super) fn say(&mut self, text: &str) -> Result<()> {
        let is_unanswered = self.is_unanswered(text)?;
        let People { world, room, user, .. } = &self.people;
        let round = self.engine.open_round(world, room, None)?.value.id;
        if is_unanswered {
            return self.answer(round);
        }
        let line = NewLine {
            round: Some(round),
            ..NewLine::new(Attribute::User, Some(Who::Id(user.clone())), text)
        };
        self.engine.record(world, room, Record { lines: vec![line], ..Record::default() })?;
        self.answer(round)
    }

    /// Whether these words of the same one are the last that were said.
    fn is_unanswered(&self, text: &str) -> Result<bool> {
        let last = self.lines(WhichLines::Path, 1)?.pop();
        let is_theirs = |line: &Line| {
            line.attribute == Attribute::User && line.speaker.as_ref() == Some(&self.people.user)
        };
        Ok(last.is_some_and(|last| is_theirs(&last) && last.wording.content.trim() == text.trim()))
    }

    /// Another answer to what was said last; the one that there was stays on a branch.
    pub(super) fn answer_anew(&mut self) -> Result<()> {
        let path = self.path()?;
        let Some(asked) = path.iter().rposition(|line| line.attribute == Attribute::User) else {
            return Err(Error::invalid("nothing was said yet").hint("say something first"));
        };
        let People { world, room, .. } = &self.people;
        let answers = path.len() - asked - 1;
        if answers > 0 {
            self.engine.move_head(world, room, HeadTarget::Back(answers), ExpectedHead::Any)?;
        }
        let round = self.engine.open_round(world, room, None)?.value.id;
        self.answer(round)
    }

    fn answer(&mut self, round: RoundId) -> Result<()> {
        let People { world, room, character, .. } = &self.people;
        let cue = Cue::new(Who::Id(character.clone()), Place::Conversation(room.clone()));
        let recall = RecallView::new(self.engine.recall(world, &cue)?, Explained::All);
        let messages: Vec<Value> = recall.messages.iter().map(|message| json!(message)).collect();
        let id = recall.id.clone();
        self.recalled = Some(recall);
        let Heard { text, trouble } = self.listen(&messages);
        let mut close = CloseRound { ending: Ending::Complete, shown_through: None };
        if trouble.is_some() {
            close.ending = Ending::Aborted;
        }
        if !text.trim().is_empty() {
            let line =
                NewLine::new(Attribute::Assistant, Some(Who::Id(self.people.character.clone())), text.trim());
            let line = NewLine { round: Some(round), ..line };
            let record = Record { lines: vec![line], recall: Some(id), ..Record::default() };
            let recorded = self.engine.record(&self.people.world, &self.people.room, record)?;
            // What was shown was heard, to its end or not.
            close.shown_through = recorded.appended.lines.last().map(|line| line.id);
            close.shown_through.map_or(Ok(()), |line| self.engine.speak_as_said(&self.people.world, line))?;
        }
        self.engine.close_round(&self.people.world, round, close)?;
        self.tell(&text);
        self.digest();
        trouble.map_or(Ok(()), Err)
    }

    /// Prints words as they come; Ctrl-C ends them.
    fn listen(&self, messages: &[Value]) -> Heard {
        let mut text = String::new();
        let shown = |words: &str| {
            if !self.output.json {
                let mut stdout = std::io::stdout().lock();
                // Whoever closed its end has heard enough; what was said is recorded all the same.
                let _ = write!(stdout, "{words}");
                let _ = stdout.flush();
            }
        };
        let name = people::name_of(self.engine, &self.people.world, self.people.character.as_str());
        shown(&format!("{name}: "));
        let heard = self.runtime.block_on(async {
            let listening = async {
                let mut speech = self.speaker.speak(self.model, messages).await?;
                while let Some(spoken) = speech.next().await {
                    let Spoken { words, was_thought } = spoken?;
                    if was_thought {
                        text.clear();
                        shown(&format!("\n{name}: "));
                    }
                    shown(&words);
                    text.push_str(&words);
                    if self.speaker.is_echo() && !self.output.json {
                        tokio::time::sleep(ECHO_PAUSE).await;
                    }
                }
                Ok(())
            };
            tokio::select! {
                heard = listening => heard,
                _ = tokio::signal::ctrl_c() => Err(Error::new(Code::Unavailable, "you broke it off")),
            }
        });
        shown("\n");
        let empty =
            || Error::new(Code::Unavailable, "the model said nothing").hint("try /again, or another model");
        let trouble = heard.err().or_else(|| text.trim().is_empty().then(empty));
        Heard { text, trouble }
    }

    /// For programs: what people saw as it came.
    fn tell(&self, text: &str) {
        if !self.output.json {
            return;
        }
        let recalled = self.recalled.as_ref();
        let memories = recalled.map(|recall| json!(recall.memories)).unwrap_or_default();
        let degraded = recalled.map(|recall| json!(recall.degraded)).unwrap_or_default();
        let character = self.people.character.as_str();
        let told = json!({"character": character, "answer": text.trim(), "memories": memories, "degraded": degraded});
        self.output.answer("", &told);
    }

    /// What was said becomes memories, for a moment at a time; a server on the same file does the rest.
    fn digest(&self) {
        let start = Instant::now();
        let go_on = || start.elapsed() < DIGEST_FOR;
        let slice = Slice { world: Some(self.people.world.clone()), now: false, go_on: &go_on };
        if let Err(error) = self.engine.digest(&slice) {
            self.output.warning(&format!("what was said is recorded and not yet remembered: {error}"));
        }
    }

    /// The last lines of the path, oldest first.
    pub(super) fn path(&self) -> Result<Vec<Line>> {
        let mut lines = self.lines(WhichLines::Path, self.engine.limits().page)?;
        lines.reverse();
        Ok(lines)
    }

    /// So many at most, the newest first.
    pub(super) fn lines(&self, which: WhichLines, limit: usize) -> Result<Vec<Line>> {
        let query = LinesQuery { which, witness: None, after: None, newest_first: true, limit };
        let lines = self.engine.lines(&self.people.world, &self.people.room, query)?.items;
        Ok(lines.into_iter().filter(|line| line.shown).collect())
    }
}
