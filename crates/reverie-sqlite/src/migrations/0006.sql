-- A round of a host ends at a line, and stands on the paths that lead through it. Where a path leaves it before that line,
-- its lines there are of no host's round.

ALTER TABLE round ADD COLUMN ends_at INTEGER;                     -- of a round that a host ended: its last line that was shown
ALTER TABLE round ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;  -- of one that went on after its end: lines up to here were judged then

UPDATE round SET ends_at = (
    SELECT l.id & 1099511627775 FROM line l
    WHERE l.conversation = round.conversation AND l.round = (round.id & 1099511627775) AND l.hidden & 2 = 0
    ORDER BY l.active DESC, l.id DESC LIMIT 1)
WHERE explicit = 1 AND ending IS NOT NULL;

-- When a holding's activity was set, by the wall clock; NULL: when what it tells happened.
ALTER TABLE holding ADD COLUMN since_ms INTEGER;
ALTER TABLE holding_version ADD COLUMN since_ms INTEGER;

-- Tokens that models took in an hour (hours since 1970), so that a restart does not give them again.
CREATE TABLE spent (
    hour   INTEGER PRIMARY KEY,
    tokens INTEGER NOT NULL
);
