package backingtest

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/internal/server"
	"vitae.internal/pkg/redisacl"
)

// clusterSlots is the number of hash slots of every Redis Cluster.
const clusterSlots = 16384

// RedisCluster is a running private Redis Cluster.
type RedisCluster struct {
	// Nodes lists the masters, in the order of their slots.
	Nodes []*backing.Redis
	// Replicas lists the replicas of each master, in the order of Nodes.
	Replicas  [][]*backing.Redis
	passwords map[string]string
}

// StartRedisCluster starts a cluster with the given numbers of masters and of replicas per master,
// in directories below dir, and waits until all of them serve requests. ctx limits only the start.
func StartRedisCluster(ctx context.Context, dir string, masters, replicas int) (_ *RedisCluster, err error) {
	c := &RedisCluster{passwords: backing.RedisPasswords()}
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
	var all []*backing.Redis
	var buses []int
	for i := range masters * (1 + replicas) {
		node, client, bus, err := c.startNode(ctx, filepath.Join(dir, "node"+strconv.Itoa(i)))
		if err != nil {
			return nil, err
		}
		all, buses, clients = append(all, node), append(buses, bus), append(clients, client)
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
				return nil, fmt.Errorf("assign slots to a redis node: %w", err)
			}
		}
		if err := clients[0].Do(ctx, "CLUSTER", "MEET", "127.0.0.1", all[i].Port, buses[i]).Err(); err != nil {
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
	for _, client := range clients { // the nodes learn of the replicas at different times
		err := await(ctx, "the redis nodes do not know the replicas", func(ctx context.Context) (bool, error) {
			nodes, err := client.ClusterNodes(ctx).Result()
			return strings.Count(nodes, "slave ") == len(clients)-masters, err
		})
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// startNode starts a node. It also returns the port of its cluster bus.
func (c *RedisCluster) startNode(ctx context.Context, dir string) (_ *backing.Redis, _ *redis.Client, bus int, err error) {
	if bus, err = server.FreePort(); err != nil {
		return nil, nil, 0, err
	}
	node, err := backing.StartRedis(ctx, backing.RedisOptions{Dir: dir, Passwords: c.passwords, Config: append(following(c.passwords),
		"cluster-enabled yes", "cluster-port "+strconv.Itoa(bus), "cluster-node-timeout 5000")})
	if err != nil {
		return nil, nil, 0, err
	}
	client, err := open(node)
	if err != nil {
		node.Kill()
		return nil, nil, 0, err
	}
	return node, client, bus, nil
}

// awaitCluster waits until every node knows all others.
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

// URL returns a URL with every node for go-redis's ParseClusterURL. The user has all permissions.
func (c *RedisCluster) URL() string {
	address := func(r *backing.Redis) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(r.Port)) }
	url := "redis://:" + c.passwords[redisacl.Default] + "@" + address(c.Nodes[0])
	for i, node := range c.Nodes[1:] {
		separator := "&"
		if i == 0 {
			separator = "?"
		}
		url += separator + "addr=" + address(node)
	}
	return url
}

// URLOf returns the URL for a user of redisacl.
func (c *RedisCluster) URLOf(user string) string {
	return backing.WithUser(c.URL(), user, c.passwords)
}

// Kill kills all nodes.
func (c *RedisCluster) Kill() {
	for i, node := range c.Nodes {
		node.Kill()
		for _, replica := range c.Replicas[i] {
			replica.Kill()
		}
	}
}
