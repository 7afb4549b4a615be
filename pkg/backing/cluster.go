package backing

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// clusterSlots is the number of hash slots of every Redis Cluster.
const clusterSlots = 16384

// RedisCluster is a running private Redis Cluster.
type RedisCluster struct {
	// Nodes are the masters, which share the slots evenly, in their order.
	Nodes []*Redis
	// Replicas are those of each node.
	Replicas [][]*Redis
}

// StartRedisCluster starts a cluster of masters with as many replicas each, every one in
// a directory below dir, and returns when all of them serve. ctx bounds the start only.
func StartRedisCluster(ctx context.Context, dir string, masters, replicas int) (_ *RedisCluster, err error) {
	c, secrets := &RedisCluster{}, newRedisSecrets()
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
	var all []*Redis
	for i := range masters * (1 + replicas) {
		node, client, err := startNode(ctx, filepath.Join(dir, "node"+strconv.Itoa(i)), secrets)
		if err != nil {
			return nil, err
		}
		all, clients = append(all, node), append(clients, client)
		if i < masters {
			c.Nodes, c.Replicas = append(c.Nodes, node), append(c.Replicas, nil)
		} else {
			c.Replicas[i%masters] = append(c.Replicas[i%masters], node)
		}
	}
	for i, client := range clients {
		if i < masters {
			first, last := i*clusterSlots/masters, (i+1)*clusterSlots/masters-1
			if err := client.ClusterAddSlotsRange(ctx, first, last).Err(); err != nil {
				return nil, fmt.Errorf("give slots to a redis node: %w", err)
			}
		}
		if err := clients[0].Do(ctx, "CLUSTER", "MEET", "127.0.0.1", all[i].port, all[i].options.busPort).Err(); err != nil {
			return nil, fmt.Errorf("join redis nodes: %w", err)
		}
	}
	if err := awaitCluster(ctx, clients); err != nil {
		return nil, err
	}
	for i, client := range clients[masters:] {
		if err := client.ClusterReplicate(ctx, clients[i%masters].ClusterMyID(ctx).Val()).Err(); err != nil {
			return nil, fmt.Errorf("make a redis node a replica: %w", err)
		}
		if err := awaitFollowing(ctx, client); err != nil {
			return nil, err
		}
	}
	for _, client := range clients { // each hears of it by and by
		err := await(ctx, "the redis nodes do not hear of the replicas", func(ctx context.Context) (bool, error) {
			nodes, err := client.ClusterNodes(ctx).Result()
			return strings.Count(nodes, "slave ") == len(clients)-masters, err
		})
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

func startNode(ctx context.Context, dir string, secrets redisSecrets) (*Redis, *redis.Client, error) {
	bus, err := freePort()
	if err != nil {
		return nil, nil, err
	}
	node, err := startRedis(ctx, RedisOptions{Dir: dir, busPort: bus}, secrets)
	if err != nil {
		return nil, nil, err
	}
	client, err := node.client()
	if err != nil {
		node.Kill()
		return nil, nil, err
	}
	return node, client, nil
}

// awaitCluster waits until every node knows of all others.
func awaitCluster(ctx context.Context, clients []*redis.Client) error {
	for _, client := range clients {
		err := await(ctx, "the redis nodes do not join", func(ctx context.Context) (bool, error) {
			info, err := client.ClusterInfo(ctx).Result()
			return strings.Contains(info, "cluster_state:ok") &&
				strings.Contains(info, "cluster_known_nodes:"+strconv.Itoa(len(clients))+"\r"), err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// URL names every node, as go-redis's ParseClusterURL reads it, for the user who may do
// everything.
func (c *RedisCluster) URL() string {
	address := func(r *Redis) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(r.port)) }
	url := "redis://:" + c.Nodes[0].secrets.admin() + "@" + address(c.Nodes[0])
	for i, node := range c.Nodes[1:] {
		separator := "&"
		if i == 0 {
			separator = "?"
		}
		url += separator + "addr=" + address(node)
	}
	return url
}

// URLOf is the URL for a user of redisacl.
func (c *RedisCluster) URLOf(user string) string {
	return withUser(c.URL(), user, c.Nodes[0].secrets)
}

// Kill ends every node.
func (c *RedisCluster) Kill() {
	for i, node := range c.Nodes {
		node.Kill()
		for _, replica := range c.Replicas[i] {
			replica.Kill()
		}
	}
}
