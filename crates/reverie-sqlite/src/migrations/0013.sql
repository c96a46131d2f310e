-- A restore went back behind the revision that made it: it is kept and found by its id, but neither listed nor counted until it is
-- used again. The log says when that changed.
ALTER TABLE character ADD COLUMN away INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation ADD COLUMN away INTEGER NOT NULL DEFAULT 0;
CREATE INDEX character_away ON character (world) WHERE away = 1;

-- So that a restore finds what came later.
CREATE INDEX character_by_revision ON character (world, revision);
CREATE INDEX conversation_by_revision ON conversation (world, revision);
