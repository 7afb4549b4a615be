//go:build !nobrowser

package profile_test

import (
	"bytes"
	"encoding/base64"
	"image/jpeg"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"vitae.internal/gateway/internal/pages"
	"vitae.internal/gateway/internal/pages/pagestest"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// tab is a browser tab with JavaScript enabled.
type tab struct{ *pagestest.Chromium }

// desk is a signed-in person with a browser, and a site whose listener can be stopped.
type desk struct {
	tab
	t       *testing.T
	url     string
	backend *pagestest.Backend
	pages   http.Handler
	server  *http.Server
}

func startDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{tab: tab{pagestest.StartChromium(t)}, t: t, backend: pagestest.NewBackend()}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d.url = "http://" + listener.Addr().String()
	d.pages = pagestest.With(d.backend, pagestest.NewPages(t, func(c *pages.Config) { c.AppURL = pagestest.PlainURL }))
	d.serve(listener)
	t.Cleanup(func() { _ = d.server.Close() })
	d.backend.Sessions["session-desk"] = true
	d.Scripts()
	pagestest.Call(d.Chromium, network.SetCookie, network.SetCookieParams{Name: "vitae_session", Value: "session-desk", URL: d.url})
	return d
}

func (d *desk) serve(l net.Listener) {
	server := &http.Server{Handler: d.pages, ReadHeaderTimeout: pagestest.Patience}
	d.server = server
	go func() { _ = server.Serve(l) }()
}

func (d *desk) cut() { _ = d.server.Close() }

func (d *desk) mend() {
	d.t.Helper()
	listener, err := net.Listen("tcp", strings.TrimPrefix(d.url, "http://"))
	if err != nil {
		d.t.Fatal(err)
	}
	d.serve(listener)
}

// write appends text to the value of a control.
func (c tab) write(id, text string) {
	pagestest.Evaluate[bool](c.Chromium, `(e => (e.focus(), e.setSelectionRange(e.value.length, e.value.length), true))(document.getElementById("`+id+`"))`)
	for _, letter := range text {
		c.Press(string(letter))
	}
}

// says waits until the page shows the given save status.
func (c tab) says(text string) {
	c.Await(`document.getElementById("save-state")?.textContent.startsWith("` + text + `") ?? false`)
}

func (c tab) save() {
	pagestest.Evaluate[bool](c.Chromium, `document.querySelector(".save-line .primary").click(), true`)
}

// draft returns the stored, unsaved draft of the profile form.
func (d *desk) draft() url.Values {
	d.t.Helper()
	d.backend.Mutex.Lock()
	defer d.backend.Mutex.Unlock()
	form, err := url.ParseQuery(d.backend.Drafts["master"].GetForm())
	if err != nil {
		d.t.Fatal(err)
	}
	return form
}

func (d *desk) stored() *candidatev1.Profile {
	d.backend.Mutex.Lock()
	defer d.backend.Mutex.Unlock()
	return d.backend.Profile
}

// behaviour: profiles#autosave
func TestTypingSavesADraft(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.Open(d.url + "/profile")
	d.Await(`document.querySelector("#preview article") !== null`)
	d.write("summary", "وأصمم الواجهات.")
	d.says("Draft saved")
	if got := d.stored().GetContent().GetSummary(); strings.Contains(got, "وأصمم الواجهات.") {
		t.Errorf("stored draft is %q", got)
	}
	d.Await(`document.getElementById("preview").textContent.includes("وأصمم الواجهات.")`)
	d.save()
	d.says("Saved")
	if got := d.stored().GetContent().GetSummary(); !strings.Contains(got, "وأصمم الواجهات.") {
		t.Errorf("stored value is %q", got)
	}
	pagestest.Evaluate[bool](d.Chromium, `document.getElementById("experiences.1.legend").click(), true`)
	d.write("experiences.1.company", strings.Repeat("\b", len("Souq Labs")))
	d.says("Draft saved")
	d.save()
	d.says("Not saved: correct")
	d.Await(`!document.getElementById("experiences.1.company.fault").hidden && document.activeElement.id === "experiences.1.company"`)
	d.write("experiences.1.company", "Acme")
	d.save()
	d.says("Saved")
	d.Await(`document.getElementById("experiences.1.company.fault").hidden`)
	if n := pagestest.Evaluate[int](d.Chromium, `localStorage.length`); n != 0 {
		t.Errorf("%d drafts remain after the save", n)
	}
}

