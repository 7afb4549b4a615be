package suite

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/stack"
)

// redisRefused returns an error if the Redis of a stack has refused a part a command or a
// key: then the part does what its user there may not (pkg/redisacl).
func redisRefused(ctx context.Context, s *stack.Stack) error {
	address, err := s.RedisURL()
	if err != nil {
		return fmt.Errorf("the Redis of the stack: %w", err)
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		return fmt.Errorf("the Redis of the stack: %w", err)
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
		return fmt.Errorf("Redis refused what a part asked for:\n%s", strings.Join(refused, "\n"))
	}
	return nil
}
