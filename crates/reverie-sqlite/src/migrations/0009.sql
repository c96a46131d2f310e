-- Of the memories of one exchange that can be recalled on a path, the one that tells most of it counts; which one that is follows from
-- the path, and is kept so that reading is cheap. What is there already is derived when the file is brought up to date.
ALTER TABLE holding ADD COLUMN gives_way_to INTEGER;            -- as in memory.id
CREATE INDEX holding_giving_way ON holding (gives_way_to) WHERE gives_way_to IS NOT NULL;
