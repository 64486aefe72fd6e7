-- What was due stands beside what was paid. Of earlier rounds only one sum is known, which is both.

-- +goose Up
ALTER TABLE round ADD COLUMN due BIGINT NOT NULL DEFAULT 0; -- returned, if everything had been paid as it was due
UPDATE round SET due = returned;
ALTER TABLE wager_sum ADD COLUMN due BIGINT NOT NULL DEFAULT 0;
UPDATE wager_sum SET due = returned;

-- +goose Down
ALTER TABLE wager_sum DROP COLUMN due;
ALTER TABLE round DROP COLUMN due;
