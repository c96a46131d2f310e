-- Everything is keyed by world first. Texts stand in few places, so that erasing them is simple: line, line_version,
-- character, character_version, setting, conversation.name.

CREATE TABLE world (
    no                INTEGER PRIMARY KEY,
    id                TEXT NOT NULL UNIQUE,
    forked_from       TEXT,
    created_ms        INTEGER NOT NULL,
    revision          INTEGER NOT NULL,
    settings_version  INTEGER NOT NULL,
    time              INTEGER,            -- the greatest tick on an active path
    next_line         INTEGER NOT NULL,
    next_conversation INTEGER NOT NULL
);

-- A version of a world's settings is the rows that carry its number; key '' holds the preset.
CREATE TABLE setting (
    world   INTEGER NOT NULL,
    version INTEGER NOT NULL,
    key     TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (world, version, key)
) WITHOUT ROWID;

-- The change log: which value a commit gave to a thing. State at a revision = each thing's last value until then.
-- kind 1 head (conversation -> line), 2 wording (line -> version), 3 hidden (line -> 0/1),
--      4 card (character -> version), 5 settings (0 -> version), 6 beginning (scene -> circle; NULL: not begun)
CREATE TABLE change (
    world    INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    subject  INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    value    INTEGER,
    PRIMARY KEY (world, kind, subject, revision)
) WITHOUT ROWID;
CREATE INDEX change_by_revision ON change (world, revision);

CREATE TABLE checkpoint (
    world      INTEGER NOT NULL,
    id         TEXT NOT NULL,
    revision   INTEGER NOT NULL,
    time       INTEGER,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (world, id)
) WITHOUT ROWID;

CREATE TABLE character (
    no           INTEGER PRIMARY KEY,
    world        INTEGER NOT NULL,
    id           TEXT NOT NULL,
    version      INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    display_name TEXT,
    persona      TEXT,
    erased       INTEGER NOT NULL DEFAULT 0,
    revision     INTEGER NOT NULL,        -- that mentioned it first
    UNIQUE (world, id)
);
CREATE INDEX character_by_name ON character (world, display_name);

-- Cards that are not the current one.
CREATE TABLE character_version (
    character    INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    display_name TEXT,
    persona      TEXT,
    PRIMARY KEY (character, version)
) WITHOUT ROWID;

-- The host's own ids for a character, each in its namespace.
CREATE TABLE alias (
    world     INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    value     TEXT NOT NULL,
    character INTEGER NOT NULL,
    PRIMARY KEY (world, namespace, value)
) WITHOUT ROWID;
CREATE INDEX alias_by_character ON alias (character);

-- A set of characters, stored once: participants, people present, witnesses.
CREATE TABLE circle (
    no    INTEGER PRIMARY KEY,
    world INTEGER NOT NULL,
    key   TEXT NOT NULL,
    UNIQUE (world, key)
);
CREATE TABLE circle_member (
    circle    INTEGER NOT NULL,
    character INTEGER NOT NULL,
    PRIMARY KEY (circle, character)
) WITHOUT ROWID;

-- A few conversations are hot: what is written to them is not ranked yet. Whoever looks for the newest lines looks at
-- the hot ones and at the ranking of the others, so a line costs no ranking.
CREATE TABLE conversation (
    no             INTEGER PRIMARY KEY,
    world          INTEGER NOT NULL,
    id             TEXT NOT NULL,
    name           TEXT,
    beginning      INTEGER NOT NULL,      -- circle: the participant set, or who was there when the scene began
    members        INTEGER NOT NULL,      -- circle: everyone who was ever present on the active path
    head           INTEGER,
    latest_at      INTEGER NOT NULL,      -- order of the head; no line on the path comes later
    latest         INTEGER NOT NULL,
    hot            INTEGER NOT NULL DEFAULT 0,
    ranked_at      INTEGER,               -- order and members under which it stands in the ranking
    ranked         INTEGER,
    ranked_members INTEGER,
    revision       INTEGER NOT NULL,      -- that opened it
    UNIQUE (world, id)
);
CREATE UNIQUE INDEX conversation_by_name ON conversation (world, name) WHERE name IS NOT NULL;
CREATE UNIQUE INDEX conversation_by_set ON conversation (world, beginning) WHERE name IS NULL;
CREATE INDEX conversation_by_members ON conversation (world, members, ranked_at, ranked);
CREATE INDEX conversation_by_time ON conversation (world, ranked_at);
CREATE INDEX conversation_hot ON conversation (world) WHERE hot = 1;

