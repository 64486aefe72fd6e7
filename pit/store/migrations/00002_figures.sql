-- What follows from the records: it can be made anew at any time (Rebuild). Amounts are in
-- minor units; a gaming day is written 20260329, an hour is its first second in Unix time.

-- +goose Up
CREATE TABLE sheet (
    id       BIGINT PRIMARY KEY,
    house    TEXT NOT NULL,
    game     TEXT NOT NULL,
    currency TEXT NOT NULL,
    rules    TEXT NOT NULL,     -- their fingerprint
    UNIQUE (house, game, currency, rules)
);

CREATE TABLE round (
    journal   BIGINT NOT NULL,
    number    BIGINT NOT NULL,
    place     BIGINT NOT NULL,
    first     BIGINT NOT NULL,  -- its records
    last      BIGINT NOT NULL,
    opened    BIGINT NOT NULL,
    ended     BIGINT NOT NULL,
    day       BIGINT NOT NULL,
    hour      BIGINT NOT NULL,
    dealer    TEXT   NOT NULL,
    shift     TEXT   NOT NULL,
    sheet     BIGINT NOT NULL,
    boxes     BIGINT NOT NULL,
    hands     BIGINT NOT NULL,
    bettors   BIGINT NOT NULL,
    cards     BIGINT NOT NULL,
    void      BIGINT NOT NULL,
    decisions BIGINT NOT NULL,
    deciding  BIGINT NOT NULL,
    irregular BIGINT NOT NULL,  -- how many irregularities it had
    staked    BIGINT NOT NULL,
    returned  BIGINT NOT NULL,
    wagers    TEXT   NOT NULL,  -- name:count:staked:returned:unknown, apart by spaces
    PRIMARY KEY (journal, first)
);
CREATE INDEX round_number ON round (journal, number);
CREATE INDEX round_place ON round (place, opened);
CREATE INDEX round_opened ON round (opened);
CREATE INDEX round_dealer ON round (dealer, opened);
CREATE INDEX round_staked ON round (staked);
CREATE INDEX round_returned ON round (returned);
CREATE INDEX round_result ON round ((returned - staked));

CREATE TABLE irregularity (
    journal BIGINT NOT NULL,
    record  BIGINT NOT NULL,
    nth     BIGINT NOT NULL,
    place   BIGINT NOT NULL,
    round   BIGINT NOT NULL,
    code    TEXT   NOT NULL,
    alarm   TEXT   NOT NULL,
    box     BIGINT NOT NULL,
    raised  BIGINT NOT NULL,
    day     BIGINT NOT NULL,
    hour    BIGINT NOT NULL,
    dealer  TEXT   NOT NULL,
    sheet   BIGINT NOT NULL,
    righted BIGINT NOT NULL,    -- 0 while it is not put right
    choice  TEXT   NOT NULL,
    person  TEXT   NOT NULL,
    reason  TEXT   NOT NULL,
    PRIMARY KEY (journal, record, nth)
);
CREATE INDEX irregularity_round ON irregularity (journal, round);
CREATE INDEX irregularity_raised ON irregularity (raised);
CREATE INDEX irregularity_code ON irregularity (code, raised);

-- The sums: what is asked for is added up from these.
CREATE TABLE round_sum (
    day       BIGINT NOT NULL,
    place     BIGINT NOT NULL,
    hour      BIGINT NOT NULL,
    dealer    TEXT   NOT NULL,
    sheet     BIGINT NOT NULL,
    rounds    BIGINT NOT NULL,
    void      BIGINT NOT NULL,
    boxes     BIGINT NOT NULL,
    hands     BIGINT NOT NULL,
    bettors   BIGINT NOT NULL,
    cards     BIGINT NOT NULL,
    decisions BIGINT NOT NULL,
    deciding  BIGINT NOT NULL,
    playing   BIGINT NOT NULL,  -- from the opening of a round to its end
    places    BIGINT NOT NULL,  -- the table's boxes, round by round
    dealt     BIGINT NOT NULL,  -- from the opening of a round to that of the next, at most five minutes
    PRIMARY KEY (day, place, hour, dealer, sheet)
);

CREATE TABLE wager_sum (
    day      BIGINT NOT NULL,
    place    BIGINT NOT NULL,
    hour     BIGINT NOT NULL,
    dealer   TEXT   NOT NULL,
    sheet    BIGINT NOT NULL,
    wager    TEXT   NOT NULL,
    wagers   BIGINT NOT NULL,
    staked   BIGINT NOT NULL,
    returned BIGINT NOT NULL,
    unknown  BIGINT NOT NULL,
    rounds   BIGINT NOT NULL,   -- those with such a wager
    -- What luck is judged by, pit/luck.Sum: rounds with a stake that are not void, and their squares;
    -- the amounts of void rounds are not counted.
    counted       BIGINT NOT NULL,
    void_staked   BIGINT NOT NULL,
    void_returned BIGINT NOT NULL,
    box_squares   DOUBLE PRECISION NOT NULL,
    round_squares DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (day, place, hour, dealer, sheet, wager)
);

CREATE TABLE irregularity_sum (
    day     BIGINT NOT NULL,
    place   BIGINT NOT NULL,
    hour    BIGINT NOT NULL,
    dealer  TEXT   NOT NULL,
    sheet   BIGINT NOT NULL,
    code    TEXT   NOT NULL,
    times   BIGINT NOT NULL,
    PRIMARY KEY (day, place, hour, dealer, sheet, code)
);

-- +goose Down
DROP TABLE irregularity_sum;
DROP TABLE wager_sum;
DROP TABLE round_sum;
DROP TABLE irregularity;
DROP TABLE round;
DROP TABLE sheet;
