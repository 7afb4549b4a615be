package pages

import (
	"bytes"
	"encoding/json"
	"image"
	imagepng "image/png"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"google.golang.org/protobuf/proto"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// fields are what a browser would send of the form of the editor.
func (a response) fields() url.Values {
	values := url.Values{}
	form := a.byID("editor")
	for n := range form.Descendants() {
		name := attribute(n, "name")
		if name == "" || within(n, "template") {
			continue
		}
		switch n.Data {
		case "input":
			if attribute(n, "type") != "checkbox" || has(n, "checked") {
				values.Add(name, attribute(n, "value"))
			}
		case "textarea":
			text := ""
			if n.FirstChild != nil {
				text = n.FirstChild.Data
			}
			values.Add(name, text)
		case "select":
			for option := range n.Descendants() {
				if option.Data == "option" && has(option, "selected") {
					values.Add(name, attribute(option, "value"))
				}
			}
		}
	}
	return values
}

func within(n *html.Node, name string) bool {
	for ; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && n.Data == name {
			return true
		}
	}
	return false
}

func editing(t *testing.T) *visitor {
	t.Helper()
	v := visit(t, "https://vitae.example")
	v.signIn()
	return v
}

func asScript(r *http.Request) { r.Header.Set("Accept", "application/json") }

func TestAProfileIsSavedWithoutAScript(t *testing.T) {
	t.Parallel()
	v := editing(t)
	form := v.get("/profile").fields()
	before := v.backend.profile.GetContent().GetExperiences()[1].GetEmploymentType().GetValue()
	form.Set("headline", "Designer")
	form.Set("summary", "أصمم الواجهات.")
	form.Set("profile_public", "on")
	got := v.post("/profile", form)
	if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/profile" {
		t.Fatalf("%d to %s", got.StatusCode, got.Header.Get("Location"))
	}
	p := v.backend.profile
	if p.GetHeadline() != "Designer" || p.GetContent().GetSummary() != "أصمم الواجهات." || !p.GetProfilePublic() {
		t.Errorf("stored: %v", p)
	}
	if now := p.GetContent().GetExperiences()[1].GetEmploymentType().GetValue(); now != before || p.GetContent().GetExperiences()[0].GetId() != "e1" {
		t.Errorf("what nobody touched has changed: %v", p.GetContent())
	}
	if again := v.get("/profile"); !strings.Contains(again.text(), "Saved.") {
		t.Errorf("the page does not say so: %s", again.text())
	}
}

