-- What the journal is; written once.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for each time that a program opened the journal to write.
CREATE TABLE boot (
    number       INTEGER PRIMARY KEY,
    program      TEXT    NOT NULL, -- name and version of the program
    first_record INTEGER NOT NULL  -- number of the first record that this boot could write
) STRICT;

-- One row for each input. README.md explains the columns and defines the hash.
CREATE TABLE record (
    seq         INTEGER PRIMARY KEY,
    boot        INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    round       INTEGER NOT NULL,
    shoe_boot   INTEGER NOT NULL,
    shoe_seq    INTEGER NOT NULL,
    first_event INTEGER NOT NULL,
    setup       INTEGER NOT NULL,
    shoe        INTEGER NOT NULL,
    checkpoint  INTEGER NOT NULL,
    rules       BLOB    NOT NULL CHECK (length(rules) IN (0, 32)),
    input       TEXT    NOT NULL,
    outputs     TEXT    NOT NULL,
    carry       BLOB    CHECK (length(carry) > 0),
    hash        BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Signatures under the hash of a record. README.md says what is signed.
CREATE TABLE seal (
    seq       INTEGER PRIMARY KEY, -- the record
    hash      BLOB    NOT NULL CHECK (length(hash) = 32),
    at        INTEGER NOT NULL,
    key       BLOB    NOT NULL CHECK (length(key) = 32),
    signature BLOB    NOT NULL CHECK (length(signature) = 64)
) STRICT;

-- How far each publisher has come; the only rows that are ever updated.
CREATE TABLE cursor (
    name  TEXT PRIMARY KEY,
    event INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The outputs one by one, for people with a SQLite shell.
CREATE VIEW event AS
SELECT record.first_event + line.key AS number,
       record.seq AS record, record.boot, record.at, record.round,
       line.value AS line
  FROM record,
       json_each('[' || replace(rtrim(outputs, char(10)), char(10), ',') || ']') AS line;

CREATE TRIGGER meta_no_update BEFORE UPDATE ON meta
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER meta_no_delete BEFORE DELETE ON meta
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER boot_no_update BEFORE UPDATE ON boot
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER boot_no_delete BEFORE DELETE ON boot
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER seal_no_update BEFORE UPDATE ON seal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER seal_no_delete BEFORE DELETE ON seal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER seal_in_order BEFORE INSERT ON seal
WHEN NEW.seq <= (SELECT coalesce(max(seq), 0) FROM seal) OR NEW.seq > (SELECT coalesce(max(seq), 0) FROM record)
BEGIN SELECT RAISE(ABORT, 'the journal takes seals in order only'); END;

CREATE TRIGGER record_no_update BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER record_no_delete BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- REPLACE deletes without asking the triggers above, so a number that is taken is refused here.
CREATE TRIGGER record_in_order BEFORE INSERT ON record
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM record)
BEGIN SELECT RAISE(ABORT, 'the journal takes records in order only'); END;
CREATE TRIGGER boot_in_order BEFORE INSERT ON boot
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM boot)
BEGIN SELECT RAISE(ABORT, 'the journal takes boots in order only'); END;
