package suite

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// RedisRefused returns an error if Redis denied a command or key to a service (pkg/redisacl). The
// URL is the operator's.
func RedisRefused(ctx context.Context, address string) error {
	options, err := redis.ParseURL(address)
	if err != nil {
		return fmt.Errorf("the Redis of the parts: %w", err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	entries, err := client.ACLLog(ctx, -1).Result()
	if err != nil {
		return fmt.Errorf("ACL LOG: %w", err)
	}
	var refused []string
	for _, e := range entries {
		refused = append(refused, fmt.Sprintf("%s was refused for its %s %d times: %s (%s)", e.Username, e.Reason, e.Count, e.Object, e.Context))
	}
	if len(refused) > 0 {
		return fmt.Errorf("redis refused what a part asked for:\n%s", strings.Join(refused, "\n"))
	}
	return nil
}
