-- To which sites of a group people are limited; who is not in it may see all.

-- +goose Up
CREATE TABLE person_site (
    person TEXT PRIMARY KEY REFERENCES person,
    sites  TEXT NOT NULL            -- their names, apart by spaces
);

-- +goose Down
DROP TABLE person_site;
