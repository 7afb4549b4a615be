-- +goose Up

-- What an operator has told the members of a suspended account; null while it is not
-- suspended, or when nothing was told. Replicas of the release before neither read nor
-- write it. An account that they resume keeps the text, which counts for nothing until one
-- of them suspends it again: its members then read the earlier reason. A suspension by this
-- release writes the text anew.
ALTER TABLE accounts ADD COLUMN suspension_reason text;

-- +goose Down
ALTER TABLE accounts DROP COLUMN suspension_reason;
