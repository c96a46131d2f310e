-- What a character is called besides its name: one on a line; NULL: nothing. (The table `alias` has the host's own ids.)
ALTER TABLE character ADD COLUMN aliases TEXT;
ALTER TABLE character_version ADD COLUMN aliases TEXT;

-- The same of the current cards, each by itself, so that whoever is named by one is found.
CREATE TABLE other_name (
    world     INTEGER NOT NULL,
    name      TEXT NOT NULL,
    character INTEGER NOT NULL,
    PRIMARY KEY (world, name, character)
) WITHOUT ROWID;
CREATE INDEX other_name_by_character ON other_name (character);

-- When this changed last in a world, so that whoever has it at hand need not read it again. The row of a world that is gone stays, for its
-- number may be given again.
CREATE TABLE name_change (
    seq   INTEGER PRIMARY KEY AUTOINCREMENT,
    world INTEGER NOT NULL UNIQUE
);

CREATE TRIGGER other_name_made AFTER INSERT ON other_name BEGIN
    DELETE FROM name_change WHERE world = NEW.world;
    INSERT INTO name_change (world) VALUES (NEW.world);
END;
CREATE TRIGGER other_name_gone AFTER DELETE ON other_name BEGIN
    DELETE FROM name_change WHERE world = OLD.world;
    INSERT INTO name_change (world) VALUES (OLD.world);
END;
CREATE TRIGGER name_beside_others_changed AFTER UPDATE OF display_name, aliases ON character
WHEN NEW.aliases IS NOT NULL AND (NEW.display_name IS NOT OLD.display_name OR NEW.aliases IS NOT OLD.aliases) BEGIN
    DELETE FROM name_change WHERE world = NEW.world;
    INSERT INTO name_change (world) VALUES (NEW.world);
END;
