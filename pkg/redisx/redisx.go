// Package redisx opens Redis clients for limits and the state of credentials. The clients are
// configured for a server that may be slow, empty or unavailable at any time.
package redisx

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// go-redis logs every failed connection. This is unnecessary: callers receive all errors, and Outage
// logs each outage once.
func init() { redis.SetLogger(silent{}) }

type silent struct{}

// Printf discards a message from go-redis.
func (silent) Printf(context.Context, string, ...any) {}

// Config holds the settings of Redis.
type Config struct {
	URL      string `env:"VITAE_REDIS_URL,required" help:"redis:// or rediss:// (TLS). Further nodes of a cluster, and further Sentinels, are addr parameters."`
	CA       string `env:"VITAE_REDIS_CA" help:"File (PEM) of the authorities for rediss://. Unset: those of the system."`
	Cluster  bool   `env:"VITAE_REDIS_CLUSTER" help:"true if the URL names nodes of a Redis Cluster."`
	Sentinel bool   `env:"VITAE_REDIS_SENTINEL" help:"true if the URL names Sentinels. Its parameters are master_name, username and password of the servers."`
	Replicas int    `env:"VITAE_REDIS_REPLICAS" help:"Replicas of each master, where auth cannot discover them."`
}

// PoolSize is the maximum number of connections to a server. Additional calls wait for a connection,
// for at most poolTimeout.
const PoolSize = 64

const (
	dialTimeout = 500 * time.Millisecond
	// callTimeout is meant for hanging servers, not for short delays. On a busy machine, a response
	// may be processed late, and a canceled call may already have counted against a limit.
	callTimeout = time.Second
	poolTimeout = 2 * time.Second
	// onePool makes pipelines use the shared pool. By default, go-redis creates a separate pool for
	// them, which has no metrics.
	onePool = -1
)

// Open returns a client. It does not wait for the server.
//
// Retries are disabled: a command that timed out may have been executed, and repeating it would
// charge a limit twice. Failed dials are not repeated either, because the pauses would delay every
// caller by half a second while Redis is down.
//
// A client uses only commands that redisacl allows: it neither sends its version nor subscribes to
// maintenance notifications. This also saves round trips for each connection.
func Open(c Config) (redis.UniversalClient, error) {
	switch {
	case c.Cluster && c.Sentinel:
		return nil, fmt.Errorf("redis: VITAE_REDIS_CLUSTER and VITAE_REDIS_SENTINEL are both set")
	case c.Replicas < 0:
		return nil, fmt.Errorf("redis: VITAE_REDIS_REPLICAS must not be negative")
	}
	d, err := c.dialer()
	if err != nil {
		return nil, err
	}
	switch {
	case c.Sentinel:
		return openSentinel(c.URL, d)
	case c.Cluster:
		return openCluster(c.URL, d)
	}
	o, err := redis.ParseURL(c.URL)
	if err != nil {
		return nil, fmt.Errorf("redis: the URL is invalid")
	}
	o.MaxRetries, o.DialTimeout, o.ReadTimeout, o.WriteTimeout = -1, dialTimeout, callTimeout, callTimeout
	o.ContextTimeoutEnabled, o.DialerRetries, o.PoolSize, o.PoolTimeout, o.PipelinePoolSize = true, 1, PoolSize, poolTimeout, onePool
	o.Dialer, o.DisableIdentity, o.MaintNotificationsConfig = d.dial, true, unnotified()
	return traced(redis.NewClient(o))
}

func unnotified() *maintnotifications.Config {
	return &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
}

func openCluster(url string, d *dialer) (redis.UniversalClient, error) {
	o, err := redis.ParseClusterURL(url)
	if err != nil {
		return nil, fmt.Errorf("redis: the URL is invalid")
	}
	o.MaxRetries, o.DialTimeout, o.ReadTimeout, o.WriteTimeout = -1, dialTimeout, callTimeout, callTimeout
	o.ContextTimeoutEnabled, o.DialerRetries, o.PoolSize, o.PoolTimeout, o.PipelinePoolSize = true, 1, PoolSize, poolTimeout, onePool
	o.Dialer, o.DisableIdentity, o.MaintNotificationsConfig = d.dial, true, unnotified()
	return traced(redis.NewClusterClient(o))
}

// openSentinel returns a client for the master that the Sentinels report. The client queries them
// before each new connection, and closes connections to a master that has been replaced.
func openSentinel(url string, d *dialer) (redis.UniversalClient, error) {
	o, err := failoverOptions(url)
	if err != nil {
		return nil, err
	}
	o.MaxRetries, o.DialTimeout, o.ReadTimeout, o.WriteTimeout = -1, dialTimeout, callTimeout, callTimeout
	o.ContextTimeoutEnabled, o.DialerRetries, o.PoolSize, o.PoolTimeout, o.PipelinePoolSize = true, 1, PoolSize, poolTimeout, onePool
	o.Dialer, o.DisableIdentity = d.dial, true
	return traced(redis.NewFailoverClient(o))
}

func failoverOptions(url string) (*redis.FailoverOptions, error) {
	o, err := redis.ParseFailoverURL(url)
	if err != nil || o.MasterName == "" {
		return nil, fmt.Errorf("redis: the URL of the Sentinels is invalid or lacks master_name")
	}
	return o, nil
}
