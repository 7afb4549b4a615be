// Package redisx opens Redis as Vitae uses it: a place for limits and live
// credential state that may be slow, empty or gone at any time.
package redisx

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// go-redis prints a line of its own for every connection that fails. Callers get every
// error, and Outage logs an outage once.
func init() { redis.SetLogger(silent{}) }

type silent struct{}

// Printf implements go-redis's logger.
func (silent) Printf(context.Context, string, ...any) {}

// Config is how a part reaches Redis.
type Config struct {
	URL      string `env:"VITAE_REDIS_URL,required" help:"redis:// or rediss:// (TLS). Further nodes of a cluster, and further Sentinels, are addr parameters."`
	CA       string `env:"VITAE_REDIS_CA" help:"File (PEM) of the authorities for rediss://. Unset: those of the system."`
	Cluster  bool   `env:"VITAE_REDIS_CLUSTER" help:"true if the URL names nodes of a Redis Cluster."`
	Sentinel bool   `env:"VITAE_REDIS_SENTINEL" help:"true if the URL names Sentinels. Its parameters are master_name, username and password of the servers."`
	Replicas int    `env:"VITAE_REDIS_REPLICAS" help:"Replicas of each master, where auth cannot discover them."`
}

// PoolSize is the number of connections to a server at most. Further calls wait
// for a connection, at most poolTimeout.
const PoolSize = 64

const (
	dialTimeout = 500 * time.Millisecond
	// On a busy machine an answer that is there may be picked up late, and a call that
	// is given up may have spent: this is for a server that hangs, not for a slow moment.
	callTimeout = time.Second
	poolTimeout = 2 * time.Second
	// onePool keeps pipelines in the pool of all calls. go-redis would give them one of their
	// own, of which the metrics tell nothing.
	onePool = -1
)

// Open makes a client. It does not wait for the server.
//
// Retries are off: a command that timed out may have run, and running it again
// would spend a limit twice. A failed dial is not tried again either: its pauses
// would cost every caller half a second while Redis is down.
//
// A client asks nothing of the server for itself but what redisacl allows: it neither
// tells the server its version nor asks for notices of maintenance. That saves round trips
// of each new connection, too.
func Open(c Config) (redis.UniversalClient, error) {
	switch {
	case c.Cluster && c.Sentinel:
		return nil, fmt.Errorf("redis: it is either a cluster or behind Sentinels")
	case c.Replicas < 0:
		return nil, fmt.Errorf("redis: fewer than no replicas")
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
		return nil, fmt.Errorf("redis: the URL cannot be read")
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
		return nil, fmt.Errorf("redis: the URL cannot be read")
	}
	o.MaxRetries, o.DialTimeout, o.ReadTimeout, o.WriteTimeout = -1, dialTimeout, callTimeout, callTimeout
	o.ContextTimeoutEnabled, o.DialerRetries, o.PoolSize, o.PoolTimeout, o.PipelinePoolSize = true, 1, PoolSize, poolTimeout, onePool
	o.Dialer, o.DisableIdentity, o.MaintNotificationsConfig = d.dial, true, unnotified()
	return traced(redis.NewClusterClient(o))
}

// openSentinel makes a client of the master that Sentinels name. It asks them before each
// new connection, and leaves a master that they have replaced.
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
		return nil, fmt.Errorf("redis: the URL of the Sentinels cannot be read, or lacks master_name")
	}
	return o, nil
}
