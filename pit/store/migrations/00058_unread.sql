-- The first record of a journal of which the version that kept it could not read everything, 0 for none: it is kept byte for
-- byte, and a version that reads it counts the table anew. Earlier versions left the game empty where they could not read the
-- rules.

-- +goose Up
ALTER TABLE journal ADD COLUMN unread BIGINT NOT NULL DEFAULT 0;
UPDATE journal SET unread = 1 WHERE id IN (SELECT r.journal FROM round r JOIN sheet s ON s.id = r.sheet WHERE s.game = '');

-- +goose Down
ALTER TABLE journal DROP COLUMN unread;
