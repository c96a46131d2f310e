//! Every operation: method, path, parameters, types and the function that answers it.

mod backups;
mod books;
mod cards;
mod chats;
mod connections;
mod conversations;
mod dates;
mod jobs;
mod lines;
mod lore;
mod memories;
mod pictures;
mod prompts;
mod remembered;
mod rounds;
mod worlds;

pub(crate) use dates::MOST_DATES;
use reverie_core::{
    CharacterId, CheckpointId, ConversationId, LineId, Listed, MemoryId, Result, RoundId, WorldId, Written,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::*;

pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// Stable: clients generate function names from it.
    pub(crate) operation: &'static str,
    pub(crate) summary: &'static str,
    /// Query parameters and what they mean.
    pub(crate) query: &'static [(&'static str, &'static str)],
    pub(crate) body: Option<SchemaOf>,
    pub(crate) answer: Option<SchemaOf>,
    pub(crate) example: Option<&'static str>,
    pub(crate) created: Created,
    pub(crate) handler: fn(&Api, &Call<'_>) -> Result<Reply>,
}

/// Whether an operation answers 201.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Created {
    Never,
    /// 200 if it was there already.
    Sometimes,
    Always,
}

type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

const PAGE: &[(&str, &str)] = &[
    ("cursor", "continue behind this: `next` of the page before"),
    ("limit", "entries on this page; default 100, at most the setting limits.page"),
];

const REVISION: &[(&str, &str)] =
    &[("expected_revision", "refused as a conflict if the book has another revision; 0: if there is one")];

macro_rules! route {
    ($method:ident $path:literal $operation:literal $summary:literal $handler:path $(, query = $query:expr)? $(, body = $body:ty)?
     $(, answer = $answer:ty)? $(, created = $created:ident)? $(, example = $example:literal)?) => {
        Route {
            method: stringify!($method),
            path: $path,
            operation: $operation,
            summary: $summary,
            query: optional!(&[]; $($query)?),
            body: optional!(None; $(Some(schema::<$body> as SchemaOf))?),
            answer: optional!(None; $(Some(schema::<$answer> as SchemaOf))?),
            example: optional!(None; $(Some($example))?),
            created: optional!(Created::Never; $(Created::$created)?),
            handler: $handler,
        }
    };
}

macro_rules! optional {
    ($default:expr;) => {
        $default
    };
    ($default:expr; $value:expr) => {
        $value
    };
}

/// What memories are chosen by, between what else a query may say.
macro_rules! memory_filters {
    ($($before:expr),*; $($behind:expr),*) => {
        &[
            $($before,)*
            ("kind", "`episodic`, `semantic`, `trait` or `goal`; repeat for several"),
            ("layer", "`active`, `situational`, `events` or `archive`; repeat for several"),
            ("about", "about this character; repeat for several"),
            ("emotion", "felt with it, as the memory names it; repeat for several, of which one is enough"),
            ("from", "happened at this time or later, RFC 3339"),
            ("to", "happened before this time"),
            ("from_tick", "happened at this tick or later; what has no tick is left out"),
            ("to_tick", "happened before this tick"),
            ("pinned", "`true`: only pinned ones; `false`: only others"),
            ("dormant", "`true`: only what is not put before the character any more; `false`: only what is. What cannot be recalled is neither"),
            ("repeats", "`false`: without summaries made without a model of one memory alone that can be recalled itself, in which the same stands again; `true`: only those. What cannot be recalled is neither"),
            ("shared_with", "this character can recall it, too"),
            ("forgotten", "`true`: only what the character forgot, and could be brought back"),
            ("all", "`true`: also what cannot be recalled now: off the path, forgotten, superseded"),
            $($behind,)*
        ]
    };
}

