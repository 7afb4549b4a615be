package redisacl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/redisacl"
	"vitae.internal/pkg/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// account is a valid account id, because the ACL patterns depend on its length.
var account = id.New("dev")

// One key of each kind.
var (
	record     = "{" + account + "}:cred:0a"
	nonce      = "{" + account + "}:fill:0a"
	generation = "{" + account + "}:gen"
	spent      = "{" + account + "}:spent"
	tier       = "{" + account + "}:tier:app:x"
	surface    = "tier:0a"
	signIn     = "signin:{203.0.113.7}"
)

func clientOf(t *testing.T, server *backing.Redis, user string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(server.URLOf(user))
	if err != nil {
		t.Fatal(err)
	}
	options.DisableIdentity = true
	c := redis.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func words(command string) (all []any) {
	for _, w := range strings.Fields(command) {
		all = append(all, w)
	}
	return all
}

// refused reports whether the user of c is denied the command.
func refused(t *testing.T, c *redis.Client, command ...any) bool {
	t.Helper()
	err := c.Do(t.Context(), command...).Err()
	// In a script, the error is a script error that contains the reason.
	return err != nil && (redis.HasErrorPrefix(err, "NOPERM") || strings.Contains(err.Error(), "The user executing the script can"))
}

func TestUnneededCommandsAreDenied(t *testing.T) {
	server := testkit.PrivateRedis(t)
	everyone := []string{
		"KEYS *", "SCAN 0", "RANDOMKEY", "DBSIZE", "FLUSHALL", "FLUSHDB", "SCRIPT FLUSH", "FUNCTION LIST", "CONFIG GET *", "ACL LIST", "MONITOR", "SAVE",
		"CLIENT LIST", "REPLICAOF NO ONE", "SHUTDOWN", "MIGRATE h 1 k 0 1", "DUMP " + record, "RENAME " + generation + " " + spent,
		"COPY " + record + " {" + account + "}:cred:0b", "SUBSCRIBE c", "PUBLISH c m", "CLUSTER RESET", "GET other", "SET other x", "PERSIST " + record, "SWAPDB 0 1",
	}
	for user, commands := range map[string][]string{
		redisacl.Gateway: append([]string{
			// The gateway cannot create, extend, change or delete a record, or restore a
			// generation.
			"HSET " + record + " record x", "SET " + record + " x", "DEL " + record, "PEXPIRE " + record + " 1", "EXPIRE " + record + " 1",
			"SET " + generation + " x", "DEL " + generation, "SET " + nonce + " x", "GET " + nonce,
			// The gateway can neither unblock a sign-in nor see who is signing in.
			"GET " + signIn, "SET " + signIn + " x", "HMGET " + signIn + " n", "DEL " + signIn,
			"DEL " + spent, "WAIT 0 0", "INFO",
		}, everyone...),
		redisacl.Auth: append([]string{
			// The auth service can neither read nor change the usage counted against limits.
			"GET " + spent, "SET " + spent + " x", "DEL " + spent, "GET " + tier, "SET " + tier + " x", "DEL " + surface, "SET " + surface + " x", "MGET " + surface,
		}, everyone...),
	} {
		c := clientOf(t, server, user)
		for _, command := range commands {
			if !refused(t, c, words(command)...) {
				t.Errorf("user %s is allowed to run %s", user, command)
			}
		}
	}
}

// The gateway may call a script with keys that it can otherwise only read, because Redis checks the
// commands in the script separately.
func TestScriptsGrantNoExtraPermissions(t *testing.T) {
	server := testkit.PrivateRedis(t)
	gateway, auth := clientOf(t, server, redisacl.Gateway), clientOf(t, server, redisacl.Auth)
	for user, c := range map[string]*redis.Client{redisacl.Gateway: gateway, redisacl.Auth: auth} {
		for script, key := range map[string]string{
			"return redis.call('FLUSHALL')": "{" + account + "}:gen", "return redis.call('KEYS', '*')": "{" + account + "}:gen", "return redis.call('GET', 'other')": "{" + account + "}:gen",
			"return redis.call('SET', 'other', 'x')": "{" + account + "}:gen",
		} {
			if !refused(t, c, "EVAL", script, 1, key) {
				t.Errorf("user %s is allowed to run the script %s", user, script)
			}
		}
	}
	for _, script := range []string{
		"return redis.call('HSET', KEYS[1], 'record', 'x')", "return redis.call('SET', KEYS[1], 'x')", "return redis.call('DEL', KEYS[1])",
		"return redis.call('PEXPIRE', KEYS[1], 1000)", "return redis.call('RENAME', KEYS[1], '{" + account + "}:spent')",
	} {
		for _, key := range []string{record, generation} {
			if !refused(t, gateway, "EVAL", script, 1, key) {
				t.Errorf("with the key %s, the gateway is allowed to run the script %s", key, script)
			}
		}
	}
	if !refused(t, auth, "EVAL", "return redis.call('SET', KEYS[1], 'x')", 1, spent) {
		t.Error("auth is allowed to change the usage of limits in a script")
	}
}

func TestNeededCommandsAreAllowed(t *testing.T) {
	server := testkit.PrivateRedis(t)
	for user, commands := range map[string][]string{
		redisacl.Gateway: {"HMGET " + record + " record", "GET " + generation, "MGET " + generation + " " + spent + " " + tier, "SET " + spent + " 1", "SET " + tier + " 1", "SET " + surface + " 1", "TIME", "PING"},
		redisacl.Auth:    {"HSET " + record + " record x", "PEXPIRE " + record + " 1000", "SET " + nonce + " x", "SET " + generation + " x", "DEL " + record + " " + nonce, "HSET " + signIn + " n 1", "HINCRBY " + signIn + " n -1", "EXISTS " + signIn, "WAIT 0 0", "INFO replication"},
	} {
		c := clientOf(t, server, user)
		for _, command := range commands {
			if err := c.Do(t.Context(), words(command)...).Err(); err != nil && !errors.Is(err, redis.Nil) {
				t.Errorf("%s: %s: %v", user, command, err)
			}
		}
	}
}

func TestPasswordIsRequired(t *testing.T) {
	server := testkit.PrivateRedis(t)
	options, err := redis.ParseURL(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range redisacl.Users() {
		for _, password := range []string{"", "wrong"} {
			o := *options
			o.Username, o.Password = user, password
			c := redis.NewClient(&o)
			if err := c.Ping(t.Context()).Err(); err == nil {
				t.Errorf("user %s was accepted with the password %q", user, password)
			}
			_ = c.Close()
		}
	}
	if _, err := redisacl.File(map[string]string{redisacl.Default: "x", redisacl.Auth: "x"}); err == nil {
		t.Error("File succeeded without a password for the gateway")
	}
}
