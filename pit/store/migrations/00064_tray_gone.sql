-- By which set-ups a table got another money: its tray and its drop box from then on are others, also once the first
-- money is back. Earlier ones are not known until the table is counted anew: when its next record is kept, where it has
-- played in several currencies and nothing of it was removed; otherwise by Rebuild.

-- +goose Up
CREATE TABLE tray_gone (
    journal BIGINT NOT NULL,
    record  BIGINT NOT NULL,        -- the set-up
    place   BIGINT NOT NULL,
    day     BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    person  TEXT   NOT NULL,
    sheet   BIGINT NOT NULL,        -- what was played before it
    PRIMARY KEY (journal, record)
);
CREATE INDEX tray_gone_at ON tray_gone (place, at);
UPDATE journal SET unread = 1 WHERE unread = 0 AND pruned = 0 AND id IN (SELECT r.journal FROM round r
    JOIN sheet s ON s.id = r.sheet GROUP BY r.journal HAVING count(DISTINCT s.currency) > 1);

-- +goose Down
DROP TABLE tray_gone;
