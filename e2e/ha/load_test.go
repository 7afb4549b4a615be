package ha_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	// askTimeout is longer than every deadline of the system.
	askTimeout = 55 * time.Second
	// pause leaves the machine some of its time.
	pause = 50 * time.Millisecond
)

// load is clients of every kind, and the ledger of what they were told.
type load struct {
	*stack.Stack
	*ledger
	made                       world.Created
	key, company, token, appID string
	appName                    string // of the app that people connect, on the pages
	person                     string // the id of one who applies to every job
	revoker                    *person.Person
	keys                       authv1.DeveloperServiceClient
	intake                     candidatev1.ApplicationIntakeServiceClient

	tried sync.Map // the idempotency keys of jobs, and the ids that they gave
}

func newLoad(t *testing.T, s *stack.Stack) *load {
	t.Helper()
	reader, revoker, applicant := world.Full(), world.Full(), world.Bare()
	reader.CVs, revoker.CVs = nil, nil
	reader.Ref, revoker.Ref, applicant.Ref = "reader", "revoker", "applicant"
	applicant.Profile = &world.Content{Summary: "Applies."}
	dev := world.OneDeveloper()
	made := world.Import(t, s, world.World{
		People: []world.Person{reader, revoker, applicant}, Developers: []world.Developer{dev, world.Platform()},
	})
	note := expect.Must(s.Note())(t)
	l := &load{
		Stack: s, ledger: newLedger(), made: made, key: made.APIKeys["ats-key"].Key, appID: made.Apps["ats"].ID,
		appName: dev.Apps[0].Name, person: made.People["applicant"].ID, revoker: person.New(revoker.Email, revoker.Password), intake: scene.Intake(t, s),
		keys: authv1.NewDeveloperServiceClient(suite.Dial(t, s, note.GRPC.Auth, "auth", "vitaectl")),
	}
	company := expect.Must(l.employer(0).CreateCompany(t.Context(), world.Company()))(t)
	l.company = idOf(company)
	l.token = expect.Must(l.connect(t.Context(), person.New(reader.Email, reader.Password)))(t).Access
	return l
}

func idOf(a partner.Answer) string {
	var body struct{ Data struct{ ID string } }
	_ = json.Unmarshal(a.Body, &body) // an answer without an id has none
	return body.Data.ID
}

func (l *load) employer(edge int) partner.Employer {
	return partner.Employer{BaseURL: l.BaseURLs[edge], Key: l.key}
}

func (l *load) app(edge int) partner.Client {
	web := l.made.Apps["web"]
	return partner.Client{BaseURL: l.BaseURLs[edge], ID: web.ClientID, Secret: web.ClientSecret, Redirect: world.Redirect}
}

// connect has a person sign in and consent, and returns the tokens.
func (l *load) connect(ctx context.Context, p *person.Person) (partner.Tokens, error) {
	r := l.app(0).NewRequest(world.EveryScope)
	back, err := p.Authorize(ctx, l.app(0).URL(r), person.Choice{})
	if err != nil {
		return partner.Tokens{}, err
	}
	a, err := l.app(0).Exchange(ctx, back.Query().Get("code"), r.Verifier)
	if err != nil {
		return partner.Tokens{}, err
	}
	return a.Tokens()
}

// run puts load on the system until stop is called, which waits for the requests under way.
func (l *load) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	each := func(do func(ctx context.Context, n int)) {
		wait.Go(func() {
			tick := time.NewTicker(pause)
			defer tick.Stop()
			for n := 0; ; n++ {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				asking, done := context.WithTimeout(t.Context(), askTimeout)
				do(asking, n)
				done()
			}
		})
	}
	for edge := range l.BaseURLs {
		each(func(ctx context.Context, _ int) { l.read(ctx, edge, "/v1/me", l.token) })
		each(func(ctx context.Context, _ int) { l.read(ctx, edge, "/v1/companies/"+l.company, l.key) })
		each(func(ctx context.Context, n int) { l.useEnded(ctx, edge, n*7919+edge) })
		var key string
		each(func(ctx context.Context, _ int) { key = l.createJob(ctx, edge, key) })
		each(l.deleteKey)
	}
	each(l.revoke)
	stop = sync.OnceFunc(func() { cancel(); wait.Wait() })
	t.Cleanup(stop)
	return stop
}

func (l *load) read(ctx context.Context, edge int, path, credential string) {
	a, err := partner.Get(ctx, l.BaseURLs[edge]+path, credential)
	l.served(path, http.StatusOK, a, err)
}

func (l *load) useEnded(ctx context.Context, edge, n int) {
	if f, ok := l.anEnded(n); ok {
		a, err := partner.Get(ctx, l.BaseURLs[edge]+f.path, f.credential)
		l.served(f.what, f.status, a, err)
	}
}

