package accounts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/mailbox"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stored"
	"vitae.internal/e2e/internal/world"
)

// Labels and messages on the page about a person's data.
const (
	makeCopy     = "Create a copy"
	downloadCopy = "Download my data"
	deleteButton = "Delete my account"
	sureButton   = "Yes, delete my account"
	keepButton   = "Keep my account"
	currentField = "Current password"
	leaving      = "Your account will be deleted"
)

func TestExportHasEverything(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	awaitReads(t, m)
	files := unpacked(t, download(t, m.browser, m.export(t)))

	follow(t, files["export.schema.json"], files["export.json"])
	all := bytes.Join([][]byte{files["export.json"], files["resumes/"+m.Created.Applications["marked-file"].ID+".pdf"]}, nil)
	for what := range m.traces {
		if slices.Contains(m.traces.in(all), what) != (what != keyOfPasskey) {
			t.Errorf("the copy contains the %s: %v", what, what == keyOfPasskey)
		}
	}
	var d struct {
		Account     struct{ PasswordSetAt time.Time }
		Connections []struct {
			AppName string
			EndsAt  time.Time
			Links   []struct{ CreatedAt time.Time }
			Reads   []struct {
				Kind  string
				Count int
			}
		}
		Cvs          []struct{ ID, PDF, Template string }
		Applications []struct {
			ID, JobTitle, Employer string
			Reads                  []struct {
				AppName string
				Count   int
			}
		}
		Passkeys      []struct{ Name string }
		Sessions      []struct{ ExpiresAt time.Time }
		KnownBrowsers []struct{ SignedInAt time.Time }
		Memberships   []struct{ Role string }
		Events        []struct{ Action string }
	}
	if err := json.Unmarshal(files["export.json"], &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Connections) != 1 || d.Connections[0].AppName != m.AppName(t, "web") || len(d.Connections[0].Reads) < 2 || len(d.Events) == 0 || len(d.Cvs) != 3 ||
		d.Connections[0].EndsAt.IsZero() || len(d.Connections[0].Links) != 1 || len(d.Passkeys) != 1 || len(d.Sessions) == 0 || len(d.KnownBrowsers) == 0 ||
		len(d.Memberships) != 1 || d.Account.PasswordSetAt.IsZero() {
		t.Errorf("the copy contains %+v", d)
	}
	for _, cv := range d.Cvs {
		if want := map[bool]string{true: "compact", false: "classic"}[cv.ID == "master"]; cv.Template != want {
			t.Errorf("the CV %s has the template %q", cv.ID, cv.Template)
		}
	}
	for _, a := range d.Applications {
		if read := a.ID == m.Created.Applications["main"].ID; a.JobTitle == "" || a.Employer == "" || (len(a.Reads) == 1) != read || read && (a.Reads[0].Count != 1 || a.Reads[0].AppName == "") {
			t.Errorf("the application is exported as %+v", a)
		}
	}
	for _, cv := range d.Cvs {
		if text := expect.Flattened(expect.PDFText(t, partner.Response{Status: 200, Body: files[cv.PDF], Header: http.Header{"Content-Type": {"application/pdf"}}})); !strings.Contains(text, m.traces["name"]) {
			t.Errorf("the PDF %q does not contain the person's name", cv.PDF)
		}
	}
	if photo := files["photo.jpg"]; !bytes.HasPrefix(photo, []byte{0xff, 0xd8}) {
		t.Errorf("the photo begins with % x, want a JPEG", photo[:min(4, len(photo))])
	}
	if mail := mailbox.Await(t, m.Stack, m.who.Email, 4); mail.Subject != "Your data is ready" {
		t.Errorf("the email is %q", mail.Subject)
	}
}

// awaitReads waits until the app's reads are counted.
func awaitReads(t *testing.T, m *marked) {
	t.Helper()
	auth := stored.Database(t, m.Stack, "auth")
	expect.Eventually(t, "the reads are counted", func(ctx context.Context) error {
		var kinds int
		err := auth.QueryRow(ctx, `SELECT count(DISTINCT kind) FROM connection_reads r JOIN connections c ON c.id = r.connection_id WHERE c.person_id = $1`, m.id).Scan(&kinds)
		if err == nil && kinds < 2 {
			err = fmt.Errorf("%d kinds of reads are counted, want 2", kinds)
		}
		return err
	})
	expect.Eventually(t, "the read of the application is counted", func(ctx context.Context) error {
		var reads int
		return auth.QueryRow(ctx, `SELECT reads FROM application_reads WHERE application_id = $1`, m.Created.Applications["main"].ID).Scan(&reads)
	})
}

