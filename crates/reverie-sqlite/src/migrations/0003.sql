-- Rounds, memories, and what each of their holders makes of them. Texts stand also in round_person, memory, holding,
-- holding_version and job_reject; what texts mean in memory_vector and entry_vector.

ALTER TABLE world ADD COLUMN next_round INTEGER NOT NULL DEFAULT 1;
ALTER TABLE world ADD COLUMN next_memory INTEGER NOT NULL DEFAULT 1;

-- The change log speaks of more: kind 7 unshown (line -> 0/1), 8 round (number -> 1 open, 2 closed, 3 digested; NULL: it had
-- not begun), 9 holding (its no -> version; NULL: it is not there).

-- line.hidden is a set of bits from here on: 1 hidden by the host, 2 never shown to anybody.
ALTER TABLE line ADD COLUMN round INTEGER;      -- the number of the round that a host put it into
CREATE INDEX line_of_round ON line (conversation, round) WHERE round IS NOT NULL;

ALTER TABLE conversation ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;   -- 1 if something on its path waits to be remembered
UPDATE conversation SET waits = 1 WHERE EXISTS
    (SELECT 1 FROM line l WHERE l.id = conversation.world * 1099511627776 + conversation.head
       AND (l.attribute IS NOT NULL OR l.spoken IS NOT NULL));
CREATE INDEX conversation_waiting ON conversation (world, id) WHERE waits = 1;

-- id = world * 2^40 + number. Lines are numbers.
CREATE TABLE round (
    id           INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL,
    explicit     INTEGER NOT NULL,
    state        INTEGER,                 -- 1 open, 2 closed, 3 digested; NULL: it has not begun
    opened_ms    INTEGER NOT NULL,
    first        INTEGER,                 -- of a round that was found: its first line
    last         INTEGER,                 -- and its last one; else no line that was ever put into it comes later
    ending       INTEGER,                 -- 1 complete, 2 aborted
    revision     INTEGER NOT NULL         -- that opened or found it
);
CREATE INDEX round_by_conversation ON round (conversation);
CREATE INDEX round_open ON round (conversation) WHERE state = 1;
CREATE INDEX round_closed ON round (conversation) WHERE state = 2;
CREATE INDEX round_digested ON round (conversation, last) WHERE state = 3;
CREATE INDEX round_found ON round (conversation, last, first) WHERE explicit = 0;

-- Who was there when a round opened, in the host's order, and under which name.
CREATE TABLE round_person (
    round     INTEGER NOT NULL,
    place     INTEGER NOT NULL,
    character INTEGER NOT NULL,
    name      TEXT,
    PRIMARY KEY (round, place)
) WITHOUT ROWID;
CREATE INDEX round_person_by_character ON round_person (character);

