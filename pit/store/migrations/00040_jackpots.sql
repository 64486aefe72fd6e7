-- Jackpots that several tables play for. What a round has fed and paid follows from the records; in which order that came,
-- and so what was given to whom, the pit alone knows.

-- +goose Up
CREATE TABLE jackpot (
    name     TEXT   PRIMARY KEY,
    currency TEXT   NOT NULL,
    seed     BIGINT NOT NULL,      -- where it starts, and starts again
    amount   BIGINT NOT NULL,
    entry    BIGINT NOT NULL       -- the last number
);

-- Which tables play for which.
CREATE TABLE jackpot_table (
    place   BIGINT PRIMARY KEY,
    jackpot TEXT   NOT NULL
);

-- What rounds have to do with a jackpot.
CREATE TABLE jackpot_round (
    journal  BIGINT NOT NULL,
    first    BIGINT NOT NULL,      -- the record that has opened it
    place    BIGINT NOT NULL,
    jackpot  TEXT   NOT NULL,
    number   BIGINT NOT NULL,
    last     BIGINT NOT NULL,      -- the last record that is counted
    hit      BIGINT NOT NULL,      -- the record by which the table asks, 0 for none, and when that was heard
    heard    BIGINT NOT NULL,
    winners  BIGINT NOT NULL,
    decision BIGINT NOT NULL,      -- the entry by which the jackpot was given, 0 for none
    given    BIGINT NOT NULL,
    charged  BIGINT NOT NULL,
    fed      BIGINT NOT NULL,
    ended    BIGINT NOT NULL,
    won      BIGINT NOT NULL,
    paid_by  BIGINT NOT NULL,      -- the decision by which the table says that it has paid
    PRIMARY KEY (journal, first)
);
CREATE INDEX jackpot_round_waiting ON jackpot_round (ended, jackpot, decision);
CREATE INDEX jackpot_round_paid_by ON jackpot_round (jackpot, paid_by);

-- What has changed them. A record makes at most one entry of each kind: what comes twice is not applied twice.
CREATE TABLE jackpot_entry (
    jackpot  TEXT   NOT NULL,
    number   BIGINT NOT NULL,
    kind     TEXT   NOT NULL,      -- seed, fed, given or put-right
    amount   BIGINT NOT NULL,      -- what comes in, below zero what goes out
    leaves   BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    place    BIGINT NOT NULL,
    journal  BIGINT NOT NULL,
    first    BIGINT NOT NULL,
    round    BIGINT NOT NULL,
    record   BIGINT NOT NULL,
    decision BIGINT NOT NULL,
    PRIMARY KEY (jackpot, number)
);
CREATE UNIQUE INDEX jackpot_entry_once ON jackpot_entry (place, journal, first, record, kind, decision);
CREATE INDEX jackpot_entry_seed ON jackpot_entry (jackpot, kind, decision);

-- +goose Down
DROP TABLE jackpot_entry;
DROP TABLE jackpot_round;
DROP TABLE jackpot_table;
DROP TABLE jackpot;