// createJob creates a job and has a person apply to it. It returns the idempotency key of a
// job that was not acknowledged, for the next try.
func (l *load) createJob(ctx context.Context, edge int, key string) string {
	if key == "" {
		key = "key-" + world.Unique()
		l.tried.Store(key, "")
	}
	begun := time.Now()
	a, err := l.employer(edge).CreateJob(ctx, l.company, world.Live(), "Idempotency-Key", key)
	if !l.served("create a job", http.StatusCreated, a, err) {
		return key
	}
	id := idOf(a)
	l.tried.Store(key, id)
	l.told(begun, fact{"a job", "/v1/jobs/" + id, l.key, http.StatusOK})
	l.apply(ctx, id)
	return ""
}

func (l *load) apply(ctx context.Context, job string) {
	l.asked.Add(1)
	begun := time.Now()
	made, err := l.intake.Apply(ctx, scene.Applying(job, l.person))
	switch e, _ := errs.As(err); {
	case err == nil:
		l.told(begun, fact{"an application", "/v1/candidates/" + made.GetApplication().GetApplicationId(), l.key, http.StatusOK})
	case e != nil && e.Kind == errs.NotFound:
		l.broken("apply to a job that was acknowledged: %v", err)
	default:
		l.refuse()
	}
}

// deleteKey creates a key, uses it at every replica, and deletes it.
func (l *load) deleteKey(ctx context.Context, _ int) {
	l.asked.Add(1)
	begun := time.Now()
	made, err := l.keys.CreateApiKey(ctx, &authv1.CreateApiKeyRequest{AppId: l.appID, Name: "short-lived", Scopes: world.CompanyScopes})
	if err != nil {
		l.refuse()
		return
	}
	l.told(begun)
	path := "/v1/companies/" + l.company
	for _, base := range l.BaseURLs {
		a, err := partner.Get(ctx, base+path, made.GetSecret())
		l.served("a new key", http.StatusOK, a, err)
	}
	l.asked.Add(1)
	begun = time.Now()
	if _, err := l.keys.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: made.GetApiKey().GetId()}); err != nil {
		l.refuse()
		return
	}
	l.told(begun, fact{"a deleted key", path, made.GetSecret(), http.StatusUnauthorized})
}

// revoke connects a person, uses the token at every replica, and revokes it.
func (l *load) revoke(ctx context.Context, n int) {
	l.asked.Add(1)
	tokens, err := l.connect(ctx, l.revoker)
	if err != nil {
		l.refuse()
		return
	}
	for _, base := range l.BaseURLs {
		a, err := partner.Get(ctx, base+"/v1/me", tokens.Access)
		l.served("a new token", http.StatusOK, a, err)
	}
	begun := time.Now()
	a, err := l.app(n%len(l.BaseURLs)).Revoke(ctx, tokens.Refresh)
	if l.served("revoke", http.StatusOK, a, err) {
		l.told(begun, fact{"a token of a revoked family", "/v1/me", tokens.Access, http.StatusUnauthorized})
	}
}

// awaitWhole waits until everything is served at every replica, and then asserts that
// nothing is refused any more.
func (l *load) awaitWhole(t *testing.T) {
	t.Helper()
	quiet := l.refused.Load()
	asked, written := l.asked.Load(), l.acknowledged.Load()
	expect.Eventually(t, "requests of every kind without a refusal", func(context.Context) error {
		if now := l.refused.Load(); now != quiet {
			quiet, asked, written = now, l.asked.Load(), l.acknowledged.Load()
		}
		if l.asked.Load()-asked < 300 || l.acknowledged.Load()-written < 30 {
			return fmt.Errorf("%d refused so far", quiet)
		}
		return nil
	})
}

// auditJobs repeats every create at both replicas: each idempotency key gives the job that
// was answered, and there is no other job.
func (l *load) auditJobs(t *testing.T) {
	t.Helper()
	ids := map[string]bool{}
	l.tried.Range(func(key, id any) bool {
		for edge := range l.BaseURLs {
			a := expect.Must(l.employer(edge).CreateJob(t.Context(), l.company, world.Live(), "Idempotency-Key", key.(string)))(t)
			got := idOf(a)
			if a.Status != http.StatusCreated || id != "" && got != id {
				t.Errorf("%s was answered with %q, and gives %s now", key, id, a)
			}
			id = got
		}
		ids[id.(string)] = true
		return true
	})
	a := expect.Must(l.employer(0).Jobs(t.Context(), l.company, ""))(t)
	var body struct{ Meta struct{ Total int } }
	if err := errors.Join(json.Unmarshal(a.Body, &body)); err != nil || body.Meta.Total != len(ids) {
		t.Errorf("%d jobs of %d keys, %v", body.Meta.Total, len(ids), err)
	}
}
