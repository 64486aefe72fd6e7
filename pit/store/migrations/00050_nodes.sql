-- Several sabot-pit on one PostgreSQL database share its tables. Nothing here is used by one alone with SQLite.

-- +goose Up
CREATE TABLE part (
    number BIGINT PRIMARY KEY,
    epoch  BIGINT NOT NULL,         -- names who may write the part's tables: drawn anew each time a node takes it
    node   TEXT   NOT NULL          -- who has taken it, empty once it was given back
);
INSERT INTO part (number, epoch, node) VALUES
    (0, 0, ''), (1, 0, ''), (2, 0, ''), (3, 0, ''), (4, 0, ''), (5, 0, ''), (6, 0, ''), (7, 0, ''),
    (8, 0, ''), (9, 0, ''), (10, 0, ''), (11, 0, ''), (12, 0, ''), (13, 0, ''), (14, 0, ''), (15, 0, ''),
    (16, 0, ''), (17, 0, ''), (18, 0, ''), (19, 0, ''), (20, 0, ''), (21, 0, ''), (22, 0, ''), (23, 0, ''),
    (24, 0, ''), (25, 0, ''), (26, 0, ''), (27, 0, ''), (28, 0, ''), (29, 0, ''), (30, 0, ''), (31, 0, '');
CREATE TABLE alert_word (
    alert TEXT   NOT NULL,          -- what a person has said of an alert at a node that does not keep it
    at    BIGINT NOT NULL,
    what  TEXT   NOT NULL,
    who   TEXT   NOT NULL,
    note  TEXT   NOT NULL,
    PRIMARY KEY (alert, at, what, who)
);

-- +goose Down
DROP TABLE alert_word;
DROP TABLE part;
