package sizes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/capacity"
)

// forgetRecords deletes the session records, so that the next call writes its own: a record
// that lives already could end before it is measured.
func forgetRecords(ctx context.Context, db *redis.Client) error {
	all := db.Scan(ctx, 0, "*", 1000).Iterator()
	for all.Next(ctx) {
		if kindOfKey(all.Val()) != capacity.SessionRecord {
			continue
		}
		if err := db.Del(ctx, all.Val()).Err(); err != nil {
			return fmt.Errorf("delete a session record: %w", err)
		}
	}
	return all.Err()
}

// measureKeys sets the size of the largest key of each kind that is in Redis now. It is an
// error if a kind has none.
func measureKeys(ctx context.Context, db *redis.Client, sizes map[string]float64) error {
	clear(sizes)
	all := db.Scan(ctx, 0, "*", 1000).Iterator()
	for all.Next(ctx) {
		kind := kindOfKey(all.Val())
		if kind == "" {
			continue
		}
		size, err := db.MemoryUsage(ctx, all.Val()).Result()
		if errors.Is(err, redis.Nil) {
			continue // it has expired since it was listed
		}
		if err != nil {
			return fmt.Errorf("size of a key: %w", err)
		}
		sizes[kind] = max(sizes[kind], float64(size))
	}
	if err := all.Err(); err != nil {
		return err
	}
	for _, kind := range capacity.KeyKinds {
		if sizes[kind] == 0 {
			return fmt.Errorf("no %s is in Redis now", kind)
		}
	}
	return nil
}

// kindOfKey tells the kind of a key by what follows its tag, and gives nothing for those of
// other kinds: of sign-ins, and of fills that are under way.
func kindOfKey(key string) string {
	_, name, _ := strings.Cut(key, "}")
	name, _, _ = strings.Cut(strings.TrimPrefix(name, ":"), ":")
	return map[string]string{
		"cred": capacity.SessionRecord, "gen": capacity.Generation, "spent": capacity.AccountCounters, "tier": capacity.TierCounters,
	}[name]
}