pub(crate) const ROUTES: &[Route] = &[
    route!(GET "/v1/worlds" "listWorlds" "List worlds" worlds::list, query = PAGE, answer = Page<WorldView>),
    route!(PUT "/v1/worlds/{world}" "putWorld" "Create a world or change its settings" worlds::put,
        body = PutWorld, answer = WorldView, created = Sometimes, example = r#"{"preset":"game","settings":{"calendar":{"kind":"rimworld"}}}"#),
    route!(GET "/v1/worlds/{world}" "getWorld" "Read a world" worlds::get, answer = WorldView),
    route!(GET "/v1/worlds/{world}/dates" "getDates" "What the calendar of a world calls ticks" dates::get,
        query = &[("tick", "a moment of the host's clock; repeat for several, at most 500"),
                  ("language", "`zh` or `en`; default: the world's")],
        answer = DatesView),
    route!(DELETE "/v1/worlds/{world}" "deleteWorld" "Delete a world for good" worlds::delete),
    route!(POST "/v1/worlds/{world}/fork" "forkWorld" "Copy a world, as it is or as it was at a checkpoint" worlds::fork,
        body = ForkWorld, answer = WorldView, created = Always, example = r#"{"id":"what-if","checkpoint":"autosave-1"}"#),
    route!(GET "/v1/worlds/{world}/export" "exportWorld" "Export a world, or one checkpoint of it for a save file" worlds::export,
        query = &[("checkpoint", "export the world as it was there"),
                  ("format", "`jsonl` (readable; default without a checkpoint) or `save` (one compact line that is safe in XML; default with one)")]),
    route!(POST "/v1/import" "importWorld" "Make a new world from an export, in either format" worlds::import,
        query = &[("world", "id of the new world; default: the exported one")], answer = WorldView, created = Always),
    route!(GET "/v1/worlds/{world}/characters" "listCharacters" "List characters" worlds::list_characters,
        query = PAGE, answer = Page<CharacterView>),
    route!(PUT "/v1/worlds/{world}/characters/{character}" "putCharacter" "Create or change a character" worlds::put_character,
        body = PutCharacter, answer = CharacterView, created = Sometimes, example = r#"{"display_name":"钦灵","persona":"你叫钦灵，进行角色扮演"}"#),
    route!(GET "/v1/worlds/{world}/characters/{character}" "getCharacter" "Read a character" worlds::get_character,
        answer = CharacterView),
    route!(DELETE "/v1/worlds/{world}/characters/{character}" "deleteCharacter"
        "Delete a character and everything it said, for good" worlds::delete_character),
    route!(POST "/v1/worlds/{world}/conversations" "openConversation"
        "Find a conversation by its participants or its name, or open it" conversations::open,
        body = OpenConversationBody, answer = ConversationView, created = Sometimes, example = r#"{"participants":["player","qin"]}"#),
    route!(GET "/v1/worlds/{world}/conversations" "listConversations" "List conversations" conversations::list,
        query = &[("cursor", "continue behind this: `next` of the page before"),
                  ("limit", "entries on this page; default 100, at most the setting limits.page"),
                  ("newest_first", "`true`: those in which something was said last come first; default `false`: in the order of their ids")],
        answer = Page<ConversationView>),
    route!(GET "/v1/worlds/{world}/conversations/{conversation}" "getConversation" "Read a conversation" conversations::get,
        answer = ConversationView),
    route!(GET "/v1/worlds/{world}/conversations/{conversation}/chat" "exportChat"
        "The path of a conversation as a chat file of SillyTavern, with all that such a file said when it came in" chats::export),
    route!(POST "/v1/worlds/{world}/chats" "importChat"
        "Bring in a chat file of SillyTavern; of one that was brought in before, what is new" chats::import,
        query = &[("file", "the name of the file; without its ending the name of the conversation"),
                  ("conversation", "instead of it: the name of the conversation, or the id of one that is there"),
                  ("timezone", "the zone of dates that name none, such as `Asia/Shanghai` or `+08:00`; default UTC")],
        answer = ImportedChatView, created = Sometimes),
    route!(GET "/v1/worlds/{world}/groups" "listGroups" "List the groups that came with a SillyTavern folder" chats::list_groups,
        answer = GroupsView),
    route!(GET "/v1/worlds/{world}/groups/{group}" "exportGroup" "The file of a group, as it came in" chats::group,
        answer = serde_json::Map<String, serde_json::Value>),
    route!(PUT "/v1/worlds/{world}/conversations/{conversation}/present" "setPresent"
        "Say who is in a scene from now on" conversations::set_present,
        body = SetPresent, answer = ConversationView, example = r#"{"present":["mo","you"]}"#),
    route!(PUT "/v1/worlds/{world}/conversations/{conversation}/head" "moveHead"
        "Undo, redo, or switch to another branch" conversations::move_head,
        body = MoveHead, answer = ConversationView, example = r#"{"undo":2}"#),
    route!(POST "/v1/worlds/{world}/conversations/{conversation}/lines" "recordLines"
        "Record lines; they are durable when this returns" lines::record,
        body = RecordLines, answer = RecordedView, created = Sometimes,
        example = r#"{"lines":[{"speaker":"you","attribute":"user","content":"你好","tick":200}],"key":"turn-1"}"#),
    route!(GET "/v1/worlds/{world}/conversations/{conversation}/lines" "listLines" "Read lines, from the root to the head" lines::list,
        query = &[("cursor", "continue behind this: `next` of the page before"), ("limit", "lines on this page; default 100, at most the setting limits.page"),
                  ("as", "only what this character witnessed"), ("newest", "`true`: newest first"),
                  ("tree", "`true`: every branch, in the order of recording"),
                  ("children_of", "the children of this line (`root`: the first lines): the swipes to choose from")],
        answer = Page<LineView>),
    route!(GET "/v1/worlds/{world}/lines/{line}" "getLine" "Read a line, on the active path or not" lines::get, answer = LineView),
    route!(PATCH "/v1/worlds/{world}/lines/{line}" "editLine" "Edit a line, hide it from prompts, or show it again" lines::edit,
        body = PatchLine, answer = LineView, example = r#"{"hidden":true}"#),
    route!(DELETE "/v1/worlds/{world}/lines/{line}" "deleteLine" "Delete a line for good" lines::delete),
    route!(GET "/v1/worlds/{world}/conversations/{conversation}/lines/{line}" "getConversationLine"
        "Read a line of this conversation" lines::get_in_conversation, answer = LineView),
    route!(PATCH "/v1/worlds/{world}/conversations/{conversation}/lines/{line}" "editConversationLine"
        "Edit a line of this conversation" lines::edit_in_conversation, body = PatchLine, answer = LineView, example = r#"{"hidden":true}"#),
    route!(DELETE "/v1/worlds/{world}/conversations/{conversation}/lines/{line}" "deleteConversationLine"
        "Delete a line of this conversation for good" lines::delete_in_conversation),
    route!(POST "/v1/worlds/{world}/conversations/{conversation}/rounds" "openRound"
        "Begin a round: who is there, under which names" rounds::open,
        body = OpenRoundBody, answer = RoundView, created = Always, example = r#"{"present":["player","qin"]}"#),
    route!(GET "/v1/worlds/{world}/conversations/{conversation}/rounds" "listRounds" "List the rounds of a conversation" rounds::list,
        query = PAGE, answer = Page<RoundView>),
    route!(GET "/v1/worlds/{world}/rounds/{round}" "getRound" "Read a round" rounds::get, answer = RoundView),
    route!(POST "/v1/worlds/{world}/rounds/{round}/complete" "completeRound"
        "End a round whose last word was shown: it will be remembered" rounds::complete,
        body = CloseRoundBody, answer = RoundView, example = r#"{}"#),
    route!(POST "/v1/worlds/{world}/rounds/{round}/abort" "abortRound"
        "End a round that broke off: only what was shown counts" rounds::abort,
        body = CloseRoundBody, answer = RoundView, example = r#"{}"#),
    route!(POST "/v1/worlds/{world}/events" "recordEvent" "Something happened, and these saw it: it becomes a memory of theirs"
        memories::record_event, body = EventBody, answer = RecordedEventView, created = Sometimes,
        example = r#"{"text":"张三和李四举行了婚礼","witnesses":["player","qin"],"tick":60000,"key":"wedding-1"}"#),
    route!(GET "/v1/worlds/{world}/characters/{character}/memories" "listMemories"
        "The memories of a character; with q those in which these words are, the best first" remembered::list,
        query = memory_filters![
                  ("q", "words to look for, in any language; dormant memories are found too"),
                  ("by", "with q: `words` (default), or `mind`: what q brings to mind as in a prompt, by words and by meaning, the nearest first; the score is then from 0 to 1");
                  ("order", "`made` (default): as they came to be; `time`: by when it happened, by the wall clock; `tick`: by when it happened, by the host's clock, and what has no tick before all that has one. A search has an order of its own"),
                  ("newest", "`true`: the last of this order first"),
                  ("cursor", "continue behind this: `next` of the page before, in the same order"),
                  ("limit", "entries on this page; default 100, at most the setting limits.page")],
        answer = Page<MemoryView>),
    route!(GET "/v1/worlds/{world}/characters/{character}/timeline" "getTimeline"
        "How the memories of a character are spread over time: counted, not listed" remembered::timeline,
        query = memory_filters![
                  ("buckets", "into so many stretches time is divided; default 60, at most 400"),
                  ("by", "`time` or `tick`; absent: the clock of the bounds that are given; without any, `tick` in a world that has game time or where most of these memories have a tick, else `time`");],
        answer = TimelineView),
    route!(GET "/v1/worlds/{world}/characters/{character}/stats" "getCharacterStats"
        "What a character can recall, counted by kind, layer, emotion and person" remembered::stats, answer = CharacterFacetsView),
    route!(GET "/v1/worlds/{world}/lines/{line}/memories" "listLineMemories"
        "The memories that were made of a line, each with all who have it" remembered::of_line,
        query = &[("all", "`true`: also what nobody can recall now: off the path, forgotten, superseded"),
                  ("cursor", "continue behind this: `next` of the page before"),
                  ("limit", "entries on this page; default 100, at most the setting limits.page")],
        answer = Page<SharedMemoryView>),
    route!(GET "/v1/worlds/{world}/characters/{character}/suggestions" "listSuggestions"
        "Memories that are worth raising now, or about to fade" prompts::suggestions,
        query = &[("conversation", "where: what concerns those who are there, and only what they may hear; absent: anything"),
                  ("limit", "at most so many; default 10, at most the setting limits.page")],
        answer = SuggestionsView),
    route!(GET "/v1/worlds/{world}/characters/{character}/map" "getMemoryMap"
        "A character's memory from afar: what is alike lies together, by meaning or else by words" pictures::map,
        query = &[("points", "memories that are told one by one, of each cluster those that matter most; default 1500, at most 5000"),
                  ("cluster", "only those of this cluster are told one by one: more of them"),
                  ("from", "count and tell what happened at this time or later, RFC 3339; nothing changes its place"),
                  ("to", "count and tell what happened before this time"),
                  ("from_tick", "at this tick or later; what has no tick is left out"),
                  ("to_tick", "before this tick")],
        answer = MemoryMapView),
    route!(POST "/v1/worlds/{world}/characters/{character}/preload" "preloadCharacter"
        "Read what a character can recall, so that its next prompt need not" prompts::preload, answer = PreloadedView),
    route!(POST "/v1/worlds/{world}/characters/{character}/memories" "createMemory" "Write a memory by hand" memories::create,
        body = MemoryBody, answer = WrittenMemoryView, created = Sometimes,
        example = r#"{"text":"李四怕水","kind":"semantic","about":["player"],"key":"note-1"}"#),
    route!(GET "/v1/worlds/{world}/memories/{memory}" "getMemory" "Read a memory, and what it is to each who has it" memories::get,
        answer = SharedMemoryView),
    route!(PATCH "/v1/worlds/{world}/memories/{memory}" "editMemory"
        "Reword, weigh, pin, share or forget a memory, for one or for all who have it" memories::edit,
        body = PatchMemory, answer = SharedMemoryView, example = r#"{"pinned":true}"#),
    route!(DELETE "/v1/worlds/{world}/memories/{memory}" "forgetMemory"
        "Forget a memory: in no prompt and no list any more, until that is undone" memories::forget,
        query = &[("holder", "who forgets it; absent: all who have it"),
                  ("lines", "`true`: the lines that it was made of, too: in none of their views any more, and nothing is derived from them for them")]),
    route!(POST "/v1/worlds/{world}/memories/{memory}/undo" "undoMemory"
        "Take back the last change of a memory, or go back to a revision, for one or for all who have it" memories::undo,
        body = UndoMemory, answer = SharedMemoryView, example = r#"{"holder":"qin"}"#),
    route!(GET "/v1/worlds/{world}/memories/{memory}/history" "getMemoryHistory"
        "Every state that a memory had, for one or for all who have it" memories::history,
        query = &[("holder", "whose memory; absent: of all who have it")], answer = MemoryHistoryView),
    route!(POST "/v1/worlds/{world}/digest" "digest" "Remember what is over, for a bounded time; a server does so by itself"
        memories::digest, body = DigestBody, answer = DigestView, example = r#"{"now":true}"#),
    route!(POST "/v1/worlds/{world}/rebuild" "rebuildWorld"
        "Derive everything anew that was derived from lines; what was decided about memories stays" memories::rebuild,
        body = RebuildBody, answer = RebuildView, example = r#"{}"#),
    route!(GET "/v1/worlds/{world}/stats" "getStats" "How much a world holds, what each character can recall, and what waits"
        memories::stats, query = &[("cursor", "characters behind this: `next` of `by_character`"),
                  ("limit", "characters; default 20, at most the setting limits.page")], answer = StatsView),
    route!(GET "/v1/worlds/{world}/sharing" "getSharing" "Who can recall the same memories as whom: how many each two share"
        pictures::sharing, query = &[("limit", "characters, those who can recall most; default 50, at most 200")], answer = SharingView),
    route!(GET "/v1/worlds/{world}/jobs" "listJobs" "What models are asked about a world, how far it has come, and what went wrong"
        jobs::list, query = PAGE, answer = Page<JobView>),
    route!(GET "/v1/worlds/{world}/jobs/{job}" "getJob" "Read a job" jobs::get, answer = JobView),
    route!(POST "/v1/worlds/{world}/jobs/{job}/retry" "retryJob" "Make a job due now, whatever it waits for" jobs::retry,
        answer = JobView),
    route!(POST "/v1/questions" "takeQuestions"
        "Take questions to ask a model of your own; each is yours for a few minutes" jobs::take_questions,
        body = TakeQuestions, answer = QuestionsView, example = r#"{"limit":1}"#),
    route!(POST "/v1/worlds/{world}/questions/{question}/answer" "answerQuestion"
        "Hand in what your model said to a question, or why it said nothing" jobs::answer,
        body = AnswerBody, answer = AnsweredView, example = r#"{"text":"{\"should_remember\": false}","model":"my-model"}"#),
    route!(POST "/v1/models/test" "testModels" "Ask each configured chat model one tiny question, and say what was found"
        jobs::test_models, answer = ModelTestsView),
    route!(GET "/v1/settings" "listSettings" "Every setting of a world: its name, its default, what it means and what it may be"
        worlds::settings, answer = SettingsView),
    route!(GET "/v1/connections" "listConnections" "Where the models are that this server uses, and who said so; never a key"
        connections::list, answer = ConnectionsView),
    route!(PUT "/v1/connections/{connection}" "putConnection"
        "Choose the chat model, the embedding model, or where chats are passed on to; counts at once, and after the next start"
        connections::put, body = ConnectionBody, answer = ConnectionView,
        example = r#"{"url":"http://127.0.0.1:11434","model":"qwen2.5:7b"}"#),
    route!(DELETE "/v1/connections/{connection}" "resetConnection"
        "Go back to what the settings file says, or to none" connections::reset, answer = ConnectionView),
    route!(POST "/v1/connections/{connection}/test" "testConnection"
        "Ask one tiny question of what is described, or of what is there, and keep nothing of it" connections::test,
        body = ConnectionBody, answer = ModelTestView, example = r#"{}"#),
    route!(POST "/v1/backup" "createBackup" "Copy the data file, while others go on; the oldest copy makes room" backups::create,
        answer = BackupView, created = Always),
    route!(GET "/v1/backups" "listBackups" "The copies of the data file that were made so" backups::list, answer = BackupsView),
    route!(GET "/v1/worlds/{world}/history" "getHistory"
        "What these people said among themselves, and what with others around" prompts::history,
        query = &[("participants", "repeat for each one"), ("as", "only what this character witnessed; absent: the host's view"),
                  ("also", "a conversation to open to this one question; repeat for each"), ("limit", "of each list the newest so many; default 10")],
        answer = HistoryView),
    route!(POST "/v1/worlds/{world}/recall" "recall" "The messages to send to a chat model for a character about to speak" prompts::recall,
        body = CueBody, answer = RecallView,
        example = r#"{"character":"mo","conversation":"lighthouse","message":"你还记得我吗？","scene":{"place":"港口","people":["阿默"]}}"#),
    route!(POST "/v1/perspective" "perspective" "One character's view of lines that nobody stores" prompts::perspective,
        body = PerspectiveBody, answer = PerspectiveView,
        example = r#"{"as":{"role_id":1},"lines":[{"attribute":"user","content":"你好","display_name":"莱姆"}]}"#),
    route!(GET "/v1/books" "listBooks" "List the world books of the library" books::list, query = PAGE, answer = Page<DocumentView>),
    route!(PUT "/v1/books/{book}" "putBook" "Put a world book of any tool into the library, or replace it" books::put,
        query = REVISION, body = BookBody, answer = DocumentView, created = Sometimes,
        example = r#"{"entries":{"0":{"uid":0,"key":["青龙"],"content":"青龙守着东门。"}}}"#),
    route!(GET "/v1/books/{book}" "getBook" "Read what is known of a book" books::get, answer = DocumentView),
    route!(GET "/v1/books/{book}/document" "exportBook" "The whole book, in the format that it came in or another" books::export,
        query = &[("format", "`sillytavern`, `character_book_v2`, `character_book_v3`, `lorebook_v3`, `risu`, `agnai`, `novelai`, or `memory` for a book that was made of a memory.json; default: the one that it came in (of a memory.json only while that can say all of it)"),
            ("report", "`true`: instead of the book, what it cannot say in that format: `{\"warnings\":[…]}`; default `false`")], answer = serde_json::Map<String, serde_json::Value>),
    route!(DELETE "/v1/books/{book}" "deleteBook" "Delete a book from the library for good" books::delete),
    route!(GET "/v1/books/{book}/entries" "listEntries" "Read the entries of a book, in the author's order" books::list_entries,
        query = PAGE, answer = Page<EntryView>),
    route!(GET "/v1/books/{book}/entries/{entry}" "getEntry" "Read an entry" books::get_entry, answer = EntryView),
    route!(PUT "/v1/books/{book}/entries/{entry}" "putEntry" "Write an entry, in place of the one with this id" books::put_entry,
        query = REVISION, body = EntryFields, answer = EntryView, created = Sometimes,
        example = r#"{"key":["青龙"],"content":"青龙守着东门。","sticky":3}"#),
    route!(PATCH "/v1/books/{book}/entries/{entry}" "editEntry" "Change some fields of an entry" books::edit_entry,
        query = REVISION, body = EntryFields, answer = EntryView, example = r#"{"disable":true}"#),
    route!(DELETE "/v1/books/{book}/entries/{entry}" "deleteEntry" "Take an entry out of a book" books::delete_entry, query = REVISION),
    route!(GET "/v1/cards" "listCards" "List the character cards of the library" cards::list, query = PAGE, answer = Page<DocumentView>),
    route!(PUT "/v1/cards/{card}" "putCard" "Put a character card into the library: PNG, APNG, charx or JSON, as it is" cards::put,
        answer = CardView, created = Sometimes),
    route!(GET "/v1/cards/{card}" "getCard" "Read a card" cards::get, answer = CardView),
    route!(GET "/v1/cards/{card}/file" "getCardFile" "The card's file, as it was put" cards::file),
    route!(GET "/v1/cards/{card}/portrait" "getCardPortrait"
        "The picture on a card, alone: PNG, JPEG, WebP, GIF or AVIF; not found if it has none" cards::portrait,
        query = &[("optional", "`true`: a card that has no picture, or is gone, is answered with nothing (204)")]),
    route!(DELETE "/v1/cards/{card}" "deleteCard" "Delete a card from the library for good" cards::delete),
    route!(PUT "/v1/worlds/{world}/characters/{character}/card" "useCard"
        "Give a character the name, persona and book of a card" cards::use_card,
        body = UseCard, answer = CharacterView, created = Sometimes, example = r#"{"card":"seraphina"}"#),
    route!(GET "/v1/worlds/{world}/lore" "listLore" "Which books a world uses, and for whom" lore::list, answer = LinksView),
    route!(PUT "/v1/worlds/{world}/lore/{book}" "putLore" "Make a book part of a world, or move it in the stack" lore::put,
        body = LinkBody, answer = LinkedView, created = Sometimes, example = r#"{"character":"qin","rank":1}"#),
    route!(DELETE "/v1/worlds/{world}/lore/{book}" "deleteLore" "Take a book out of a world" lore::delete,
        query = &[("character", "the link for this character"), ("conversation", "the link in this conversation")]),
    route!(POST "/v1/worlds/{world}/lore/preview" "previewLore"
        "What the books would bring into a prompt now, and of every entry why or why not" lore::preview,
        body = CueBody, answer = PreviewView, example = r#"{"character":"qin","conversation":"c1","message":"青龙在哪里？"}"#),
    route!(POST "/v1/lore/scan" "scanLore" "Search world books that nobody stores: state in, active entries and new state out"
        prompts::scan_lore, body = ScanBody, answer = ScanView,
        example = r#"{"books":[{"entries":{"0":{"uid":0,"key":["青龙"],"content":"青龙守着东门。"}}}],"messages":[{"name":"小明","text":"我看见青龙飞过。"}]}"#),
    route!(GET "/v1/worlds/{world}/checkpoints" "listCheckpoints" "List checkpoints" worlds::list_checkpoints,
        query = PAGE, answer = Page<CheckpointView>),
    route!(PUT "/v1/worlds/{world}/checkpoints/{checkpoint}" "putCheckpoint"
        "Name the current state; an id in use moves here" worlds::put_checkpoint, answer = CheckpointView, created = Sometimes),
    route!(GET "/v1/worlds/{world}/checkpoints/{checkpoint}" "getCheckpoint" "Read a checkpoint" worlds::get_checkpoint,
        answer = CheckpointView),
    route!(DELETE "/v1/worlds/{world}/checkpoints/{checkpoint}" "deleteCheckpoint" "Delete a checkpoint" worlds::delete_checkpoint),
    route!(POST "/v1/worlds/{world}/checkpoints/{checkpoint}/restore" "restoreCheckpoint"
        "Begin anew where a checkpoint stands; nothing is deleted" worlds::restore, answer = WorldView),
];

const DEFAULT_PAGE: usize = 100;

/// Behind what, and how many.
fn page_of<'c>(api: &Api, call: &'c Call<'_>) -> Result<(Option<&'c str>, usize)> {
    let limit = call.query.number("limit", DEFAULT_PAGE, api.engine.limits().page)?;
    Ok((call.query.one("cursor")?, limit))
}

fn paged<T, V: From<T>>(listed: Listed<T>, id: impl Fn(&V) -> String) -> Page<V> {
    let items: Vec<V> = listed.items.into_iter().map(V::from).collect();
    let next = items.last().filter(|_| listed.has_more).map(id);
    Page { items, next }
}

fn written<T, V: From<T> + Serialize>(call: &Call<'_>, written: Written<T>) -> Result<Reply> {
    call.note_replaced(written.replaced);
    Reply::made(written.created, &V::from(written.value))
}

fn world(call: &Call<'_>) -> Result<WorldId> {
    WorldId::new(call.segment(0))
}

fn character(call: &Call<'_>) -> Result<CharacterId> {
    CharacterId::new(call.segment(1))
}

fn conversation(call: &Call<'_>) -> Result<ConversationId> {
    ConversationId::new(call.segment(1))
}

fn checkpoint(call: &Call<'_>) -> Result<CheckpointId> {
    CheckpointId::new(call.segment(1))
}

fn round(call: &Call<'_>) -> Result<RoundId> {
    RoundId::parse(call.segment(1))
}

fn memory(call: &Call<'_>) -> Result<MemoryId> {
    MemoryId::parse(call.segment(1))
}

fn line(text: &str) -> Result<LineId> {
    LineId::parse(text)
}
