//! What must be true of rounds and memories? Written down from their meaning, not from the code that keeps it so.

/// Each rule and a query for what breaks it: the number of the world, and where. Where all that one holds would be read for each of
/// it, a cross join says in which order to look.
pub(super) const RULES: &[(&str, &str)] = &[
    (
        "a line stands in a round of its conversation that was opened, and not behind its end",
        "SELECT l.id >> 40, 'line ' || (l.id & 1099511627775) FROM line l
         LEFT JOIN round r ON r.id = (l.id & ~1099511627775) + l.round
         WHERE l.round IS NOT NULL AND (r.conversation IS NOT l.conversation OR r.explicit = 0
           OR coalesce(r.last, 0) < (l.id & 1099511627775) OR l.attribute IS NULL)",
    ),
    (
        "a round that was found begins and ends with a line of its conversation",
        "SELECT r.id >> 40, 'round ' || (r.id & 1099511627775) FROM round r
         LEFT JOIN line a ON a.id = (r.id & ~1099511627775) + r.first
         LEFT JOIN line b ON b.id = (r.id & ~1099511627775) + r.last
         WHERE r.explicit = 0 AND (a.conversation IS NOT r.conversation OR b.conversation IS NOT r.conversation
           OR a.attribute IS NULL OR b.attribute IS NULL OR r.first > r.last)",
    ),
    (
        "the log says how a round stands",
        "SELECT r.id >> 40, 'round ' || (r.id & 1099511627775) FROM round r
         WHERE r.state IS NOT (SELECT c.value FROM change c WHERE c.world = r.id >> 40 AND c.kind = 8
           AND c.subject = (r.id & 1099511627775) ORDER BY c.revision DESC LIMIT 1)",
    ),
    (
        "the log says who forgot a line, and they witnessed it",
        "SELECT o.line >> 40, 'line ' || (o.line & 1099511627775) FROM
           (SELECT line FROM forgotten UNION SELECT (c.world << 40) + c.subject FROM change c WHERE c.kind = 10) o
         LEFT JOIN line l ON l.id = o.line LEFT JOIN forgotten f ON f.line = o.line
         WHERE l.attribute IS NULL
           OR f.circle IS NOT (SELECT c.value FROM change c WHERE c.world = o.line >> 40 AND c.kind = 10
             AND c.subject = (o.line & 1099511627775) ORDER BY c.revision DESC LIMIT 1)
           OR EXISTS (SELECT 1 FROM circle_member g WHERE g.circle = f.circle AND NOT EXISTS
             (SELECT 1 FROM circle_member w WHERE w.circle = l.witnesses AND w.character = g.character))",
    ),
    (
        "the log says which state of a memory one has",
        "SELECT h.memory >> 40, 'holding number ' || h.no FROM holding h
         WHERE h.version IS NOT (SELECT c.value FROM change c WHERE c.world = h.memory >> 40 AND c.kind = 9
           AND c.subject = h.no ORDER BY c.revision DESC LIMIT 1)",
    ),
    (
        "what is said of memories is said of such as there are",
        "SELECT o.memory >> 40, 'memory ' || (o.memory & 1099511627775) FROM
           (SELECT memory FROM memory_source UNION SELECT memory FROM memory_part UNION SELECT part FROM memory_part
            UNION SELECT memory FROM memory_about UNION SELECT memory FROM holding
            UNION SELECT summarised_by FROM holding WHERE summarised_by IS NOT NULL
            UNION SELECT superseded_by FROM holding WHERE superseded_by IS NOT NULL
            UNION SELECT summarised_by FROM holding_version WHERE summarised_by IS NOT NULL
            UNION SELECT superseded_by FROM holding_version WHERE superseded_by IS NOT NULL) o
         WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = o.memory)",
    ),
    (
        "states and refreshments are of memories that somebody has",
        "SELECT NULL, 'holding number ' || o.holding FROM
           (SELECT holding FROM holding_version UNION SELECT holding FROM refreshed) o
         WHERE NOT EXISTS (SELECT 1 FROM holding h WHERE h.no = o.holding)",
    ),
    (
        "a memory is of lines that are there, and so is whatever refreshed it",
        "SELECT o.line >> 40, 'line ' || (o.line & 1099511627775) FROM
           (SELECT line FROM memory_source UNION SELECT line FROM refreshed) o
         WHERE NOT EXISTS (SELECT 1 FROM line l WHERE l.id = o.line AND l.attribute IS NOT NULL)",
    ),
    (
        "a memory is broken while one of its lines is not what was read",
        "SELECT m.world, 'memory ' || (m.id & 1099511627775) FROM memory m
         WHERE m.broken <> (SELECT count(*) > 0 FROM memory_source s LEFT JOIN line l ON l.id = s.line
           WHERE s.memory = m.id AND (l.active IS NOT 1 OR l.version IS NOT s.version OR l.hidden IS NOT 0))",
    ),
    (
        "a memory is live to one who has all that it is made of, and nothing better of any of it",
        "SELECT h.memory >> 40, 'holding number ' || h.no FROM holding h JOIN memory m ON m.id = h.memory
         WHERE h.live <> (m.broken = 0 AND (SELECT count(*) FROM
             (SELECT h.memory AS made UNION SELECT f.part FROM memory_part f WHERE f.memory = h.memory) o
             JOIN memory_source s ON s.memory = o.made JOIN forgotten g ON g.line = s.line
             JOIN circle_member p ON p.circle = g.circle WHERE p.character = h.holder) = 0
           AND (SELECT count(*) FROM memory_part f WHERE f.memory = h.memory) =
           (SELECT count(*) FROM memory_part f CROSS JOIN memory p ON p.id = f.part CROSS JOIN holding o ON o.memory = p.id
            WHERE f.memory = h.memory AND o.holder = h.holder AND o.version IS NOT NULL AND o.forgotten = 0
              AND o.gives_way_to IS NULL AND p.broken = 0))",
    ),
    (
        "a memory gives way to what its holder can recall",
        "SELECT h.memory >> 40, 'holding number ' || h.no FROM holding h
         LEFT JOIN holding b ON b.memory = h.superseded_by AND b.holder = h.holder
           AND b.version IS NOT NULL AND b.live = 1 AND b.forgotten = 0
         WHERE h.superseded <> (b.no IS NOT NULL OR h.gives_way_to IS NOT NULL)",
    ),
    (
        "a memory is summed up by what its holder can recall, the one that was made last before all others",
        "WITH parts(memory, all_of_them) AS MATERIALIZED (
           SELECT memory, group_concat(part) FROM (SELECT memory, part FROM memory_part ORDER BY memory, part) GROUP BY memory),
         sums_up(memory, part) AS MATERIALIZED (
           SELECT memory, part FROM memory_part UNION SELECT f.memory, b.memory FROM memory_part f
           JOIN parts a ON a.memory = f.part JOIN parts b ON b.all_of_them = a.all_of_them)
         SELECT h.memory >> 40, 'holding number ' || h.no FROM holding h
         WHERE h.summarised <> 0 AND NOT EXISTS
           (SELECT 1 FROM sums_up f JOIN holding s ON s.memory = f.memory AND s.holder = h.holder
            WHERE f.memory = h.summarised AND f.part = h.memory AND s.version IS NOT NULL AND s.live = 1 AND s.forgotten = 0
              AND s.gives_way_to IS NULL)
         UNION SELECT h.memory >> 40, 'holding number ' || h.no
         FROM holding s CROSS JOIN sums_up f ON f.memory = s.memory
         CROSS JOIN holding h ON h.memory = f.part AND h.holder = s.holder
         WHERE s.version IS NOT NULL AND s.live = 1 AND s.forgotten = 0 AND s.gives_way_to IS NULL AND h.summarised <> s.memory
           AND (h.summarised = 0 OR h.summarised_by = s.memory OR (h.summarised_by IS NOT h.summarised AND s.memory < h.summarised))",
    ),
    (
        "of the memories of one exchange only one counts to anybody",
        "SELECT a.memory >> 40, 'holding number ' || a.no FROM holding a JOIN memory m ON m.id = a.memory AND m.origin = 'round'
         CROSS JOIN memory_source s ON s.memory = a.memory CROSS JOIN memory_source t ON t.line = s.line AND t.memory <> s.memory
         CROSS JOIN memory n ON n.id = t.memory AND n.origin = 'round' CROSS JOIN holding b ON b.memory = n.id AND b.holder = a.holder
         WHERE a.version IS NOT NULL AND a.live = 1 AND a.gives_way_to IS NULL
           AND b.version IS NOT NULL AND b.live = 1 AND b.gives_way_to IS NULL
           AND m.depth = 0 AND n.depth = 0",
    ),
    (
        "what gives way shares a line with what counts",
        "SELECT h.memory >> 40, 'holding number ' || h.no FROM holding h JOIN memory m ON m.id = h.memory AND m.depth = 0
         LEFT JOIN holding o ON o.memory = h.gives_way_to AND o.holder = h.holder AND o.version IS NOT NULL
           AND o.live = 1 AND o.gives_way_to IS NULL
         WHERE h.gives_way_to IS NOT NULL AND (o.no IS NULL OR h.version IS NULL OR h.live = 0 OR NOT EXISTS
           (SELECT 1 FROM memory_source s JOIN memory_source t ON t.line = s.line
            WHERE s.memory = h.memory AND t.memory = o.memory))",
    ),
    (
        "a summary is one deeper than the deepest of its parts",
        "SELECT m.world, 'memory ' || (m.id & 1099511627775) FROM memory m
         WHERE m.depth <> (SELECT coalesce(max(p.depth) + 1, 0) FROM memory_part f JOIN memory p ON p.id = f.part WHERE f.memory = m.id)",
    ),
    (
        "a summary gives way to another as deep that can be recalled, and sums up all that it does and more",
        "SELECT h.memory >> 40, 'holding number ' || h.no FROM holding h JOIN memory m ON m.id = h.memory AND m.depth > 0
         LEFT JOIN holding o ON o.memory = h.gives_way_to AND o.holder = h.holder AND o.version IS NOT NULL
           AND o.live = 1 AND o.forgotten = 0
         LEFT JOIN memory t ON t.id = o.memory AND t.depth = m.depth
         WHERE h.gives_way_to IS NOT NULL AND (t.id IS NULL OR h.version IS NULL OR h.live = 0
           OR EXISTS (SELECT part FROM memory_part WHERE memory = m.id EXCEPT SELECT part FROM memory_part WHERE memory = t.id)
           OR NOT EXISTS (SELECT part FROM memory_part WHERE memory = t.id EXCEPT SELECT part FROM memory_part WHERE memory = m.id))",
    ),
    (
        "of summaries of the same the one that sums up more counts",
        "SELECT h.memory >> 40, 'holding number ' || h.no FROM memory m
         CROSS JOIN memory_part a ON a.memory = m.id AND a.part = (SELECT min(x.part) FROM memory_part x WHERE x.memory = m.id)
         CROSS JOIN memory_part b ON b.part = a.part AND b.memory <> m.id CROSS JOIN memory t ON t.id = b.memory AND t.depth = m.depth
         CROSS JOIN holding h ON h.memory = m.id CROSS JOIN holding o ON o.memory = t.id AND o.holder = h.holder
         WHERE m.depth > 0 AND h.version IS NOT NULL AND h.live = 1 AND h.gives_way_to IS NULL
           AND o.version IS NOT NULL AND o.live = 1 AND o.forgotten = 0
           AND NOT EXISTS (SELECT part FROM memory_part WHERE memory = m.id EXCEPT SELECT part FROM memory_part WHERE memory = t.id)
           AND EXISTS (SELECT part FROM memory_part WHERE memory = t.id EXCEPT SELECT part FROM memory_part WHERE memory = m.id)",
    ),
    (
        "a round that a host ended ends at a line of its own",
        "SELECT r.id >> 40, 'round ' || (r.id & 1099511627775) FROM round r
         LEFT JOIN line e ON e.id = (r.id & ~1099511627775) + r.ends_at
         WHERE r.ends_at IS NOT NULL AND (r.explicit = 0 OR e.round IS NOT (r.id & 1099511627775))",
    ),
    (
        "a conversation waits while something on its path is not remembered",
        "WITH over(id, conversation, state, last, stands) AS NOT MATERIALIZED (
           SELECT r.id, r.conversation, r.state,
             iif(r.explicit, (SELECT max(l.id & 1099511627775) FROM line l WHERE l.conversation = r.conversation
               AND l.round = (r.id & 1099511627775) AND l.active = 1 AND l.hidden & 2 = 0), r.last),
             EXISTS (SELECT 1 FROM line e WHERE e.active = 1
               AND e.id = (r.id & ~1099511627775) + iif(r.explicit, r.ends_at, r.last))
           FROM round r WHERE r.state IN (2, 3)),
         reach(conversation, covered) AS MATERIALIZED (
           SELECT c.no, coalesce((SELECT max(o.last) FROM over o WHERE o.conversation = c.no AND o.state = 3 AND o.stands), 0)
           FROM conversation c)
         SELECT c.world, 'conversation ' || c.id FROM conversation c JOIN reach ON reach.conversation = c.no
         WHERE c.waits <> (
           EXISTS (SELECT 1 FROM line l WHERE l.conversation = c.no AND l.active = 1 AND l.attribute IS NOT NULL
             AND l.hidden & 2 = 0 AND (l.id & 1099511627775) > reach.covered)
           OR EXISTS (SELECT 1 FROM over o WHERE o.conversation = c.no AND o.state = 2 AND o.stands AND o.last IS NOT NULL)
           OR EXISTS (SELECT 1 FROM line l JOIN over o ON o.id = (l.id & ~1099511627775) + l.round AND NOT o.stands
             WHERE l.conversation = c.no AND l.active = 1 AND l.hidden & 2 = 0
               AND (l.id & 1099511627775) <= reach.covered
               AND EXISTS (SELECT 1 FROM line b WHERE b.conversation = c.no AND b.round = l.round
                 AND (b.id & 1099511627775) > reach.covered)
               AND NOT EXISTS (SELECT 1 FROM round f JOIN line e ON e.id = (f.id & ~1099511627775) + f.last
                 WHERE f.conversation = c.no AND f.explicit = 0 AND f.state IS NOT NULL AND e.active = 1
                   AND (l.id & 1099511627775) BETWEEN f.first AND f.last)))",
    ),
    (
        "a model is asked about words of rounds and summaries by rules",
        "SELECT h.memory >> 40, 'holding number ' || h.no FROM holding h JOIN memory m ON m.id = h.memory
         WHERE h.askable <> (m.origin = 'round') + 2 * (m.origin IN ('day', 'era') AND m.model IS NULL)",
    ),
    (
        "whom a job is about, and what was not believed, belongs to a job",
        "SELECT o.world, 'job ' || o.key FROM
           (SELECT world, key FROM job_holder UNION SELECT world, key FROM job_reject) o
         WHERE NOT EXISTS (SELECT 1 FROM job j WHERE j.world = o.world AND j.key = o.key)",
    ),
    (
        "a job belongs to a world",
        "SELECT NULL, 'job ' || j.key FROM job j WHERE NOT EXISTS (SELECT 1 FROM world w WHERE w.no = j.world)",
    ),
    (
        "vectors are of memories and rewordings of those who have them",
        "SELECT v.memory >> 40, 'memory ' || (v.memory & 1099511627775) FROM memory_vector v
         WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = v.memory) OR (v.holder <> 0 AND NOT EXISTS
           (SELECT 1 FROM holding h WHERE h.memory = v.memory AND h.holder = v.holder))",
    ),
    (
        "a memory's own vector is of its text, and it knows where it got one last",
        "SELECT m.world, 'memory ' || (m.id & 1099511627775) FROM memory m
         WHERE EXISTS (SELECT 1 FROM memory_vector v WHERE v.memory = m.id AND v.holder = 0 AND v.digest <> m.digest)
           OR (m.space IS NOT NULL AND NOT EXISTS
             (SELECT 1 FROM memory_vector v WHERE v.memory = m.id AND v.holder = 0 AND v.space = m.space))",
    ),
    (
        "vectors of entries are of entries that are there",
        "SELECT 0, 'document number ' || v.document FROM entry_vector v
         WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.document = v.document AND e.id = v.entry)",
    ),
    (
        "a vector has all its values",
        "SELECT v.memory >> 40, 'memory ' || (v.memory & 1099511627775) FROM memory_vector v
         WHERE CASE v.chunks WHEN 0 THEN length(v.data) > 0 ELSE length(v.data) = 0 OR length(v.data) % (4 * v.chunks) <> 0 END
         UNION ALL SELECT 0, 'document number ' || v.document FROM entry_vector v
         WHERE CASE v.chunks WHEN 0 THEN length(v.data) > 0 ELSE length(v.data) = 0 OR length(v.data) % (4 * v.chunks) <> 0 END",
    ),
];
