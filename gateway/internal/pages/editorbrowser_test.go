//go:build !nobrowser

package pages

import (
	"bytes"
	"image/jpeg"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// desk is the pages on a listener that can be taken away, and a person who is signed in at
// a browser with scripts.
type desk struct {
	*chromium
	t       *testing.T
	url     string
	backend *backend
	pages   http.Handler
	server  *http.Server
}

func startDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{chromium: startChromium(t), t: t, backend: newBackend()}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d.url = "http://" + listener.Addr().String()
	d.pages = newPages(t, d.backend, d.url, nil)
	d.serve(listener)
	t.Cleanup(func() { _ = d.server.Close() })
	d.backend.sessions["session-desk"] = true
	d.scripts()
	call(d.chromium, network.SetCookie, network.SetCookieParams{Name: "vitae_session", Value: "session-desk", URL: d.url})
	return d
}

func (d *desk) serve(l net.Listener) {
	server := &http.Server{Handler: d.pages, ReadHeaderTimeout: patience}
	d.server = server
	go func() { _ = server.Serve(l) }()
}

// cut takes the connection away, mend brings it back.
func (d *desk) cut() { _ = d.server.Close() }

func (d *desk) mend() {
	d.t.Helper()
	listener, err := net.Listen("tcp", strings.TrimPrefix(d.url, "http://"))
	if err != nil {
		d.t.Fatal(err)
	}
	d.serve(listener)
}

func (c *chromium) scripts() {
	c.t.Helper()
	call(c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false})
}

// tab is another tab of the same browser.
func (d *desk) tab() *chromium {
	d.t.Helper()
	ctx, cancel := chromedp.NewContext(d.ctx)
	d.t.Cleanup(cancel)
	c := &chromium{t: d.t, ctx: ctx}
	c.do(chromedp.EmulateViewport(1280, 900))
	return c
}

// write types behind what a control holds.
func (c *chromium) write(id, text string) {
	c.t.Helper()
	evaluate[bool](c, `(e => (e.focus(), e.setSelectionRange(e.value.length, e.value.length), true))(document.getElementById("`+id+`"))`)
	for _, letter := range text {
		c.press(string(letter))
	}
}

// await waits until an expression is true in the page.
func (c *chromium) await(expression string) {
	c.t.Helper()
	for until := time.Now().Add(patience / 2); !evaluate[bool](c, expression); {
		if time.Now().After(until) {
			c.t.Fatalf("never true: %s; the page says %q", expression, evaluate[string](c, "document.body.innerText"))
		}
	}
}

// says waits until the page tells how the saving stands.
func (c *chromium) says(text string) {
	c.t.Helper()
	c.await(`document.getElementById("save-state")?.textContent.startsWith("` + text + `") ?? false`)
}

// save presses Save.
func (c *chromium) save() {
	c.t.Helper()
	evaluate[bool](c, `document.querySelector(".save-line .primary").click(), true`)
}

// draft is what is kept of the form of the profile, and not saved.
func (d *desk) draft() url.Values {
	d.t.Helper()
	d.backend.mu.Lock()
	defer d.backend.mu.Unlock()
	form, err := url.ParseQuery(d.backend.drafts[mainCV].GetForm())
	if err != nil {
		d.t.Fatal(err)
	}
	return form
}

func (d *desk) stored() *candidatev1.Profile {
	d.backend.mu.Lock()
	defer d.backend.mu.Unlock()
	return d.backend.profile
}

// behaviour: profiles#autosave
func TestWritingIsSavedByItselfAndShownBesideTheForm(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.open(d.url + "/profile")
	d.await(`document.querySelector("#preview article") !== null`)
	d.write("summary", "وأصمم الواجهات.")
	d.says("Draft saved")
	if got := d.stored().GetContent().GetSummary(); strings.Contains(got, "وأصمم الواجهات.") {
		t.Errorf("a draft is stored: %q", got)
	}
	d.await(`document.getElementById("preview").textContent.includes("وأصمم الواجهات.")`)
	d.save()
	d.says("Saved")
	if got := d.stored().GetContent().GetSummary(); !strings.Contains(got, "وأصمم الواجهات.") {
		t.Errorf("stored is %q", got)
	}
	evaluate[bool](d.chromium, `document.getElementById("experiences.1.legend").click(), true`)
	d.write("experiences.1.company", strings.Repeat("\b", len("Souq Labs")))
	d.says("Draft saved")
	d.save()
	d.says("Not saved: correct")
	d.await(`!document.getElementById("experiences.1.company.fault").hidden && document.activeElement.id === "experiences.1.company"`)
	d.write("experiences.1.company", "Acme")
	d.save()
	d.says("Saved")
	d.await(`document.getElementById("experiences.1.company.fault").hidden`)
	if n := evaluate[int](d.chromium, `localStorage.length`); n != 0 {
		t.Errorf("%d drafts are kept of what is saved", n)
	}
}

