package backing

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/redisacl"
)

// RedisOptions describe a private Redis. Dir is required.
type RedisOptions struct {
	// Dir holds the log and, with Persist, the data. It is made when it is not
	// there, and belongs to this server alone.
	Dir string
	// Port on 127.0.0.1; 0 chooses a free one.
	Port int
	// Persist keeps an append-only file, so that data outlives the process.
	Persist bool
	// Databases is the number of logical databases; 0 means Redis's own 16.
	Databases int

	// TLS has it listen at one more port, which TLSURLOf names, with this certificate.
	TLS *RedisTLS

	// tlsPort is that port.
	tlsPort int
	// busPort makes it a node of a cluster, with its bus on that port.
	busPort int
	// replicaOf makes it a replica of the server on that port, with the same passwords.
	replicaOf int
}

// RedisTLS is a certificate and its key, in PEM.
type RedisTLS struct{ Cert, Key []byte }

// redisSecrets are the passwords of a Redis by user. Servers that belong together share them.
type redisSecrets map[string]string

func newRedisSecrets() redisSecrets {
	all := redisSecrets{}
	for _, user := range redisacl.Users() {
		all[user] = newPassword()
	}
	return all
}

// admin is the password of the user who may do everything.
func (s redisSecrets) admin() string { return s[redisacl.Default] }

// Redis is a running private Redis, with the users of redisacl.
type Redis struct {
	*server
	options RedisOptions
	secrets redisSecrets
}

// StartRedis starts a Redis and returns when it answers a PING. ctx bounds the
// start only.
func StartRedis(ctx context.Context, o RedisOptions) (*Redis, error) {
	return startRedis(ctx, o, newRedisSecrets())
}

func startRedis(ctx context.Context, o RedisOptions, secrets redisSecrets) (*Redis, error) {
	if o.Dir == "" {
		return nil, errors.New("start redis: no directory given")
	}
	if o.Databases == 0 {
		o.Databases = 16
	}
	program, err := redisProgram()
	if err != nil {
		return nil, err
	}
	acct, err := chooseAccount()
	if err != nil {
		return nil, err
	}
	home, err := prepareHome(o.Dir, acct)
	if err != nil {
		return nil, err
	}
	if err := endLeftovers(ctx, home, "redis-server"); err != nil {
		return nil, err
	}
	users, err := redisacl.File(secrets)
	if err != nil {
		return nil, err
	}
	if o.TLS != nil {
		if err := o.listenTLS(acct, home); err != nil {
			return nil, err
		}
	}
	s, err := launch{
		name: "redis", home: home, port: o.Port, end: syscall.SIGTERM, acct: acct,
		command: func(port int) *exec.Cmd {
			// The configuration comes by standard input: every user can read the
			// arguments of a process.
			cmd := exec.Command(program, "-")
			cmd.Dir = home
			cmd.Stdin = strings.NewReader(redisConfig(o, home, port, secrets.admin()) + users)
			return cmd
		},
		ping: func(ctx context.Context, port int) error { return pingRedis(ctx, redisURL(secrets.admin(), port)) },
	}.run(ctx)
	if err != nil {
		return nil, err
	}
	o.Port = s.port
	return &Redis{server: s, options: o, secrets: secrets}, nil
}

// URL is the connection string of the user who may do everything, of logical database 0.
func (r *Redis) URL() string { return redisURL(r.secrets.admin(), r.port) }

// URLOf is the connection string of a user of redisacl.
func (r *Redis) URLOf(user string) string { return withUser(r.URL(), user, r.secrets) }

// TLSURLOf is the connection string of a user by TLS, at a name of this machine.
func (r *Redis) TLSURLOf(user, host string) string {
	return "rediss://" + user + ":" + r.secrets[user] + "@" + host + ":" + strconv.Itoa(r.options.tlsPort) + "/0"
}

// listenTLS chooses the port and writes the files.
func (o *RedisOptions) listenTLS(acct *account, home string) (err error) {
	if o.tlsPort == 0 {
		o.tlsPort, err = freePort()
	}
	return errors.Join(err, writeFor(acct, filepath.Join(home, "cert.pem"), o.TLS.Cert), writeFor(acct, filepath.Join(home, "key.pem"), o.TLS.Key))
}

// withUser puts another user into a connection string.
func withUser(target, user string, secrets redisSecrets) string {
	return strings.Replace(target, "redis://:"+secrets.admin()+"@", "redis://"+user+":"+secrets[user]+"@", 1)
}

// Stop ends the server. With Persist, every write that was answered is kept.
func (r *Redis) Stop(ctx context.Context) error {
	// A frozen process acts on the signal only after it is thawed.
	if err := r.Thaw(); err != nil {
		return err
	}
	return r.stop(ctx)
}

// Restart starts a stopped or killed server again, on the same port with the same
// password. It is empty unless Persist is set.
func (r *Redis) Restart(ctx context.Context) error {
	r.Kill()
	next, err := startRedis(ctx, r.options, r.secrets)
	if err != nil {
		return err
	}
	r.server = next.server
	return nil
}

// Freeze stops the server from answering while its connections stay open, as a
// network partition looks from outside. Thaw ends that.
func (r *Redis) Freeze() error { return r.Signal(syscall.SIGSTOP) }

// Thaw lets a frozen server go on.
func (r *Redis) Thaw() error { return r.Signal(syscall.SIGCONT) }

func redisURL(password string, port int) string {
	return "redis://:" + password + "@127.0.0.1:" + strconv.Itoa(port) + "/0"
}

func redisConfig(o RedisOptions, home string, port int, password string) string {
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
		// A session record or a counter that is evicted silently makes answers wrong. A
		// refused write is an error, which callers handle.
		"maxmemory-policy noeviction",
		"daemonize no",
		// A replica needs no moment to wait for others of its kind.
		"masterauth " + password, "repl-diskless-sync-delay 0",
	}
	if o.TLS != nil {
		lines = append(lines, "tls-port "+strconv.Itoa(o.tlsPort), "tls-auth-clients no",
			"tls-cert-file "+strconv.Quote(filepath.Join(home, "cert.pem")), "tls-key-file "+strconv.Quote(filepath.Join(home, "key.pem")),
			"tls-ca-cert-file "+strconv.Quote(filepath.Join(home, "cert.pem")))
	}
	if o.busPort > 0 {
		lines = append(lines, "cluster-enabled yes", "cluster-port "+strconv.Itoa(o.busPort), "cluster-node-timeout 5000")
	}
	if o.replicaOf > 0 {
		lines = append(lines, "replicaof 127.0.0.1 "+strconv.Itoa(o.replicaOf))
	}
	return strings.Join(lines, "\n") + "\n"
}

func pingRedis(ctx context.Context, target string) error {
	opts, err := redis.ParseURL(target)
	if err != nil {
		return fmt.Errorf("address of redis: %w", err)
	}
	opts.MaxRetries = -1
	client := redis.NewClient(opts)
	defer client.Close()
	return client.Ping(ctx).Err()
}