func TestNoticeDisappearsAtNextChange(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.Open(d.url + "/profile")
	d.write("headline", "x")
	d.says("Draft saved")
	d.Open(d.url + "/profile")
	pagestest.Evaluate[bool](d.Chromium, `document.querySelector("#draft button").click(), true`)
	d.Await(`document.querySelector(".notice")?.textContent === "Changes discarded."`)
	d.write("headline", "x")
	d.says("Draft saved")
	if pagestest.Evaluate[bool](d.Chromium, `document.querySelector(".notice") !== null`) {
		t.Error("the notice is still shown")
	}
}

// behaviour: profiles#autosave
func TestTextIsSentAfterOutage(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.Open(d.url + "/profile")
	d.cut()
	d.write("headline", " in Sharjah")
	d.says("Not saved: no connection")
	d.mend()
	d.says("Draft saved")
	if got := d.draft().Get("headline"); got != "Front-end developer in Sharjah" {
		t.Errorf("browser stores %q", got)
	}
	d.cut()
	d.write("headline", ", free")
	d.says("Not saved: no connection")
	d.Open("about:blank")
	d.mend()
	d.Open(d.url + "/profile")
	d.says("Draft saved")
	if got := d.draft().Get("headline"); got != "Front-end developer in Sharjah, free" {
		t.Errorf("browser stores %q after leaving the page", got)
	}
	d.cut()
	d.save()
	d.says("Not saved: no connection")
	d.mend()
	d.says("Saved")
	if got := d.stored().GetHeadline(); got != "Front-end developer in Sharjah, free" {
		t.Errorf("stored value is %q", got)
	}
}

// behaviour: profiles#autosave
func TestStoredTextIsPerPerson(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.Open(d.url + "/profile")
	pagestest.Evaluate[bool](d.Chromium, `localStorage.setItem("vitae-draft usr_2 /profile 1", "{}"), localStorage.setItem("of another site", "x"), true`)
	d.Open(d.url + "/profile")
	d.Await(`localStorage.getItem("vitae-draft usr_2 /profile 1") === null && localStorage.getItem("of another site") === "x"`)
}

// behaviour: pages#data-removed-at-sign-out
func TestSignOutRemovesStoredText(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.Open(d.url + "/account")
	pagestest.Evaluate[bool](d.Chromium, `localStorage.setItem("vitae-draft usr_1 /profile 1", "{}"), sessionStorage.setItem("vitae-tab", "1"), true`)
	pagestest.Evaluate[bool](d.Chromium, `document.querySelector('form[action="/sign-out"] button').click(), true`)
	d.Await(`location.pathname === "/sign-in" && document.readyState === "complete"`)
	if n := pagestest.Evaluate[int](d.Chromium, `localStorage.length + sessionStorage.length`); n != 0 {
		t.Errorf("%d texts remain in the browser", n)
	}
}

// behaviour: photos#image-format
func TestBrowserScalesLargePhoto(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.Open(d.url + "/profile/photo")
	pagestest.Evaluate[bool](d.Chromium, `(() => {
		const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 900 })
		const pen = canvas.getContext('2d')
		const noise = pen.createImageData(1600, 900)
		for (let i = 0; i < noise.data.length; i++) noise.data[i] = Math.random() * 256
		pen.putImageData(noise, 0, 0)
		canvas.toBlob((blob) => {
			const files = new DataTransfer()
			files.items.add(new File([blob], 'photo.png', { type: 'image/png' }))
			document.getElementById('photo').files = files.files
			document.querySelector('#photo-form button').click()
		}, 'image/png')
		return true
	})()`)
	d.Await(`document.querySelector("[role=status]")?.textContent.includes("Photo saved") ?? false`)
	inline, ok := strings.CutPrefix(d.stored().GetAvatarUrl(), "data:image/jpeg;base64,")
	raw, _ := base64.StdEncoding.DecodeString(inline)
	conf, err := jpeg.DecodeConfig(bytes.NewReader(raw))
	if !ok || err != nil || conf.Width != 1024 || conf.Height != 576 {
		t.Errorf("stored photo is %.30s with %d by %d pixels, error %v", d.stored().GetAvatarUrl(), conf.Width, conf.Height, err)
	}
}

