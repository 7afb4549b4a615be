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
	// confirmWithin is how long one attempt waits for replicas. It is shorter than the
	// time-out of a call, and longer than a replica takes that follows its master.
	confirmWithin = 250 * time.Millisecond
	// waiters bounds the attempts that wait at a time. Each holds a connection, which
	// others need too.
	waiters = 16
	// missedFor is how long a replica counts that was there and is gone. It is how long a
	// server keeps the backlog that a replica can come back for (repl-backlog-ttl).
	missedFor = time.Hour
)

// ErrUnconfirmed says that the server took a write and that some replica may lack it. If
// that replica is promoted, the write is undone.
var ErrUnconfirmed = errors.New("redis: not every replica has confirmed the write")

// ReplicasConfig is what Replicas are made of. Client and Clock are required.
type ReplicasConfig struct {
	Client redis.UniversalClient
	// Redis is what Client was opened with. Of it, Sentinel, URL, CA and Replicas matter here.
	Redis Config
	Clock clock.Clock
}

// Replicas makes writes that no failover undoes: each is confirmed by every replica that
// could be promoted. It is safe for concurrent use.
//
// How many replicas there are is told by the server that took the write, in the same
// pipeline, so that it cannot be told by another server. Counted are:
//
//   - replicas that are connected, whatever their state: one that is connected and does
//     not follow confirms nothing;
//   - replicas that are known and not connected: in a Redis Cluster those that the server
//     knows, under Sentinel those that a Sentinel knows;
//   - one, while the server keeps a backlog for replicas, which it does for an hour after
//     the last of them has left: news travel slowly in a cluster;
//   - where nobody knows replicas that have left, the most that were seen in the last hour;
//   - never fewer than Config.Replicas.
//
// So a replica that is gone keeps writes unconfirmed until it is back or forgotten. That
// is right: it may have been promoted out of this server's sight.
type Replicas struct {
	ReplicasConfig
	slots chan struct{}
	watch *watch // nil without Sentinels

	mu sync.Mutex
	// most is the number of replicas that were seen at mostAt, of a server that is no
	// cluster.
	most   int
	mostAt time.Time
}

// NewReplicas makes Replicas.
func NewReplicas(c ReplicasConfig) (*Replicas, error) {
	if c.Client == nil || c.Clock == nil {
		return nil, errors.New("redisx: replicas need Client and Clock")
	}
	switch c.Client.(type) {
	case *redis.Client, *redis.ClusterClient:
	default:
		return nil, fmt.Errorf("redisx: replicas of a %T are not known", c.Client)
	}
	r := &Replicas{ReplicasConfig: c, slots: make(chan struct{}, waiters)}
	if !c.Redis.Sentinel {
		return r, nil
	}
	var err error
	r.watch, err = newWatch(c.Redis)
	return r, err
}

// Close ends the connections to the Sentinels.
func (r *Replicas) Close() error {
	if r.watch == nil {
		return nil
	}
	return r.watch.close()
}

// Write runs commands on the server that holds key. It returns nil if every replica has
// them, ErrUnconfirmed if one may lack them, and another error if the server may lack
// them itself. It may run them twice.
//
// The last command must always change something, also when it is run again: WAIT asks for
// what its own connection has written last, and a command that changes nothing is no
// write.
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
	// All commands again: the server may be another one by now, which lacks them.
	confirmed, known, err := r.run(ctx, server, commands, wanted)
	if err != nil {
		return err
	}
	if wanted = r.wanted(known); confirmed < wanted {
		return fmt.Errorf("%w: %d of %d", ErrUnconfirmed, confirmed, wanted)
	}
	return nil
}

// server is the client of the server that holds a key.
func (r *Replicas) server(ctx context.Context, key string) (*redis.Client, error) {
	cluster, ok := r.Client.(*redis.ClusterClient)
	if !ok {
		return r.Client.(*redis.Client), nil
	}
	server, err := cluster.MasterForKey(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("redis: the server of a key: %w", err)
	}
	return server, nil
}

// replication is what a server says of its replicas.
type replication struct {
	// replicas are those that the server has, or knows.
	replicas int
	// backlog is true if the server has, or had until lately, any replica.
	backlog bool
	// all is true if replicas counts those too that are known and not connected.
	all bool
}

// run runs the commands, and then waits for n replicas, in one pipeline: that is on one
// connection to one server. It returns how many have confirmed.
func (r *Replicas) run(ctx context.Context, server *redis.Client, commands func(redis.Pipeliner), n int) (int, replication, error) {
	var (
		confirmed   *redis.Cmd
		info, nodes *redis.StringCmd
	)
	cluster, inCluster := r.Client.(*redis.ClusterClient)
	_, err := server.Pipelined(ctx, func(p redis.Pipeliner) error {
		commands(p)
		if n > 0 {
			confirmed = p.Do(ctx, "WAIT", n, confirmWithin.Milliseconds())
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

// wanted is how many replicas must confirm.
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

// readReplication reads the answer to INFO replication.
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
		return replication{}, fmt.Errorf("redis: the server does not say how many replicas it has: %w", err)
	}
	return replication{replicas: n, backlog: fields["repl_backlog_active"] != "0"}, nil
}

// replicasOf counts, in an answer to CLUSTER NODES, the replicas of the node that gave
// it. A line is: id, address, flags, id of the master, and more.
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
