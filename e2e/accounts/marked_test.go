package accounts_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/mailbox"
	"vitae.internal/e2e/internal/page"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stored"
	"vitae.internal/e2e/internal/world"
)

// keyOfPasskey is the trace that no export contains.
const keyOfPasskey = "key of a passkey"

// marked is a person with a unique value in every field, two applications, a connected app, and at least one of
// everything else that a person can have.
type marked struct {
	scene.Platform
	id      string
	who     world.Person
	browser *person.Person
	app     partner.Client
	tokens  partner.Tokens
	link    string
	traces  traces
}

func newMarked(t *testing.T) *marked {
	t.Helper()
	m := &marked{who: world.Full(), traces: traces{}}
	mark := func(what string) string {
		m.traces[what] = "canary" + world.Unique()
		return m.traces[what]
	}
	w := world.Applicants()
	p := &m.who
	p.Email, p.Username = mark("address")+"@example.com", mark("handle")
	p.Name, p.Headline, p.Address = "Layla "+mark("name"), mark("headline"), mark("postal address")
	p.Phone = "+971 50 " + strings.Repeat("7", 7)
	p.AvatarURL = world.InlinePhoto(t, 40)
	p.PersonalDetails["nationality"] = mark("nationality")
	p.Profile.Summary, p.Profile.About = mark("summary"), mark("about")
	p.Profile.Experiences[1]["overview"] = mark("experience")
	p.Profile.Socials["github"] = "https://github.com/" + mark("social")
	p.CVs[0].Title, p.CVs[0].Document.Summary = mark("title of a CV"), mark("another CV")
	w.People[0] = *p
	w.Jobs = append(w.Jobs, world.FullJob().With("ref", "second").With("company", "com"))
	w.Applications[0].CoverLetter = mark("cover letter")
	w.Applications[0].Answers[2].Value = mark("answer")
	w.Applications = append(w.Applications, world.Application{
		Ref: "marked-file", Job: "second", Person: "layla", Answers: slices.Clone(w.Applications[2].Answers),
		Resume: &world.Resume{Filename: mark("filename") + ".pdf", ContentType: "application/pdf", Content: append(slices.Clone(world.ResumeFile), mark("resume")...)},
	})
	w.Developers = append(w.Developers, world.OneDeveloper())
	w.Developers[0].Members = []world.Member{{Person: "layla", Role: "viewer"}}
	m.Platform = scene.NewPlatform(t, w)
	m.id = m.Created.People["layla"].ID
	m.traces["id"] = m.id
	m.use(t)
	return m
}

// use leaves more traces of the person: reads, links, wrong passwords and emails.
func (m *marked) use(t *testing.T) {
	t.Helper()
	app := m.Stack.AppURLs[0]
	m.app, m.browser = m.Client(t, "web"), m.NewPerson(t, "layla")
	m.tokens = scene.Connect(t, m.app, m.browser, world.EveryScope, person.Choice{Photo: true})
	c := scene.Connected{Scene: m.Scene, App: m.app, Person: m.browser, Tokens: m.tokens}
	m.link = c.Link(t)
	for _, path := range []string{"/v1/me", "/v1/me/cv"} {
		if a := c.Get(t, path); a.Status != http.StatusOK {
			t.Fatal(a)
		}
	}
	expect.Success(t, expect.Must(m.API.Candidate(t.Context(), m.Created.Applications["main"].ID))(t))
	m.choose(t)
	signIn(t, m.Scene, m.who.Email, "not the password", false)
	// The first email was about the connected app.
	fillIn(t, person.New("", ""), app+"/reset", english.resetSend, map[string]string{english.email: m.who.Email})
	mailbox.Await(t, m.Stack, m.who.Email, 2)
	fillIn(t, person.New("", ""), app+"/sign-up", english.create,
		map[string]string{english.name: m.traces["name"], english.email: m.who.Email, english.password: newPassword})
	mailbox.Await(t, m.Stack, m.who.Email, 3)
}

