// Package stored reads everything that a stack stores in Postgres and Redis, for tests that search it.
// New tables, columns and keys are included automatically.
package stored

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
)

// Database connects to the database of a service, with all permissions.
func Database(t testing.TB, on *stack.Stack, service string) *pgx.Conn {
	t.Helper()
	conn := expect.Must(pgx.Connect(t.Context(), expect.Must(on.Database(service))(t)))(t)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// Tables calls visit with the rows of every table of every service, in the text format of COPY.
func Tables(t testing.TB, on *stack.Stack, visit func(where string, rows []byte)) {
	t.Helper()
	for _, service := range []string{"auth", "partnercatalog", "candidate"} {
		conn := Database(t, on, service)
		rows := expect.Must(conn.Query(t.Context(), `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables
			WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`))(t)
		tables := expect.Must(pgx.CollectRows(rows, pgx.RowTo[string]))(t)
		if len(tables) < 3 {
			t.Errorf("%s has the tables %v", service, tables)
		}
		for _, table := range tables {
			var dump bytes.Buffer
			if _, err := conn.PgConn().CopyTo(t.Context(), &dump, "COPY (SELECT * FROM "+table+") TO STDOUT"); err != nil {
				t.Fatal(err)
			}
			visit("table "+service+" "+table, dump.Bytes())
		}
	}
}

// SlowLog is the key that Redis passes to visit for the log of slow commands.
const SlowLog = "SLOWLOG"

// Redis calls visit with every key in Redis and its value, and with the log of slow commands. It
// returns the number of keys.
func Redis(t testing.TB, on *stack.Stack, visit func(key string, value []byte)) (keys int) {
	t.Helper()
	ctx := t.Context()
	client := redis.NewClient(expect.Must(redis.ParseURL(expect.Must(on.RedisURL())(t)))(t))
	defer client.Close()
	for all := client.Scan(ctx, 0, "*", 1000).Iterator(); all.Next(ctx); keys++ {
		visit(all.Val(), value(ctx, t, client, all.Val()))
	}
	visit(SlowLog, fmt.Append(nil, client.SlowLogGet(ctx, -1).Val()))
	return keys
}

// value returns the value of a key as text, or nil if the key has expired. It does not use DUMP, which
// compresses values.
func value(ctx context.Context, t testing.TB, client *redis.Client, key string) []byte {
	t.Helper()
	switch kind := client.Type(ctx, key).Val(); kind {
	case "none":
		return nil
	case "string":
		return []byte(client.Get(ctx, key).Val())
	case "hash":
		return fmt.Append(nil, client.HGetAll(ctx, key).Val())
	case "set":
		return fmt.Append(nil, client.SMembers(ctx, key).Val())
	case "zset":
		return fmt.Append(nil, client.ZRange(ctx, key, 0, -1).Val())
	case "list":
		return fmt.Append(nil, client.LRange(ctx, key, 0, -1).Val())
	default:
		t.Errorf("Redis key %s has type %s, which this package cannot read", key, kind)
		return nil
	}
}
