-- Where the tiles of the tables were put on the floor's page: column and row, from 1.

-- +goose Up
CREATE TABLE room (
    name TEXT    PRIMARY KEY,   -- of the table, as site/table
    x    INTEGER NOT NULL,
    y    INTEGER NOT NULL
);
