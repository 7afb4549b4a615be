-- +goose Up

-- From which countries apps have read of a person: of the reads that connection_reads counts,
-- those whose client has an address of a known country (behaviour: usage#countries-of-reads).
-- The rest is unknown, as are all reads that a replica of the release before has counted. A row
-- goes with the reads that it is of, whichever release deletes them.
CREATE TABLE connection_read_countries (
  connection_id text NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  -- ISO 3166-1 alpha-2.
  country text NOT NULL,
  reads bigint NOT NULL,
  PRIMARY KEY (connection_id, day, kind, country),
  FOREIGN KEY (connection_id, day, kind) REFERENCES connection_reads ON DELETE CASCADE
) WITH (fillfactor = 70); -- no index holds what changes, so changes stay within a page

-- Where the person was at the last use of a session, and where a session was of which a notice
-- tells: ISO 3166-1 alpha-2, empty if it is not known. No address is kept.
ALTER TABLE sessions ADD COLUMN country text NOT NULL DEFAULT '';
ALTER TABLE mail_outbox ADD COLUMN country text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE mail_outbox DROP COLUMN country;
ALTER TABLE sessions DROP COLUMN country;
DROP TABLE connection_read_countries;
