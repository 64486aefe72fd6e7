-- Which adjustments of past rounds were counted with their rounds: once a round is removed with its gaming day, the
-- sums of that day have them, and nothing else says so. Of an adjustment that was made before the tray was counted that
-- is not known until the table is counted anew (Rebuild).

-- +goose Up
CREATE TABLE adjusted (
    journal BIGINT NOT NULL,
    record  BIGINT NOT NULL,
    place   BIGINT NOT NULL,
    day     BIGINT NOT NULL,        -- the gaming day of the round
    PRIMARY KEY (journal, record)
);
CREATE INDEX adjusted_day ON adjusted (place, day);
INSERT INTO adjusted (journal, record, place, day)
    SELECT e.journal, e.record, e.place, (SELECT r.day FROM round r
        WHERE r.journal = e.journal AND r.number = e.round AND r.first < e.record ORDER BY r.first DESC LIMIT 1)
    FROM tray_event e WHERE e.kind = 'adjust' AND EXISTS (SELECT 1 FROM round r
        WHERE r.journal = e.journal AND r.number = e.round AND r.first < e.record);

-- +goose Down
DROP TABLE adjusted;