// behaviour: profiles#concurrent-edits
func TestTwoTabsDoNotOverwriteEachOther(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	other := tab{d.Tab()}
	d.Open(d.url + "/profile")
	other.Open(d.url + "/profile")
	d.write("headline", " first")
	d.says("Draft saved")
	other.write("headline", " second")
	other.says("Not saved: this was changed somewhere else")
	if got := d.draft().Get("headline"); got != "Front-end developer first" {
		t.Errorf("browser stores %q", got)
	}
	pagestest.Evaluate[bool](other.Chromium, `document.getElementById("compare").focus(), true`)
	other.Leave("\r")
	other.Await(`document.querySelector(".differences").textContent.includes("Front-end developer first") && document.querySelector(".differences").textContent.includes("Front-end developer second")`)
	if got := pagestest.Evaluate[string](other.Chromium, `document.getElementById("headline").value`); got != "Front-end developer second" {
		t.Errorf("form contains %q", got)
	}
	pagestest.Evaluate[bool](other.Chromium, `document.querySelector(".save-line .primary").focus(), true`)
	other.Leave("\r")
	if got := d.stored().GetHeadline(); got != "Front-end developer second" {
		t.Errorf("after the choice, the stored value is %q", got)
	}
}

func TestEntriesCanBeEditedByKeyboard(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.Open(d.url + "/profile")
	pagestest.Evaluate[bool](d.Chromium, `document.querySelector('[data-add="experiences"]').focus(), true`)
	d.Press("\r")
	d.Await(`document.activeElement.id === "experiences.2.title"`)
	for _, letter := range "Baker" {
		d.Press(string(letter))
	}
	d.Press("\t")
	d.Await(`document.activeElement.id === "experiences.2.company"`)
	for _, letter := range "Oven" {
		d.Press(string(letter))
	}
	d.says("Draft saved")
	pagestest.Evaluate[bool](d.Chromium, `document.querySelector('[data-entry=experiences]:last-child [data-move=up]').focus(), true`)
	d.Press("\r")
	d.Await(`document.activeElement.dataset.move === "up"`)
	d.says("Draft saved")
	if pagestest.Evaluate[bool](d.Chromium, `document.querySelector('[data-entry=experiences]:first-child').open`) {
		t.Error("a stored entry is open")
	}
	pagestest.Evaluate[bool](d.Chromium, `document.querySelector('[data-entry=experiences]:first-child summary').focus(), true`)
	d.Press("\r")
	d.Await(`document.querySelector('[data-entry=experiences]:first-child').open`)
	pagestest.Evaluate[bool](d.Chromium, `document.querySelector('[data-entry=experiences]:first-child [data-remove]').focus(), true`)
	d.Press("\r")
	d.Await(`document.querySelectorAll('[data-entry=experiences]').length === 2`)
	d.says("Draft saved")
	d.Await(`document.activeElement.id === "experiences.2.legend"`)
	d.save()
	d.says("Saved")
	var titles []string
	for _, e := range d.stored().GetContent().GetExperiences() {
		titles = append(titles, e.GetTitle())
	}
	if got := strings.Join(titles, ", "); got != "Baker, Intern" {
		t.Errorf("stored order is %s", got)
	}
}

