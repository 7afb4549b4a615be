package redisx

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/clock"
)

const (
	// confirmTimeout limits how long one attempt waits for replicas. It is shorter than the timeout
	// of a call, and longer than a synchronized replica needs to confirm.
	confirmTimeout = 250 * time.Millisecond
	// waiters is the maximum number of concurrent attempts that wait. Each of them occupies a
	// connection.
	waiters = 16
	// missedFor is how long a disconnected replica still counts. It is the time for which a server
	// keeps the backlog that a replica needs to reconnect (repl-backlog-ttl).
	missedFor = time.Hour
)

// ErrUnconfirmed means that the server has accepted a write that some replica may not have. The
// write is lost if that replica is promoted.
var ErrUnconfirmed = errors.New("redis: not every replica has confirmed the write")

// ReplicasConfig configures Replicas. Client and Clock are required.
type ReplicasConfig struct {
	Client redis.UniversalClient
	// Redis is the configuration of Client. Only its fields Sentinel, URL, CA and Replicas are
	// used.
	Redis Config
	Clock clock.Clock
}

// Replicas makes writes that no failover can undo, because every replica that could be promoted
// confirms them. It is safe for concurrent use.
//
// The server that accepts the write reports the number of replicas in the same pipeline, so that
// the number cannot come from a different server. The following replicas count:
//
//   - connected replicas in any state, although a replica that is out of sync confirms nothing;
//   - known but disconnected replicas: in a Redis Cluster, the replicas known to the server; with
//     Sentinel, the replicas known to a Sentinel;
//   - at least one, while the server keeps a backlog for replicas, which it does for an hour after
//     the last one has disconnected, because information propagates slowly in a cluster;
//   - if disconnected replicas are not known, the maximum number of replicas within the last hour;
//   - at least Config.Replicas.
//
// A missing replica therefore leaves writes unconfirmed until it returns or is forgotten. This is
// necessary, because it may have been promoted without this server's knowledge.
type Replicas struct {
	ReplicasConfig
	slots chan struct{}
	watch *watch // nil if Sentinel is not used

	mu sync.Mutex
	// most is the number of replicas at mostAt. It is not used in a cluster.
	most   int
	mostAt time.Time
}

// NewReplicas returns Replicas. It returns an error if the type of Client is not supported.
func NewReplicas(c ReplicasConfig) (*Replicas, error) {
	if c.Client == nil || c.Clock == nil {
		return nil, errors.New("redisx: replicas require Client and Clock")
	}
	switch c.Client.(type) {
	case *redis.Client, *redis.ClusterClient:
	default:
		return nil, fmt.Errorf("redisx: a %T is not supported", c.Client)
	}
	r := &Replicas{ReplicasConfig: c, slots: make(chan struct{}, waiters)}
	if !c.Redis.Sentinel {
		return r, nil
	}
	var err error
	r.watch, err = newWatch(c.Redis)
	return r, err
}

// Close closes the connections to the Sentinels.
func (r *Replicas) Close() error {
	if r.watch == nil {
		return nil
	}
	return r.watch.close()
}

// Write executes commands on the server that holds key. It returns nil if every replica has
// confirmed them, and ErrUnconfirmed if some replica may not have them. It returns a different
// error if the server itself may not have them. It may execute the commands twice.
//
// The last command must always change something, even if it is repeated. The reason is that WAIT
// waits for the last write of its connection, and a command without an effect is not a write.
func (r *Replicas) Write(ctx context.Context, key string, commands func(redis.Pipeliner)) error {
	server, err := r.server(ctx, key)
	if err != nil {
		return err
	}
	_, known, err := r.run(ctx, server, commands, 0)
	if err != nil {
		return err
	}
	wanted := r.wanted(known)
	if wanted == 0 {
		return nil
	}
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return errors.Join(ErrUnconfirmed, ctx.Err())
	}
	// All commands are repeated, because the server may have been replaced by one that does not
	// have them.
	confirmed, known, err := r.run(ctx, server, commands, wanted)
	if err != nil {
		return err
	}
	if wanted = r.wanted(known); confirmed < wanted {
		return fmt.Errorf("%w: %d of %d", ErrUnconfirmed, confirmed, wanted)
	}
	return nil
}

