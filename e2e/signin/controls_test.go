package signin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// controls holds the names of the controls for an app.
type controls struct {
	email, photo, cv, contact, pause, resume, receives, read string
	// reads lists the reads as the page describes them.
	reads []string
}

var (
	englishControls = controls{
		"Share my email address", "Share my photo", "Share my CV", "Share private contact details", "Pause", "Resume", "What %s receives", "What %s has read",
		[]string{"Your basic details: once", "Your CV as data: 3 times", "Your CV as a PDF: once", "The link to your CV, by anyone who has it: 2 times"},
	}
	arabicControls = controls{
		"مشاركة عنوان بريدي الإلكتروني", "مشاركة صورتي", "مشاركة سيرتي الذاتية", "مشاركة بيانات الاتصال الخاصة", "إيقاف مؤقت", "استئناف", "ما يتلقاه %s", "ما قرأه %s",
		[]string{"بياناتك الأساسية: مرة واحدة", "سيرتك الذاتية كبيانات: 3 مرات", "سيرتك الذاتية بصيغة PDF: مرة واحدة", "رابط سيرتك الذاتية، من أي شخص لديه الرابط: مرتين"},
	}
)

// everywhere uses the access token to read a path from every gateway replica.
func everywhere(t *testing.T, c scene.Connected, path string, check func(data map[string]any) bool) {
	t.Helper()
	for _, at := range c.Replicas(c.App) {
		if data := expect.Success(t, expect.Must(at.Get(t.Context(), path, c.Tokens.Access))(t)); !check(data) {
			t.Errorf("%s%s: %v", at.BaseURL, path, data)
		}
	}
}

