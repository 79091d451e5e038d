-- A night: entries that are only ever added, each sealed by its header. Postings of an entry are written first and
-- its header last, so that the header's trigger can check the whole entry; nothing about it changes afterwards.

CREATE TABLE entry (
    seq      INTEGER PRIMARY KEY,
    key      TEXT    NOT NULL UNIQUE,   -- idempotency key
    at       TEXT    NOT NULL,          -- ISO 8601 with zone
    operator TEXT    NOT NULL,
    said_at  TEXT,                      -- when it happened, if entered late
    reverses TEXT    NOT NULL,          -- JSON list of seq
    version  INTEGER NOT NULL,          -- codec version of the body
    kind     TEXT    NOT NULL,
    body     TEXT    NOT NULL,          -- canonical JSON
    prev     TEXT    NOT NULL CHECK (length(prev) = 64),
    hash     TEXT    NOT NULL CHECK (length(hash) = 64)
) STRICT;

CREATE TABLE posting (
    seq       INTEGER NOT NULL REFERENCES entry (seq) DEFERRABLE INITIALLY DEFERRED,
    line      INTEGER NOT NULL,
    account   TEXT    NOT NULL,
    commodity TEXT    NOT NULL CHECK (commodity IN ('C', 'M')),
    amount    INTEGER NOT NULL,
    PRIMARY KEY (seq, line)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entry_is_next BEFORE INSERT ON entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM entry)
BEGIN SELECT RAISE(ABORT, 'seq must be next'); END;

CREATE TRIGGER entry_continues_chain BEFORE INSERT ON entry
WHEN NEW.prev IS NOT coalesce((SELECT hash FROM entry WHERE seq = NEW.seq - 1), printf('%064d', 0))
BEGIN SELECT RAISE(ABORT, 'prev must be the seal before'); END;

CREATE TRIGGER entry_is_balanced BEFORE INSERT ON entry
WHEN EXISTS (SELECT 1 FROM posting WHERE seq = NEW.seq GROUP BY commodity HAVING sum(amount) <> 0)
BEGIN SELECT RAISE(ABORT, 'postings must sum to zero'); END;

CREATE TRIGGER entry_stays BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'append-only'); END;

CREATE TRIGGER entry_remains BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'append-only'); END;

CREATE TRIGGER posting_is_in_time BEFORE INSERT ON posting
WHEN EXISTS (SELECT 1 FROM entry WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'entry is sealed'); END;

CREATE TRIGGER posting_stays BEFORE UPDATE ON posting
BEGIN SELECT RAISE(ABORT, 'append-only'); END;

CREATE TRIGGER posting_remains BEFORE DELETE ON posting
BEGIN SELECT RAISE(ABORT, 'append-only'); END;
