-- By what the floor's past alerts are found.

-- +goose Up
ALTER TABLE alert ADD COLUMN raised BIGINT NOT NULL DEFAULT 0;  -- when it came first, in Unix nanoseconds
ALTER TABLE alert ADD COLUMN tile   TEXT   NOT NULL DEFAULT ''; -- the table as topic.Table writes it, empty for the pit itself
ALTER TABLE alert ADD COLUMN code   TEXT   NOT NULL DEFAULT '';
UPDATE alert SET raised = over;
CREATE INDEX alert_raised ON alert (raised);
CREATE INDEX alert_tile ON alert (tile, raised);
CREATE INDEX alert_code ON alert (code, raised);

-- +goose Down
DROP INDEX alert_code;
DROP INDEX alert_tile;
DROP INDEX alert_raised;
ALTER TABLE alert DROP COLUMN code;
ALTER TABLE alert DROP COLUMN tile;
ALTER TABLE alert DROP COLUMN raised;
