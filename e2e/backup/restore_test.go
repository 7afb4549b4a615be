package backup_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/backing"
)

// newTold imports a world in which everything can be revoked.
func newTold(t *testing.T, s *stack.Stack) *told {
	t.Helper()
	w := world.Applicants()
	for _, ref := range []string{"rotates", "revokes", "unshares", "signs out", "member"} {
		p := world.Full()
		p.Ref, p.CVs = ref, nil
		w.People = append(w.People, p)
	}
	dev := world.OneDeveloper()
	dev.Members = []world.Member{{Person: "member", Role: "owner"}, {Person: "signs out", Role: "owner"}}
	w.Developers = []world.Developer{dev}
	return &told{Platform: scene.PlatformOn(t, s, w)}
}

// issue issues one of everything, and returns what ends the half of it.
func (l *told) issue(t *testing.T) (revoke func()) {
	t.Helper()
	company := l.Created.Companies["com"].ID
	doomed, id := l.NewKey(t, "ats", "--scopes", "companies:read")
	endKey := l.has(t, "a key", l.reads("/v1/companies/"+company, doomed.Key))
	l.has(t, "the key that stays", l.reads("/v1/companies/"+company, l.API.Key))
	endSuspended := l.has(t, "the key of an account", l.reads("/v1/companies", l.Created.APIKeys["rival-key"].Key))
	endDeleted := l.has(t, "the key of an app", l.reads("/v1/companies", l.Created.APIKeys["sibling-key"].Key))

	disconnects, rotates, revokes, unshares := l.connected(t, "layla"), l.connected(t, "rotates"), l.connected(t, "revokes"), l.connected(t, "unshares")
	stays := l.connected(t, "noura")
	endToken := l.has(t, "a token of a consent", l.reads("/v1/me", disconnects.Tokens.Access))
	endLink := l.has(t, "a durable link", l.opens(disconnects.Link(t)))
	endRotated := l.has(t, "a refresh token", l.refreshes(rotates.App, rotates.Tokens.Refresh))
	endRevoked := l.has(t, "a token", l.reads("/v1/me", revokes.Tokens.Access))
	endFamily := l.has(t, "a refresh token of a family", l.refreshes(revokes.App, revokes.Tokens.Refresh))
	endShared := l.has(t, "a shared CV", l.reads("/v1/me/cv", unshares.Tokens.Access))
	l.has(t, "the token that stays", l.reads("/v1/me/cv", stays.Tokens.Access))
	l.has(t, "the durable link that stays", l.opens(stays.Link(t)))

	connections, console := l.Stack.AppURLs[0]+"/connections", l.Stack.ConsoleURLs[0]+"/apps"
	leaves, remains, removed := l.NewPerson(t, "signs out"), l.NewPerson(t, "noura"), l.NewPerson(t, "member")
	for _, p := range []*person.Person{leaves, removed} {
		expect.Must(p.EnterConsole(t.Context(), l.Stack.ConsoleURLs[0]))(t)
	}
	expect.Must(remains.Connections(t.Context(), l.Stack.AppURLs[0]))(t)
	endCookie := l.has(t, "the cookie of a browser", l.shows(t, leaves, connections))
	endConsole := l.has(t, "the cookie of a browser at the console", l.shows(t, leaves, console))
	settings := fmt.Sprintf("%s/apps/%s", l.Stack.ConsoleURLs[0], l.Created.Apps["web"].ID)
	endMember := l.has(t, "a membership", l.shows(t, removed, settings))
	l.has(t, "the cookie that stays", l.shows(t, remains, connections))
	employer := l.Client(t, "ats")
	endSecret := l.has(t, "a client secret", l.authenticates(employer))

	return func() {
		l.Exits(t, 0, "key", "delete", id)
		endKey()
		l.Exits(t, 0, "account", "suspend", l.Created.Developers["rival-platform"].ID)
		endSuspended()
		l.Exits(t, 0, "app", "delete", l.Created.Apps["sibling"].ID, "--yes")
		endDeleted()
		disconnects.Disconnect(t)
		endToken()
		endLink()
		next := expect.Must(expect.Must(rotates.App.Refresh(t.Context(), rotates.Tokens.Refresh, ""))(t).Tokens())(t)
		endRotated()
		l.has(t, "the refresh token that came after", l.refreshes(rotates.App, next.Refresh))
		l.has(t, "the access token that came after", l.reads("/v1/me", next.Access))
		expect.Revoked(t, expect.Must(revokes.App.Revoke(t.Context(), revokes.Tokens.Refresh))(t))
		endRevoked()
		endFamily()
		unshares.Share(t, false)
		endShared()
		signOut(t, leaves, console)
		endConsole()
		signOut(t, leaves, connections)
		endCookie()
		l.Exits(t, 0, "member", "remove", "--account", l.Created.Developers["dev"].ID, "--person", l.Created.People["member"].ID, "--yes")
		endMember()
		employer.Secret = l.Vitaectl(t, "app", "rotate-secret", l.Created.Apps["ats"].ID, "--yes")["clientSecret"].(string)
		endSecret()
		l.has(t, "the client secret that came after", l.authenticates(employer))
	}
}

