-- What each start of a table's program said last: an auditor compares the journal with it. Times are Unix nanoseconds.

-- +goose Up
CREATE TABLE told (
    place              BIGINT  NOT NULL,
    journal            TEXT    NOT NULL,
    boot               BIGINT  NOT NULL,
    record             BIGINT  NOT NULL,  -- the last one
    acknowledged       BIGINT  NOT NULL,  -- the last event that the broker had, by the table's word
    heard              BIGINT  NOT NULL,  -- the last one that the pit had heard, without one missing before it
    away               BIGINT  NOT NULL,  -- the journal's folder begins after this record
    began_acknowledged BIGINT  NOT NULL,  -- what both were when the program started; -1 where it did not say
    began_away         BIGINT  NOT NULL,
    at                 BIGINT  NOT NULL,  -- when it said so, by the table's clock
    watched            BOOLEAN NOT NULL,  -- the pit was connected from then on until the next start was heard
    PRIMARY KEY (place, journal, boot)
);

-- +goose Down
DROP TABLE told;
