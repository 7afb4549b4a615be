package sessionrecord

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/proto"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// readScript gives a record if it belongs to the account's present generation.
var readScript = redis.NewScript(`
local held = redis.call('HMGET', KEYS[1], 'generation', 'record')
if held[1] and held[1] == redis.call('GET', KEYS[2]) then
  return held[2]
end
return false
`)

// Read gives the record of a credential, nil when there is none. An error means
// that Redis could not be asked; it says nothing about the credential.
func Read(ctx context.Context, rdb redis.Scripter, ref Ref) (*authv1.SessionRecord, error) {
	raw, err := readScript.Run(ctx, rdb, []string{ref.record(), ref.generation()}).Text()
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("session record: read: %w", err)
	}
	record := &authv1.SessionRecord{}
	if err := proto.Unmarshal([]byte(raw), record); err != nil {
		return nil, fmt.Errorf("session record: decode: %w", err)
	}
	return record, nil
}