func TestAScriptIsToldTheVersionAndTheFaults(t *testing.T) {
	t.Parallel()
	v := editing(t)
	form := v.get("/profile").fields()
	form.Set("publish", "on")
	got := v.post("/profile", form, asScript)
	if got.StatusCode != http.StatusOK || got.body != `{"version":2}` {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	form.Set("version", "2")
	form["experiences"] = []string{"0", "9", "1"}
	form.Set("experiences.9.title", "Baker")
	got = v.post("/profile", form, asScript)
	var told saveAnswer
	if err := json.Unmarshal([]byte(got.body), &told); err != nil || got.StatusCode != http.StatusUnprocessableEntity {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	if len(told.Faults) != 1 || told.Faults[0].Field != "experiences.9.company" || told.Faults[0].Message != "This field is required." {
		t.Errorf("got %+v", told)
	}
	if v.backend.saves != 1 {
		t.Errorf("%d saves", v.backend.saves)
	}
}

// behaviour: profiles#autosave
func TestADraftIsKeptUntilSaveOrDiscard(t *testing.T) {
	t.Parallel()
	v := editing(t)
	id := v.backend.addOwn("For designers", &candidatev1.CvContent{Summary: "Before"})
	for path, field := range map[string]string{"/profile": "headline", "/cvs/" + id: "title"} {
		form := v.get(path).fields()
		form.Set(field, "Half a sen")
		form.Set("experiences", "9")
		form.Set("experiences.9.start_date", "when it rained")
		got := v.post(path, form, asScript)
		var told saveAnswer
		if err := json.Unmarshal([]byte(got.body), &told); err != nil || got.StatusCode != http.StatusOK || told.Version != 1 || told.Draft == 0 || v.backend.saves != 0 {
			t.Fatalf("%s: %d %s, %d saves", path, got.StatusCode, got.body, v.backend.saves)
		}
		back := v.get(path)
		again := back.fields()
		if again.Get(field) != "Half a sen" || again.Get("experiences.0.start_date") != "when it rained" || !strings.Contains(back.text(), "You have unsaved changes") {
			t.Errorf("%s: the draft is not shown: %v", path, again)
		}
		if preview := v.get(path + "/preview"); preview.StatusCode != http.StatusOK || !strings.Contains(preview.text(), "when it rained") {
			t.Errorf("%s: the preview shows %s", path, preview.text())
		}
		form.Set(field, "Of another tab")
		if got := v.post(path, form, asScript); got.StatusCode != http.StatusConflict {
			t.Errorf("%s: a draft of another tab is answered %d", path, got.StatusCode)
		}
		if got := v.post(path, form); got.StatusCode != http.StatusUnprocessableEntity && got.StatusCode != http.StatusConflict || path == "/profile" && v.backend.saves != 0 {
			t.Errorf("%s: a save of another tab is answered %d", path, got.StatusCode)
		}
		if got := v.post(path, url.Values{"do": {"discard"}, "draft": {again.Get("draft")}}); got.StatusCode != http.StatusSeeOther {
			t.Errorf("%s: discarding is answered %d", path, got.StatusCode)
		}
		if now := v.get(path); now.fields().Get(field) == "Half a sen" || strings.Contains(now.text(), "You have unsaved changes") {
			t.Errorf("%s: the draft is still there: %s", path, now.text())
		}
	}
	form := v.get("/profile").fields()
	form.Set("summary", "Draft.")
	v.post("/profile", form, asScript)
	form = v.get("/profile").fields()
	if got := v.post("/profile", form); got.StatusCode != http.StatusSeeOther || v.backend.profile.GetContent().GetSummary() != "Draft." {
		t.Errorf("the save: %d, stored is %q", got.StatusCode, v.backend.profile.GetContent().GetSummary())
	}
	if now := v.get("/profile"); strings.Contains(now.text(), "You have unsaved changes") {
		t.Error("the draft outlives the save")
	}
}

func TestTheAddressOfThePublicPageIsShown(t *testing.T) {
	t.Parallel()
	v := editing(t)
	shown := func() bool { return !has(v.get("/profile").byID("public-page"), "hidden") }
	form := v.get("/profile").fields()
	if shown() {
		t.Error("without a public page")
	}
	form.Set("profile_public", "on")
	if v.post("/profile", form, asScript); shown() || v.backend.profile.GetProfilePublic() {
		t.Error("a draft opens the page")
	}
	form = v.get("/profile").fields()
	form.Set("publish", "on")
	if got := v.post("/profile", form, asScript); !strings.Contains(got.body, `"public":"https://vitae.example/p/layla"`) || !shown() {
		t.Errorf("after the save: %s", got.body)
	}
}

func TestAFaultStandsAtItsFieldAndNothingIsLost(t *testing.T) {
	t.Parallel()
	v := editing(t)
	form := v.get("/profile").fields()
	form.Set("headline", "Designer")
	form["experiences"] = append(form["experiences"], "2")
	form.Set("experiences.2.title", "Baker")
	got := v.post("/profile", form)
	if got.StatusCode != http.StatusUnprocessableEntity {
		t.Fatalf("%d", got.StatusCode)
	}
	again := got.fields()
	if again.Get("headline") != "Designer" || again.Get("experiences.2.title") != "Baker" {
		t.Errorf("the form has lost what was written: %v", again)
	}
	at := got.byID("experiences.2.company")
	if attribute(at, "aria-invalid") != "true" || has(got.byID("experiences.2.company.fault"), "hidden") || !strings.Contains(got.text(), "Company: This field is required.") {
		t.Errorf("the fault is not at its field: %s", got.text())
	}
	if v.backend.profile.GetHeadline() == "Designer" {
		t.Error("a part of the form was stored")
	}
}

// behaviour: profiles#concurrent-edits
func TestTheOlderOfTwoTabsSeesBothTexts(t *testing.T) {
	t.Parallel()
	v := editing(t)
	first, second := v.get("/profile").fields(), v.get("/profile").fields()
	first.Set("summary", "From the first tab.")
	second.Set("summary", "From the second tab.")
	if got := v.post("/profile", first); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the first: %d", got.StatusCode)
	}
	if got := v.post("/profile", second, asScript); got.StatusCode != http.StatusConflict {
		t.Errorf("a script is answered %d", got.StatusCode)
	}
	got := v.post("/profile", second)
	if got.StatusCode != http.StatusConflict || v.backend.profile.GetContent().GetSummary() != "From the first tab." {
		t.Fatalf("the second: %d, stored is %q", got.StatusCode, v.backend.profile.GetContent().GetSummary())
	}
	if text := got.text(); !strings.Contains(text, "From the first tab.") || !strings.Contains(text, "From the second tab.") {
		t.Errorf("both texts are not there: %s", text)
	}
	decided := got.fields()
	if decided.Get("summary") != "From the second tab." {
		t.Errorf("the form has %q", decided.Get("summary"))
	}
	if got := v.post("/profile", decided); got.StatusCode != http.StatusSeeOther || v.backend.profile.GetContent().GetSummary() != "From the second tab." {
		t.Errorf("after the decision: %d, %q", got.StatusCode, v.backend.profile.GetContent().GetSummary())
	}
	same := v.get("/profile").fields()
	v.backend.version++
	if got := v.post("/profile", same); got.StatusCode != http.StatusSeeOther {
		t.Errorf("two tabs with one text have to decide: %d", got.StatusCode)
	}
}

func TestACVThatIsDeletedMeanwhileKeepsItsText(t *testing.T) {
	t.Parallel()
	v := editing(t)
	id := v.backend.addOwn("For designers", &candidatev1.CvContent{Summary: "Before"})
	form := v.get("/cvs/" + id).fields()
	form.Set("summary", "Written meanwhile")
	delete(v.backend.own, id)
	got := v.post("/cvs/"+id, form)
	if got.StatusCode != http.StatusConflict || got.fields().Get("summary") != "Written meanwhile" || attribute(got.byID("editor"), "action") != "/cvs/new" {
		t.Fatalf("%d %s", got.StatusCode, got.text())
	}
	made := v.post("/cvs/new", got.fields())
	if made.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d", made.StatusCode)
	}
	kept := v.get(made.Header.Get("Location")).fields()
	if kept.Get("title") != "For designers" || kept.Get("summary") != "Written meanwhile" {
		t.Errorf("got %v", kept)
	}
}