// refusedEverywhere asserts that every gateway replica rejects requests for a path.
func refusedEverywhere(t *testing.T, c scene.Connected, path string) {
	t.Helper()
	for _, at := range c.Replicas(c.App) {
		expect.Refused(t, expect.Must(at.Get(t.Context(), path, c.Tokens.Access))(t), http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")
	}
}

func TestBrowserJourneyThroughControls(t *testing.T) {
	t.Parallel()
	for _, at := range []struct {
		name   string
		labels labels
		named  controls
		device browser.Options
	}{
		{"controls-en-desktop", english, englishControls, browser.Options{}},
		{"controls-ar-phone", arabic, arabicControls, browser.Options{Width: 360, Height: 740, NoScript: true}},
	} {
		t.Run(at.name, func(t *testing.T) {
			t.Parallel()
			c := scene.Everything(t)
			d := newDevice(t, at.name, at.labels, at.device)
			app := c.AppName(t, "web")
			d.Open(c.Stack.AppURLs[0] + "/connections")
			d.signInAs(c.World.People[0])
			d.Find("region", app)
			d.checkPage("connections")
			if !at.device.NoScript {
				for _, fault := range d.Inaccessible() {
					t.Error(fault)
				}
			}
			turn := func(name string, on bool) {
				t.Helper()
				d.Find("region", app).Find("switch", name).Click()
				d.Until(fmt.Sprintf("%s is switched", name), func() bool {
					return d.Has("switch", name) && d.Find("region", app).Find("switch", name).Checked() == on
				})
			}
			d.checkReceives(c, fmt.Sprintf(at.named.receives, app), !at.device.NoScript)
			d.checkReads(c, fmt.Sprintf(at.named.read, app), at.named.reads, !at.device.NoScript)
			d.checkSwitches(c, at.named, turn)
			d.checkPause(c, app, at.named)
		})
	}
}

// checkReceives compares the page "What APP receives" with what the app actually receives.
func (d device) checkReceives(c scene.Connected, name string, scripts bool) {
	d.t.Helper()
	got := map[string]string{}
	for _, path := range []string{"/v1/me", "/v1/me/cv"} {
		var indented bytes.Buffer
		if err := json.Indent(&indented, c.Get(d.t, path).Body, "", "  "); err != nil {
			d.t.Fatal(err)
		}
		got[path] = indented.String()
	}
	d.Find("link", name).Click()
	d.Find("heading", name)
	d.checkPage("receives")
	if scripts {
		for _, fault := range d.Inaccessible() {
			d.t.Error(fault)
		}
	}
	if !strings.Contains(d.Text(), "Layla Haddad") || strings.Contains(d.Text(), "\"name\"") {
		d.t.Errorf("the page does not list the values: %s", d.Text())
	}
	for _, closed := range d.All("DisclosureTriangle") {
		closed.Click()
	}
	for path, want := range got {
		if !strings.Contains(d.Text(), want) {
			d.t.Errorf("the page does not show the response to %s: want %s in %s", path, want, d.Text())
		}
	}
	base := expect.Must(url.Parse(c.Stack.AppURLs[0]))(d.t)
	var cookies []string
	for _, cookie := range c.Person.Cookies(base) {
		cookies = append(cookies, cookie.Name+"="+cookie.Value)
	}
	shown := scene.Raw(d.t, http.MethodGet, c.Stack.AppURLs[0]+d.FindWith("link", "PDF").Attribute("href"), "", "", "Cookie", strings.Join(cookies, "; "))
	if sent := c.Get(d.t, "/v1/me/cv.pdf"); shown.Status != http.StatusOK || !bytes.Equal(shown.Body, sent.Body) {
		d.t.Errorf("the PDF: %d, %d bytes; the app gets %d bytes", shown.Status, len(shown.Body), len(sent.Body))
	}
	d.Open(c.Stack.AppURLs[0] + "/connections")
}

// checkReads opens the durable link, sends HEAD requests for the CV and the link, which also count as
// reads, and waits until the page shows all reads. The gateway reports them every second.
func (d device) checkReads(c scene.Connected, name string, did []string, scripts bool) {
	d.t.Helper()
	link := c.Link(d.t)
	for _, a := range []partner.Response{
		scene.Open(d.t, link), scene.Raw(d.t, http.MethodHead, link, "", ""),
		scene.Raw(d.t, http.MethodHead, c.App.BaseURL+"/v1/me/cv", "", "", "Authorization", "Bearer "+c.Tokens.Access),
	} {
		if a.Status != http.StatusOK {
			d.t.Fatal(a)
		}
	}
	d.Find("link", name).Click()
	d.Find("heading", name)
	d.Until("the page shows all reads", func() bool {
		d.Reload()
		text := strings.Map(func(r rune) rune {
			if r == '\u2068' || r == '\u2069' { // isolates around a value with a different text direction
				return -1
			}
			return r
		}, d.Text())
		return !slices.ContainsFunc(did, func(want string) bool { return !strings.Contains(text, want) })
	})
	d.Find("image", d.plotName())
	d.checkPage("reads")
	if scripts {
		for _, fault := range d.Inaccessible() {
			d.t.Error(fault)
		}
	}
	d.Open(c.Stack.AppURLs[0] + "/connections")
}

func (d device) plotName() string {
	if d.lang == "ar" {
		return "القراءات في الأسبوع"
	}
	return "Reads per week"
}

// checkSwitches turns every switch off and on, and checks what the app sees.
func (d device) checkSwitches(c scene.Connected, named controls, turn func(name string, on bool)) {
	d.t.Helper()
	address := func(want bool) {
		d.t.Helper()
		everywhere(d.t, c, "/v1/me", func(me map[string]any) bool { _, there := me["email"]; return there == want })
		everywhere(d.t, c, "/v1/me/cv", func(cv map[string]any) bool { return (expect.At(cv, "document", "contactEmail") != nil) == want })
	}
	address(true)
	turn(named.email, false)
	address(false)
	turn(named.email, true)
	address(true)

	photo, _ := expect.At(expect.Success(d.t, c.Get(d.t, "/v1/me")), "avatarUrl").(string)
	turn(named.photo, false)
	expect.Refused(d.t, scene.Open(d.t, photo), http.StatusNotFound, "PHOTO_NOT_FOUND")
	everywhere(d.t, c, "/v1/me", func(me map[string]any) bool { return me["avatarUrl"] == nil })
	turn(named.photo, true)
	everywhere(d.t, c, "/v1/me", func(me map[string]any) bool { return me["avatarUrl"] != nil && me["avatarUrl"] != photo })

	details := func(want bool) {
		d.t.Helper()
		everywhere(d.t, c, "/v1/me/cv", func(cv map[string]any) bool {
			return (cv["personalDetails"] != nil) == want && (expect.At(cv, "document", "socials", "phone") == world.Phone) == want
		})
	}
	details(true)
	turn(named.contact, false)
	details(false)
	turn(named.contact, true)
	details(true)

	turn(named.cv, false)
	refusedEverywhere(d.t, c, "/v1/me/cv")
	if contact := d.Find("switch", named.contact); contact.Checked() || !contact.Disabled() {
		d.t.Error("the contact details are shown as shared without the CV")
	}
	d.checkLayout("connections-cv-off")
	turn(named.cv, true)
	details(true)
}

// checkPause pauses the app and resumes it.
func (d device) checkPause(c scene.Connected, app string, named controls) {
	d.t.Helper()
	link := c.Link(d.t)
	d.Find("region", app).Find("button", named.pause).Click()
	d.Find("button", named.resume)
	d.checkPage("connections-paused")
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
		refusedEverywhere(d.t, c, path)
	}
	expect.Refused(d.t, scene.Open(d.t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	d.Find("region", app).Find("button", named.resume).Click()
	d.Find("button", named.pause)
	c.Alive(d.t, c.Tokens.Access)
	if c.Link(d.t) != link || scene.Open(d.t, link).Status != http.StatusOK {
		d.t.Error("the link does not work after the pause")
	}
}
