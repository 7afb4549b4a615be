package accounts_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
)

// traces are texts that stand for a person, by what they are.
type traces map[string]string

// in says which of them a text holds, as they are, in hexadecimal, as bytea is printed, or in
// base64, as JSON has bytes.
func (all traces) in(raw []byte) (found []string) {
	for _, what := range slices.Sorted(maps.Keys(all)) {
		text := all[what]
		forms := append(inBase64(text), text, hex.EncodeToString([]byte(text)))
		if slices.ContainsFunc(forms, func(form string) bool { return bytes.Contains(raw, []byte(form)) }) {
			found = append(found, what)
		}
	}
	return found
}

// inBase64 is what base64 has of a text in the midst of others: its whole groups of three bytes,
// where it begins at the first, second or third byte of one.
func inBase64(text string) (forms []string) {
	for skipped := range 3 {
		whole := text[skipped:]
		forms = append(forms, base64.StdEncoding.EncodeToString([]byte(whole[:len(whole)/3*3])))
	}
	return forms
}

// places are where a stack keeps data, each with the traces that are there.
type places map[string][]string

func (p places) add(where string, found []string) {
	for _, what := range found {
		if !slices.Contains(p[where], what) {
			p[where] = append(p[where], what)
		}
	}
}

// of are the places that have a trace.
func (p places) of(what string) (all []string) {
	for _, where := range slices.Sorted(maps.Keys(p)) {
		if slices.Contains(p[where], what) {
			all = append(all, where)
		}
	}
	return all
}

// search looks for the traces in every row of every table of every database, in every file of
// the bucket, by its name and content, and in every key of Redis. New tables and columns are found by
// themselves.
func (all traces) search(t *testing.T, on *stack.Stack) places {
	t.Helper()
	found := places{}
	for _, part := range []string{"auth", "partnercatalog", "candidate"} {
		conn := database(t, on, part)
		rows := expect.Must(conn.Query(t.Context(), `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables
			WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`))(t)
		for _, table := range expect.Must(pgx.CollectRows(rows, pgx.RowTo[string]))(t) {
			var dump bytes.Buffer
			if _, err := conn.PgConn().CopyTo(t.Context(), &dump, "COPY (SELECT * FROM "+table+") TO STDOUT"); err != nil {
				t.Fatal(err)
			}
			found.add("table "+part+" "+table, all.in(dump.Bytes()))
		}
	}
	all.searchBucket(t, on, found)
	all.searchRedis(t, on, found)
	return found
}

func (all traces) searchBucket(t *testing.T, on *stack.Stack, found places) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(on.Dir(), "resumes"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			return nil // another test's is removed meanwhile
		}
		found.add("the bucket", all.in(append(raw, file...)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (all traces) searchRedis(t *testing.T, on *stack.Stack, found places) {
	t.Helper()
	ctx := t.Context()
	client := redis.NewClient(expect.Must(redis.ParseURL(expect.Must(on.RedisURL())(t)))(t))
	defer client.Close()
	for keys := client.Scan(ctx, 0, "*", 1000).Iterator(); keys.Next(ctx); {
		key := keys.Val()
		var value []byte
		switch kind := client.Type(ctx, key).Val(); kind {
		case "string":
			value = []byte(client.Get(ctx, key).Val())
		case "hash":
			value = fmt.Append(nil, client.HGetAll(ctx, key).Val())
		case "set":
			value = fmt.Append(nil, client.SMembers(ctx, key).Val())
		case "zset":
			value = fmt.Append(nil, client.ZRange(ctx, key, 0, -1).Val())
		case "list":
			value = fmt.Append(nil, client.LRange(ctx, key, 0, -1).Val())
		case "none": // it has expired
		default:
			t.Errorf("the Redis key %s is a %s, which the search does not read", key, kind)
		}
		found.add("Redis", all.in(append(value, key...)))
	}
}

// database is a connection to the database of a part, which may do everything.
func database(t *testing.T, on *stack.Stack, part string) *pgx.Conn {
	t.Helper()
	conn := expect.Must(pgx.Connect(t.Context(), expect.Must(on.Database(part))(t)))(t)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// passWeek has the deletion of a person begin now, and come to its end.
func passWeek(t *testing.T, on *stack.Stack, personID string) {
	t.Helper()
	auth := database(t, on, "auth")
	awaitPasses := func(want string) {
		expect.Eventually(t, "the deletion has "+want, func(ctx context.Context) error {
			var state string
			err := auth.QueryRow(ctx, `SELECT coalesce((SELECT passes || ' passes' FROM person_deletions WHERE person_id = $1), 'ended')`, personID).Scan(&state)
			if err == nil && state != want {
				err = fmt.Errorf("it has %s", state)
			}
			return err
		})
	}
	move := func() {
		if tag := expect.Must(auth.Exec(t.Context(), `UPDATE person_deletions SET next_at = now() - interval '1 second', due_at = least(due_at, now()) WHERE person_id = $1`, personID))(t); tag.RowsAffected() != 1 {
			t.Fatalf("no deletion of %s", personID)
		}
	}
	move()
	awaitPasses("1 passes")
	move() // the fifteen minutes before the second
	awaitPasses("ended")
}

// told says where traces are, a line each.
func (p places) told() string {
	var b strings.Builder
	for _, where := range slices.Sorted(maps.Keys(p)) {
		if len(p[where]) > 0 {
			fmt.Fprintf(&b, "\n  %s: %s", where, strings.Join(p[where], ", "))
		}
	}
	return b.String()
}