func TestButtonsOfTheFormArrangeEntriesAndStoreNothing(t *testing.T) {
	t.Parallel()
	v := editing(t)
	form := v.get("/profile").fields()
	press := func(do string) url.Values {
		t.Helper()
		form.Set("do", do)
		got := v.post("/profile", form)
		if got.StatusCode != http.StatusOK || !strings.Contains(got.text(), "Not saved") {
			t.Fatalf("%s: %d", do, got.StatusCode)
		}
		if do == "add experiences" && !has(got.byID("experiences.2.title"), "autofocus") {
			t.Error("the page does not begin at the new entry")
		}
		return got.fields()
	}
	form.Set("headline", "Not saved yet")
	form = press("add experiences")
	if len(form["experiences"]) != 3 || form.Get("headline") != "Not saved yet" {
		t.Errorf("after adding: %v", form)
	}
	form.Set("experiences.2.title", "Baker")
	form.Set("experiences.2.company", "Oven")
	form = press("up experiences 2")
	if form.Get("experiences.1.title") != "Baker" || form.Get("experiences.2.id") != "e2" {
		t.Errorf("after moving: %v", form)
	}
	form = press("remove experiences 0")
	if v.backend.saves != 0 {
		t.Error("something was stored")
	}
	form.Del("do")
	v.post("/profile", form)
	var titles []string
	for _, e := range v.backend.profile.GetContent().GetExperiences() {
		titles = append(titles, e.GetTitle())
	}
	if !slices.Equal(titles, []string{"Baker", "Intern"}) {
		t.Errorf("stored: %v", titles)
	}
}

