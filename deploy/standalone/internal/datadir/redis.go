package datadir

import (
	"fmt"
	"os"
)

// RedisURLFile is the name of the file with the operator's URL for the stack's own Redis, for people and tests. The
// services use Redis users with fewer permissions.
const RedisURLFile = "redis.url"

// KeepRedisURL writes RedisURLFile. It removes the file if url is empty, which means that the stack does not run its
// own Redis.
func (d *Dir) KeepRedisURL(url string) error {
	if url != "" {
		return d.Keep(RedisURLFile, []byte(url+"\n"))
	}
	if err := os.Remove(d.File(RedisURLFile)); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("remove the URL of redis: %w", err)
	}
	return nil
}
