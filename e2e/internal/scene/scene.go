package scene

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// Scene is the world of one test.
type Scene struct {
	// Stack is the stack into which the world is imported.
	Stack *stack.Stack
	// World is the imported world. Created is the output of the import.
	World   world.World
	Created world.Created
}

// New imports people, by default the person that world.Full returns, and the accounts of world.OneDeveloper and
// world.OtherDeveloper.
func New(t testing.TB, people ...world.Person) *Scene {
	t.Helper()
	if len(people) == 0 {
		people = []world.Person{world.Full()}
	}
	return Of(t, suite.System, world.World{
		People: people, Developers: []world.Developer{world.OneDeveloper(), world.OtherDeveloper()},
	})
}

// Of imports a world into a stack.
func Of(t testing.TB, on *stack.Stack, w world.World) *Scene {
	t.Helper()
	return &Scene{Stack: on, World: w, Created: world.Import(t, on, w)}
}

// NewPerson returns the person with the given ref, in a new browser.
func (s *Scene) NewPerson(t testing.TB, ref string) *person.Person {
	t.Helper()
	for _, p := range s.World.People {
		if p.Ref == ref {
			return person.New(p.Email, p.Password)
		}
	}
	t.Fatalf("no person %q", ref)
	return nil
}

// Client returns a client for the app with the given ref, connected to the first replica.
func (s *Scene) Client(t testing.TB, ref string) partner.Client {
	t.Helper()
	created, ok := s.Created.Apps[ref]
	if !ok {
		t.Fatalf("no app %q", ref)
	}
	c := partner.Client{
		BaseURL: s.Stack.BaseURLs[0], Issuer: s.Stack.BaseURLs[0],
		ID: created.ClientID, Secret: created.ClientSecret, Redirect: world.Redirect,
	}
	if created.ClientSecret == "" {
		c.Method = partner.Public
	}
	return c
}

// AppName returns the name of an app, as displayed on the pages.
func (s *Scene) AppName(t testing.TB, ref string) string {
	t.Helper()
	for _, d := range s.World.Developers {
		for _, a := range d.Apps {
			if a.Ref == ref {
				return a.Name
			}
		}
	}
	t.Fatalf("no app %q", ref)
	return ""
}

// Replicas returns the client for every replica.
func (s *Scene) Replicas(c partner.Client) []partner.Client {
	var all []partner.Client
	for _, u := range s.Stack.BaseURLs {
		all = append(all, c.At(u))
	}
	return all
}

// Open requests a URL without a credential.
func Open(t testing.TB, target string) partner.Response {
	t.Helper()
	return expect.Must(partner.Get(t.Context(), target, ""))(t)
}

// Raw sends a body exactly as given. Headers are pairs of name and value.
func Raw(t testing.TB, method, target, contentType, body string, headers ...string) partner.Response {
	t.Helper()
	return expect.Must(partner.Raw(t.Context(), method, target, contentType, body, headers...))(t)
}

// Path returns the path and query of a URL.
func Path(t testing.TB, address string) string {
	t.Helper()
	return expect.Must(url.Parse(address))(t).RequestURI()
}

// Flusher returns a function that empties the Redis of the shared stack. It first waits for other tests
// that called KeepRedis.
func Flusher(t testing.TB) func(context.Context) error {
	t.Helper()
	lockRedis(t, syscall.LOCK_SH)
	address := expect.Must(suite.System.RedisURL())(t)
	client := redis.NewClient(expect.Must(redis.ParseURL(address))(t))
	t.Cleanup(func() { _ = client.Close() })
	return func(ctx context.Context) error { return client.FlushAll(ctx).Err() }
}

// KeepRedis prevents other tests from emptying the Redis of the shared stack until the test ends. Otherwise the
// day's usage would be restored from auth, which lags by a few seconds.
func KeepRedis(t testing.TB) {
	t.Helper()
	lockRedis(t, syscall.LOCK_EX)
}

// lockRedis locks a file, because tests of several packages share the stack.
func lockRedis(t testing.TB, how int) {
	t.Helper()
	lock := expect.Must(os.OpenFile(filepath.Join(suite.System.Dir(), "redis.tests.lock"), os.O_CREATE|os.O_RDWR, 0o600))(t)
	t.Cleanup(func() { _ = lock.Close() }) // unlocks
	if err := syscall.Flock(int(lock.Fd()), how); err != nil {
		t.Fatalf("lock %s: %v", lock.Name(), err)
	}
}
