-- By which set-ups a table got another money: its tray and its drop box from then on are others, also once the first
-- money is back. Earlier ones are not known until the table is counted anew (Rebuild).

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

-- +goose Down
DROP TABLE tray_gone;
