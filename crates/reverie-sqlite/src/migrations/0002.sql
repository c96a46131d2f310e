-- Lines find their children without an index of all parents, worlds arrive unseen, and worlds share a library.
-- Texts stand also in lore_timers, and of what worlds share in document, entry and document_file.

ALTER TABLE world ADD COLUMN arrives INTEGER;   -- NULL: it is here. Else nobody may see it yet, and whoever brings it must
                                                -- be heard of again before this second (Unix time), or it is cleared away
CREATE INDEX world_arriving ON world (arrives) WHERE arrives IS NOT NULL;

ALTER TABLE line ADD COLUMN child INTEGER;      -- the number of the child that is no fork; written where a line is continued
ALTER TABLE line ADD COLUMN fork INTEGER NOT NULL DEFAULT 1;    -- 1 if it is not its parent's `child`, or has no parent
ALTER TABLE line ADD COLUMN said INTEGER NOT NULL DEFAULT 0;    -- lines on the path up to here when it was recorded, itself included
UPDATE line SET child =
    (SELECT min(k.id) & 1099511627775 FROM line k
     WHERE k.conversation = line.conversation AND k.parent = (line.id & 1099511627775));
UPDATE line SET fork = 0 WHERE parent IS NOT NULL AND (id & 1099511627775) =
    (SELECT p.child FROM line p WHERE p.id = (line.id & ~1099511627775) + line.parent);
WITH RECURSIVE path(id, said) AS (
    SELECT id, attribute IS NOT NULL FROM line WHERE parent IS NULL
    UNION ALL
    SELECT k.id, path.said + (k.attribute IS NOT NULL) FROM path JOIN line p ON p.id = path.id
    JOIN line k ON k.conversation = p.conversation AND k.parent = (p.id & 1099511627775))
UPDATE line SET said = path.said FROM path WHERE path.id = line.id;
DROP INDEX line_by_parent;
CREATE INDEX line_fork ON line (conversation, parent) WHERE fork = 1;

-- Lore timers as a line left them, all of them. The newest on the active path are those that run.
CREATE TABLE lore_timers (
    line         INTEGER PRIMARY KEY,     -- as in line.id
    conversation INTEGER NOT NULL,
    text         TEXT NOT NULL
);
CREATE INDEX lore_timers_by_conversation ON lore_timers (conversation);

-- The library: books and cards, which belong to no world. kind 1 book, 2 card.
CREATE TABLE document (
    no       INTEGER PRIMARY KEY,
    kind     INTEGER NOT NULL,
    id       TEXT NOT NULL,
    name     TEXT NOT NULL,
    format   TEXT NOT NULL,
    text     TEXT NOT NULL,
    revision INTEGER NOT NULL,
    entries  INTEGER NOT NULL,            -- how many it has
    arrives  INTEGER NOT NULL,            -- 0: it is here. Else it is on its way in with the world of this number
    UNIQUE (arrives, kind, id)
);

-- In the author's order.
CREATE TABLE entry (
    document INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    id       TEXT NOT NULL,
    text     TEXT NOT NULL,
    PRIMARY KEY (document, place)
) WITHOUT ROWID;
CREATE UNIQUE INDEX entry_by_id ON entry (document, id);

-- The file that a document came in.
CREATE TABLE document_file (
    document INTEGER PRIMARY KEY,
    bytes    BLOB NOT NULL
);

-- How far documents that are gone had counted, by a fingerprint of kind and id: what they were called is gone too.
CREATE TABLE document_count (
    fingerprint BLOB PRIMARY KEY,
    revision    INTEGER NOT NULL
) WITHOUT ROWID;

-- Books that a world uses. scope 0 world (of = 0), 1 character, 2 conversation (of = its number). A book is named by its
-- id, because a link outlives it.
CREATE TABLE link (
    world INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    of    INTEGER NOT NULL,
    book  TEXT NOT NULL,
    rank  INTEGER NOT NULL,
    PRIMARY KEY (world, scope, of, book)
) WITHOUT ROWID;
