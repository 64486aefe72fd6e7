-- The floor's alerts with what became of them. They do not follow from the records: who saw one,
-- and who was on the way, only the pit knows.

-- +goose Up
CREATE TABLE alert (
    id   TEXT   PRIMARY KEY,
    over BIGINT NOT NULL,       -- when it was put right and seen, in Unix nanoseconds; 0 while it is open
    text TEXT   NOT NULL        -- the alert, as JSON
);
CREATE INDEX alert_over ON alert (over);

-- +goose Down
DROP TABLE alert;
