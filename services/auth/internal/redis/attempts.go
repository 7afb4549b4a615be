package redis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/services/auth/internal/people/guesses/throttle"
)

// keyspace is the prefix of every key.
const keyspace = "signin:"

// admitScript checks how long an attempt must wait (throttle.Wait), and counts the attempt in the same step, so that
// concurrent attempts on several replicas don't all see the same count. Times are in milliseconds, by the caller's
// clock.
var admitScript = redis.NewScript(`
local now, window, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local n, wait = {}, 0
for i = 1, 2 do
  local held = redis.call('HMGET', KEYS[i], 'n', 'last')
  local last, over
  n[i], last = tonumber(held[1]) or 0, tonumber(held[2]) or 0
  if now - last > window then n[i] = 0 end
  over = n[i] - tonumber(ARGV[3 + i])
  -- Without a penalty there is no wait. Callers read their clocks before they run the
  -- script, so the last attempt may be slightly later than this one.
  if over >= 0 then
    wait = math.max(wait, last + math.min(1000 * 2 ^ math.min(over, 10), most) - now)
  end
end
if wait > 0 then return math.ceil(wait) end
for i = 1, 2 do
  redis.call('HSET', KEYS[i], 'n', n[i] + 1, 'last', now)
  redis.call('PEXPIRE', KEYS[i], window)
end
return 0
`)

var takeBackScript = redis.NewScript(`
for i = 1, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 and redis.call('HINCRBY', KEYS[i], 'n', -1) <= 0 then
    redis.call('DEL', KEYS[i])
  end
end
return 0
`)

var forgiveScript = redis.NewScript(`
redis.call('DEL', KEYS[2])
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HINCRBY', KEYS[1], 'n', -1) <= 0 then
  redis.call('DEL', KEYS[1])
end
return 0
`)

// Attempts counts sign-in attempts for all replicas.
type Attempts struct{ rdb redis.Scripter }

// NewAttempts returns an Attempts that stores its counts in rdb.
func NewAttempts(rdb redis.Scripter) (*Attempts, error) {
	if rdb == nil {
		return nil, errors.New("redis: attempts need a client")
	}
	return &Attempts{rdb: rdb}, nil
}

func (a *Attempts) Admit(ctx context.Context, t throttle.Attempt, now time.Time) (time.Duration, error) {
	wait, err := admitScript.Run(ctx, a.rdb, keys(t), now.UnixMilli(), throttle.Window.Milliseconds(),
		throttle.MaxWait.Milliseconds(), throttle.FreePerAddress, throttle.FreePerPair).Int64()
	if err != nil {
		return 0, fmt.Errorf("sign-in attempts: admit: %w", err)
	}
	return time.Duration(wait) * time.Millisecond, nil
}

func (a *Attempts) TakeBack(ctx context.Context, t throttle.Attempt) error {
	return a.undo(ctx, takeBackScript, t)
}

func (a *Attempts) Forgive(ctx context.Context, t throttle.Attempt) error {
	return a.undo(ctx, forgiveScript, t)
}

func (a *Attempts) undo(ctx context.Context, script *redis.Script, t throttle.Attempt) error {
	if err := script.Run(ctx, a.rdb, keys(t)).Err(); err != nil {
		return fmt.Errorf("sign-in attempts: take back: %w", err)
	}
	return nil
}

// keys returns the Redis keys of an attempt, with the client IP address as the hash tag. In a Redis Cluster, both
// counts of an attempt are therefore on the same node, as the scripts require, while IP addresses are spread over
// all nodes.
func keys(t throttle.Attempt) []string {
	address := keyspace + "{" + t.Address + "}"
	return []string{address, address + ":" + t.Pair}
}