func TestDownloadNeedsRecentConfirmation(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	at := m.export(t)
	auth := stored.Database(t, m.Stack, "auth")
	unpacked(t, download(t, m.browser, at)) // right after signing in
	if _, err := auth.Exec(t.Context(), `UPDATE sessions SET created_at = created_at - interval '11 minutes' WHERE person_id = $1`, m.id); err != nil {
		t.Fatal(err)
	}
	app := m.Stack.AppURLs[0]
	button := expect.Must(at.Page.One("button", downloadCopy))(t)
	asked := expect.Must(expect.Must(at.Page.FormOf(button))(t).Submit(button))(t)
	if got := post(t, m.browser, asked.URL.String(), asked.Body.Encode()); got != http.StatusSeeOther {
		t.Errorf("without a recent confirmation: %d", got)
	}
	confirm := app + "/account/confirm?return=%2Faccount%2Fdata"
	if at := fillIn(t, m.browser, confirm, english.continues, map[string]string{currentField: "not the password"}); at.Status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong password: %d", at.Status)
	}
	if at = fillIn(t, m.browser, confirm, english.continues, map[string]string{currentField: world.Password}); !strings.Contains(at.Page.Text(), english.goOn) {
		t.Errorf("after the confirmation: %s", at.Page.Text())
	}
	unpacked(t, download(t, m.browser, at))

	// A different person who knows the export's id cannot download it.
	other := newMarked(t)
	own := other.export(t)
	button = expect.Must(own.Page.One("button", downloadCopy))(t)
	sent := expect.Must(expect.Must(own.Page.FormOf(button))(t).Submit(button))(t)
	id := strings.Split(expect.Must(expect.Must(at.Page.FormOf(expect.Must(at.Page.One("button", downloadCopy))(t)))(t).Submit(expect.Must(at.Page.One("button", downloadCopy))(t)))(t).URL.Path, "/")[4]
	if got := post(t, other.browser, other.Stack.AppURLs[0]+"/account/data/exports/"+id+"/download", sent.Body.Encode()); got != http.StatusSeeOther {
		t.Errorf("downloading a different person's copy: %d", got)
	}
}

// (behaviour: account-data#taking-a-copy)
func TestExportExpiresAfterADay(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	m.export(t)
	candidate := stored.Database(t, m.Stack, "candidate")
	// The worker leases the export until the email is sent, and may set due_at again.
	expect.Eventually(t, "the announced export is a day old", func(ctx context.Context) error {
		tag, err := candidate.Exec(ctx, `UPDATE exports SET requested_at = requested_at - interval '1 day', expires_at = expires_at - interval '1 day',
			due_at = now() WHERE person_id = $1 AND announced`, m.id)
		if err == nil && tag.RowsAffected() != 1 {
			err = errors.New("the export is not announced yet")
		}
		return err
	})
	if at := expect.Must(m.browser.Open(t.Context(), m.Stack.AppURLs[0]+"/account/data"))(t); at.Page.Has("button", downloadCopy) {
		t.Error("the expired export can still be downloaded")
	}
	expect.Eventually(t, "the row is deleted, after the file", func(ctx context.Context) error {
		var rows int
		err := candidate.QueryRow(ctx, `SELECT count(*) FROM exports WHERE person_id = $1`, m.id).Scan(&rows)
		if err == nil && rows > 0 {
			err = errors.New("the row still exists")
		}
		return err
	})
}

// leave requests the deletion of an account, and confirms it.
func leave(t *testing.T, p *person.Person, app string) person.Visit {
	t.Helper()
	asked := fillIn(t, p, app+"/account/data", deleteButton, nil)
	return submit(t, p, asked, sureButton, nil)
}

