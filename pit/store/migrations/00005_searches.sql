-- The indexes by which rounds are found. Each ends with the columns by which rounds are put in
-- order, so that the first hundred are read and no more; and the first three have what a search
-- may ask besides, so that rounds that do not fit are passed over without being read.

-- +goose Up
DROP INDEX round_number;
DROP INDEX round_place;
DROP INDEX round_opened;
DROP INDEX round_dealer;
DROP INDEX round_staked;
DROP INDEX round_returned;
DROP INDEX round_result;
CREATE INDEX round_number ON round (number, journal);
CREATE INDEX round_opened ON round (opened, journal, first, staked, returned, irregular, number);
CREATE INDEX round_place ON round (place, opened, journal, first, staked, returned, irregular, number);
CREATE INDEX round_dealer ON round (dealer, opened, journal, first, staked, returned, irregular, number);
CREATE INDEX round_staked ON round (staked, opened, journal, first);
CREATE INDEX round_returned ON round (returned, opened, journal, first);
CREATE INDEX round_result ON round ((returned - staked), opened, journal, first);

-- +goose Down
DROP INDEX round_number;
DROP INDEX round_place;
DROP INDEX round_opened;
DROP INDEX round_dealer;
DROP INDEX round_staked;
DROP INDEX round_returned;
DROP INDEX round_result;
CREATE INDEX round_number ON round (journal, number);
CREATE INDEX round_place ON round (place, opened);
CREATE INDEX round_opened ON round (opened);
CREATE INDEX round_dealer ON round (dealer, opened);
CREATE INDEX round_staked ON round (staked);
CREATE INDEX round_returned ON round (returned);
CREATE INDEX round_result ON round ((returned - staked));
