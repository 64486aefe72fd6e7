-- Who has signed which shift report. It does not follow from the records.

-- +goose Up
CREATE TABLE report_signed (
    began  BIGINT NOT NULL,     -- the part of the gaming day, in Unix nanoseconds
    ended  BIGINT NOT NULL,
    at     BIGINT NOT NULL,     -- when it was signed
    who    TEXT   NOT NULL,
    role   TEXT   NOT NULL,
    day    BIGINT NOT NULL,
    shift  TEXT   NOT NULL,     -- its name then, empty for all of the day
    report TEXT   NOT NULL,     -- what was signed, as JSON
    PRIMARY KEY (began, ended, at, who)
);

-- +goose Down
DROP TABLE report_signed;
