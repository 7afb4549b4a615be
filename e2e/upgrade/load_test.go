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

// pause is the time between two rounds of a client. It leaves processor time for other processes.
const pause = 200 * time.Millisecond

// edge is a gateway with its URLs.
type edge struct{ name, base, app, console string }

// load is a set of clients that use all gateways in turn, and the failures that they have found. A
// round begins on one gateway and continues on others, so objects created by one release are used,
// changed and deleted by the other.
type load struct {
	made       world.Created
	token, key string // credentials of clients that only read
	// connecting and developer are two people who always use the same browser, because the number of
	// sign-ins to an account from new browsers is limited
	// (behaviour: sign-in#limit-on-guesses-per-account).
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

// begin imports a world with the given deployment's vitaectl, and starts clients that use this deployment.
func begin(t *testing.T, on *deployment) *load {
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

// use makes the clients also use the given deployment: its gateways, and its gRPC services as internal teams
// do.
func (l *load) use(t *testing.T, x *deployment) {
	t.Helper()
	l.add(t, x, false)
}

// only makes the clients use only the given deployment, with new connections. A round in progress continues to
// use the previous ones.
func (l *load) only(t *testing.T, x *deployment) {
	t.Helper()
	l.add(t, x, true)
}

// add adds a deployment to the current ones, or replaces them if only is true.
func (l *load) add(t *testing.T, x *deployment, only bool) {
	t.Helper()
	keys := authv1.NewDeveloperServiceClient(suite.Dial(t, x.Stack, x.note.GRPC.Auth, "auth", "vitaectl"))
	intake := candidatev1.NewApplicationIntakeServiceClient(suite.Dial(t, x.Stack, x.note.GRPC.Candidate, "candidate", "internal"))
	l.mu.Lock()
	defer l.mu.Unlock()
	if only {
		l.edges, l.keys, l.intakes = nil, nil, nil
	}
	for i, base := range x.BaseURLs {
		l.edges = append(l.edges, edge{fmt.Sprintf("%s gateway %d", x.name, i+1), base, x.AppURLs[i], x.ConsoleURLs[i]})
	}
	l.keys, l.intakes = append(l.keys, keys), append(l.intakes, intake)
}

// round holds what one round of a client uses.
type round struct {
	*load
	n      int
	edges  []edge
	auths  [2]authv1.DeveloperServiceClient // auths[0] creates a key and auths[1] deletes it
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

// run starts the clients. They run until stop is called or the test ends, but always finish a round.
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

// more waits until every client has finished enough rounds to have begun one on every gateway, and
// reports failures.
func (l *load) more(t *testing.T, doing string) {
	t.Helper()
	l.mu.Lock()
	more := len(l.edges) + 1 // one round is in progress
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

// report reports all failures since the last report.
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

// served reports whether the response is the expected one, and records a failure if not.
func (l *load) served(what string, at edge, want int, a partner.Response, err error) bool {
	if err != nil {
		l.broken("%s on %s: %v", what, at.name, err)
		return false
	}
	if a.Status != want {
		l.broken("%s on %s: %d %s, want %d", what, at.name, a.Status, a.Code(), want)
	}
	return a.Status == want
}

// everywhere asserts that every gateway responds with the given status to a read with the credential.
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
