package redis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/services/auth/internal/throttle"
)

// keyspace has a hash tag, so that a Redis Cluster keeps the counts of one attempt on
// one node.
const keyspace = "{signin}:"

// admitScript is throttle.Wait and the counting in one step, so that simultaneous
// attempts on several replicas do not all see the same count. Times are in milliseconds
// of the caller's clock.
var admitScript = redis.NewScript(`
local now, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local free = {tonumber(ARGV[3]), tonumber(ARGV[4])}
local most = tonumber(ARGV[5])
local n, last = {}, {}
for i = 1, 3 do
  local held = redis.call('HMGET', KEYS[i], 'n', 'last')
  n[i], last[i] = tonumber(held[1]) or 0, tonumber(held[2]) or 0
  if now - last[i] > window then n[i] = 0 end
end
local function penalty(failures, free)
  local over = failures - free
  if over < 0 then return 0 end
  return math.min(1000 * 2 ^ math.min(over, 10), most)
end
-- Without a penalty there is no wait, whatever the times are. Callers read their clocks
-- before they run the script, so the last attempt may be a little later than this one.
local function left(last, penalty)
  if penalty == 0 then return 0 end
  return last + penalty - now
end
local wait = 0
if n[3] > 0 then wait = left(last[3], penalty(n[1], free[1])) end
wait = math.max(wait, left(last[2], penalty(n[2], free[2])))
if wait > 0 then return math.ceil(wait) end
for i = 1, 3 do
  redis.call('HSET', KEYS[i], 'n', n[i] + 1, 'last', now)
  redis.call('PEXPIRE', KEYS[i], window)
end
return 0
`)

var forgiveScript = redis.NewScript(`
redis.call('DEL', KEYS[3])
for i = 1, 2 do
  if redis.call('EXISTS', KEYS[i]) == 1 and redis.call('HINCRBY', KEYS[i], 'n', -1) <= 0 then
    redis.call('DEL', KEYS[i])
  end
end
return 0
`)

// Attempts counts sign-in attempts for all replicas.
type Attempts struct{ rdb redis.Scripter }

// NewAttempts makes Attempts that counts in rdb.
func NewAttempts(rdb redis.Scripter) (*Attempts, error) {
	if rdb == nil {
		return nil, errors.New("redis: attempts need a client")
	}
	return &Attempts{rdb: rdb}, nil
}

// Admit implements throttle.Counter.
func (a *Attempts) Admit(ctx context.Context, t throttle.Attempt, now time.Time) (time.Duration, error) {
	wait, err := admitScript.Run(ctx, a.rdb, keys(t), now.UnixMilli(), throttle.Window.Milliseconds(),
		throttle.FreePerEmail, throttle.FreePerAddress, throttle.MaxWait.Milliseconds()).Int64()
	if err != nil {
		return 0, fmt.Errorf("sign-in attempts: admit: %w", err)
	}
	return time.Duration(wait) * time.Millisecond, nil
}

// Forgive implements throttle.Counter.
func (a *Attempts) Forgive(ctx context.Context, t throttle.Attempt) error {
	if err := forgiveScript.Run(ctx, a.rdb, keys(t)).Err(); err != nil {
		return fmt.Errorf("sign-in attempts: forgive: %w", err)
	}
	return nil
}

func keys(t throttle.Attempt) []string {
	return []string{keyspace + t.Email, keyspace + t.Address, keyspace + t.Pair}
}
