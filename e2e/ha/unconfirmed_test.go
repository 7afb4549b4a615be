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
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// tries is the number of attempts at each change while no standby confirms. The first attempt may wait
// for a confirmation; a later attempt may find the change already made.
const tries = 3

// A primary that is cut off from its standbys and from etcd serves requests until its Patroni stops it.
// If a client times out while its commit waits for a standby, everyone who reads from this primary sees
// the commit. Responses that rely on the commit are wrong once a standby is promoted.
func TestUnreplicatedWriteIsNotAcknowledged(t *testing.T) {
	g := newGroup(t)
	c := newClients(t, start(t, "VITAE_POSTGRES_URL="+g.HostsURL("postgres")), 0) // HAProxy would notice the failure
	changes := c.changes(t)
	before := len(c.Facts())
	primary := expect.Must(g.Primary(t.Context()))(t)
	cut := primary.Signal(syscall.SIGSTOP) // suspends only Patroni
	for _, n := range g.Nodes {
		if n != primary {
			cut = errors.Join(cut, n.FreezePostgres())
		}
	}
	if cut != nil {
		t.Fatal(cut)
	}
	c.Breaks()
	var group sync.WaitGroup
	for _, change := range changes {
		group.Go(func() {
			for range tries {
				ctx, cancel := context.WithTimeout(t.Context(), load.RequestTimeout)
				change(ctx)
				cancel()
			}
		})
	}
	group.Wait()
	acknowledged := c.Facts()[before:]
	t.Logf("%d changes were attempted %d times each without a confirmation by a standby; %d were acknowledged", len(changes), tries, len(acknowledged))
	for _, f := range acknowledged {
		t.Errorf("%s was acknowledged", f.What)
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
	stop := c.Run(t)
	c.awaitWhole(t)
	stop()
	c.Audit(t)
}

// changes returns one change of each kind that partners and operators rely on. Each may be repeated.
func (c *clients) changes(t *testing.T) (all []func(context.Context)) {
	t.Helper()
	path := "/v1/companies/" + c.Company
	made := expect.Must(c.Keys.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.Made.Apps["ats"].ID, Name: "short-lived", Scopes: world.CompanyScopes}))(t)
	all = append(all, func(ctx context.Context) {
		begun := time.Now()
		if _, err := c.Keys.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: made.GetApiKey().GetId()}); err == nil {
			c.RecordWrite(begun, load.Ended("a deleted key", made.GetSecret(), path))
		}
	})
	for range 3 {
		who := world.Full()
		who.CVs = nil
		world.Import(t, c.Stack, world.World{People: []world.Person{who}})
		p := person.New(who.Email, who.Password)
		tokens := expect.Must(c.Connect(t.Context(), p))(t)
		dead := load.Ended("a token of a revoked family", tokens.Access, "/v1/me")
		switch len(all) {
		case 1:
			all = append(all, c.revoking(tokens.Refresh, dead))
		case 2:
			dead.What = "a revoked token"
			all = append(all, c.revoking(tokens.Access, dead))
		default:
			dead.What = "a token of an ended connection"
			all = append(all, func(ctx context.Context) {
				if begun := time.Now(); p.Disconnect(ctx, c.AppURLs[0], c.AppName) == nil {
					c.RecordWrite(begun, dead)
				}
			})
		}
	}
	company := world.Company().With("externalId", "ext-"+world.Unique())
	all = append(all, func(ctx context.Context) {
		begun := time.Now()
		a, err := c.Employer(1).CreateCompany(ctx, company)
		if err == nil && (a.Status == http.StatusCreated || a.Status == http.StatusOK) {
			c.RecordWrite(begun, load.Alive("a company", c.Key, "/v1/companies/"+load.ID(a)))
		}
	})
	first, second := c.NewAttempt(), c.NewAttempt()
	if !c.CreateJob(t.Context(), first, 0) {
		t.Fatal("cannot create a job")
	}
	all = append(all, func(ctx context.Context) {
		begun := time.Now()
		if _, err := c.Intake.Apply(ctx, scene.Applying(first.Job, c.People[0])); err == nil || scene.AlreadyApplied(err) {
			c.RecordWrite(begun, load.Alive("an application", c.Key, "/v1/jobs/"+first.Job+"/candidates"))
		}
	})
	return append(all, func(ctx context.Context) { c.CreateJob(ctx, second, 1) })
}

func (c *clients) revoking(token string, dead load.Fact) func(context.Context) {
	return func(ctx context.Context) {
		begun := time.Now()
		if a, err := c.App(0).Revoke(ctx, token); err == nil && a.Status == http.StatusOK {
			c.RecordWrite(begun, dead)
		}
	}
}
