package sizes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/capacity"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/testkit"
)

// Sizes are what was measured.
type Sizes struct {
	Rows  map[string]capacity.Row
	Redis map[string]float64
	Blob  float64
}

// Setting is one that the stack needs: the tokens of all people come from one address within
// seconds.
const Setting = "VITAE_TIER_OAUTH=1000/10s 10000/1h"

// refreshes is how often each person's tokens are refreshed before rows are copied.
const refreshes = 2

// Measure fills a stack that is empty and measures what it keeps. But for Setting, the stack
// has the limits of every deployment, whose counters it measures.
func Measure(t testing.TB, s *stack.Stack) Sizes {
	t.Helper()
	raw := expect.Must(os.ReadFile(filepath.Join(expect.Must(testkit.Root())(t), "deploy", "demo", "world.json")))(t)
	// Nobody listens there, so the browser stops before it would leave Vitae.
	raw = bytes.ReplaceAll(raw, []byte("http://127.0.0.1:8090/callback"), []byte(world.Redirect))
	res := world.TryImport(t, s, json.RawMessage(raw))
	if res.Code != 0 {
		t.Fatalf("import the demo world: %s", res.Stderr)
	}
	var file world.World
	var created world.Created
	for text, into := range map[string]any{string(raw): &file, res.Stdout: &created} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	calls, readWithLink := use(t, s, file, created)
	sizes := Sizes{Redis: map[string]float64{}}
	db := redisOf(t, s)
	expect.Eventually(t, "a session record is measured while it lives", func(ctx context.Context) error {
		if err := forgetRecords(ctx, db); err != nil {
			return err
		}
		readWithLink()
		return measureKeys(ctx, db, sizes.Redis)
	})
	sizes.Rows = map[string]capacity.Row{}
	for _, database := range []string{"auth", "candidate", "partnercatalog"} {
		db := databaseOf(t, s, database)
		if database == "candidate" {
			sizes.Blob = measureBlobs(t, s, db)
		}
		awaitWritten(t, db, database, calls)
		if err := copyAll(t, db, database); err != nil {
			t.Fatal(err)
		}
		for kind, row := range expect.Must(measureTables(t.Context(), db, database))(t) {
			sizes.Rows[kind] = row
		}
	}
	return sizes
}

// use has everybody connect the confidential app of the world, and the app read what it may,
// with tokens and with its key. It returns how many calls are in the request log then, at
// least, and a call with a token whose session record names a durable link: the longest one.
func use(t testing.TB, s *stack.Stack, file world.World, created world.Created) (calls int, readWithLink func()) {
	t.Helper()
	app := created.Apps["rasheed-talent"]
	client := partner.Client{
		BaseURL: s.BaseURLs[0], Issuer: s.BaseURLs[0], ID: app.ClientID, Secret: app.ClientSecret, Redirect: world.Redirect,
	}
	read := func(path, credential string) {
		t.Helper()
		if a := expect.Must(client.Get(t.Context(), path, credential))(t); a.Status != 200 {
			t.Fatalf("%s: %s", path, a)
		}
		calls++
	}
	var withLink string
	for _, p := range file.People {
		tokens := scene.Connect(t, client, person.New(p.Email, p.Password), world.EveryScope, person.Choice{Photo: true})
		for range refreshes {
			read("/v1/me", tokens.Access)
			if p.Profile != nil {
				read("/v1/me/cv", tokens.Access)
				withLink = tokens.Access
			}
			tokens = expect.Must(expect.Must(client.Refresh(t.Context(), tokens.Refresh, ""))(t).Tokens())(t)
		}
	}
	key := created.APIKeys["rasheed-ats"].Key
	read("/v1/companies", key)
	for _, job := range created.Jobs {
		// Some belong to the other account. They are refused, which is logged as well.
		expect.Must(client.Get(t.Context(), "/v1/jobs/"+job.ID, key))(t)
		calls++
	}
	return calls, func() { read("/v1/me/cv", withLink) }
}

// awaitWritten waits until what is written after the answers is there: the log of the calls
// in auth, and nothing in the outbox of the other parts.
func awaitWritten(t testing.TB, db *pgx.Conn, database string, calls int) {
	t.Helper()
	waiting, want := "SELECT count(*) FROM audit_outbox", 0
	if database == "auth" {
		waiting, want = "SELECT greatest($1 - count(*), 0) FROM request_log", 0
	}
	expect.Eventually(t, "everything is written", func(ctx context.Context) error {
		var left int
		var args []any
		if database == "auth" {
			args = append(args, calls)
		}
		if err := db.QueryRow(ctx, waiting, args...).Scan(&left); err != nil {
			return err
		}
		if left != want {
			return fmt.Errorf("%d entries are missing in %s", left, database)
		}
		return nil
	})
}

// measureBlobs is how many bytes the folder of resumes has beside what the resumes have.
func measureBlobs(t testing.TB, s *stack.Stack, db *pgx.Conn) float64 {
	t.Helper()
	var count, content, stored float64
	if err := db.QueryRow(t.Context(), "SELECT count(*)::float8, sum(size)::float8 FROM resumes").Scan(&count, &content); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(filepath.Join(s.Dir(), "resumes"), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		stored += float64(info.Size())
		return nil
	})
	if err != nil || stored < content {
		t.Fatalf("%.0f bytes of %.0f in the folder: %v", stored, content, err)
	}
	return (stored - content) / count
}

func databaseOf(t testing.TB, s *stack.Stack, part string) *pgx.Conn {
	t.Helper()
	db := expect.Must(pgx.Connect(t.Context(), expect.Must(s.Setting(part, "VITAE_POSTGRES_MIGRATION_URL"))(t)))(t)
	t.Cleanup(func() { _ = db.Close(context.Background()) })
	return db
}

func redisOf(t testing.TB, s *stack.Stack) *redis.Client {
	t.Helper()
	db := redis.NewClient(expect.Must(redis.ParseURL(expect.Must(s.RedisURL())(t)))(t))
	t.Cleanup(func() { _ = db.Close() })
	return db
}
