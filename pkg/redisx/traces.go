package redisx

import (
	"fmt"

	"github.com/redis/go-redis/extra/redisotel/v9"
	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/telemetry"
)

// traced makes a client create a span for each command of a traced request. Spans contain only the name
// of the command, because keys contain account ids and hashes of credentials.
func traced(client redis.UniversalClient) (redis.UniversalClient, error) {
	if !telemetry.Tracing() {
		return client, nil
	}
	if err := redisotel.InstrumentTracing(client, redisotel.WithDBStatement(false), redisotel.WithCallerEnabled(false)); err != nil {
		return nil, fmt.Errorf("redis: traces: %w", err)
	}
	return client, nil
}
