-- What of hosts' files means nothing here and is kept for the way back. Texts stand also in world_keepsake,
-- conversation_keepsake and line_keepsake.

CREATE TABLE world_keepsake (
    world INTEGER NOT NULL,
    file  TEXT NOT NULL,
    text  TEXT NOT NULL,
    PRIMARY KEY (world, file)
) WITHOUT ROWID;

CREATE TABLE conversation_keepsake (
    conversation INTEGER PRIMARY KEY,
    text         TEXT NOT NULL
);

CREATE TABLE line_keepsake (
    line         INTEGER PRIMARY KEY,     -- as in line.id
    conversation INTEGER NOT NULL,
    text         TEXT NOT NULL
);
CREATE INDEX line_keepsake_by_conversation ON line_keepsake (conversation);
