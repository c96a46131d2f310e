-- The card of the library that a character was made from, by its id: where its picture is. NULL: nobody knows, or there is none.
ALTER TABLE character ADD COLUMN card TEXT;
ALTER TABLE character_version ADD COLUMN card TEXT;
