package backing

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/backing/internal/server"
	"vitae.internal/pkg/redisacl"
)

// RedisOptions configures a private Redis. Dir is required.
type RedisOptions struct {
	// Dir contains the log and, if Persist is set, the data. It is created if it does not exist.
	Dir string
	// Port is the port on 127.0.0.1, or 0 for any free port.
	Port int
	// Persist enables the append-only file, so that data survives the process.
	Persist bool
	// Databases is the number of logical databases. The default is 16, as in Redis.
	Databases int
	// Passwords maps the users of redisacl to their passwords. If it is nil, passwords are
	// generated.
	Passwords map[string]string
	// Config lists additional configuration lines.
	Config []string
}

// RedisPasswords generates a password for each user of redisacl.
func RedisPasswords() map[string]string {
	all := map[string]string{}
	for _, user := range redisacl.Users() {
		all[user] = server.NewPassword()
	}
	return all
}

// Redis is a running private Redis with the users of redisacl.
type Redis struct {
	*server.Server
	options RedisOptions
}

// StartRedis starts a Redis and waits until it responds. ctx limits only the start.
func StartRedis(ctx context.Context, o RedisOptions) (*Redis, error) {
	if o.Dir == "" {
		return nil, errors.New("start redis: no directory given")
	}
	if o.Databases == 0 {
		o.Databases = 16
	}
	if o.Passwords == nil {
		o.Passwords = RedisPasswords()
	}
	program, err := server.Program("redis-server", "redis-server")
	if err != nil {
		return nil, err
	}
	home, err := server.MakeHome(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := server.EndLeftovers(ctx, home.Path, "redis-server"); err != nil {
		return nil, err
	}
	users, err := redisacl.File(o.Passwords)
	if err != nil {
		return nil, err
	}
	admin := o.Passwords[redisacl.Default]
	s, err := server.Launch{
		Name: "redis", Home: home, Port: o.Port, End: syscall.SIGTERM,
		Command: func(port int) *exec.Cmd {
			// Pass the configuration on standard input, because every user can read the arguments
			// of a process.
			cmd := exec.Command(program, "-")
			cmd.Stdin = strings.NewReader(redisConfig(o, home.Path, port) + users)
			return cmd
		},
		Ping: func(ctx context.Context, port int) error { return PingRedis(ctx, RedisURL(admin, port)) },
	}.Run(ctx)
	if err != nil {
		return nil, err
	}
	o.Port = s.Port
	return &Redis{Server: s, options: o}, nil
}

// URL returns the connection string for logical database 0. The user has all permissions.
func (r *Redis) URL() string { return RedisURL(r.options.Passwords[redisacl.Default], r.Port) }

// URLOf returns the connection string of a user of redisacl.
func (r *Redis) URLOf(user string) string { return WithUser(r.URL(), user, r.options.Passwords) }

// WithUser returns target with the credentials of a user of redisacl. target is the URL of the
// default user, which has all permissions.
func WithUser(target, user string, passwords map[string]string) string {
	return strings.Replace(target, "redis://:"+passwords[redisacl.Default]+"@", "redis://"+user+":"+passwords[user]+"@", 1)
}

// Stop stops the server. If Persist is set, every acknowledged write is kept.
func (r *Redis) Stop(ctx context.Context) error {
	// A frozen process handles the signal only after it is thawed.
	if err := r.Thaw(); err != nil {
		return err
	}
	return r.Server.Stop(ctx)
}

// Restart starts a stopped or killed server again, on the same port with the same passwords. The
// data is lost unless Persist is set.
func (r *Redis) Restart(ctx context.Context) error {
	r.Kill()
	next, err := StartRedis(ctx, r.options)
	if err != nil {
		return err
	}
	r.Server = next.Server
	return nil
}

// Freeze stops the server while its connections stay open, which looks like a network partition.
func (r *Redis) Freeze() error { return r.Signal(syscall.SIGSTOP) }

// Thaw resumes a frozen server.
func (r *Redis) Thaw() error { return r.Signal(syscall.SIGCONT) }

// RedisURL returns the connection string of the default user, which has all permissions.
func RedisURL(password string, port int) string {
	return "redis://:" + password + "@127.0.0.1:" + strconv.Itoa(port) + "/0"
}

func redisConfig(o RedisOptions, home string, port int) string {
	persist := "no"
	if o.Persist {
		persist = "yes"
	}
	lines := []string{
		"bind 127.0.0.1",
		"port " + strconv.Itoa(port),
		"databases " + strconv.Itoa(o.Databases),
		"dir " + strconv.Quote(home),
		"save \"\"",
		"appendonly " + persist,
		"appendfsync everysec",
		// Do not evict keys: a missing session record or counter would cause wrong results. A
		// rejected write is an error that callers handle.
		"maxmemory-policy noeviction",
		"daemonize no",
	}
	return strings.Join(append(lines, o.Config...), "\n") + "\n"
}

func PingRedis(ctx context.Context, target string) error {
	opts, err := redis.ParseURL(target)
	if err != nil {
		return fmt.Errorf("URL of redis: %w", err)
	}
	opts.MaxRetries = -1
	client := redis.NewClient(opts)
	defer client.Close()
	return client.Ping(ctx).Err()
}
