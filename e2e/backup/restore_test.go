package backup_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/backing"
)

// newRecord imports a world that has credentials of every kind.
func newRecord(t *testing.T, s *stack.Stack) *record {
	t.Helper()
	of := imported(t, s, func() world.World {
		w := world.Applicants()
		for _, ref := range []string{"rotates", "revokes", "unshares", "signs out", "member"} {
			p := world.Full()
			p.Ref, p.CVs = ref, nil
			w.People = append(w.People, p)
		}
		dev := world.OneDeveloper()
		dev.Members = []world.Member{{Person: "member", Role: "owner"}, {Person: "signs out", Role: "owner"}}
		w.Developers = []world.Developer{world.Platform(), world.OtherPlatform(), dev}
		return w
	})
	l := &record{Platform: scene.Platform{Scene: of}}
	l.API = l.Key(t, "ats-key")
	return l
}

// imported imports a new world until an import succeeds. An import fails if a call returns a 503.
func imported(t *testing.T, s *stack.Stack, next func() world.World) *scene.Scene {
	t.Helper()
	of := &scene.Scene{Stack: s}
	expect.Eventually(t, "an import", func(context.Context) error {
		of.World = next()
		r := world.TryImport(t, s, of.World)
		if r.Code != 0 {
			return errors.New(r.Stderr)
		}
		return json.Unmarshal([]byte(r.Stdout), &of.Created)
	})
	return of
}

// issue issues credentials of every kind. It returns a function that revokes half of them.
func (l *record) issue(t *testing.T) (revoke func()) {
	t.Helper()
	company := l.Created.Companies["com"].ID
	doomed, id := l.NewKey(t, "ats", "--scopes", "companies:read")
	endKey := l.add(t, "a key", l.reads("/v1/companies/"+company, doomed.Key))
	l.add(t, "the key that stays valid", l.reads("/v1/companies/"+company, l.API.Key))
	endSuspended := l.add(t, "the key of an account", l.reads("/v1/companies", l.Created.APIKeys["rival-key"].Key))
	endDeleted := l.add(t, "the key of an app", l.reads("/v1/companies", l.Created.APIKeys["sibling-key"].Key))

	disconnects, rotates, revokes, unshares := l.connected(t, "layla"), l.connected(t, "rotates"), l.connected(t, "revokes"), l.connected(t, "unshares")
	stays := l.connected(t, "noura")
	endToken := l.add(t, "a token of a consent", l.reads("/v1/me", disconnects.Tokens.Access))
	endLink := l.add(t, "a durable link", l.opens(disconnects.Link(t)))
	endRotated := l.add(t, "a refresh token", l.refreshes(rotates.App, rotates.Tokens.Refresh))
	endRevoked := l.add(t, "a token", l.reads("/v1/me", revokes.Tokens.Access))
	endFamily := l.add(t, "a refresh token of a family", l.refreshes(revokes.App, revokes.Tokens.Refresh))
	endShared := l.add(t, "a shared CV", l.reads("/v1/me/cv", unshares.Tokens.Access))
	l.add(t, "the token that stays valid", l.reads("/v1/me/cv", stays.Tokens.Access))
	l.add(t, "the durable link that stays valid", l.opens(stays.Link(t)))

	connections, console := l.Stack.AppURLs[0]+"/connections", l.Stack.ConsoleURLs[0]+"/apps"
	leaves, remains, removed := l.NewPerson(t, "signs out"), l.NewPerson(t, "noura"), l.NewPerson(t, "member")
	for _, p := range []*person.Person{leaves, removed} {
		expect.Must(p.EnterConsole(t.Context(), l.Stack.ConsoleURLs[0]))(t)
	}
	expect.Must(remains.Connections(t.Context(), l.Stack.AppURLs[0]))(t)
	endCookie := l.add(t, "a session cookie of the pages", l.shows(t, leaves, connections))
	endConsole := l.add(t, "a session cookie of the console", l.shows(t, leaves, console))
	settings := fmt.Sprintf("%s/apps/%s", l.Stack.ConsoleURLs[0], l.Created.Apps["web"].ID)
	endMember := l.add(t, "a membership", l.shows(t, removed, settings))
	l.add(t, "the cookie that stays valid", l.shows(t, remains, connections))
	employer := l.Client(t, "ats")
	endSecret := l.add(t, "a client secret", l.authenticates(employer))

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
		l.add(t, "the rotated refresh token", l.refreshes(rotates.App, next.Refresh))
		l.add(t, "the new access token", l.reads("/v1/me", next.Access))
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
		l.add(t, "the new client secret", l.authenticates(employer))
	}
}

// scenario is a stack whose Postgres is backed up, and is restored both to an earlier time and to the end of
// the log.
type scenario struct {
	*site
	first, second, last *backing.Postgres
	rdb                 *backing.Redis
	record              *record
	busy                *busy
	// service is auth's own database URL.
	service string
	// check holds the settings that the candidate service needs to compare resumes with rows.
	check []string
}