func TestCVsAreCreatedCopiedMadeMainAndDeleted(t *testing.T) {
	t.Parallel()
	v := editing(t)
	if got := v.post("/cvs/new", url.Values{"title": {" "}, "from": {""}}); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.text(), "This field is required.") {
		t.Errorf("without a title: %d", got.StatusCode)
	}
	got := v.post("/cvs/new", url.Values{"title": {"For designers"}, "from": {"master"}})
	if got.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	at := got.Header.Get("Location")
	form := v.get(at).fields()
	if form.Get("title") != "For designers" || form.Get("summary") != "I build accessible web interfaces." {
		t.Errorf("the copy has %v", form)
	}
	v.backend.connections[0].CvId = strings.TrimPrefix(at, "/cvs/")
	if list := v.get("/cvs").text(); !strings.Contains(list, "For designers") || !strings.Contains(list, "Shared with: Acme Jobs") {
		t.Errorf("the list: %s", list)
	}
	ask := v.get(at + "/main")
	if !strings.Contains(ask.text(), "For designers") || attribute(ask.byID("kept_title"), "value") != "Main CV until 9 March 2026" {
		t.Errorf("the question: %s", ask.text())
	}
	if refused := v.post(at+"/main", url.Values{"kept_title": {""}}); refused.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("without a title for the one of now: %d", refused.StatusCode)
	}
	if done := v.post(at+"/main", url.Values{"kept_title": {"Before"}}); done.StatusCode != http.StatusSeeOther || v.backend.kept != "Before" {
		t.Errorf("%d, kept as %q", done.StatusCode, v.backend.kept)
	}
	if ask := v.get(at + "/delete").text(); !strings.Contains(ask, "Delete For designers?") || !strings.Contains(ask, "After that, they see no CV") || !strings.Contains(ask, "Acme Jobs") {
		t.Errorf("the question before deleting: %s", ask)
	}
	for range 2 { // the second is from another tab
		if done := v.post(at+"/delete", url.Values{}); done.StatusCode != http.StatusSeeOther {
			t.Errorf("%d", done.StatusCode)
		}
	}
	if gone := v.get(at); gone.StatusCode != http.StatusNotFound {
		t.Errorf("afterwards: %d", gone.StatusCode)
	}
}

// behaviour: profiles#preview
func TestAPreviewIsThePageOfThePublicCV(t *testing.T) {
	t.Parallel()
	v := editing(t)
	got := v.get("/profile/preview")
	if got.StatusCode != http.StatusOK || !strings.Contains(got.text(), "Noor Digital") || strings.Contains(got.body, `href="/p/`) {
		t.Errorf("%d %s", got.StatusCode, got.text())
	}
	if got.Header.Get("Cache-Control") != "no-store" {
		t.Error("a cache may keep it")
	}
	if other := visit(t, "https://vitae.example").get("/profile/preview"); other.StatusCode != http.StatusSeeOther {
		t.Errorf("a visitor without a session is answered %d", other.StatusCode)
	}
}

// noFile is what a browser sends where no file is chosen.
const noFile = "no file"

// upload sends a form with a file.
func (v *visitor) upload(target, field string, file []byte) response {
	v.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("csrf", formToken(sessionForms, v.session()))
	name := "file"
	if string(file) == noFile {
		name, file = "", nil
	}
	part, err := w.CreateFormFile(field, name)
	if err != nil {
		v.t.Fatal(err)
	}
	_, _ = part.Write(file)
	_ = w.Close()
	return v.send(http.MethodPost, target, url.Values{}, func(r *http.Request) {
		r.Header.Set("Content-Type", w.FormDataContentType())
		r.Body, r.ContentLength = io.NopCloser(&body), int64(body.Len())
	})
}

// behaviour: profiles#import
func TestAnImportIsShownBeforeItBecomesACV(t *testing.T) {
	t.Parallel()
	v := editing(t)
	got := v.upload("/cvs/import", "file", []byte(`{"basics": {"name": "Layla", "label": "Programmer", "summary": "I write."}, "work": [{"name": "Noor", "position": "Dev", "url": "https://noor.example"}, {"position": "Intern"}]}`))
	if got.StatusCode != http.StatusUnprocessableEntity || v.backend.saves != 0 {
		t.Fatalf("%d, %d saves: %s", got.StatusCode, v.backend.saves, got.text())
	}
	text := got.text()
	for _, want := range []string{"Use these in my profile", "Name Layla", "Headline Programmer", "Experience 1: Web address https://noor.example", "https://noor.example", "Company: This field is required."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not there: %s", want, text)
		}
	}
	form := got.fields()
	form.Set("experiences.1.company", "Souq Labs")
	form["use"] = []string{"headline", "phone"}
	form.Set("own.phone", "+971 50 123 4567")
	made := v.post("/cvs/new", form)
	if made.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d", made.StatusCode)
	}
	if own := v.get("/profile").fields(); own.Get("headline") != "Programmer" || own.Get("phone") != "+971 50 123 4567" || own.Get("name") == "Layla" {
		t.Errorf("the profile has %q, %q, %q", own.Get("name"), own.Get("headline"), own.Get("phone"))
	}
	if kept := v.get(made.Header.Get("Location")).fields(); kept.Get("title") != "Programmer" || kept.Get("experiences.1.company") != "Souq Labs" || kept.Get("summary") != "I write." {
		t.Errorf("got %v", kept)
	}
	for file, want := range map[string]string{noFile: "Choose a file.", "\n": "This file is empty", strings.Repeat(" ", maxImport): "This file is too large", strings.Repeat("x", 1<<20+1): "other files up to 1 MB", "junk": "isn’t a data export", "%PDF-1.7": "doesn’t contain Europass XML", "hello": "isn’t a data export from LinkedIn, a JSON Resume", "{\n\"work\": [,]}": "damaged at line 2"} {
		got := v.upload("/cvs/import", "file", []byte(file))
		if got.StatusCode != http.StatusUnprocessableEntity && got.StatusCode != http.StatusRequestEntityTooLarge || strings.Count(got.text(), want) != 1 {
			t.Errorf("%.20q: %d %s", file, got.StatusCode, got.text())
		}
	}
}

