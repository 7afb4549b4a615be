package sessionrecord

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// Lua defines the function session(record, generation) for scripts that do more than
// read. Its arguments are the key of the record and the value of the generation's key
// (see Ref.Keys). It returns nil if there is no record of that generation, and otherwise
// its fields: the generation, the record, whether the account is suspended ('1' or '0'),
// its requests per minute and per day, and when the credential expires (Unix
// microseconds, '0' for never). A script cannot tell whether auth wrote them. It must
// return all of them, for StoredFrom, and its caller must not do what it decided unless
// Seal.Open takes them.
const Lua = `
local function session(record, generation)
  local held = redis.call('HMGET', record, 'generation', 'record', 'suspended', 'per_minute', 'per_day', 'expires')
  if held[6] and held[1] == generation then
    return held
  end
end
`

var readScript = redis.NewScript(Lua + `return session(KEYS[1], redis.call('GET', KEYS[2]))`)

// Read gives what is stored for a credential, nil if there is nothing. An error means
// that Redis could not be reached; it says nothing about the credential.
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

// StoredFrom reads what session has returned in Lua, nil for nothing.
func StoredFrom(fields []any) (*Stored, error) {
	if len(fields) == 0 {
		return nil, nil
	}
	s := &Stored{}
	into := []*string{&s.generation, &s.record, &s.suspended, &s.perMinute, &s.perDay, &s.expires}
	if len(fields) != len(into) {
		return nil, fmt.Errorf("session record: %d fields", len(fields))
	}
	for i, field := range fields {
		*into[i], _ = field.(string) // one that somebody deleted is empty, and fails the seal
	}
	return s, nil
}
