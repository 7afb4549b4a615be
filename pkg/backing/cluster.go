package backing

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// clusterSlots is the number of hash slots of every Redis Cluster.
const clusterSlots = 16384

// RedisCluster is a running private Redis Cluster without replicas.
type RedisCluster struct {
	// Nodes share the slots evenly, in their order.
	Nodes []*Redis
}

// StartRedisCluster starts a cluster of nodes, each in a directory below dir, and
// returns when all of them serve. ctx bounds the start only.
func StartRedisCluster(ctx context.Context, dir string, nodes int) (_ *RedisCluster, err error) {
	c, password := &RedisCluster{}, newPassword()
	defer func() {
		if err != nil {
			c.Kill()
		}
	}()
	var clients []*redis.Client
	defer func() {
		for _, client := range clients {
			_ = client.Close()
		}
	}()
	for i := range nodes {
		bus, err := freePort()
		if err != nil {
			return nil, err
		}
		node, err := startRedis(ctx, RedisOptions{Dir: filepath.Join(dir, "node"+strconv.Itoa(i)), busPort: bus}, password)
		if err != nil {
			return nil, err
		}
		c.Nodes = append(c.Nodes, node)
		options, err := redis.ParseURL(node.URL())
		if err != nil {
			return nil, fmt.Errorf("address of redis: %w", err)
		}
		clients = append(clients, redis.NewClient(options))
	}
	for i, client := range clients {
		first, last := i*clusterSlots/nodes, (i+1)*clusterSlots/nodes-1
		if err := client.ClusterAddSlotsRange(ctx, first, last).Err(); err != nil {
			return nil, fmt.Errorf("give slots to a redis node: %w", err)
		}
		meet := clients[0].Do(ctx, "CLUSTER", "MEET", "127.0.0.1", c.Nodes[i].port, c.Nodes[i].options.busPort)
		if err := meet.Err(); err != nil {
			return nil, fmt.Errorf("join redis nodes: %w", err)
		}
	}
	return c, awaitCluster(ctx, clients)
}

// awaitCluster waits until every node knows of all others.
func awaitCluster(ctx context.Context, clients []*redis.Client) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for _, client := range clients {
		for {
			info, err := client.ClusterInfo(ctx).Result()
			if err == nil && strings.Contains(info, "cluster_state:ok") &&
				strings.Contains(info, "cluster_known_nodes:"+strconv.Itoa(len(clients))+"\r") {
				break
			}
			if paused := pause(ctx, pollEvery); paused != nil {
				return fmt.Errorf("the redis nodes do not join: %w", errors.Join(err, paused))
			}
		}
	}
	return nil
}

// URL names every node, as go-redis's ParseClusterURL reads it.
func (c *RedisCluster) URL() string {
	address := func(r *Redis) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(r.port)) }
	url := "redis://:" + c.Nodes[0].password + "@" + address(c.Nodes[0])
	for i, node := range c.Nodes[1:] {
		separator := "&"
		if i == 0 {
			separator = "?"
		}
		url += separator + "addr=" + address(node)
	}
	return url
}

// Kill ends every node.
func (c *RedisCluster) Kill() {
	for _, node := range c.Nodes {
		node.Kill()
	}
}
