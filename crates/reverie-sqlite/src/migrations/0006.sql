-- A round of a host ends at a line, and stands on the paths that lead through it. Where a path leaves it before that line,
-- its lines there are of no host's round.

ALTER TABLE round ADD COLUMN ends_at INTEGER;                     -- of a round that a host ended: its last line that was shown
ALTER TABLE round ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;  -- of one that went on after its end: lines up to here were judged then

-- Nobody wrote down where a round ended that is over: its last line that was shown is the best guess.
UPDATE round SET ends_at = (
    SELECT max(l.id) & 1099511627775 FROM line l
    WHERE l.conversation = round.conversation AND l.round = (round.id & 1099511627775) AND l.hidden & 2 = 0)
WHERE explicit = 1 AND ending IS NOT NULL;

-- So lines may wait that were not looked for before.
UPDATE conversation SET waits = 1
WHERE waits = 0 AND EXISTS (
    SELECT 1 FROM round r JOIN line l ON l.conversation = r.conversation AND l.round = (r.id & 1099511627775)
    WHERE r.conversation = conversation.no AND r.explicit = 1 AND r.state IN (2, 3)
      AND l.active = 1 AND l.hidden & 2 = 0
      AND NOT EXISTS (SELECT 1 FROM line e WHERE e.id = (r.id & ~1099511627775) + r.ends_at AND e.active = 1)
      AND (l.id & 1099511627775) > coalesce((
        SELECT max(iif(d.explicit, d.ends_at, d.last)) FROM round d
        JOIN line e ON e.id = (d.id & ~1099511627775) + iif(d.explicit, d.ends_at, d.last)
        WHERE d.conversation = conversation.no AND d.state = 3 AND e.active = 1), 0));

-- When a holding's activity was set, by the wall clock; NULL: when what it tells happened.
ALTER TABLE holding ADD COLUMN since_ms INTEGER;
ALTER TABLE holding_version ADD COLUMN since_ms INTEGER;

-- Tokens that models took in an hour (hours since 1970), so that a restart does not give them again.
CREATE TABLE spent (
    hour   INTEGER PRIMARY KEY,
    tokens INTEGER NOT NULL
);