// behaviour: profiles#autosave
func TestTextWrittenOnADeadConnectionIsSentLater(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.open(d.url + "/profile")
	d.cut()
	d.write("headline", " in Sharjah")
	d.says("Not saved: no connection")
	d.mend()
	d.says("Draft saved")
	if got := d.draft().Get("headline"); got != "Front-end developer in Sharjah" {
		t.Errorf("kept is %q", got)
	}
	d.cut()
	d.write("headline", ", free")
	d.says("Not saved: no connection")
	d.open("about:blank")
	d.mend()
	d.open(d.url + "/profile")
	d.says("Draft saved")
	if got := d.draft().Get("headline"); got != "Front-end developer in Sharjah, free" {
		t.Errorf("after the page was left: %q", got)
	}
	d.cut()
	d.save()
	d.says("Not saved: no connection")
	d.mend()
	d.says("Saved")
	if got := d.stored().GetHeadline(); got != "Front-end developer in Sharjah, free" {
		t.Errorf("stored is %q", got)
	}
}

// behaviour: profiles#autosave
func TestWhatIsKeptForOnePersonIsDroppedForTheNext(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.open(d.url + "/profile")
	evaluate[bool](d.chromium, `localStorage.setItem("vitae-draft usr_2 /profile 1", "{}"), localStorage.setItem("of another site", "x"), true`)
	d.open(d.url + "/profile")
	d.await(`localStorage.getItem("vitae-draft usr_2 /profile 1") === null && localStorage.getItem("of another site") === "x"`)
}

// behaviour: pages#data-removed-at-sign-out
func TestSigningOutLeavesNoDraftInTheBrowser(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.open(d.url + "/account")
	evaluate[bool](d.chromium, `localStorage.setItem("vitae-draft usr_1 /profile 1", "{}"), sessionStorage.setItem("vitae-tab", "1"), true`)
	evaluate[bool](d.chromium, `document.querySelector('form[action="/sign-out"] button').click(), true`)
	d.await(`location.pathname === "/sign-in" && document.readyState === "complete"`)
	if n := evaluate[int](d.chromium, `localStorage.length + sessionStorage.length`); n != 0 {
		t.Errorf("%d texts are left", n)
	}
}