// behaviour: profiles#import
func TestARefusedCVLeavesTheProfileAsItWas(t *testing.T) {
	t.Parallel()
	v := editing(t)
	form := v.upload("/cvs/import", "file", []byte(`{"basics": {"phone": "+971 50 123 4567", "summary": "I write."}}`)).fields()
	form["use"] = []string{"phone"}
	v.backend.full = true
	if got := v.post("/cvs/new", form); got.StatusCode != http.StatusConflict || v.backend.profile.GetPhone() != "" {
		t.Errorf("too many: %d, the phone number is %q", got.StatusCode, v.backend.profile.GetPhone())
	}
	v.backend.full = false
	form.Set("title", "")
	again := v.post("/cvs/new", form)
	if again.StatusCode != http.StatusUnprocessableEntity || v.backend.profile.GetPhone() != "" {
		t.Errorf("no title: %d, the phone number is %q", again.StatusCode, v.backend.profile.GetPhone())
	}
	form = again.fields()
	form.Set("title", "Writer")
	if made := v.post("/cvs/new", form); made.StatusCode != http.StatusSeeOther || v.backend.profile.GetPhone() != "+971 50 123 4567" {
		t.Errorf("sent again: %d, the phone number is %q", made.StatusCode, v.backend.profile.GetPhone())
	}
}

func TestACVStaysIfTheProfileCannotBeSaved(t *testing.T) {
	t.Parallel()
	v := editing(t)
	before := proto.CloneOf(v.backend.profile)
	made := v.post("/cvs/new", url.Values{"title": {"Writer"}, "use": {"name", "phone"}, "own.name": {" "}, "own.phone": {"+971 50 123 4567"}})
	if made.StatusCode != http.StatusSeeOther || len(v.backend.own) != 1 || !proto.Equal(v.backend.profile, before) {
		t.Fatalf("%d, %d CVs, the profile is %v", made.StatusCode, len(v.backend.own), v.backend.profile)
	}
	if page := v.get(made.Header.Get("Location")).text(); !strings.Contains(page, "Writer was created, but we couldn’t save what you selected for your profile.") {
		t.Error(page)
	}
}

func TestAPhotoIsAFileOfAPicture(t *testing.T) {
	t.Parallel()
	v := editing(t)
	png := "\x89PNG\r\n\x1a\n rest"
	if got := v.upload("/profile/photo", "photo", []byte(png)); got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(v.backend.profile.GetAvatarUrl(), "data:image/png;base64,") {
		t.Errorf("%d, stored is %q", got.StatusCode, v.backend.profile.GetAvatarUrl())
	}
	stored := v.backend.profile.GetAvatarUrl()
	for file, want := range map[string]string{
		noFile: "Choose a photo.", png + strings.Repeat("x", maxInline): "We can’t read this image.", png + strings.Repeat("x", maxPhotoForm): "This file is larger than 10 MB.",
	} {
		got := v.upload("/profile/photo", "photo", []byte(file))
		fault := got.byID("photo-fault")
		if got.StatusCode != http.StatusUnprocessableEntity && got.StatusCode != http.StatusRequestEntityTooLarge || fault == nil || !strings.HasPrefix(textOf(fault), want) || attribute(fault, "role") != "alert" {
			t.Errorf("%d bytes: %d %s, want %q", len(file), got.StatusCode, got.text(), want)
		}
	}
	if v.backend.profile.GetAvatarUrl() != stored {
		t.Error("a refused file changes the photo")
	}
	var large bytes.Buffer
	noise := image.NewNRGBA(image.Rect(0, 0, 600, 600))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(rand.Uint32())
	}
	if err := imagepng.Encode(&large, noise); err != nil || large.Len() <= maxInline {
		t.Fatalf("%d bytes, %v", large.Len(), err)
	}
	if got := v.upload("/profile/photo", "photo", large.Bytes()); got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(v.backend.profile.GetAvatarUrl(), "data:image/jpeg;base64,") || len(v.backend.profile.GetAvatarUrl()) > 150_000 {
		t.Errorf("%d, stored are %d bytes", got.StatusCode, len(v.backend.profile.GetAvatarUrl()))
	}
	if got := v.post("/profile/photo", url.Values{"do": {"remove"}}); got.StatusCode != http.StatusSeeOther || v.backend.profile.GetAvatarUrl() != "" {
		t.Errorf("%d, stored is %q", got.StatusCode, v.backend.profile.GetAvatarUrl())
	}
}