func TestFaultOpensItsFoldedSection(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.Open(d.url + "/profile")
	pagestest.Evaluate[bool](d.Chromium, `document.querySelector('[data-add="experiences"]').focus(), true`)
	d.Press("\r") // an entry without a company
	d.Await(`document.activeElement.id === "experiences.2.title"`)
	d.write("experiences.2.title", "Baker")
	section := `document.querySelector('[data-list=experiences]').closest('.section-form')`
	pagestest.Evaluate[bool](d.Chromium, section+`.querySelector(':scope > summary').focus(), true`)
	d.Press("\r")
	d.Await(`!` + section + `.open`)
	d.save()
	d.Await(section + `.open && document.getElementById("experiences.2.company").checkVisibility()`)
}

// offers reopens the editor until it offers a text that the browser has stored. The browser releases the lock
// of a closed tab with a delay.
func (d *desk) offers(url string) {
	for until := time.Now().Add(pagestest.Patience / 2); ; {
		d.Open(url)
		d.Await(`document.querySelector("#preview article") !== null`)
		if pagestest.Evaluate[bool](d.Chromium, `!document.getElementById("kept").hidden`) {
			return
		}
		if time.Now().After(until) {
			d.t.Fatalf("no text is offered; page is %q", pagestest.Evaluate[string](d.Chromium, "document.body.innerText"))
		}
	}
}

// behaviour: profiles#concurrent-edits
func TestOlderTextIsOffered(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	other := tab{d.Tab()}
	d.Open(d.url + "/profile")
	other.Open(d.url + "/profile")
	d.write("headline", " one")
	d.says("Draft saved")
	other.write("headline", " two")
	other.says("Not saved: this was changed somewhere else")
	d.save()
	d.says("Saved")
	d.Open(d.url + "/profile")
	d.Await(`document.querySelector("#preview article") !== null && document.getElementById("kept").hidden && document.getElementById("headline").value === "Front-end developer one"`)
	if n := pagestest.Evaluate[int](d.Chromium, `localStorage.length`); n != 1 {
		t.Errorf("browser stores %d texts, want only that of the open tab", n)
	}
	other.Open("about:blank")
	d.offers(d.url + "/profile")
	if got := pagestest.Evaluate[string](d.Chromium, `document.getElementById("headline").value + document.getElementById("save-state").textContent`); got != "Front-end developer one" {
		t.Errorf("page contains %q", got)
	}
	d.write("headline", "!")
	d.says("Draft saved")
	d.save()
	d.says("Saved")
	pagestest.Evaluate[bool](d.Chromium, `document.getElementById("compare-kept").focus(), true`)
	d.Leave("\r")
	d.Await(`document.querySelector(".differences").textContent.includes("Front-end developer one!") && document.querySelector(".differences").textContent.includes("Front-end developer two")`)
	pagestest.Evaluate[bool](d.Chromium, `document.querySelector(".save-line .primary").focus(), true`)
	d.Leave("\r")
	d.Await(`document.body.textContent.includes("Saved.") && document.getElementById("save-state").textContent === ""`)
	if got := d.stored().GetHeadline(); got != "Front-end developer two" {
		t.Errorf("after the choice, the stored value is %q", got)
	}
	if n := pagestest.Evaluate[int](d.Chromium, `localStorage.length`); n != 0 {
		t.Errorf("%d texts remain in the browser", n)
	}
}

// behaviour: profiles#concurrent-edits
func TestSaveConflictShowsComparison(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	other := tab{d.Tab()}
	d.Open(d.url + "/profile")
	other.Open(d.url + "/profile")
	d.write("headline", " one")
	d.says("Draft saved")
	other.write("headline", " two")
	other.says("Not saved: this was changed somewhere else")
	pagestest.Evaluate[bool](other.Chromium, `document.querySelector(".save-line .primary").focus(), true`)
	other.Leave("\r")
	other.Await(`document.querySelector(".differences")?.textContent.includes("Front-end developer two") ?? false`)
	pagestest.Evaluate[bool](other.Chromium, `document.querySelector(".save-line .primary").focus(), true`)
	other.Leave("\r")
	other.Await(`document.body.textContent.includes("Saved.") && document.getElementById("headline").value === "Front-end developer two"`)
	d.save() // reveals the conflict
	d.Await(`document.querySelector(".differences")?.textContent.includes("Front-end developer one") ?? false`)
}
