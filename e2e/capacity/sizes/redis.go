package sizes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/capacity"
)

// measureKeys gives the size of the largest key of each kind that is in Redis now. Which others
// there are depends on how fast the machine is, because a session record lives ten seconds.
func measureKeys(ctx context.Context, db *redis.Client) (map[string]float64, error) {
	sizes := map[string]float64{}
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
			return nil, fmt.Errorf("size of a key: %w", err)
		}
		sizes[kind] = max(sizes[kind], float64(size))
	}
	return sizes, all.Err()
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