// behaviour: photos#image-format
func TestALargePhotoIsScaledInTheBrowser(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.open(d.url + "/profile/photo")
	evaluate[bool](d.chromium, `(() => {
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
	d.await(`document.querySelector("[role=status]")?.textContent.includes("Photo saved") ?? false`)
	raw, mediaType, ok := inlineBytes(d.stored().GetAvatarUrl())
	conf, err := jpeg.DecodeConfig(bytes.NewReader(raw))
	if !ok || mediaType != "image/jpeg" || err != nil || conf.Width != 1024 || conf.Height != 576 {
		t.Errorf("stored is %s of %d by %d, %v", mediaType, conf.Width, conf.Height, err)
	}
}

// behaviour: profiles#concurrent-edits
func TestTwoTabsLoseNothing(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	other := d.tab()
	d.open(d.url + "/profile")
	other.open(d.url + "/profile")
	d.write("headline", " first")
	d.says("Draft saved")
	other.write("headline", " second")
	other.says("Not saved: this was changed somewhere else")
	if got := d.draft().Get("headline"); got != "Front-end developer first" {
		t.Errorf("kept is %q", got)
	}
	evaluate[bool](other, `document.getElementById("compare").focus(), true`)
	other.leave("\r")
	other.await(`document.querySelector(".differences").textContent.includes("Front-end developer first") && document.querySelector(".differences").textContent.includes("Front-end developer second")`)
	if got := evaluate[string](other, `document.getElementById("headline").value`); got != "Front-end developer second" {
		t.Errorf("the form has %q", got)
	}
	evaluate[bool](other, `document.querySelector(".save-line .primary").focus(), true`)
	other.leave("\r")
	if got := d.stored().GetHeadline(); got != "Front-end developer second" {
		t.Errorf("after the decision: %q", got)
	}
}

func TestEntriesAreAddedMovedAndRemovedWithTheKeyboard(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.open(d.url + "/profile")
	evaluate[bool](d.chromium, `document.querySelector('[data-add="experiences"]').focus(), true`)
	d.press("\r")
	d.await(`document.activeElement.id === "experiences.2.title"`)
	for _, letter := range "Baker" {
		d.press(string(letter))
	}
	d.press("\t")
	d.await(`document.activeElement.id === "experiences.2.company"`)
	for _, letter := range "Oven" {
		d.press(string(letter))
	}
	d.says("Draft saved")
	evaluate[bool](d.chromium, `document.querySelector('[data-entry=experiences]:last-child [data-move=up]').focus(), true`)
	d.press("\r")
	d.await(`document.activeElement.dataset.move === "up"`)
	d.says("Draft saved")
	if evaluate[bool](d.chromium, `document.querySelector('[data-entry=experiences]:first-child').open`) {
		t.Error("an entry that is stored is open")
	}
	evaluate[bool](d.chromium, `document.querySelector('[data-entry=experiences]:first-child summary').focus(), true`)
	d.press("\r")
	d.await(`document.querySelector('[data-entry=experiences]:first-child').open`)
	evaluate[bool](d.chromium, `document.querySelector('[data-entry=experiences]:first-child [data-remove]').focus(), true`)
	d.press("\r")
	d.await(`document.querySelectorAll('[data-entry=experiences]').length === 2`)
	d.says("Draft saved")
	d.await(`document.activeElement.id === "experiences.2.legend"`)
	d.save()
	d.says("Saved")
	var titles []string
	for _, e := range d.stored().GetContent().GetExperiences() {
		titles = append(titles, e.GetTitle())
	}
	if got := strings.Join(titles, ", "); got != "Baker, Intern" {
		t.Errorf("stored: %s", got)
	}
}

func TestFaultOpensItsFoldedSection(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	d.open(d.url + "/profile")
	evaluate[bool](d.chromium, `document.querySelector('[data-add="experiences"]').focus(), true`)
	d.press("\r") // an entry without a company
	d.await(`document.activeElement.id === "experiences.2.title"`)
	d.write("experiences.2.title", "Baker")
	section := `document.querySelector('[data-list=experiences]').closest('.section-form')`
	evaluate[bool](d.chromium, section+`.querySelector(':scope > summary').focus(), true`)
	d.press("\r")
	d.await(`!` + section + `.open`)
	d.save()
	d.await(section + `.open && document.getElementById("experiences.2.company").checkVisibility()`)
}

// offers opens the editor until it offers a text. The lock of a closed tab goes a moment after it.
func (c *chromium) offers(url string) {
	c.t.Helper()
	for until := time.Now().Add(patience / 2); ; {
		c.open(url)
		c.await(`document.querySelector("#preview article") !== null`)
		if evaluate[bool](c, `!document.getElementById("kept").hidden`) {
			return
		}
		if time.Now().After(until) {
			c.t.Fatalf("nothing is offered; the page says %q", evaluate[string](c, "document.body.innerText"))
		}
	}
}

// behaviour: profiles#concurrent-edits
func TestAnOlderTextIsOfferedAndReplacesNothing(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	other := d.tab()
	d.open(d.url + "/profile")
	other.open(d.url + "/profile")
	d.write("headline", " one")
	d.says("Draft saved")
	other.write("headline", " two")
	other.says("Not saved: this was changed somewhere else")
	d.save()
	d.says("Saved")
	d.open(d.url + "/profile")
	d.await(`document.querySelector("#preview article") !== null && document.getElementById("kept").hidden && document.getElementById("headline").value === "Front-end developer one"`)
	if n := evaluate[int](d.chromium, `localStorage.length`); n != 1 {
		t.Errorf("%d texts are kept, not that of the open tab", n)
	}
	other.open("about:blank")
	d.offers(d.url + "/profile")
	if got := evaluate[string](d.chromium, `document.getElementById("headline").value + document.getElementById("save-state").textContent`); got != "Front-end developer one" {
		t.Errorf("the page has %q", got)
	}
	d.write("headline", "!")
	d.says("Draft saved")
	d.save()
	d.says("Saved")
	evaluate[bool](d.chromium, `document.getElementById("compare-kept").focus(), true`)
	d.leave("\r")
	d.await(`document.querySelector(".differences").textContent.includes("Front-end developer one!") && document.querySelector(".differences").textContent.includes("Front-end developer two")`)
	evaluate[bool](d.chromium, `document.querySelector(".save-line .primary").focus(), true`)
	d.leave("\r")
	d.await(`document.body.textContent.includes("Saved.") && document.getElementById("save-state").textContent === ""`)
	if got := d.stored().GetHeadline(); got != "Front-end developer two" {
		t.Errorf("after the decision: %q", got)
	}
	if n := evaluate[int](d.chromium, `localStorage.length`); n != 0 {
		t.Errorf("%d texts are kept", n)
	}
}

// behaviour: profiles#concurrent-edits
func TestSaveInAConflictCompares(t *testing.T) {
	t.Parallel()
	d := startDesk(t)
	other := d.tab()
	d.open(d.url + "/profile")
	other.open(d.url + "/profile")
	d.write("headline", " one")
	d.says("Draft saved")
	other.write("headline", " two")
	other.says("Not saved: this was changed somewhere else")
	evaluate[bool](other, `document.querySelector(".save-line .primary").focus(), true`)
	other.leave("\r")
	other.await(`document.querySelector(".differences")?.textContent.includes("Front-end developer two") ?? false`)
	evaluate[bool](other, `document.querySelector(".save-line .primary").focus(), true`)
	other.leave("\r")
	other.await(`document.body.textContent.includes("Saved.") && document.getElementById("headline").value === "Front-end developer two"`)
	d.save() // learns of it by Save
	d.await(`document.querySelector(".differences")?.textContent.includes("Front-end developer one") ?? false`)
}