// startOn starts the stack with a different Postgres, once Redis contains no session records.
func (o *scenario) startOn(t *testing.T, pg *backing.Postgres) {
	t.Helper()
	o.record.Stack.SetEnv(suite.NoTiers, suite.Split, "VITAE_POSTGRES_URL="+pg.URL("postgres"), "VITAE_REDIS_URL="+o.rdb.URL())
	awaitNoRecords(t, o.rdb)
	suite.Begin(t, o.record.Stack)
}

func begin(t *testing.T) *scenario {
	t.Helper()
	o := &scenario{site: newSite(t)}
	o.first = o.start(t, "first")
	o.rdb = expect.Must(backing.StartRedis(t.Context(), backing.RedisOptions{Dir: o.dir + "/redis"}))(t)
	t.Cleanup(o.rdb.Kill)
	s := suite.Start(t, "restored", suite.NoTiers, suite.Split, "VITAE_POSTGRES_URL="+o.first.URL("postgres"), "VITAE_REDIS_URL="+o.rdb.URL())
	o.record = newRecord(t, s)
	keep := o.startBlock(t, "backup-log")
	o.runBlock(t, "backup-synchronous")
	o.busy = &busy{record: o.record, company: o.record.Created.Companies["com"].ID}
	stop := o.busy.run(t)
	o.env["BASE"] = o.runBlock(t, "backup-base")
	revoke := o.record.issue(t)
	restoreTime := query[time.Time](t, o.first, "postgres", "SELECT clock_timestamp()")
	o.env["TIME"] = restoreTime.Format("2006-01-02 15:04:05.999999-07:00")
	o.busy.markRestorePoint()
	revoke()
	stop()
	o.mistake(t)
	o.record.check(t)
	o.service = expect.Must(s.Setting("auth", "VITAE_POSTGRES_URL"))(t)
	for _, name := range []string{"VITAE_POSTGRES_URL", "VITAE_BLOB_URL", "VITAE_BLOB_SIGNING_KEYS", "VITAE_BASE_URL"} {
		o.check = append(o.check, name+"="+expect.Must(s.Setting("candidate", name))(t))
	}
	suite.Stop(t, s)
	o.first.Kill()
	must(t, keep.Stop(t.Context()))
	return o
}

// mistake makes the restore necessary: it corrupts every job. It also adds an application with a resume.
func (o *scenario) mistake(t *testing.T) {
	t.Helper()
	conn := expect.Must(pgx.Connect(t.Context(), o.first.URL("vitae_partnercatalog")))(t)
	defer conn.Close(context.WithoutCancel(t.Context()))
	expect.Must(conn.Exec(t.Context(), "UPDATE jobs SET title = 'spoilt'"))(t)
	imported(t, o.record.Stack, func() world.World {
		w := world.Applicants()
		w.People, w.Applications = w.People[2:], w.Applications[2:]
		w.Developers = []world.Developer{world.Platform()}
		return w
	})
}

func TestRestoreKeepsLaterRevocations(t *testing.T) {
	o := begin(t)
	o.env["DATA"], o.env["LAST_DATA"] = o.makeServerDir(t, "second", "first"), o.makeServerDir(t, "last", "first")
	o.runBlock(t, "restore-moment")
	o.runBlock(t, "restore-last")
	o.second, o.last = o.start(t, "second"), o.start(t, "last")
	if n := query[int](t, o.second, "vitae_auth", "SELECT count(*) FROM connections WHERE ended_at IS NOT NULL OR NOT cv_sharing"); n != 0 {
		t.Errorf("%d consents had ended at the restored time: the test proves nothing", n)
	}
	t.Run("auth cannot connect before", o.fenced)
	o.env["LAST"], o.env["RESTORED"] = o.last.URL("vitae_auth"), o.second.URL("vitae_auth")
	t.Run("swapped servers are detected", o.swapped)
	o.runBlock(t, "restore-credentials")
	o.runBlock(t, "restore-credentials") // it is idempotent
	o.setConnection(t, o.second)
	o.runBlock(t, "restore-open")
	t.Run("resumes match their rows", o.resumes)
	o.startOn(t, o.second)
	o.record.check(t)
	o.busy.checkRestored(t)
	t.Run("the mistake is undone", func(t *testing.T) {
		job := expect.Success(t, expect.Must(o.record.API.Job(t.Context(), o.record.Created.Jobs["job"].ID))(t))
		if job["title"] == "spoilt" {
			t.Error("the job is still corrupted")
		}
	})
	t.Run("the audit log is complete and append-only", o.audited)
	t.Run("counts are sent again", o.counts)
	suite.Stop(t, o.record.Stack)

	o.setConnection(t, o.last)
	o.env["DATA"], o.env["RESTORED"] = o.env["LAST_DATA"], o.last.URL("vitae_auth")
	t.Run("everything is revoked if the last state is lost", o.endAll)
}