// server returns a client for the server that holds a key.
func (r *Replicas) server(ctx context.Context, key string) (*redis.Client, error) {
	cluster, ok := r.Client.(*redis.ClusterClient)
	if !ok {
		return r.Client.(*redis.Client), nil
	}
	server, err := cluster.MasterForKey(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("redis: find the server for a key: %w", err)
	}
	return server, nil
}

// replication holds the information that a server reports about its replicas.
type replication struct {
	// replicas is the number of replicas that the server has or knows.
	replicas int
	// backlog reports whether the server has, or recently had, a replica.
	backlog bool
	// all reports whether replicas includes known but disconnected replicas.
	all bool
}

// run executes commands and then waits for n replicas, in one pipeline and therefore on one
// connection. It returns the number of replicas that confirmed.
func (r *Replicas) run(ctx context.Context, server *redis.Client, commands func(redis.Pipeliner), n int) (int, replication, error) {
	var (
		confirmed   *redis.Cmd
		info, nodes *redis.StringCmd
	)
	cluster, inCluster := r.Client.(*redis.ClusterClient)
	_, err := server.Pipelined(ctx, func(p redis.Pipeliner) error {
		commands(p)
		if n > 0 {
			confirmed = p.Do(ctx, "WAIT", n, confirmTimeout.Milliseconds())
		}
		info = p.Info(ctx, "replication")
		if inCluster {
			nodes = p.ClusterNodes(ctx)
		}
		return nil
	})
	if err != nil {
		if inCluster {
			cluster.ReloadState(ctx) // the slot may have moved
		}
		return 0, replication{}, fmt.Errorf("redis: write: %w", err)
	}
	known, err := readReplication(info.Val())
	switch {
	case err != nil:
		return 0, known, err
	case inCluster:
		known.all, known.replicas = true, max(known.replicas, replicasOf(nodes.Val()))
	case r.watch != nil:
		watched, err := r.watch.replicas(ctx)
		if err != nil {
			return 0, known, errors.Join(ErrUnconfirmed, err)
		}
		known.all, known.replicas = true, max(known.replicas, watched)
	}
	if confirmed == nil {
		return 0, known, nil
	}
	got, err := confirmed.Int()
	return got, known, err
}

// wanted returns the number of replicas that must confirm.
func (r *Replicas) wanted(known replication) int {
	wanted := max(r.Redis.Replicas, known.replicas)
	if known.backlog {
		wanted = max(wanted, 1)
	}
	if known.all {
		return wanted
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.Clock.Now(); known.replicas >= r.most || now.Sub(r.mostAt) > missedFor {
		r.most, r.mostAt = known.replicas, now
	}
	return max(wanted, r.most)
}

// readReplication parses the output of INFO replication.
func readReplication(info string) (replication, error) {
	fields := map[string]string{}
	for line := range strings.Lines(info) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	if fields["role"] != "master" {
		return replication{}, fmt.Errorf("redis: the server is %q, not a master", fields["role"])
	}
	n, err := strconv.Atoi(fields["connected_slaves"])
	if err != nil {
		return replication{}, fmt.Errorf("redis: the server does not report its number of replicas: %w", err)
	}
	return replication{replicas: n, backlog: fields["repl_backlog_active"] != "0"}, nil
}

// replicasOf returns the number of replicas of the responding node in the output of CLUSTER NODES.
// A line contains the node's id, address and flags, the id of its master, and more.
func replicasOf(nodes string) (n int) {
	var masters []string
	var self string
	for line := range strings.Lines(nodes) {
		fields := strings.Fields(line)
		if len(fields) < 4 {
			continue
		}
		if strings.Contains(fields[2], "myself") {
			self = fields[0]
		}
		masters = append(masters, fields[3])
	}
	for _, id := range masters {
		if id == self {
			n++
		}
	}
	return n
}
