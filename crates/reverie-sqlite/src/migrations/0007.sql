-- Texts that an embedder refused are set aside: they have a row among the vectors, without any chunk, that says why, when, and under
-- which settings of the embedder. Without that one text would hold up all others.
ALTER TABLE memory_vector ADD COLUMN refused TEXT;
ALTER TABLE memory_vector ADD COLUMN refused_ms INTEGER;
ALTER TABLE memory_vector ADD COLUMN refused_with TEXT;
CREATE INDEX memory_vector_refused ON memory_vector (memory, holder) WHERE refused IS NOT NULL;

ALTER TABLE entry_vector ADD COLUMN refused TEXT;
ALTER TABLE entry_vector ADD COLUMN refused_ms INTEGER;
ALTER TABLE entry_vector ADD COLUMN refused_with TEXT;
CREATE INDEX entry_vector_refused ON entry_vector (document, entry) WHERE refused IS NOT NULL;
