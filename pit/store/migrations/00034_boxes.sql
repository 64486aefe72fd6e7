-- Rounds are found by what lay on their boxes. Of rounds that an earlier version has kept that is not known until they are
-- counted anew (Rebuild): their text is empty, and all their bits are set.

-- +goose Up
DROP INDEX round_opened;
DROP INDEX round_place;
DROP INDEX round_dealer;
ALTER TABLE round ADD COLUMN lays TEXT NOT NULL DEFAULT '';        -- box:staked:returned:cards, apart by spaces; box 0 is the bank
ALTER TABLE round ADD COLUMN lay_boxes BIGINT NOT NULL DEFAULT -1; -- bit n for the box n
ALTER TABLE round ADD COLUMN lay_cards BIGINT NOT NULL DEFAULT -1; -- a bit for each card of a pack, and one for the Joker
CREATE INDEX round_opened ON round (opened, journal, first, staked, returned, irregular, number, sheet, kinds, void, lay_boxes, lay_cards);
CREATE INDEX round_place ON round (place, opened, journal, first, staked, returned, irregular, number, sheet, kinds, void, lay_boxes, lay_cards);
CREATE INDEX round_dealer ON round (dealer, opened, journal, first, staked, returned, irregular, number, sheet, kinds, void, lay_boxes, lay_cards);
CREATE INDEX round_unlaid ON round (opened) WHERE lays = '';

-- +goose Down
DROP INDEX round_unlaid;
DROP INDEX round_opened;
DROP INDEX round_place;
DROP INDEX round_dealer;
ALTER TABLE round DROP COLUMN lays;
ALTER TABLE round DROP COLUMN lay_boxes;
ALTER TABLE round DROP COLUMN lay_cards;
CREATE INDEX round_opened ON round (opened, journal, first, staked, returned, irregular, number, sheet, kinds, void);
CREATE INDEX round_place ON round (place, opened, journal, first, staked, returned, irregular, number, sheet, kinds, void);
CREATE INDEX round_dealer ON round (dealer, opened, journal, first, staked, returned, irregular, number, sheet, kinds, void);