-- The ranking: conversations in which two characters (or one, b = a) are members, by their latest line. In large groups
-- pairs would be too many; there b = -1 stands for "a large group of a's".
CREATE TABLE rank (
    a            INTEGER NOT NULL,
    b            INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    line         INTEGER NOT NULL,
    conversation INTEGER NOT NULL,
    PRIMARY KEY (a, b, at, line)
) WITHOUT ROWID;

-- Nodes of the trees. id = world * 2^40 + number; parent is a number. attribute NULL: only who is present changed.
CREATE TABLE line (
    id                INTEGER PRIMARY KEY,
    conversation      INTEGER NOT NULL,
    parent            INTEGER,
    attribute         TEXT,
    speaker           INTEGER,
    display_name      TEXT,
    content           TEXT NOT NULL,
    original_emotion  TEXT,
    predicted_emotion TEXT,
    tts               TEXT,
    action            TEXT,
    audio             TEXT,
    tick              INTEGER,
    at                INTEGER NOT NULL,
    wall_ms           INTEGER NOT NULL,
    host_id           TEXT,
    present           INTEGER NOT NULL,
    arrival           INTEGER NOT NULL,   -- 1 if present differs from the parent's, or there is none
    witnesses         INTEGER NOT NULL,
    hidden            INTEGER NOT NULL,
    active            INTEGER NOT NULL,   -- 1 if on the path from the root to the head
    version           INTEGER NOT NULL,
    revision          INTEGER NOT NULL
);
CREATE INDEX line_by_witness ON line (conversation, witnesses, active, id);
CREATE INDEX line_by_parent ON line (conversation, parent);
CREATE UNIQUE INDEX line_by_host_id ON line (conversation, host_id) WHERE host_id IS NOT NULL;
CREATE INDEX line_system ON line (conversation, id) WHERE attribute = 'system';
CREATE INDEX line_arrival ON line (conversation, id) WHERE arrival = 1;

-- Wordings that are not the current one.
CREATE TABLE line_version (
    line              INTEGER NOT NULL,
    version           INTEGER NOT NULL,
    content           TEXT NOT NULL,
    original_emotion  TEXT,
    predicted_emotion TEXT,
    tts               TEXT,
    action            TEXT,
    audio             TEXT,
    PRIMARY KEY (line, version)
) WITHOUT ROWID;

-- Which sets of witnesses occur in a conversation.
CREATE TABLE stream (
    conversation INTEGER NOT NULL,
    circle       INTEGER NOT NULL,
    PRIMARY KEY (conversation, circle)
) WITHOUT ROWID;

-- The newest line that a character witnessed in a conversation that is not hot, in order, so that somebody who
-- witnessed little is answered quickly.
CREATE TABLE seat (
    conversation INTEGER NOT NULL,
    character    INTEGER NOT NULL,
    heard_at     INTEGER NOT NULL,
    heard        INTEGER NOT NULL,
    PRIMARY KEY (conversation, character)
) WITHOUT ROWID;
CREATE INDEX seat_by_heard ON seat (character, heard_at, heard, conversation);

-- Clients' idempotency keys and what they were used for.
CREATE TABLE append_key (
    conversation INTEGER NOT NULL,
    key          TEXT NOT NULL,
    digest       BLOB NOT NULL,
    first        INTEGER NOT NULL,
    count        INTEGER NOT NULL,
    revision     INTEGER NOT NULL,
    PRIMARY KEY (conversation, key)
) WITHOUT ROWID;
