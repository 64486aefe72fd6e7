-- The boxes that were played where the table's are known: occupancy is made of these. Earlier sums are of one set of rules each,
-- whose tables have places or not.

-- +goose Up
ALTER TABLE round_sum ADD COLUMN taken BIGINT NOT NULL DEFAULT 0;
UPDATE round_sum SET taken = boxes WHERE places > 0;

-- +goose Down
ALTER TABLE round_sum DROP COLUMN taken;
