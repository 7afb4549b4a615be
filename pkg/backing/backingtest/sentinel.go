package backingtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/internal/server"
	"vitae.internal/pkg/redisacl"
)

const (
	// sentinels is the number of Sentinels in a group. The first one detects a failure early enough
	// to start the failover. If two started a failover at the same time, neither might win the
	// vote, and the next attempt would be two failover-timeouts later.
	sentinels = 3
	quorum    = 1
	// masterName is the name of the master in the Sentinels' configuration.
	masterName = "vitae"
)

// RedisGroup is a running Redis master with replicas, monitored by three Sentinels.
type RedisGroup struct {
	// Master is the initial master.
	Master   *backing.Redis
	Replicas []*backing.Redis
	// Sentinels promote a replica when the master fails.
	Sentinels []*Sentinel
	passwords map[string]string
}

// Sentinel is a running Redis Sentinel.
type Sentinel struct{ *server.Server }

// StartRedisGroup starts a master with replicas and Sentinels in directories below dir, and waits
// until the replicas are synchronized and the Sentinels know them. ctx limits only the start.
func StartRedisGroup(ctx context.Context, dir string, replicas int) (_ *RedisGroup, err error) {
	g := &RedisGroup{passwords: backing.RedisPasswords()}
	admin := g.passwords[redisacl.Default]
	defer func() {
		if err != nil {
			g.Kill()
		}
	}()
	if g.Master, err = backing.StartRedis(ctx, backing.RedisOptions{Dir: filepath.Join(dir, "master"), Passwords: g.passwords, Config: following(g.passwords)}); err != nil {
		return nil, err
	}
	for i := range replicas {
		replica, err := backing.StartRedis(ctx, backing.RedisOptions{
			Dir: filepath.Join(dir, "replica"+strconv.Itoa(i)), Passwords: g.passwords,
			Config: append(following(g.passwords), "replicaof 127.0.0.1 "+strconv.Itoa(g.Master.Port)),
		})
		if err != nil {
			return nil, err
		}
		g.Replicas = append(g.Replicas, replica)
		client, err := open(replica)
		if err != nil {
			return nil, err
		}
		err = awaitFollowing(ctx, client)
		_ = client.Close()
		if err != nil {
			return nil, err
		}
	}
	for i := range sentinels {
		s, err := startSentinel(ctx, filepath.Join(dir, "sentinel"+strconv.Itoa(i)), i, g.Master.Port, admin)
		if err != nil {
			return nil, err
		}
		g.Sentinels = append(g.Sentinels, s)
	}
	for _, s := range g.Sentinels {
		if err := s.awaitWatch(ctx, admin, replicas); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// URL returns a URL with the Sentinels for go-redis's ParseFailoverURL. The user has all
// permissions.
func (g *RedisGroup) URL() string { return g.URLOf(redisacl.Default) }

// URLOf returns the URL for a user of redisacl. The Sentinels themselves have no users.
func (g *RedisGroup) URLOf(user string) string {
	query := url.Values{"master_name": {masterName}, "username": {user}, "password": {g.passwords[user]}}
	for _, s := range g.Sentinels[1:] {
		query.Add("addr", "127.0.0.1:"+strconv.Itoa(s.Port))
	}
	return backing.RedisURL(g.passwords[redisacl.Default], g.Sentinels[0].Port) + "?" + query.Encode()
}

// Kill kills all processes of the group.
func (g *RedisGroup) Kill() {
	for _, s := range g.Sentinels {
		s.Kill()
	}
	for _, r := range g.Replicas {
		r.Kill()
	}
	if g.Master != nil {
		g.Master.Kill()
	}
}

// following returns configuration lines for a server that is a replica or may become one.
func following(passwords map[string]string) []string {
	return []string{"masterauth " + passwords[redisacl.Default], "repl-diskless-sync-delay 0"}
}

// open returns a client for a server, with all permissions.
func open(r *backing.Redis) (*redis.Client, error) {
	options, err := redis.ParseURL(r.URL())
	if err != nil {
		return nil, fmt.Errorf("URL of redis: %w", err)
	}
	return redis.NewClient(options), nil
}

// awaitFollowing waits until a replica is synchronized with its master.
func awaitFollowing(ctx context.Context, replica *redis.Client) error {
	return await(ctx, "a redis replica is not synchronized", func(ctx context.Context) (bool, error) {
		info, err := replica.Info(ctx, "replication").Result()
		return strings.Contains(info, "master_link_status:up"), err
	})
}

func startSentinel(ctx context.Context, dir string, n, master int, password string) (*Sentinel, error) {
	program, err := server.Program("redis-server", "redis-server")
	if err != nil {
		return nil, err
	}
	home, err := server.MakeHome(dir)
	if err != nil {
		return nil, err
	}
	// A Sentinel saves its state in its configuration file.
	file := filepath.Join(home.Path, "sentinel.conf")
	s, err := server.Launch{
		Name: "sentinel", Home: home, End: syscall.SIGTERM,
		Command: func(port int) *exec.Cmd {
			cmd := exec.Command(program, file, "--sentinel")
			cmd.Err = home.Write(file, []byte(sentinelConfig(home.Path, n, port, master, password)))
			return cmd
		},
		Ping: func(ctx context.Context, port int) error {
			return backing.PingRedis(ctx, backing.RedisURL(password, port))
		},
	}.Run(ctx)
	if err != nil {
		return nil, err
	}
	return &Sentinel{s}, nil
}

func sentinelConfig(home string, n, port, master int, password string) string {
	return strings.Join([]string{
		"bind 127.0.0.1",
		"port " + strconv.Itoa(port),
		"dir " + strconv.Quote(home),
		"requirepass " + password,
		"sentinel sentinel-pass " + password,
		fmt.Sprintf("sentinel monitor %s 127.0.0.1 %d %d", masterName, master, quorum),
		"sentinel auth-pass " + masterName + " " + password,
		fmt.Sprintf("sentinel down-after-milliseconds %s %d", masterName, 3000+n*5000),
		"sentinel failover-timeout " + masterName + " 60000",
	}, "\n") + "\n"
}

// awaitWatch waits until the Sentinel knows the replicas and the other Sentinels.
func (s *Sentinel) awaitWatch(ctx context.Context, password string, replicas int) error {
	options, err := redis.ParseURL(backing.RedisURL(password, s.Port))
	if err != nil {
		return fmt.Errorf("URL of a sentinel: %w", err)
	}
	client := redis.NewSentinelClient(options)
	defer client.Close()
	return await(ctx, "a sentinel does not find the others", func(ctx context.Context) (bool, error) {
		master, err := client.Master(ctx, masterName).Result()
		return master["num-slaves"] == strconv.Itoa(replicas) && master["num-other-sentinels"] == strconv.Itoa(sentinels-1), err
	})
}

// await polls cond until it returns true, for at most a minute. On timeout, the error starts with
// message.
func await(ctx context.Context, message string, cond func(context.Context) (bool, error)) error {
	return awaitWithin(ctx, time.Minute, message, cond)
}

// awaitWithin is like await, with a timeout.
func awaitWithin(ctx context.Context, most time.Duration, message string, cond func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		ok, err := cond(ctx)
		if ok && err == nil {
			return nil
		}
		if paused := server.Pause(ctx, server.PollEvery); paused != nil {
			return fmt.Errorf("%s: %w", message, errors.Join(err, paused))
		}
	}
}
