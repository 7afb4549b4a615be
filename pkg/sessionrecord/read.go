package sessionrecord

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/proto"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Lua defines the function session(record, generation) for scripts that do more than
// read. Its arguments are the key of the record and the value of the generation's key
// (see Ref.Keys). It returns nothing if there is no record of that generation, and
// otherwise: the record (for Decode), whether the account is suspended ('1' or '0'), its
// requests per minute and per day, and when the credential expires (Unix microseconds,
// '0' for never).
const Lua = `
local function session(record, generation)
  local held = redis.call('HMGET', record, 'generation', 'record', 'suspended', 'per_minute', 'per_day', 'expires')
  if held[6] and held[1] == generation then
    return held[2], held[3], held[4], held[5], held[6]
  end
end
`

var readScript = redis.NewScript(Lua + `return (session(KEYS[1], redis.call('GET', KEYS[2])))`)

// Read gives the record of a credential, nil if there is none. An error means that Redis
// could not be reached; it says nothing about the credential.
func Read(ctx context.Context, rdb redis.Scripter, ref Ref) (*authv1.SessionRecord, error) {
	raw, err := readScript.Run(ctx, rdb, []string{ref.record(), ref.generation()}).Text()
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("session record: read: %w", err)
	}
	return Decode(raw)
}

// Decode reads a stored record.
func Decode(raw string) (*authv1.SessionRecord, error) {
	record := &authv1.SessionRecord{}
	if err := proto.Unmarshal([]byte(raw), record); err != nil {
		return nil, fmt.Errorf("session record: decode: %w", err)
	}
	return record, nil
}
