package sessionrecord

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/redisx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Lease is the permission to write one record. It must be taken before the state is read.
type Lease struct {
	nonce      string
	generation string
}

// beginScript sets a nonce, or joins a fill in progress. Every fill that joins reads the state
// after the nonce was set, so all of them can use the same nonce.
var beginScript = redis.NewScript(`
local generation = redis.call('GET', KEYS[2])
if not generation then
  generation = ARGV[2]
  redis.call('SET', KEYS[2], generation)
end
redis.call('PEXPIRE', KEYS[2], ARGV[4])
local nonce = redis.call('GET', KEYS[1])
if not nonce then
  nonce = ARGV[1]
  redis.call('SET', KEYS[1], nonce, 'PX', ARGV[3])
end
return {nonce, generation}
`)

// completeScript writes the record if the nonce and the generation are unchanged. The fields that
// Lua scripts need are also stored separately, because Lua cannot decode the record. The nonce
// remains until it expires, because other fills may have joined.
var completeScript = redis.NewScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] or redis.call('GET', KEYS[3]) ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], 'generation', ARGV[2], 'record', ARGV[3],
  'suspended', ARGV[5], 'per_minute', ARGV[6], 'per_day', ARGV[7], 'expires', ARGV[8])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`)

// BeginFill takes a lease. The caller must read the state of the credential after BeginFill, not
// before.
func BeginFill(ctx context.Context, rdb redis.Scripter, ref Ref) (Lease, error) {
	got, err := beginScript.Run(ctx, rdb, []string{ref.nonce(), ref.generation()},
		rand.Text(), rand.Text(), NonceLife.Milliseconds(), generationLife.Milliseconds()).StringSlice()
	if err != nil {
		return Lease{}, fmt.Errorf("session record: begin fill: %w", err)
	}
	if len(got) != 2 {
		return Lease{}, fmt.Errorf("session record: begin fill: unexpected reply with %d values", len(got))
	}
	return Lease{nonce: got[0], generation: got[1]}, nil
}

// CompleteFill seals the record and writes it. The record expires after Life, or together with its
// credential. CompleteFill returns false if the lease was broken: the state may be stale, and must
// be read again under a new lease. It also returns false if the credential has expired.
func CompleteFill(ctx context.Context, rdb redis.Scripter, seal *Seal, ref Ref, lease Lease, record *authv1.SessionRecord, now time.Time) (bool, error) {
	life, expires := Life, int64(0)
	if record.GetExpiresAt() != nil {
		life = min(life, record.GetExpiresAt().AsTime().Sub(now))
		expires = record.GetExpiresAt().AsTime().UnixMicro()
	}
	if life < time.Millisecond {
		return false, nil
	}
	raw, err := proto.Marshal(record)
	if err != nil {
		return false, fmt.Errorf("session record: encode: %w", err)
	}
	stored := &Stored{
		generation: lease.generation, record: string(raw), suspended: "0", expires: strconv.FormatInt(expires, 10),
		perMinute: strconv.Itoa(int(record.GetPlan().GetPerMinute())), perDay: strconv.Itoa(int(record.GetPlan().GetPerDay())),
	}
	if record.GetAccountSuspended() {
		stored.suspended = "1"
	}
	seal.close(ref, stored, now)
	written, err := completeScript.Run(ctx, rdb, []string{ref.record(), ref.nonce(), ref.generation()},
		lease.nonce, stored.generation, stored.record, life.Milliseconds(),
		stored.suspended, stored.perMinute, stored.perDay, stored.expires).Bool()
	if err != nil {
		return false, fmt.Errorf("session record: complete fill: %w", err)
	}
	return written, nil
}

// forgetBatch is the maximum number of credentials per DEL command. It limits how long one command
// blocks Redis.
const forgetBatch = 500

// Forget deletes the records of an account's credentials and breaks the leases of fills in
// progress. It must be called after the commit that revokes the credentials. A nil error means that
// every Redis replica has deleted the records too. Forget returns redisx.ErrUnconfirmed if a
// replica may still have the records.
func Forget(ctx context.Context, on *redisx.Replicas, accountID string, hashes ...credential.Digest) error {
	if len(hashes) == 0 {
		return nil
	}
	err := on.Write(ctx, generation(accountID), func(p redis.Pipeliner) {
		for batch := range slices.Chunk(hashes, forgetBatch) {
			keys := make([]string, 0, 2*len(batch))
			for _, h := range batch {
				ref := Ref{AccountID: accountID, Hash: h}
				keys = append(keys, ref.record(), ref.nonce())
			}
			p.Del(ctx, keys...)
		}
		// A new nonce breaks a lease just as a missing one does. Setting it is always a write,
		// which the replicas can confirm. Fills that join it read the state after the commit.
		p.Set(ctx, Ref{AccountID: accountID, Hash: hashes[0]}.nonce(), rand.Text(), NonceLife)
	})
	if err != nil {
		return fmt.Errorf("session record: forget: %w", err)
	}
	return nil
}

// ForgetAccount invalidates every record of the account and breaks the leases of fills in progress.
// It must be called after the commit that changes the account. It returns the same errors as
// Forget.
func ForgetAccount(ctx context.Context, on *redisx.Replicas, accountID string) error {
	err := on.Write(ctx, generation(accountID), func(p redis.Pipeliner) {
		p.Set(ctx, generation(accountID), rand.Text(), generationLife)
	})
	if err != nil {
		return fmt.Errorf("session record: forget account: %w", err)
	}
	return nil
}
