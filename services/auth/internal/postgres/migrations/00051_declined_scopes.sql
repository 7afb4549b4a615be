-- +goose Up
-- What a person was offered at the last consent and left out. To ask for it again is not new, so it does not bring
-- back the whole consent page (behaviour: sign-in#coming-back).
ALTER TABLE connections ADD COLUMN declined_scopes text[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE connections DROP COLUMN declined_scopes;