// choose changes the person's settings and imports a CV.
func (m *marked) choose(t *testing.T) {
	t.Helper()
	var connection string
	auth := stored.Database(t, m.Stack, "auth")
	if err := auth.QueryRow(t.Context(), `SELECT id FROM connections WHERE person_id = $1`, m.id).Scan(&connection); err != nil {
		t.Fatal(err)
	}
	m.send(t, "/connections/"+connection+"/end", url.Values{"end": {"month"}})
	m.send(t, "/documents/master/template", url.Values{"template": {"compact"}})

	m.traces["imported text"] = "canary" + world.Unique()
	m.importCV(t, `{"basics": {"label": "Programmer", "summary": "`+m.traces["imported text"]+`"}}`, "")
	// Creating a passkey requires a browser. A row in the database suffices here.
	m.traces["name of a passkey"], m.traces[keyOfPasskey] = "canary"+world.Unique(), "canary"+world.Unique()
	if _, err := auth.Exec(t.Context(), `INSERT INTO passkeys (id, person_id, credential_id, public_key, flags, sign_count, aaguid, transports, name, created_at)
		VALUES ('psk_' || gen_random_uuid(), $1, $2, $3, 0, 0, '', '{}', $4, now())`, m.id, []byte(world.Unique()), []byte(m.traces[keyOfPasskey]), m.traces["name of a passkey"]); err != nil {
		t.Fatal(err)
	}
}

// importedTitle is the title of the CV that importCV creates.
const importedTitle = "Imported CV"

// importCV uploads a file, submits the form that the page shows for it, and returns the text of that page. A
// non-empty company is entered in the form, because the file names none.
func (m *marked) importCV(t *testing.T, file, company string) string {
	t.Helper()
	status, read := m.sendCV(t, file)
	if want := status == http.StatusOK; want == (company != "") {
		t.Fatalf("uploading the file: status %d: %s", status, read.Text())
	}
	button := expect.Must(read.One("button", "Create CV"))(t)
	form := expect.Must(read.FormOf(button))(t)
	form.Fill(expect.Must(read.One("textbox", "Title of the CV"))(t), importedTitle)
	if company != "" {
		form.Fill(read.All("textbox", "Company")[0], company)
	}
	sent := expect.Must(form.Submit(button))(t)
	if got := post(t, m.browser, sent.URL.String(), sent.Body.Encode()); got != http.StatusSeeOther {
		t.Fatalf("the imported CV: %d", got)
	}
	return read.Text()
}

// sendCV uploads a file to import, and returns the status and the page of the response.
func (m *marked) sendCV(t *testing.T, file string) (int, *page.Page) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("csrf", m.csrf(t))
	_, _ = expect.Must(w.CreateFormFile("file", "cv.json"))(t).Write([]byte(file))
	_ = w.Close()
	res := m.request(t, "/cvs/import", w.FormDataContentType(), &body)
	return res.StatusCode, expect.Must(page.Parse(res.Request.URL, res.Body))(t)
}

// request sends a form unchanged.
func (m *marked) request(t *testing.T, path, contentType string, body io.Reader) *http.Response {
	t.Helper()
	req := expect.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, m.Stack.AppURLs[0]+path, body))(t)
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Origin", m.Stack.AppURLs[0])
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, c := range m.browser.Cookies(req.URL) {
		req.AddCookie(c)
	}
	res := expect.Must(http.DefaultTransport.RoundTrip(req))(t)
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// csrf returns the CSRF token in the forms of the person's session.
func (m *marked) csrf(t *testing.T) string {
	t.Helper()
	at := expect.Must(m.browser.Open(t.Context(), m.Stack.AppURLs[0]+"/account/data"))(t)
	button := expect.Must(at.Page.One("button", makeCopy))(t)
	return expect.Must(expect.Must(at.Page.FormOf(button))(t).Submit(button))(t).Body.Get("csrf")
}

// send submits a form without opening its page.
func (m *marked) send(t *testing.T, path string, fields url.Values) {
	t.Helper()
	fields.Set("csrf", m.csrf(t))
	if got := post(t, m.browser, m.Stack.AppURLs[0]+path, fields.Encode()); got != http.StatusSeeOther {
		t.Fatalf("%s: status %d", path, got)
	}
}

// export requests a copy of the person's data and waits until it can be downloaded.
func (m *marked) export(t *testing.T) person.Visit {
	t.Helper()
	at := fillIn(t, m.browser, m.Stack.AppURLs[0]+"/account/data", makeCopy, nil)
	expect.Eventually(t, "the copy is ready", func(ctx context.Context) (err error) {
		if at, err = m.browser.Open(ctx, m.Stack.AppURLs[0]+"/account/data"); err == nil && !at.Page.Has("button", downloadCopy) {
			err = errors.New(at.Page.Text())
		}
		return err
	})
	return at
}