func TestWhatWasRevokedAfterTheMomentOfARestoreStaysRefused(t *testing.T) {
	o := newSite(t)
	first := o.start(t, "first")
	keep := o.keep(t, "backup-log")
	o.follow(t, "backup-synchronous")
	rdb := expect.Must(backing.StartRedis(t.Context(), backing.RedisOptions{Dir: o.dir + "/redis"}))(t)
	t.Cleanup(rdb.Kill)
	s := suite.Start(t, "restored", suite.NoTiers, "VITAE_POSTGRES_URL="+first.URL("postgres"), "VITAE_REDIS_URL="+rdb.URL())
	l := newTold(t, s)
	o.env["BASE"] = o.follow(t, "backup-base")
	revoke := l.issue(t)

	moment := query[time.Time](t, first, "postgres", "SELECT clock_timestamp()")
	o.env["TIME"] = moment.Format("2006-01-02 15:04:05.999999-07:00")
	revoke()
	l.holds(t)
	suite.Stop(t, s)
	first.Kill()
	must(t, keep.Stop(t.Context()))

	o.env["DATA"], o.env["LAST_DATA"] = o.restored(t, "second", "first"), o.restored(t, "last", "first")
	o.follow(t, "restore-moment")
	o.follow(t, "restore-last")
	second, last := o.start(t, "second"), o.start(t, "last")
	if n := query[int](t, second, "vitae_auth", "SELECT count(*) FROM api_keys WHERE deleted_at IS NOT NULL"); n != 0 {
		t.Errorf("%d keys are deleted at the moment of the restore: the test proves nothing", n)
	}
	o.env["LAST"], o.env["RESTORED"] = last.URL("vitae_auth"), second.URL("vitae_auth")
	o.follow(t, "restore-credentials")
	o.reach(t, second)
	o.follow(t, "restore-open")
	s.SetEnv(suite.NoTiers, "VITAE_POSTGRES_URL="+second.URL("postgres"), "VITAE_REDIS_URL="+rdb.URL())
	awaitNoRecords(t, rdb)
	suite.Begin(t, s)
	l.holds(t)
}

// awaitNoRecords waits until the session records of before have died, which takes some
// seconds.
func awaitNoRecords(t *testing.T, server *backing.Redis) {
	t.Helper()
	rdb := redis.NewClient(expect.Must(redis.ParseURL(server.URL()))(t))
	defer rdb.Close()
	expect.Eventually(t, "the end of the session records", func(ctx context.Context) error {
		keys, err := rdb.Keys(ctx, "*:cred:*").Result()
		if err == nil && len(keys) > 0 {
			err = fmt.Errorf("%d are left", len(keys))
		}
		return err
	})
}

