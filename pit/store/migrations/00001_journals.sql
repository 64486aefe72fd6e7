-- What the pit keeps of the tables' journals, byte for byte. Times are Unix nanoseconds.

-- +goose Up
CREATE TABLE place (
    id      BIGINT PRIMARY KEY,
    site    TEXT NOT NULL,
    name    TEXT NOT NULL,
    journal BIGINT,             -- the one that the table writes now
    pruned  BIGINT NOT NULL,    -- of gaming days before this one, only the sums are kept
    UNIQUE (site, name)
);

CREATE TABLE journal (
    id       BIGINT PRIMARY KEY,
    place    BIGINT NOT NULL REFERENCES place,
    name     TEXT   NOT NULL,   -- its own id
    former   TEXT   NOT NULL,   -- the journal that it replaces, as JSON, or empty
    head     BIGINT NOT NULL,   -- the last record that is kept, and its hash
    hash     BYTEA  NOT NULL,
    head_at  BIGINT NOT NULL,
    closed   BIGINT NOT NULL,   -- the last record of a stretch that gets no more
    kept     TEXT   NOT NULL,   -- what the tally knows after the record kept_at, as JSON
    kept_at  BIGINT NOT NULL,
    pruned   BIGINT NOT NULL,   -- up to here the records were removed
    before   TEXT   NOT NULL,   -- what the tally knew after those, as JSON
    UNIQUE (place, name)
);

-- Frames of consecutive records, compressed: those of a round, with what came before it.
CREATE TABLE stretch (
    journal BIGINT NOT NULL,
    first   BIGINT NOT NULL,
    last    BIGINT NOT NULL,
    frames  BYTEA  NOT NULL,
    PRIMARY KEY (journal, first)
);

-- From which record on which start of the table's program wrote.
CREATE TABLE boot (
    journal BIGINT NOT NULL,
    first   BIGINT NOT NULL,
    boot    BIGINT NOT NULL,
    program TEXT   NOT NULL,
    PRIMARY KEY (journal, first)
);

-- Records that the table does not have, and why; the set-up and the rules in force after them.
CREATE TABLE gap (
    journal BIGINT NOT NULL,
    first   BIGINT NOT NULL,
    last    BIGINT NOT NULL,
    why     TEXT   NOT NULL,
    what    TEXT   NOT NULL,
    setup   TEXT   NOT NULL,
    rules   TEXT   NOT NULL,
    PRIMARY KEY (journal, first)
);

CREATE TABLE rules (
    fingerprint TEXT  PRIMARY KEY,
    content     BYTEA NOT NULL
);

CREATE TABLE signer (
    id         BIGINT PRIMARY KEY,
    public_key BYTEA NOT NULL UNIQUE
);

CREATE TABLE seal (
    journal   BIGINT NOT NULL,
    record    BIGINT NOT NULL,
    signed    BIGINT NOT NULL,
    signer    BIGINT NOT NULL,
    hash      BYTEA,             -- missing where it is the record's own
    signature BYTEA  NOT NULL,
    PRIMARY KEY (journal, record, signed)
);

-- Heads that tables told: the second witness. Of those that agree with the records, the last
-- of each hour stays.
CREATE TABLE witness (
    place    BIGINT NOT NULL,
    journal  TEXT   NOT NULL,
    record   BIGINT NOT NULL,
    hash     BYTEA  NOT NULL,
    heard    BIGINT NOT NULL,
    agrees   BOOLEAN NOT NULL,
    PRIMARY KEY (place, journal, record)
);

-- What was found to be wrong with a table's journal.
CREATE TABLE finding (
    place   BIGINT NOT NULL,
    journal TEXT   NOT NULL,
    kind    TEXT   NOT NULL,    -- rewritten, rolled-back, replaced
    record  BIGINT NOT NULL,
    what    TEXT   NOT NULL,
    found   BIGINT NOT NULL,
    PRIMARY KEY (place, journal, kind, record)
);

-- +goose Down
DROP TABLE finding;
DROP TABLE witness;
DROP TABLE seal;
DROP TABLE signer;
DROP TABLE rules;
DROP TABLE gap;
DROP TABLE boot;
DROP TABLE stretch;
DROP TABLE journal;
DROP TABLE place;
