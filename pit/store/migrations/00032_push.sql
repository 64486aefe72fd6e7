-- Browsers that are called for alerts, also while no page is open.

-- +goose Up
CREATE TABLE push_browser (
    endpoint TEXT   PRIMARY KEY,    -- its address at its push service: whoever knows it can send to it
    p256dh   TEXT   NOT NULL,       -- the browser's public key
    auth     TEXT   NOT NULL,       -- and its secret
    person   TEXT   NOT NULL,
    language TEXT   NOT NULL,
    key      TEXT   NOT NULL,       -- the pit's public key with which it subscribed
    added    BIGINT NOT NULL        -- in Unix nanoseconds
);
CREATE INDEX push_browser_person ON push_browser (person, added);

-- +goose Down
DROP TABLE push_browser;
