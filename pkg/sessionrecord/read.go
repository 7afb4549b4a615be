package sessionrecord

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/credential"
)

// Lua defines the function session(record, generation) for scripts that do more than read a record.
// Its arguments are the key of the record and the value stored at the generation's key (see
// Ref.Keys). It returns nil if there is no record of that generation. Otherwise, it returns the
// fields generation, record, suspended ('1' or '0'), per_minute, per_day, and expires (Unix
// microseconds, or '0' if the credential does not expire).
//
// A script cannot check the seal. It must return all fields, for StoredFrom, and its caller must
// discard the script's result unless Seal.Open accepts them.
const Lua = `
local function session(record, generation)
  local held = redis.call('HMGET', record, 'generation', 'record', 'suspended', 'per_minute', 'per_day', 'expires')
  if held[6] and held[1] == generation then
    return held
  end
end
`

var readScript = redis.NewScript(Lua + `return session(KEYS[1], redis.call('GET', KEYS[2]))`)

// Read returns the stored record of a credential, or nil if there is none. An error means that
// Redis could not be read; it says nothing about the credential.
func Read(ctx context.Context, rdb redis.Scripter, ref Ref) (*Stored, error) {
	fields, err := readScript.Run(ctx, rdb, []string{ref.record(), ref.generation()}).Slice()
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("session record: read: %w", err)
	}
	return StoredFrom(fields)
}

// ReadIn adds commands to a pipeline that read the records of several credentials of an account.
// After the pipeline has run, the returned function returns the stored records in the order of the
// hashes, with nil for a missing record. An error says nothing about the credentials.
//
// The reads need not be atomic. Each runs after the pipeline was sent. A record whose revocation
// was acknowledged earlier is therefore gone, or its generation no longer matches.
func ReadIn(ctx context.Context, pipe redis.Pipeliner, accountID string, hashes ...credential.Digest) func() ([]*Stored, error) {
	generation := pipe.Get(ctx, generation(accountID))
	records := make([]*redis.SliceCmd, len(hashes))
	for i, h := range hashes {
		records[i] = pipe.HMGet(ctx, Ref{AccountID: accountID, Hash: h}.record(), fields[:]...)
	}
	return func() ([]*Stored, error) {
		all := make([]*Stored, len(hashes))
		now, err := generation.Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return nil, fmt.Errorf("session record: read: %w", err)
		}
		for i, record := range records {
			held, failed := record.Result()
			if failed != nil {
				return nil, fmt.Errorf("session record: read: %w", failed)
			}
			if len(held) != len(fields) || held[len(fields)-1] == nil || err != nil || held[0] != now {
				continue
			}
			if all[i], failed = StoredFrom(held); failed != nil {
				return nil, failed
			}
		}
		return all, nil
	}
}

// fields lists the fields of a record's hash, in the order in which the Lua function session
// returns them.
var fields = [...]string{"generation", "record", "suspended", "per_minute", "per_day", "expires"}

// StoredFrom converts the result of the Lua function session. It returns nil if there is no record.
func StoredFrom(fields []any) (*Stored, error) {
	if len(fields) == 0 {
		return nil, nil
	}
	s := &Stored{}
	into := []*string{&s.generation, &s.record, &s.suspended, &s.perMinute, &s.perDay, &s.expires}
	if len(fields) != len(into) {
		return nil, fmt.Errorf("session record: got %d fields", len(fields))
	}
	for i, field := range fields {
		*into[i], _ = field.(string) // a deleted field becomes empty, and then the seal is invalid
	}
	return s, nil
}
