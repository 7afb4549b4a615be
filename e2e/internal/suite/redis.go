package suite

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// RedisRefused returns an error if Redis denied a service access to a command or key (pkg/redisacl).
// address is the operator's URL.
func RedisRefused(ctx context.Context, address string) error {
	options, err := redis.ParseURL(address)
	if err != nil {
		return fmt.Errorf("the Redis URL: %w", err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	entries, err := client.ACLLog(ctx, -1).Result()
	if err != nil {
		return fmt.Errorf("ACL LOG: %w", err)
	}
	var refused []string
	for _, e := range entries {
		refused = append(refused, fmt.Sprintf("%s was denied access (%s) %d times: %s (%s)", e.Username, e.Reason, e.Count, e.Object, e.Context))
	}
	if len(refused) > 0 {
		return fmt.Errorf("redis denied access to a service:\n%s", strings.Join(refused, "\n"))
	}
	return nil
}
