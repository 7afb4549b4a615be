package ha_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// tries is how often each change is tried while no standby confirms. The first try may find
// what it wants to change, and wait; a later one may find it changed.
const tries = 3

// A primary that is cut off from its standbys and from etcd serves on until its Patroni stops
// it. A commit that waits for a standby is there as soon as its client gives up, for everyone
// who reads this primary: what is answered by reading it is lost when a standby is promoted.
func TestNothingIsAcknowledgedThatNoStandbyHas(t *testing.T) {
	g := newGroup(t)
	l := newLoad(t, start(t, "VITAE_POSTGRES_URL="+g.HostsURL("postgres"))) // a HAProxy would notice
	changes := l.changes(t)
	primary := expect.Must(g.Primary(t.Context()))(t)
	cut := primary.Signal(syscall.SIGSTOP) // Patroni alone
	for _, n := range g.Nodes {
		if n != primary {
			cut = errors.Join(cut, n.FreezePostgres())
		}
	}
	if cut != nil {
		t.Fatal(cut)
	}
	l.breaks()
	var group sync.WaitGroup
	for _, c := range changes {
		group.Go(func() {
			for range tries {
				ctx, cancel := context.WithTimeout(t.Context(), askTimeout)
				c(ctx)
				cancel()
			}
		})
	}
	group.Wait()
	t.Logf("%d changes were tried %d times each while no standby confirmed; %d were acknowledged", len(changes), tries, l.acknowledged.Load())
	for _, f := range append(l.facts, l.ended...) {
		t.Errorf("%s was acknowledged", f.what)
	}
	primary.Kill()
	for _, n := range g.Nodes {
		if n != primary {
			if err := n.Thaw(); err != nil {
				t.Fatal(err)
			}
		}
	}
	expect.Eventually(t, "a standby is promoted", func(ctx context.Context) error {
		_, err := g.Primary(ctx)
		return err
	})
	stop := l.run(t)
	l.awaitWhole(t)
	stop()
	l.auditJobs(t)
	l.audit(t, l.BaseURLs)
}

// changes are one of each kind that partners and operators rely on. Each may be made again.
func (l *load) changes(t *testing.T) (all []func(context.Context)) {
	t.Helper()
	path := "/v1/companies/" + l.company
	made := expect.Must(l.keys.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: l.appID, Name: "short-lived", Scopes: world.CompanyScopes}))(t)
	all = append(all, func(ctx context.Context) {
		begun := time.Now()
		if _, err := l.keys.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: made.GetApiKey().GetId()}); err == nil {
			l.told(begun, fact{"a deleted key", path, made.GetSecret(), http.StatusUnauthorized})
		}
	})
	for range 3 {
		who := world.Full()
		who.CVs = nil
		world.Import(t, l.Stack, world.World{People: []world.Person{who}})
		p := person.New(who.Email, who.Password)
		tokens := expect.Must(l.connect(t.Context(), p))(t)
		dead := fact{"a token of a revoked family", "/v1/me", tokens.Access, http.StatusUnauthorized}
		switch len(all) {
		case 1:
			all = append(all, l.revoking(tokens.Refresh, dead))
		case 2:
			dead.what = "a revoked token"
			all = append(all, l.revoking(tokens.Access, dead))
		default:
			dead.what = "a token of a connection that was ended"
			all = append(all, func(ctx context.Context) {
				if begun := time.Now(); p.Disconnect(ctx, l.AppURLs[0], l.appName) == nil {
					l.told(begun, dead)
				}
			})
		}
	}
	company := world.Company().With("externalId", "ext-"+world.Unique())
	all = append(all, func(ctx context.Context) {
		begun := time.Now()
		a, err := l.employer(1).CreateCompany(ctx, company)
		if err == nil && (a.Status == http.StatusCreated || a.Status == http.StatusOK) {
			l.told(begun, fact{"a company", "/v1/companies/" + idOf(a), l.key, http.StatusOK})
		}
	})
	first := "key-" + world.Unique()
	job := idOf(expect.Must(l.employer(0).CreateJob(t.Context(), l.company, world.Live(), "Idempotency-Key", first))(t))
	l.tried.Store(first, job)
	all = append(all, func(ctx context.Context) {
		begun := time.Now()
		if _, err := l.intake.Apply(ctx, scene.Applying(job, l.person)); err == nil || scene.AlreadyApplied(err) {
			l.told(begun, fact{"an application", "/v1/jobs/" + job + "/candidates", l.key, http.StatusOK})
		}
	})
	key := ""
	return append(all, func(ctx context.Context) { key = l.createJob(ctx, 1, key) })
}

func (l *load) revoking(token string, dead fact) func(context.Context) {
	return func(ctx context.Context) {
		begun := time.Now()
		if a, err := l.app(0).Revoke(ctx, token); err == nil && a.Status == http.StatusOK {
			l.told(begun, dead)
		}
	}
}