// behaviour: profiles#external-editor
func TestAHostsOwnEditorTakesThePlaceOfOurs(t *testing.T) {
	t.Parallel()
	b := newBackend()
	v := &visitor{t: t, backend: b, appURL: "https://vitae.example", lang: "en", cookies: map[string]*http.Cookie{}}
	v.pages = newPages(t, b, v.appURL, func(c *Config) { c.ProfileURL = "https://host.example/me" })
	v.signIn()
	for _, path := range []string{"/profile", "/cvs"} {
		if got := v.get(path); got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "https://host.example/me" {
			t.Errorf("%s: %d to %q", path, got.StatusCode, got.Header.Get("Location"))
		}
	}
	for _, path := range []string{"/cvs/new", "/cvs/import", "/cvs/cv_1", "/profile/photo", "/profile/preview"} {
		if got := v.get(path); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
	if !strings.Contains(v.get("/account").body, `href="https://host.example/me"`) {
		t.Error("the pages do not lead there")
	}
}

func TestTheEditorIsInArabicToo(t *testing.T) {
	t.Parallel()
	v := editing(t)
	v.lang = "ar"
	id := v.backend.addOwn("للمصممين", &candidatev1.CvContent{})
	for _, path := range []string{"/profile", "/profile/photo", "/profile/preview", "/cvs", "/cvs/new", "/cvs/import", "/cvs/" + id, "/cvs/" + id + "/main", "/cvs/" + id + "/delete"} {
		got := v.get(path)
		if got.StatusCode != http.StatusOK || attribute(got.root.FirstChild.NextSibling, "dir") != "rtl" {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
	form := v.get("/profile").fields()
	form.Set("name", "")
	if got := v.post("/profile", form); !strings.Contains(got.text(), "هذا الحقل ناقص.") {
		t.Errorf("got %s", got.text())
	}
}

func TestTheFormOfACVMayBeLargerThanOtherForms(t *testing.T) {
	t.Parallel()
	v := editing(t)
	form := v.get("/profile").fields()
	form.Set("summary", strings.Repeat("كلمة ", 45_000))
	if got := v.post("/profile", form); got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a form above 1 MiB is answered %d", got.StatusCode)
	}
	form.Set("summary", strings.Repeat("كلمة ", 20_000))
	if got := v.post("/profile", form); got.StatusCode != http.StatusSeeOther {
		t.Errorf("a form of half a megabyte is answered %d", got.StatusCode)
	}
}

// behaviour: profiles#autosave
func TestTheEditorNamesWhoSeesWhatWasSaved(t *testing.T) {
	t.Parallel()
	v := editing(t)
	says := func() string { return v.get("/profile").text() }
	if text := says(); strings.Contains(text, "what you saved on") {
		t.Errorf("before the first save: %s", text)
	}
	form := v.get("/profile").fields()
	v.post("/profile", form)
	if text := says(); !strings.Contains(text, "Apps that you share it with see what you saved on") || strings.Contains(text, "Your public page, and") {
		t.Errorf("after a save: %s", text)
	}
	form = v.get("/profile").fields()
	form.Set("profile_public", "on")
	v.post("/profile", form)
	if text := says(); !strings.Contains(text, "Your public page, and apps that you share it with, show what you saved on") {
		t.Errorf("with a public page: %s", text)
	}
}
