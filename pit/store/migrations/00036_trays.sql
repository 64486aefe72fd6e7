-- What has been done to the tables' trays. The first two tables follow from the records; what was counted when a drop box
-- was opened does not.

-- +goose Up
CREATE TABLE tray_event (
    journal    BIGINT NOT NULL,
    record     BIGINT NOT NULL,
    place      BIGINT NOT NULL,
    day        BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    kind       TEXT   NOT NULL,     -- count, fill, credit, buy-in, drop, change, tips, or adjust for a past round
    event      TEXT   NOT NULL,     -- which count, or which step of a slip
    slip       BIGINT NOT NULL,
    chips      TEXT   NOT NULL,     -- 500x20, apart by spaces
    back       TEXT   NOT NULL,     -- those that came in for them
    amount     BIGINT NOT NULL,
    must       BIGINT,              -- what must be in the tray, missing where the table does not know
    difference BIGINT NOT NULL,     -- of a count, how much more was there
    since      BIGINT NOT NULL,     -- the record of the count before, and what happened since
    rounds     BIGINT NOT NULL,
    unknown    BIGINT NOT NULL,
    corrected  BIGINT NOT NULL,
    accepted   BIGINT NOT NULL,
    adjusted   BIGINT NOT NULL,
    large      BIGINT NOT NULL,
    dealers    TEXT   NOT NULL,     -- one a line
    counter    TEXT   NOT NULL,     -- the dealer who has counted
    person     TEXT   NOT NULL,
    reason     TEXT   NOT NULL,
    pit        BIGINT NOT NULL,     -- whether it came from the pit
    round      BIGINT NOT NULL,
    box        BIGINT NOT NULL,
    dealer     TEXT   NOT NULL,
    shift      TEXT   NOT NULL,
    sheet      BIGINT NOT NULL,
    PRIMARY KEY (journal, record)
);
CREATE INDEX tray_event_kind ON tray_event (journal, kind, record);
CREATE INDEX tray_event_slip ON tray_event (journal, slip, record);
CREATE INDEX tray_event_count ON tray_event (place, kind, at);
CREATE INDEX tray_event_at ON tray_event (place, at);

CREATE TABLE tray_round (
    journal   BIGINT NOT NULL,
    first     BIGINT NOT NULL,
    place     BIGINT NOT NULL,
    day       BIGINT NOT NULL,
    number    BIGINT NOT NULL,
    last      BIGINT NOT NULL,      -- the record that has ended it
    ended     BIGINT NOT NULL,
    won       BIGINT NOT NULL,      -- what the tray has more by it
    over      BIGINT NOT NULL,      -- how much more was paid than was due
    unknown   BIGINT NOT NULL,
    corrected BIGINT NOT NULL,
    accepted  BIGINT NOT NULL,
    large     BIGINT NOT NULL,
    dealer    TEXT   NOT NULL,
    sheet     BIGINT NOT NULL,
    PRIMARY KEY (journal, first)
);
CREATE INDEX tray_round_last ON tray_round (journal, last);
CREATE INDEX tray_round_ended ON tray_round (place, ended);

CREATE TABLE drop_count (
    place    BIGINT NOT NULL,
    journal  TEXT   NOT NULL,
    record   BIGINT NOT NULL,       -- when the table told that the box was taken off; 0 for one of which it did not
    nth      BIGINT NOT NULL,       -- 1 for the first entry of a box, later ones correct it
    day      BIGINT NOT NULL,       -- the gaming day
    at       BIGINT NOT NULL,
    who      TEXT   NOT NULL,
    role     TEXT   NOT NULL,
    amount   BIGINT NOT NULL,
    currency TEXT   NOT NULL,
    reason   TEXT   NOT NULL,
    PRIMARY KEY (place, day, journal, record, nth)
);

-- +goose Down
DROP TABLE drop_count;
DROP TABLE tray_round;
DROP TABLE tray_event;