// url returns the URL of auth's database on the given Postgres.
func (o *scenario) url(t *testing.T, pg *backing.Postgres) string {
	t.Helper()
	u, at := expect.Must(url.Parse(o.service))(t), expect.Must(url.Parse(pg.URL("vitae_auth")))(t)
	u.Host = at.Host
	return u.String()
}

func (o *scenario) fenced(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), o.url(t, o.second))
	if err == nil {
		_ = conn.Close(t.Context())
		t.Error("auth can connect to the restored server before the revocations are restored")
	}
}

func (o *scenario) swapped(t *testing.T) {
	o.env["LAST"], o.env["RESTORED"] = o.env["RESTORED"], o.env["LAST"]
	defer func() { o.env["LAST"], o.env["RESTORED"] = o.env["RESTORED"], o.env["LAST"] }()
	out, err := o.command(t, "restore-credentials").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "RESTORED is newer than LAST") {
		t.Errorf("%v: %s", err, out)
	}
}

// resumes compares resumes with rows, removes resumes that were added after the restored time, and compares
// again.
func (o *scenario) resumes(t *testing.T) {
	run := func(block string) (string, error) {
		cmd := o.command(t, block)
		cmd.SysProcAttr = nil // the candidate service does not run as the Postgres user
		at := expect.Must(url.Parse(o.second.URL("vitae_candidate")))(t)
		cmd.Env = append(cmd.Env, o.check...)
		database := expect.Must(url.Parse(strings.TrimPrefix(o.check[0], "VITAE_POSTGRES_URL=")))(t)
		database.Host = at.Host
		cmd.Env = append(cmd.Env, "VITAE_POSTGRES_URL="+database.String(), "PATH="+filepath.Dir(suite.Programs.Path("candidate"))+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run("restore-resumes")
	ownerless := strings.Count(out, "no row: ")
	if err == nil || ownerless == 0 || strings.Contains(out, "no file: ") {
		t.Fatalf("after the restore: %v\n%s", err, out)
	}
	o.env["COUNT"] = strconv.Itoa(ownerless)
	if out, err := run("restore-resumes-remove"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := run("restore-resumes"); err != nil || !strings.Contains(out, "0 without their file") {
		t.Errorf("%v\n%s", err, out)
	}
}

func (o *scenario) audited(t *testing.T) {
	const events = "SELECT count(*) FROM audit_events WHERE action = 'api_key.delete'"
	if before, now := query[int](t, o.last, "vitae_auth", events), query[int](t, o.second, "vitae_auth", events); before == 0 || now != before {
		t.Errorf("%d of %d events were restored", now, before)
	}
	conn := expect.Must(pgx.Connect(t.Context(), o.url(t, o.second)))(t)
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, change := range []string{"DELETE FROM audit_events", "UPDATE audit_events SET outcome = ''", "TRUNCATE audit_events"} {
		if _, err := conn.Exec(t.Context(), change); err == nil {
			t.Errorf("auth has permission for %s", change)
		}
	}
	o.record.Exits(t, 0, "requests", o.record.Created.Developers["platform"].ID)
}

// counts tests that application counts are sent again if partnercatalog's database is older than candidate's.
func (o *scenario) counts(t *testing.T) {
	job := o.record.Created.Jobs["job"].ID
	conn := expect.Must(pgx.Connect(t.Context(), o.second.URL("vitae_partnercatalog")))(t)
	defer conn.Close(context.WithoutCancel(t.Context()))
	expect.Must(conn.Exec(t.Context(), "UPDATE jobs SET application_count = 1 WHERE id = $1", job))(t)
	o.runBlock(t, "restore-counts")
	o.record.AwaitApplications(t, job, 3)
}

// endAll tests a restore without the last state.
func (o *scenario) endAll(t *testing.T) {
	printed := o.runBlock(t, "restore-end-all")
	member := fmt.Sprintf("vitaectl member add --account %s --person %s --role owner",
		o.record.Created.Developers["dev"].ID, o.record.Created.People["signs out"].ID)
	if !strings.Contains(printed, member) {
		t.Errorf("the output does not contain %q: %s", member, printed)
	}
	o.runBlock(t, "restore-open")
	o.startOn(t, o.last)
	o.record.allRevoked(t)
	o.record.Exits(t, 0, strings.Fields(strings.TrimPrefix(member, "vitaectl "))...)
	key, _ := o.record.NewKey(t, "ats", "--scopes", "companies:read")
	if a := expect.Must(key.Companies(t.Context(), ""))(t); a.Status != http.StatusOK {
		t.Errorf("a new key: %s", a)
	}
}

// awaitNoRecords waits until all session records have expired, which takes a few seconds.
func awaitNoRecords(t *testing.T, server *backing.Redis) {
	t.Helper()
	rdb := redis.NewClient(expect.Must(redis.ParseURL(server.URL()))(t))
	defer rdb.Close()
	expect.Eventually(t, "no session records", func(ctx context.Context) error {
		keys, err := rdb.Keys(ctx, "*:cred:*").Result()
		if err == nil && len(keys) > 0 {
			err = fmt.Errorf("%d are left", len(keys))
		}
		return err
	})
}