func TestDeletedAccountLeavesNothing(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	awaitReads(t, m)
	m.export(t)
	before := m.traces.search(t, m.Stack)
	for what := range m.traces {
		if len(before.of(what)) == 0 {
			t.Errorf("the search does not find the %s before the deletion", what)
		}
	}

	at := leave(t, m.browser, m.Stack.AppURLs[0])
	if !strings.Contains(at.Page.Text(), leaving) || !at.Page.Has("button", keepButton) {
		t.Fatalf("requesting the deletion: %d %s", at.Status, at.Page.Text())
	}
	passWeek(t, m.Stack, m.id)

	for _, client := range m.Replicas(m.app) {
		expect.Refused(t, expect.Must(client.Get(t.Context(), "/v1/me", m.tokens.Access))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
	}
	if a := scene.Open(t, m.link); a.Status != http.StatusNotFound {
		t.Errorf("the durable link: %s", a)
	}
	expect.Refused(t, expect.Must(m.API.Candidate(t.Context(), m.Created.Applications["main"].ID))(t), http.StatusNotFound, "APPLICATION_NOT_FOUND")
	if at := expect.Must(person.New("", "").Open(t.Context(), m.Stack.AppURLs[0]+"/p/"+m.who.Username))(t); at.Status != http.StatusNotFound {
		t.Errorf("the public page: %d", at.Status)
	}
	if left := m.traces.search(t, m.Stack).list(); left != "" {
		t.Errorf("traces are left after the deletion:%s", left)
	}
	// The counted reads of the application remain but identify nobody: only the partner's logs contain
	// the application's id, and they do not name the person.
	application := traces{"application": m.Created.Applications["main"].ID}.search(t, m.Stack)
	for _, where := range application.of("application") {
		if !slices.ContainsFunc([]string{"application_reads", "request_log", "audit_events"}, func(log string) bool { return strings.HasPrefix(where, "table auth public."+log) }) {
			t.Errorf("after the deletion %s contains the application's id", where)
		}
	}
	if len(application.of("application")) == 0 {
		t.Error("the search does not find the counted reads of the application")
	}
	if at := expect.Must(m.browser.Open(t.Context(), m.Stack.AppURLs[0]+"/account"))(t); !at.Page.Has("button", person.SignInButton) {
		t.Error("the session is still valid")
	}
	signIn(t, m.Scene, m.who.Email, world.Password, false)
}

func TestDeletionPausesApps(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	app := m.Stack.AppURLs[0]
	at := leave(t, m.browser, app)
	if !strings.Contains(at.Page.Text(), leaving) {
		t.Fatalf("requesting the deletion: %d %s", at.Status, at.Page.Text())
	}
	for _, client := range m.Replicas(m.app) {
		if a := expect.Must(client.Get(t.Context(), "/v1/me", m.tokens.Access))(t); a.Status != http.StatusForbidden {
			t.Errorf("an app can still read: %s", a)
		}
	}
	if mail := mailbox.Await(t, m.Stack, m.who.Email, 4); mail.Subject != "Your account will be deleted in a week" || !strings.HasSuffix(mail.Link(t), "/account/data") {
		t.Errorf("the email is %q with %s", mail.Subject, mail.Link(t))
	}
	for _, path := range []string{"/connections", "/account"} {
		if at := expect.Must(m.browser.Open(t.Context(), app+path))(t); !strings.Contains(at.Page.Text(), leaving) {
			t.Errorf("%s does not say that the account will be deleted", path)
		}
	}
	at = fillIn(t, m.browser, app+"/account/data", keepButton, nil)
	if strings.Contains(at.Page.Text(), leaving) || !at.Page.Has("button", deleteButton) {
		t.Fatalf("keeping the account: %d %s", at.Status, at.Page.Text())
	}
	scene.Connected{Scene: m.Scene, App: m.app, Person: m.browser, Tokens: m.tokens}.Alive(t, m.tokens.Access)
	if a := scene.Open(t, m.link); a.Status != http.StatusOK {
		t.Errorf("the durable link: %s", a)
	}
	mailbox.Await(t, m.Stack, m.who.Email, 5)
}

func TestOnlyOwnerCannotDeleteAccount(t *testing.T) {
	t.Parallel()
	w := world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{world.OneDeveloper()}}
	w.Developers[0].Members = []world.Member{{Person: "layla", Role: "owner"}}
	s := scene.Of(t, scene.New(t).Stack, w)
	p := signIn(t, s, w.People[0].Email, world.Password, true)
	at := expect.Must(p.Open(t.Context(), s.Stack.AppURLs[0]+"/account/data/delete"))(t)
	if at.Status != http.StatusConflict || !strings.Contains(at.Page.Text(), "only owner") || strings.Contains(at.Page.Text(), leaving) {
		t.Errorf("the only owner requests the deletion: %d %s", at.Status, at.Page.Text())
	}
	if !strings.Contains(at.Page.Text(), w.Developers[0].Name) {
		t.Errorf("the page does not name the developer account: %s", at.Page.Text())
	}
	team := expect.Must(at.Page.One("link", "Open the team page in the developer console"))(t)
	if got, want := team.Attr("href"), s.Stack.ConsoleURLs[0]+"/team"; got != want {
		t.Errorf("the page links to %q, want %q", got, want)
	}
}
