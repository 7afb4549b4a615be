package redisx

import (
	"fmt"

	"github.com/redis/go-redis/extra/redisotel/v9"
	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/telemetry"
)

// traced has a client make a span for each command of a request that is traced. It has the
// command's name and nothing else of it: keys name accounts and have hashes of credentials.
func traced(client redis.UniversalClient) (redis.UniversalClient, error) {
	if !telemetry.Tracing() {
		return client, nil
	}
	if err := redisotel.InstrumentTracing(client, redisotel.WithDBStatement(false), redisotel.WithCallerEnabled(false)); err != nil {
		return nil, fmt.Errorf("redis: traces: %w", err)
	}
	return client, nil
}
