-- Rounds are found by what was staked on in them, and by the house whose sheet was played, from the indexes alone: each kind
-- of wager is a bit of the round's.

-- +goose Up
CREATE TABLE wager_kind (
    id   BIGINT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
INSERT INTO wager_kind (id, name) SELECT row_number() OVER (ORDER BY wager), wager FROM (SELECT DISTINCT wager FROM wager_sum) w;

DROP INDEX round_opened;
DROP INDEX round_place;
DROP INDEX round_dealer;
ALTER TABLE round ADD COLUMN kinds BIGINT NOT NULL DEFAULT 0; -- bit n for the wager_kind n, up to 62
UPDATE round SET kinds = (SELECT coalesce(CAST(sum(CAST(1 AS BIGINT) << CAST(k.id AS INTEGER)) AS BIGINT), 0) FROM wager_kind k
    WHERE k.id <= 62 AND ' ' || round.wagers LIKE '% ' || k.name || ':%');
CREATE INDEX round_opened ON round (opened, journal, first, staked, returned, irregular, number, sheet, kinds, void);
CREATE INDEX round_place ON round (place, opened, journal, first, staked, returned, irregular, number, sheet, kinds, void);
CREATE INDEX round_dealer ON round (dealer, opened, journal, first, staked, returned, irregular, number, sheet, kinds, void);

-- +goose Down
DROP INDEX round_opened;
DROP INDEX round_place;
DROP INDEX round_dealer;
ALTER TABLE round DROP COLUMN kinds;
CREATE INDEX round_opened ON round (opened, journal, first, staked, returned, irregular, number);
CREATE INDEX round_place ON round (place, opened, journal, first, staked, returned, irregular, number);
CREATE INDEX round_dealer ON round (dealer, opened, journal, first, staked, returned, irregular, number);
DROP TABLE wager_kind;
