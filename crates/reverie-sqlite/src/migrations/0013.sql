-- A restore went back behind the revision that made it: it is kept and found by its id, but neither listed nor counted until it is
-- used again. The log says when that changed.
ALTER TABLE character ADD COLUMN away INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation ADD COLUMN away INTEGER NOT NULL DEFAULT 0;
CREATE INDEX character_away ON character (world) WHERE away = 1;

-- So that a restore finds what came later.
CREATE INDEX character_by_revision ON character (world, revision);
CREATE INDEX conversation_by_revision ON conversation (world, revision);

-- A day can have several summaries, each for the path on which its parts count. So holding.summarised names the memory that sums it up
-- there, as in memory.id (0: none), and holding.gives_way_to of a summary one that sums up all that it does and more. What is there
-- already is derived when the file is brought up to date.
ALTER TABLE memory ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;       -- 0: it sums up nothing; else one more than the deepest of its parts
