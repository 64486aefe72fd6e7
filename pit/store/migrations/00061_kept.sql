-- What void rounds came to has a sum of its own. Of earlier sums it is what nobody has played for: where an hour of a dealer had
-- a void round, and a wager that was declared dead and taken in another, that is too much until the table is counted anew
-- (Rebuild).

-- +goose Up
ALTER TABLE wager_sum ADD COLUMN kept BIGINT NOT NULL DEFAULT 0;
UPDATE wager_sum SET kept = void_staked - void_returned WHERE void_staked <> void_returned AND EXISTS (
    SELECT 1 FROM round_sum r WHERE r.day = wager_sum.day AND r.place = wager_sum.place AND r.hour = wager_sum.hour
        AND r.dealer = wager_sum.dealer AND r.sheet = wager_sum.sheet AND r.void > 0);

-- +goose Down
ALTER TABLE wager_sum DROP COLUMN kept;
