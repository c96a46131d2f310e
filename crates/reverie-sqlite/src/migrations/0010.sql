-- What an import brought last, so that the same file again changes nothing, not even what was changed by hand since. NULL: nobody
-- knows; of a document from before, the next import is the first that is remembered.
ALTER TABLE document ADD COLUMN imported BLOB;      -- a fingerprint of 16 bytes

-- What world books may filter by: one tag on a line; empty: none; NULL: nobody knows them.
ALTER TABLE character ADD COLUMN tags TEXT;
ALTER TABLE character_version ADD COLUMN tags TEXT;
