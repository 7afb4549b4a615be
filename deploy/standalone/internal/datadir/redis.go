package datadir

import (
	"fmt"
	"os"
)

// RedisURLFile contains the operator's URL of the stack's own Redis, for people and for tests. The
// services have users with few permissions there.
const RedisURLFile = "redis.url"

// KeepRedisURL writes that file, or removes it if url is empty, because the Redis is not the
// stack's own.
func (d *Dir) KeepRedisURL(url string) error {
	if url != "" {
		return d.Keep(RedisURLFile, []byte(url+"\n"))
	}
	if err := os.Remove(d.File(RedisURLFile)); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("forget the URL of redis: %w", err)
	}
	return nil
}