-- What is shared by all who have it, and never changes. id = world * 2^40 + number. Words stand one to a line.
CREATE TABLE memory (
    id          INTEGER PRIMARY KEY,
    world       INTEGER NOT NULL,
    fingerprint BLOB,
    digest      BLOB NOT NULL,            -- of its text
    space       TEXT,                     -- in which its text got a vector last
    kind        TEXT NOT NULL,
    origin      TEXT NOT NULL,
    model       TEXT,                     -- that worded it
    text        TEXT NOT NULL,
    importance  REAL NOT NULL,
    keywords    TEXT NOT NULL,
    topics      TEXT NOT NULL,
    emotions    TEXT NOT NULL,
    tick        INTEGER,
    wall_ms     INTEGER NOT NULL,
    broken      INTEGER NOT NULL,         -- 1 if a line that it was made of is off the path, reworded, hidden or not shown
    revision    INTEGER NOT NULL
);
CREATE UNIQUE INDEX memory_by_fingerprint ON memory (world, fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX memory_by_space ON memory (world, space);

-- The lines that a memory was made of, in order. line as in line.id.
CREATE TABLE memory_source (
    memory  INTEGER NOT NULL,
    place   INTEGER NOT NULL,
    line    INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (memory, place)
) WITHOUT ROWID;
CREATE INDEX memory_source_by_line ON memory_source (line);

-- The memories that a memory sums up.
CREATE TABLE memory_part (
    memory INTEGER NOT NULL,
    part   INTEGER NOT NULL,
    PRIMARY KEY (memory, part)
) WITHOUT ROWID;
CREATE INDEX memory_part_by_part ON memory_part (part);

CREATE TABLE memory_about (
    memory    INTEGER NOT NULL,
    character INTEGER NOT NULL,
    PRIMARY KEY (memory, character)
) WITHOUT ROWID;
CREATE INDEX memory_about_by_character ON memory_about (character);

-- A memory as one has it. live, summarised and superseded follow from the rest, and are kept so that reading is cheap: live if
-- nothing that it was made of is broken, and its holder has all that it sums up and forgot none of it; summarised and
-- superseded if its holder has that memory, live and not forgotten.
CREATE TABLE holding (
    no            INTEGER PRIMARY KEY,
    memory        INTEGER NOT NULL,
    holder        INTEGER NOT NULL,
    version       INTEGER,                -- NULL: it is not there, because an earlier checkpoint was restored
    layer         TEXT,
    activity      REAL NOT NULL,
    since         INTEGER,
    pinned        INTEGER NOT NULL,
    forgotten     INTEGER NOT NULL,
    shareable     INTEGER NOT NULL,
    text          TEXT,
    importance    REAL,
    considered    INTEGER NOT NULL,
    summarised_by INTEGER,                -- as in memory.id
    superseded_by INTEGER,
    askable       INTEGER NOT NULL,       -- what a model may be asked about: 1 words of a round, 2 a summary by rules, else 0
    live          INTEGER NOT NULL DEFAULT 0,
    summarised    INTEGER NOT NULL DEFAULT 0,
    superseded    INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX holding_by_memory ON holding (memory, holder);
CREATE INDEX holding_by_holder ON holding (holder, memory);
CREATE INDEX holding_valid ON holding (holder, layer, memory)
    WHERE version IS NOT NULL AND live = 1 AND forgotten = 0 AND superseded = 0;
CREATE INDEX holding_waiting ON holding (holder, layer, memory)
    WHERE version IS NOT NULL AND live = 1 AND forgotten = 0 AND superseded = 0 AND summarised = 0;
CREATE INDEX holding_unconsidered ON holding (memory, holder)
    WHERE version IS NOT NULL AND live = 1 AND forgotten = 0 AND superseded = 0 AND askable = 1 AND considered = 0;
CREATE INDEX holding_by_rules ON holding (memory, holder)
    WHERE version IS NOT NULL AND live = 1 AND forgotten = 0 AND superseded = 0 AND askable = 2;
CREATE INDEX holding_reworded ON holding (memory, holder) WHERE version IS NOT NULL AND forgotten = 0 AND text IS NOT NULL;
CREATE INDEX holding_by_summary ON holding (summarised_by, holder) WHERE summarised_by IS NOT NULL;
CREATE INDEX holding_by_better ON holding (superseded_by, holder) WHERE superseded_by IS NOT NULL;

-- States that are not the current one.
CREATE TABLE holding_version (
    holding       INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    layer         TEXT,
    activity      REAL NOT NULL,
    since         INTEGER,
    pinned        INTEGER NOT NULL,
    forgotten     INTEGER NOT NULL,
    shareable     INTEGER NOT NULL,
    text          TEXT,
    importance    REAL,
    considered    INTEGER NOT NULL,
    summarised_by INTEGER,
    superseded_by INTEGER,
    PRIMARY KEY (holding, version)
) WITHOUT ROWID;
CREATE INDEX holding_version_by_summary ON holding_version (summarised_by) WHERE summarised_by IS NOT NULL;
CREATE INDEX holding_version_by_better ON holding_version (superseded_by) WHERE superseded_by IS NOT NULL;

-- Lines that answered a prompt with a memory in it. The newest tick on the path is found by walking back from the greatest.
CREATE TABLE refreshed (
    holding INTEGER NOT NULL,
    tick    INTEGER NOT NULL,             -- of the line; the least number there is: it has none
    line    INTEGER NOT NULL,             -- as in line.id
    PRIMARY KEY (holding, tick, line)
) WITHOUT ROWID;
CREATE INDEX refreshed_by_line ON refreshed (line);

-- What is being asked of models. No part of the log: no checkpoint brings it back, no export takes it along. memories and
-- known are numbers, one to a line.
CREATE TABLE job (
    world           INTEGER NOT NULL,
    key             TEXT NOT NULL,
    kind            TEXT NOT NULL,
    stage           TEXT NOT NULL,
    memories        TEXT NOT NULL,
    known           TEXT NOT NULL,
    attempts        INTEGER NOT NULL,
    due_ms          INTEGER NOT NULL,
    leased_until_ms INTEGER NOT NULL,
    trouble_code    TEXT,                 -- what went wrong last; NULL: nothing
    trouble_message TEXT,
    trouble_ms      INTEGER,
    made_ms         INTEGER NOT NULL,
    version         INTEGER NOT NULL,
    PRIMARY KEY (world, key)
) WITHOUT ROWID;
CREATE INDEX job_waiting ON job (due_ms) WHERE stage <> 'done';

-- Whose memories a job is about, by their ids, in order.
CREATE TABLE job_holder (
    world  INTEGER NOT NULL,
    key    TEXT NOT NULL,
    place  INTEGER NOT NULL,
    holder TEXT NOT NULL,
    PRIMARY KEY (world, key, place)
) WITHOUT ROWID;
CREATE INDEX job_holder_by_holder ON job_holder (world, holder);

-- What a model said that was not believed.
CREATE TABLE job_reject (
    world  INTEGER NOT NULL,
    key    TEXT NOT NULL,
    place  INTEGER NOT NULL,
    text   TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (world, key, place)
) WITHOUT ROWID;

-- Where texts stand in spaces of meanings; no part of the log either. data holds the values of all chunks, one chunk behind the
-- other, as little-endian floats of 4 bytes. digest is of the text that the vectors are of.
CREATE TABLE memory_vector (
    no     INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL,              -- as in memory.id
    holder INTEGER NOT NULL,              -- whose rewording; 0: the memory's own text
    space  TEXT NOT NULL,
    digest BLOB NOT NULL,
    chunks INTEGER NOT NULL,
    data   BLOB NOT NULL
);
CREATE UNIQUE INDEX memory_vector_by_memory ON memory_vector (memory, holder, space);
CREATE INDEX memory_vector_by_space ON memory_vector (space, memory, holder);

CREATE TABLE entry_vector (
    no       INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    entry    TEXT NOT NULL,
    space    TEXT NOT NULL,
    digest   BLOB NOT NULL,
    chunks   INTEGER NOT NULL,
    data     BLOB NOT NULL
);
CREATE UNIQUE INDEX entry_vector_by_entry ON entry_vector (document, entry, space);
