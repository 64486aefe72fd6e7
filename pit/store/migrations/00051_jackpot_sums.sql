-- What the entries of a jackpot came to that were removed with their gaming days.

-- +goose Up
CREATE TABLE jackpot_sum (
    jackpot TEXT   NOT NULL,
    kind    TEXT   NOT NULL,
    amount  BIGINT NOT NULL,
    PRIMARY KEY (jackpot, kind)
);

-- +goose Down
DROP TABLE jackpot_sum;
