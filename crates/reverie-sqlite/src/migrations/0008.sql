-- What changed of what somebody has in mind, so that whoever keeps it at hand reads no more than that.

-- One row for each holding that ever was, under the number of its last change: what it is, how it is refreshed, what its text
-- means, what those whom it is about are called. Of what was deleted the row stays, except for whole worlds; that is a change
-- of nobody's (holder 0, memory 0), after which nothing that is at hand counts any more, because numbers are given again.
CREATE TABLE mind_change (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    holder INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    UNIQUE (memory, holder)
);
CREATE INDEX mind_change_by_holder ON mind_change (holder);

INSERT INTO mind_change (holder, memory) SELECT 0, 0;
INSERT INTO mind_change (holder, memory) SELECT holder, memory FROM holding ORDER BY no;

-- No REPLACE: what a trigger does about a conflict follows the statement that set it off.
CREATE TRIGGER mind_holding_made AFTER INSERT ON holding BEGIN
    DELETE FROM mind_change WHERE memory = NEW.memory AND holder = NEW.holder;
    INSERT INTO mind_change (holder, memory) VALUES (NEW.holder, NEW.memory);
END;
CREATE TRIGGER mind_holding_changed AFTER UPDATE ON holding BEGIN
    DELETE FROM mind_change WHERE memory = NEW.memory AND holder = NEW.holder;
    INSERT INTO mind_change (holder, memory) VALUES (NEW.holder, NEW.memory);
END;
CREATE TRIGGER mind_holding_gone AFTER DELETE ON holding BEGIN
    DELETE FROM mind_change WHERE memory = OLD.memory AND holder = OLD.holder;
    INSERT INTO mind_change (holder, memory) VALUES (OLD.holder, OLD.memory);
END;

CREATE TRIGGER mind_refreshed AFTER INSERT ON refreshed BEGIN
    DELETE FROM mind_change WHERE (memory, holder) IN (SELECT memory, holder FROM holding WHERE no = NEW.holding);
    INSERT INTO mind_change (holder, memory) SELECT holder, memory FROM holding WHERE no = NEW.holding;
END;
CREATE TRIGGER mind_not_refreshed AFTER DELETE ON refreshed BEGIN
    DELETE FROM mind_change WHERE (memory, holder) IN (SELECT memory, holder FROM holding WHERE no = OLD.holding);
    INSERT INTO mind_change (holder, memory) SELECT holder, memory FROM holding WHERE no = OLD.holding;
END;

-- The vector of a memory's own text is everybody's, that of a rewording its holder's.
CREATE TRIGGER mind_vector_made AFTER INSERT ON memory_vector BEGIN
    DELETE FROM mind_change WHERE (memory, holder) IN
        (SELECT memory, holder FROM holding WHERE memory = NEW.memory AND (NEW.holder = 0 OR holder = NEW.holder));
    INSERT INTO mind_change (holder, memory)
        SELECT holder, memory FROM holding WHERE memory = NEW.memory AND (NEW.holder = 0 OR holder = NEW.holder);
END;
CREATE TRIGGER mind_vector_changed AFTER UPDATE ON memory_vector BEGIN
    DELETE FROM mind_change WHERE (memory, holder) IN
        (SELECT memory, holder FROM holding WHERE memory = NEW.memory AND (NEW.holder = 0 OR holder = NEW.holder));
    INSERT INTO mind_change (holder, memory)
        SELECT holder, memory FROM holding WHERE memory = NEW.memory AND (NEW.holder = 0 OR holder = NEW.holder);
END;

CREATE TRIGGER mind_vector_gone AFTER DELETE ON memory_vector BEGIN
    DELETE FROM mind_change WHERE (memory, holder) IN
        (SELECT memory, holder FROM holding WHERE memory = OLD.memory AND (OLD.holder = 0 OR holder = OLD.holder));
    INSERT INTO mind_change (holder, memory)
        SELECT holder, memory FROM holding WHERE memory = OLD.memory AND (OLD.holder = 0 OR holder = OLD.holder);
END;

CREATE TRIGGER mind_name_changed AFTER UPDATE OF display_name ON character
WHEN NEW.display_name IS NOT OLD.display_name BEGIN
    DELETE FROM mind_change WHERE (memory, holder) IN
        (SELECT memory, holder FROM holding WHERE memory IN (SELECT memory FROM memory_about WHERE character = NEW.no));
    INSERT INTO mind_change (holder, memory)
        SELECT holder, memory FROM holding WHERE memory IN (SELECT memory FROM memory_about WHERE character = NEW.no);
END;
