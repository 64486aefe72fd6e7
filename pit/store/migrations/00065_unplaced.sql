-- The boxes that were played where nobody knows how many the table has: occupancy is made of the others. A node of an
-- earlier version writes none, and is right wherever its tables' rules are known. It wrote no "taken" either, so that by
-- that column none of its boxes were played.

-- +goose Up
ALTER TABLE round_sum ADD COLUMN unplaced BIGINT NOT NULL DEFAULT 0;
UPDATE round_sum SET unplaced = boxes WHERE places = 0;
ALTER TABLE round_sum DROP COLUMN taken;

-- +goose Down
ALTER TABLE round_sum ADD COLUMN taken BIGINT NOT NULL DEFAULT 0;
UPDATE round_sum SET taken = boxes - unplaced;
ALTER TABLE round_sum DROP COLUMN unplaced;
