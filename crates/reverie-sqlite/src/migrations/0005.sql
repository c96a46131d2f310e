-- What a witness forgot of a line, alone among those who heard it.

-- The change log speaks of one thing more: kind 10 forgotten (line -> the circle of those who forgot it; NULL: nobody).
CREATE TABLE forgotten (
    line   INTEGER PRIMARY KEY,           -- as in line.id; a line that nobody forgot is not here
    circle INTEGER NOT NULL               -- who forgot it: some of its witnesses
);

ALTER TABLE holding ADD COLUMN lines_forgotten INTEGER NOT NULL DEFAULT 0;  -- 1 if its lines were forgotten with it
ALTER TABLE holding_version ADD COLUMN lines_forgotten INTEGER NOT NULL DEFAULT 0;
