-- Who may enter the pit, their sessions, and what they did. Times are Unix nanoseconds, 0 for
-- never.

-- +goose Up
CREATE TABLE person (
    name        TEXT   PRIMARY KEY,
    role        TEXT   NOT NULL,
    password    TEXT   NOT NULL,   -- argon2id, or empty
    start_until BIGINT NOT NULL,
    subject     TEXT   UNIQUE,     -- null for a person with a password
    added       BIGINT NOT NULL,
    removed     BIGINT NOT NULL
);

CREATE TABLE person_session (
    id    BYTEA  PRIMARY KEY,      -- the hash of what the browser keeps
    name  TEXT   NOT NULL REFERENCES person,
    began BIGINT NOT NULL,
    used  BIGINT NOT NULL,
    place TEXT   NOT NULL          -- the network address
);
CREATE INDEX person_session_name ON person_session (name);

-- Browsers with which a person has entered before.
CREATE TABLE person_browser (
    id   BYTEA  PRIMARY KEY,
    name TEXT   NOT NULL REFERENCES person,
    at   BIGINT NOT NULL
);
CREATE INDEX person_browser_name ON person_browser (name);

CREATE TABLE person_tries (
    key     TEXT   PRIMARY KEY,
    wrong   BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    until   BIGINT NOT NULL,
    told    BIGINT NOT NULL
);

-- What everybody did. Triggers refuse to change or remove a row.
CREATE TABLE person_log (
    number BIGINT PRIMARY KEY,
    at     BIGINT NOT NULL,
    who    TEXT   NOT NULL,
    place  TEXT   NOT NULL,
    what   TEXT   NOT NULL,
    about  TEXT   NOT NULL,
    detail TEXT   NOT NULL
);
CREATE INDEX person_log_who ON person_log (who, number);
CREATE INDEX person_log_about ON person_log (about, number);
