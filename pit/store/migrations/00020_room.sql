-- Where the tables' tiles were put on the floor's page, column and row from 1. It does not follow
-- from the records.

-- +goose Up
CREATE TABLE spot (
    tile TEXT   PRIMARY KEY,    -- the table, as site/name
    x    BIGINT NOT NULL,
    y    BIGINT NOT NULL
);

-- +goose Down
DROP TABLE spot;
