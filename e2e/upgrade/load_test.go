//go:build upgrade

package upgrade_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// pause between two rounds of a client leaves some processor time to others.
const pause = 200 * time.Millisecond

// edge is one gateway with its addresses.
type edge struct{ name, base, app, console string }

// load is a set of clients that use every gateway in turn, with the faults that they found. A round
// of a client begins at one gateway and continues at others. Objects that one release has created are
// therefore used, changed and ended by the other.
type load struct {
	made       world.Created
	token, key string // of those that only read
	// The browsers of two people, who stay the same: an account takes few sign-ins from new
	// browsers in an hour (behaviour: sign-in#limit-on-guesses-per-account).
	connecting, developer *person.Person
	company               string
	job                   string
	applicant             string

	mu      sync.Mutex
	edges   []edge
	keys    []authv1.DeveloperServiceClient
	intakes []candidatev1.ApplicationIntakeServiceClient
	rounds  map[string]int
	wrong   map[string]int
	stop    func()
}

// begin imports a world with vitaectl of a side, and has clients use that side.
func begin(t *testing.T, on *side) *load {
	t.Helper()
	w := world.World{Developers: []world.Developer{world.OneDeveloper(), world.Platform()}}
	browser := map[string]*person.Person{}
	for _, ref := range []string{"reader", "connecting", "developer", "applicant"} {
		p := world.Full()
		p.Ref, p.CVs = ref, nil
		w.People, browser[ref] = append(w.People, p), person.New(p.Email, p.Password)
	}
	l := &load{connecting: browser["connecting"], developer: browser["developer"], rounds: map[string]int{}, wrong: map[string]int{}}
	l.made = world.Import(t, on.Stack, w)
	l.key, l.applicant = l.made.APIKeys["ats-key"].Key, l.made.People["applicant"].ID
	l.use(t, on)
	tokens := expect.Must(scene.TryConnect(t.Context(), l.client(l.edges[0]), browser["reader"], world.EveryScope))(t)
	l.token = tokens.Access
	expect.Must(l.developer.EnterConsole(t.Context(), on.ConsoleURLs[0]))(t)
	api := partner.Employer{BaseURL: on.BaseURLs[0], Key: l.key}
	l.company = expect.Created(t, expect.Must(api.CreateCompany(t.Context(), world.Company()))(t))["id"].(string)
	l.job = expect.Created(t, expect.Must(api.CreateJob(t.Context(), l.company, world.Live()))(t))["id"].(string)
	l.run(t)
	return l
}

// use adds the gateways of a side, and its services for internal teams.
func (l *load) use(t *testing.T, x *side) {
	t.Helper()
	l.add(t, x, false)
}

// only keeps the gateways and services of one side, and dials them again. A round that begins in
// the meantime still uses the earlier ones.
func (l *load) only(t *testing.T, x *side) {
	t.Helper()
	l.add(t, x, true)
}

// add adds a side to the earlier ones, or replaces them with it.
func (l *load) add(t *testing.T, x *side, alone bool) {
	t.Helper()
	keys := authv1.NewDeveloperServiceClient(suite.Dial(t, x.Stack, x.note.GRPC.Auth, "auth", "vitaectl"))
	intake := candidatev1.NewApplicationIntakeServiceClient(suite.Dial(t, x.Stack, x.note.GRPC.Candidate, "candidate", "internal"))
	l.mu.Lock()
	defer l.mu.Unlock()
	if alone {
		l.edges, l.keys, l.intakes = nil, nil, nil
	}
	for i, base := range x.BaseURLs {
		l.edges = append(l.edges, edge{fmt.Sprintf("%s gateway %d", x.name, i+1), base, x.AppURLs[i], x.ConsoleURLs[i]})
	}
	l.keys, l.intakes = append(l.keys, keys), append(l.intakes, intake)
}

// round has what one round of a client uses, each in turn.
type round struct {
	*load
	n      int
	edges  []edge
	auths  [2]authv1.DeveloperServiceClient // which makes a key, and which ends it
	intake candidatev1.ApplicationIntakeServiceClient
}

func (r round) edge(i int) edge { return r.edges[(r.n+i)%len(r.edges)] }

func (l *load) round(n int) round {
	l.mu.Lock()
	defer l.mu.Unlock()
	return round{
		load: l, n: n, edges: append([]edge(nil), l.edges...), intake: l.intakes[n%len(l.intakes)],
		auths: [2]authv1.DeveloperServiceClient{l.keys[n%len(l.keys)], l.keys[(n+1)%len(l.keys)]},
	}
}

// run starts the clients. They continue until stop or the end of the test; a round in progress always
// finishes.
func (l *load) run(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	for name, do := range clients {
		wait.Go(func() {
			tick := time.NewTicker(pause)
			defer tick.Stop()
			for n := 0; ; n++ {
				do(l.round(n), t.Context())
				l.mu.Lock()
				l.rounds[name]++
				l.mu.Unlock()
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
			}
		})
	}
	l.stop = sync.OnceFunc(func() { cancel(); wait.Wait() })
	t.Cleanup(l.stop)
}

// more waits until every client has begun and finished some more rounds, enough that each
// has begun one at every gateway, and reports what went wrong.
func (l *load) more(t *testing.T, doing string) {
	t.Helper()
	l.mu.Lock()
	more := len(l.edges) + 1 // one was under way
	goal := map[string]int{}
	for name := range clients {
		goal[name] = l.rounds[name] + more
	}
	l.mu.Unlock()
	expect.Eventually(t, doing, func(context.Context) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		for name, n := range goal {
			if l.rounds[name] < n {
				return fmt.Errorf("client %s: %d of %d rounds", name, l.rounds[name], n)
			}
		}
		return nil
	})
	l.report(t, doing)
}

// report reports everything that went wrong since the last report.
func (l *load) report(t *testing.T, doing string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for what, times := range l.wrong {
		t.Errorf("%s: %d times: %s", doing, times, what)
	}
	clear(l.wrong)
	t.Logf("%s: rounds so far: %v", doing, l.rounds)
}

func (l *load) broken(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrong[fmt.Sprintf(format, args...)]++
}

// served records an unexpected answer, and reports whether the answer is the expected one.
func (l *load) served(what string, at edge, want int, a partner.Response, err error) bool {
	if err != nil {
		l.broken("%s at %s: %v", what, at.name, err)
		return false
	}
	if a.Status != want {
		l.broken("%s at %s: %d %s, want %d", what, at.name, a.Status, a.Code(), want)
	}
	return a.Status == want
}

// everywhere expects a status for a credential at every gateway.
func (r round) everywhere(ctx context.Context, what, path, credential string, want int) {
	for _, e := range r.edges {
		a, err := partner.Get(ctx, e.base+path, credential)
		r.served(what, e, want, a, err)
	}
}

func (l *load) client(at edge) partner.Client {
	web := l.made.Apps["web"]
	return partner.Client{BaseURL: at.base, ID: web.ClientID, Secret: web.ClientSecret, Redirect: world.Redirect}
}
