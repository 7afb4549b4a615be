package profile_test

import (
	"bytes"
	"encoding/json"
	"image"
	imagepng "image/png"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/pages"
	"vitae.internal/gateway/internal/pages/pagestest"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// fields returns the values that a browser would submit for the editor's form.
func fields(a pagestest.Response) url.Values {
	values := url.Values{}
	form := a.ByID("editor")
	for n := range form.Descendants() {
		name := pagestest.Attribute(n, "name")
		if name == "" || within(n, "template") {
			continue
		}
		switch n.Data {
		case "input":
			if pagestest.Attribute(n, "type") != "checkbox" || pagestest.Has(n, "checked") {
				values.Add(name, pagestest.Attribute(n, "value"))
			}
		case "textarea":
			text := ""
			if n.FirstChild != nil {
				text = n.FirstChild.Data
			}
			values.Add(name, text)
		case "select":
			for option := range n.Descendants() {
				if option.Data == "option" && pagestest.Has(option, "selected") {
					values.Add(name, pagestest.Attribute(option, "value"))
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

// saved is the JSON response to a save by a script.
type saved struct {
	Version, Draft int64
	Faults         []struct{ Field, Message string }
}

func asScript(r *http.Request) { r.Header.Set("Accept", "application/json") }

func TestSaveWithoutScript(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	form := fields(v.Get("/profile"))
	before := v.Backend.Profile.GetContent().GetExperiences()[1].GetEmploymentType().GetValue()
	form.Set("headline", "Designer")
	form.Set("summary", "أصمم الواجهات.")
	form.Set("profile_public", "on")
	got := v.Post("/profile", form)
	if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/profile" {
		t.Fatalf("status %d, redirect to %s", got.StatusCode, got.Header.Get("Location"))
	}
	p := v.Backend.Profile
	if p.GetHeadline() != "Designer" || p.GetContent().GetSummary() != "أصمم الواجهات." || !p.GetProfilePublic() {
		t.Errorf("stored profile is %v", p)
	}
	if now := p.GetContent().GetExperiences()[1].GetEmploymentType().GetValue(); now != before || p.GetContent().GetExperiences()[0].GetId() != "e1" {
		t.Errorf("untouched content has changed: %v", p.GetContent())
	}
	if again := v.Get("/profile"); !strings.Contains(again.Text(), "Saved.") {
		t.Errorf("the page does not confirm the save: %s", again.Text())
	}
}

func TestScriptReceivesVersionAndFaults(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	form := fields(v.Get("/profile"))
	form.Set("publish", "on")
	got := v.Post("/profile", form, asScript)
	if got.StatusCode != http.StatusOK || got.Body != `{"version":2}` {
		t.Fatalf("status %d: %s", got.StatusCode, got.Body)
	}
	form.Set("version", "2")
	form["experiences"] = []string{"0", "9", "1"}
	form.Set("experiences.9.title", "Baker")
	got = v.Post("/profile", form, asScript)
	var told saved
	if err := json.Unmarshal([]byte(got.Body), &told); err != nil || got.StatusCode != http.StatusUnprocessableEntity {
		t.Fatalf("status %d: %s", got.StatusCode, got.Body)
	}
	if len(told.Faults) != 1 || told.Faults[0].Field != "experiences.9.company" || told.Faults[0].Message != "This field is required." {
		t.Errorf("response is %+v", told)
	}
	if v.Backend.Saves != 1 {
		t.Errorf("%d saves", v.Backend.Saves)
	}
}

// behaviour: profiles#autosave
func TestDraftIsKeptUntilSaveOrDiscard(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	id := v.Backend.AddOwn("For designers", &candidatev1.CvContent{Summary: "Before"})
	for path, field := range map[string]string{"/profile": "headline", "/cvs/" + id: "title"} {
		form := fields(v.Get(path))
		form.Set(field, "Half a sen")
		form.Set("experiences", "9")
		form.Set("experiences.9.start_date", "when it rained")
		got := v.Post(path, form, asScript)
		var told saved
		if err := json.Unmarshal([]byte(got.Body), &told); err != nil || got.StatusCode != http.StatusOK || told.Version != 1 || told.Draft == 0 || v.Backend.Saves != 0 {
			t.Fatalf("%s: %d %s, %d saves", path, got.StatusCode, got.Body, v.Backend.Saves)
		}
		back := v.Get(path)
		again := fields(back)
		if again.Get(field) != "Half a sen" || again.Get("experiences.0.start_date") != "when it rained" || !strings.Contains(back.Text(), "You have unsaved changes") {
			t.Errorf("%s: the draft is not shown: %v", path, again)
		}
		if preview := v.Get(path + "/preview"); preview.StatusCode != http.StatusOK || !strings.Contains(preview.Text(), "when it rained") {
			t.Errorf("%s: the preview shows %s", path, preview.Text())
		}
		form.Set(field, "Of another tab")
		if got := v.Post(path, form, asScript); got.StatusCode != http.StatusConflict {
			t.Errorf("%s: a draft from a second tab gets status %d", path, got.StatusCode)
		}
		if got := v.Post(path, form); got.StatusCode != http.StatusUnprocessableEntity && got.StatusCode != http.StatusConflict || path == "/profile" && v.Backend.Saves != 0 {
			t.Errorf("%s: a save from a second tab gets status %d", path, got.StatusCode)
		}
		if got := v.Post(path, url.Values{"do": {"discard"}, "draft": {again.Get("draft")}}); got.StatusCode != http.StatusSeeOther {
			t.Errorf("%s: discarding the draft gets status %d", path, got.StatusCode)
		}
		if now := v.Get(path); fields(now).Get(field) == "Half a sen" || strings.Contains(now.Text(), "You have unsaved changes") {
			t.Errorf("%s: the draft is still shown: %s", path, now.Text())
		}
	}
	form := fields(v.Get("/profile"))
	form.Set("summary", "Draft.")
	v.Post("/profile", form, asScript)
	form = fields(v.Get("/profile"))
	if got := v.Post("/profile", form); got.StatusCode != http.StatusSeeOther || v.Backend.Profile.GetContent().GetSummary() != "Draft." {
		t.Errorf("save: status %d, stored summary %q", got.StatusCode, v.Backend.Profile.GetContent().GetSummary())
	}
	if now := v.Get("/profile"); strings.Contains(now.Text(), "You have unsaved changes") {
		t.Error("the draft still exists after the save")
	}
}

func TestPublicURLIsShownAfterSave(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	shown := func() bool { return !pagestest.Has(v.Get("/profile").ByID("public-page"), "hidden") }
	form := fields(v.Get("/profile"))
	if shown() {
		t.Error("a URL is shown although there is no public page")
	}
	form.Set("profile_public", "on")
	if v.Post("/profile", form, asScript); shown() || v.Backend.Profile.GetProfilePublic() {
		t.Error("a draft makes the page public")
	}
	form = fields(v.Get("/profile"))
	form.Set("publish", "on")
	if got := v.Post("/profile", form, asScript); !strings.Contains(got.Body, `"public":"https://app.vitae.example/p/layla"`) || !shown() {
		t.Errorf("the save response is %s", got.Body)
	}
}

func TestPublicPageNeedsUsername(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	form := fields(v.Get("/profile"))
	form.Set("profile_public", "on")
	form.Set("username", "")
	got := v.Post("/profile", form)
	if got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.Text(), "Username: Choose a username for your public page.") || v.Backend.Saves != 0 {
		t.Errorf("status %d, %d saves: %s", got.StatusCode, v.Backend.Saves, got.Text())
	}
	if pagestest.Attribute(got.ByID("username"), "aria-invalid") != "true" {
		t.Error("the fault is not shown at the username")
	}
}

func TestFaultIsShownAtItsField(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	form := fields(v.Get("/profile"))
	form.Set("headline", "Designer")
	form["experiences"] = append(form["experiences"], "2")
	form.Set("experiences.2.title", "Baker")
	got := v.Post("/profile", form)
	if got.StatusCode != http.StatusUnprocessableEntity {
		t.Fatalf("status %d", got.StatusCode)
	}
	again := fields(got)
	if again.Get("headline") != "Designer" || again.Get("experiences.2.title") != "Baker" {
		t.Errorf("the form has lost its values: %v", again)
	}
	at := got.ByID("experiences.2.company")
	if pagestest.Attribute(at, "aria-invalid") != "true" || pagestest.Has(got.ByID("experiences.2.company.fault"), "hidden") || !strings.Contains(got.Text(), "Company: This field is required.") {
		t.Errorf("the fault is not shown at its field: %s", got.Text())
	}
	if v.Backend.Profile.GetHeadline() == "Designer" {
		t.Error("part of the form was stored")
	}
}

func TestDatesAreShownInFormatOfHints(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	form := fields(v.Get("/profile"))
	form.Set("personal_details.date_of_birth", "1990-05-17")
	form.Set("experiences.1.start_date", "2019")
	form.Set("experiences.1.end_date", "May 4, 2020")
	v.Post("/profile", form)
	for language, ambiguous := range map[string]string{"en": "4 May 2020", "ar": "4 مايو 2020"} {
		v.Lang = language
		page := v.Get("/profile")
		for name, want := range map[string]string{
			"personal_details.date_of_birth": "17/05/1990", "experiences.0.start_date": "09/2025", "experiences.1.start_date": "2019", "experiences.1.end_date": ambiguous,
		} {
			if got := fields(page).Get(name); got != want {
				t.Errorf("in %s, %s is %q, want %q", language, name, got, want)
			}
		}
		v.Post("/profile", fields(page))
		if got := v.Backend.Profile.GetContent().GetExperiences()[1].GetEndDate().GetValue(); got != "2020-05-04" {
			t.Errorf("stored after resubmission in %s: %q", language, got)
		}
	}
}

func TestEmptySectionsAreFolded(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	v.Backend.Profile.Content = &candidatev1.CvContent{Languages: []string{"Arabic"}}
	v.Backend.Profile.Username, v.Backend.Profile.PersonalDetails = "", nil
	sections := func(page pagestest.Response) (all, open []string) {
		for _, n := range page.Elements("details") {
			if name, ok := strings.CutPrefix(pagestest.Attribute(n, "aria-labelledby"), "group-"); ok {
				all = append(all, name)
				if pagestest.Has(n, "open") {
					open = append(open, name)
				}
			}
		}
		return all, open
	}
	page := v.Get("/profile")
	all, open := sections(page)
	if !slices.Equal(all[:3], []string{"person", "experiences", "educations"}) || !slices.Equal(open, []string{"person", "contact", "languages"}) {
		t.Errorf("sections are %v, open sections are %v", all, open)
	}
	form := fields(page)
	form.Set("do", "add projects")
	if _, open := sections(v.Post("/profile", form)); !slices.Contains(open, "projects") {
		t.Errorf("open sections after adding a project: %v", open)
	}
	id := v.Backend.AddOwn("For designers", &candidatev1.CvContent{})
	if _, open := sections(v.Get("/cvs/" + id)); !slices.Equal(open, []string{"about"}) {
		t.Errorf("open sections of an empty CV: %v", open)
	}
}

// behaviour: profiles#concurrent-edits
func TestConflictShowsBothTexts(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	first, second := fields(v.Get("/profile")), fields(v.Get("/profile"))
	first.Set("summary", "From the first tab.")
	second.Set("summary", "From the second tab.")
	if got := v.Post("/profile", first); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("first save: status %d", got.StatusCode)
	}
	if got := v.Post("/profile", second, asScript); got.StatusCode != http.StatusConflict {
		t.Errorf("a script gets status %d", got.StatusCode)
	}
	got := v.Post("/profile", second)
	if got.StatusCode != http.StatusConflict || v.Backend.Profile.GetContent().GetSummary() != "From the first tab." {
		t.Fatalf("second save: status %d, stored summary %q", got.StatusCode, v.Backend.Profile.GetContent().GetSummary())
	}
	if text := got.Text(); !strings.Contains(text, "From the first tab.") || !strings.Contains(text, "From the second tab.") {
		t.Errorf("the page does not show both texts: %s", text)
	}
	decided := fields(got)
	if decided.Get("summary") != "From the second tab." {
		t.Errorf("the form contains %q", decided.Get("summary"))
	}
	if got := v.Post("/profile", decided); got.StatusCode != http.StatusSeeOther || v.Backend.Profile.GetContent().GetSummary() != "From the second tab." {
		t.Errorf("after the choice: status %d, summary %q", got.StatusCode, v.Backend.Profile.GetContent().GetSummary())
	}
	same := fields(v.Get("/profile"))
	v.Backend.Version++
	if got := v.Post("/profile", same); got.StatusCode != http.StatusSeeOther {
		t.Errorf("two tabs with the same text conflict: status %d", got.StatusCode)
	}
}

func TestTextOfDeletedCVIsNotLost(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	id := v.Backend.AddOwn("For designers", &candidatev1.CvContent{Summary: "Before"})
	form := fields(v.Get("/cvs/" + id))
	form.Set("summary", "Written meanwhile")
	delete(v.Backend.Own, id)
	got := v.Post("/cvs/"+id, form)
	if got.StatusCode != http.StatusConflict || fields(got).Get("summary") != "Written meanwhile" || pagestest.Attribute(got.ByID("editor"), "action") != "/cvs/new" {
		t.Fatalf("status %d: %s", got.StatusCode, got.Text())
	}
	made := v.Post("/cvs/new", fields(got))
	if made.StatusCode != http.StatusSeeOther {
		t.Fatalf("status %d", made.StatusCode)
	}
	kept := fields(v.Get(made.Header.Get("Location")))
	if kept.Get("title") != "For designers" || kept.Get("summary") != "Written meanwhile" {
		t.Errorf("created CV is %v", kept)
	}
}

func TestButtonsArrangeEntries(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	form := fields(v.Get("/profile"))
	press := func(do string) url.Values {
		t.Helper()
		form.Set("do", do)
		got := v.Post("/profile", form)
		if got.StatusCode != http.StatusOK || !strings.Contains(got.Text(), "Not saved") {
			t.Fatalf("%s: status %d", do, got.StatusCode)
		}
		if do == "add experiences" && !pagestest.Has(got.ByID("experiences.2.title"), "autofocus") {
			t.Error("the new entry does not have the focus")
		}
		return fields(got)
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
	if v.Backend.Saves != 0 {
		t.Error("the entry was stored")
	}
	form.Del("do")
	v.Post("/profile", form)
	var titles []string
	for _, e := range v.Backend.Profile.GetContent().GetExperiences() {
		titles = append(titles, e.GetTitle())
	}
	if !slices.Equal(titles, []string{"Baker", "Intern"}) {
		t.Errorf("stored titles are %v", titles)
	}
}

func TestCVIsCopiedMadeMainAndDeleted(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	if got := v.Post("/cvs/new", url.Values{"title": {" "}, "from": {""}}); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.Text(), "This field is required.") {
		t.Errorf("CV without a title: status %d", got.StatusCode)
	}
	got := v.Post("/cvs/new", url.Values{"title": {"For designers"}, "from": {"master"}})
	if got.StatusCode != http.StatusSeeOther {
		t.Fatalf("status %d: %s", got.StatusCode, got.Body)
	}
	at := got.Header.Get("Location")
	form := fields(v.Get(at))
	if form.Get("title") != "For designers" || form.Get("summary") != "I build accessible web interfaces." {
		t.Errorf("the copy contains %v", form)
	}
	v.Backend.Connections[0].CvId = strings.TrimPrefix(at, "/cvs/")
	if list := v.Get("/cvs").Text(); !strings.Contains(list, "For designers") || !strings.Contains(list, "Shared with: Acme Jobs") {
		t.Errorf("list page: %s", list)
	}
	ask := v.Get(at + "/main")
	if !strings.Contains(ask.Text(), "For designers") || pagestest.Attribute(ask.ByID("kept_title"), "value") != "Main CV until 9 March 2026" {
		t.Errorf("confirmation page: %s", ask.Text())
	}
	if refused := v.Post(at+"/main", url.Values{"kept_title": {""}}); refused.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("without a title for the current main CV: status %d", refused.StatusCode)
	}
	if done := v.Post(at+"/main", url.Values{"kept_title": {"Before"}}); done.StatusCode != http.StatusSeeOther || v.Backend.Kept != "Before" {
		t.Errorf("status %d, the old main CV is called %q", done.StatusCode, v.Backend.Kept)
	}
	if ask := v.Get(at + "/delete").Text(); !strings.Contains(ask, "Delete For designers?") || !strings.Contains(ask, "After that, they see no CV") || !strings.Contains(ask, "Acme Jobs") {
		t.Errorf("confirmation page before deleting: %s", ask)
	}
	for range 2 { // the second request is from a different tab
		if done := v.Post(at+"/delete", url.Values{}); done.StatusCode != http.StatusSeeOther {
			t.Errorf("status %d", done.StatusCode)
		}
	}
	if gone := v.Get(at); gone.StatusCode != http.StatusNotFound {
		t.Errorf("after the deletion: status %d", gone.StatusCode)
	}
}

// behaviour: profiles#preview
func TestPreviewMatchesPublicPage(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	got := v.Get("/profile/preview")
	if got.StatusCode != http.StatusOK || !strings.Contains(got.Text(), "Noor Digital") || strings.Contains(got.Body, `href="/p/`) {
		t.Errorf("status %d: %s", got.StatusCode, got.Text())
	}
	if got.Header.Get("Cache-Control") != "no-store" {
		t.Error("caches may store the preview")
	}
	if other := pagestest.Visit(t).Get("/profile/preview"); other.StatusCode != http.StatusSeeOther {
		t.Errorf("a visitor without a session gets status %d", other.StatusCode)
	}
}

// behaviour: profiles#import
func TestImportIsReviewedBeforeItIsStored(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	got := v.Upload("/cvs/import", "file", []byte(`{"basics": {"name": "Layla", "label": "Programmer", "summary": "I write."}, "work": [{"name": "Noor", "position": "Dev", "url": "https://noor.example"}, {"position": "Intern"}]}`))
	if got.StatusCode != http.StatusUnprocessableEntity || v.Backend.Saves != 0 {
		t.Fatalf("status %d, %d saves: %s", got.StatusCode, v.Backend.Saves, got.Text())
	}
	text := got.Text()
	for _, want := range []string{"Use these in my profile", "Name Layla", "Headline Programmer", "Experience 1: Web address https://noor.example", "https://noor.example", "Company: This field is required."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing on the page: %s", want, text)
		}
	}
	form := fields(got)
	form.Set("experiences.1.company", "Souq Labs")
	form["use"] = []string{"headline", "phone"}
	form.Set("own.phone", "+971 50 123 4567")
	made := v.Post("/cvs/new", form)
	if made.StatusCode != http.StatusSeeOther {
		t.Fatalf("status %d", made.StatusCode)
	}
	if own := fields(v.Get("/profile")); own.Get("headline") != "Programmer" || own.Get("phone") != "+971 50 123 4567" || own.Get("name") == "Layla" {
		t.Errorf("the profile offers %q, %q, %q", own.Get("name"), own.Get("headline"), own.Get("phone"))
	}
	if kept := fields(v.Get(made.Header.Get("Location"))); kept.Get("title") != "Programmer" || kept.Get("experiences.1.company") != "Souq Labs" || kept.Get("summary") != "I write." {
		t.Errorf("created CV is %v", kept)
	}
	for file, want := range map[string]string{pagestest.NoFile: "Choose a file.", "\n": "This file is empty", strings.Repeat(" ", 10<<20+16<<10): "This file is too large", strings.Repeat("x", 1<<20+1): "other files up to 1 MB", "junk": "isn’t a data export", "%PDF-1.7": "doesn’t contain Europass XML", "hello": "isn’t a data export from LinkedIn, a JSON Resume", "{\n\"work\": [,]}": "damaged at line 2"} {
		got := v.Upload("/cvs/import", "file", []byte(file))
		if got.StatusCode != http.StatusUnprocessableEntity && got.StatusCode != http.StatusRequestEntityTooLarge || strings.Count(got.Text(), want) != 1 {
			t.Errorf("%.20q: status %d: %s", file, got.StatusCode, got.Text())
		}
	}
}

// behaviour: profiles#import
func TestImportOffersPersonalDetails(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	v.Backend.Profile.PersonalDetails = &cvv1.PersonalDetails{MaritalStatus: wrapperspb.String("Single"), Gender: wrapperspb.String("F")}
	file := `<Candidate><CandidatePerson><NationalityCode>ae</NationalityCode><NationalityCode>jo</NationalityCode>
		<BirthDate>1999-05-17</BirthDate><GenderCode>female</GenderCode></CandidatePerson><CandidateProfile/></Candidate>`
	got := v.Upload("/cvs/import", "file", []byte(file))
	listed, offers, _ := strings.Cut(got.Text(), "Use these in my profile")
	if !strings.Contains(listed, "About you: Nationality Jordan") || strings.Contains(listed, "Emirates") {
		t.Errorf("listed texts: %s", listed)
	}
	for _, want := range []string{"Date of birth 17 May 1999", "Gender Female (now: F )", "Nationality United Arab Emirates"} {
		if !strings.Contains(offers, want) {
			t.Errorf("%q is not offered: %s", want, offers)
		}
	}
	form := fields(got)
	if len(form["use"]) != 0 {
		t.Errorf("preselected: %q", form["use"])
	}
	form.Set("title", "Europass")
	form["use"] = []string{"date_of_birth", "nationality"}
	if made := v.Post("/cvs/new", form); made.StatusCode != http.StatusSeeOther {
		t.Fatalf("status %d: %s", made.StatusCode, made.Text())
	}
	want := &cvv1.PersonalDetails{
		DateOfBirth: wrapperspb.String("1999-05-17"), Gender: wrapperspb.String("F"), MaritalStatus: wrapperspb.String("Single"),
		Nationality: wrapperspb.String("United Arab Emirates"),
	}
	if got := v.Backend.Profile.GetPersonalDetails(); !proto.Equal(got, want) {
		t.Errorf("the profile has %v, want %v", got, want)
	}
	file = `<Candidate><CandidatePerson><BirthDate>1999-05</BirthDate><GenderCode>9</GenderCode></CandidatePerson><CandidateProfile/></Candidate>`
	text := v.Upload("/cvs/import", "file", []byte(file)).Text()
	if strings.Contains(text, "Use these in my profile") || !strings.Contains(text, "Date of birth May 1999") || !strings.Contains(text, "Gender 9") {
		t.Errorf("values that the profile rejects: %s", text)
	}
}

// behaviour: profiles#import
func TestUnimportedTextIsListedInPageLanguage(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	v.Lang = "ar"
	text := v.Upload("/cvs/import", "file", []byte(`{"basics": {"email": "`+strings.ToUpper(pagestest.GoodEmail)+`", "image": "https://x.example/1"}, "references": [{"name": "Omar"}], "Shoe size": "41", "هوايات": "الشطرنج"}`)).Text()
	for _, want := range []string{"عنك: الصورة https://x.example/1", "المراجع 1: الاسم Omar", "معلومات أخرى 41", "هوايات الشطرنج"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing on the page: %s", want, text)
		}
	}
	if strings.Contains(text, strings.ToUpper(pagestest.GoodEmail)) || strings.Contains(text, "Shoe") {
		t.Error(text)
	}
	v.Lang = "en"
	text = v.Upload("/cvs/import", "file", []byte(`{"basics": {"email": "other@example.com"}, "work": []}`)).Text()
	if !strings.Contains(text, "About you: Email address other@example.com Your CV shows your account’s email address instead, once it’s verified.") {
		t.Error(text)
	}
}

// behaviour: profiles#import
func TestRejectedCVDoesNotChangeProfile(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	form := fields(v.Upload("/cvs/import", "file", []byte(`{"basics": {"phone": "+971 50 123 4567", "summary": "I write."}}`)))
	form["use"] = []string{"phone"}
	v.Backend.Full = true
	if got := v.Post("/cvs/new", form); got.StatusCode != http.StatusConflict || v.Backend.Profile.GetPhone() != "" {
		t.Errorf("too many CVs: status %d, phone number %q", got.StatusCode, v.Backend.Profile.GetPhone())
	}
	v.Backend.Full = false
	form.Set("title", "")
	again := v.Post("/cvs/new", form)
	if again.StatusCode != http.StatusUnprocessableEntity || v.Backend.Profile.GetPhone() != "" {
		t.Errorf("no title: status %d, phone number %q", again.StatusCode, v.Backend.Profile.GetPhone())
	}
	form = fields(again)
	form.Set("title", "Writer")
	if made := v.Post("/cvs/new", form); made.StatusCode != http.StatusSeeOther || v.Backend.Profile.GetPhone() != "+971 50 123 4567" {
		t.Errorf("resubmitted: status %d, phone number %q", made.StatusCode, v.Backend.Profile.GetPhone())
	}
}

func TestCVIsKeptIfProfileIsRejected(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	before := proto.CloneOf(v.Backend.Profile)
	made := v.Post("/cvs/new", url.Values{"title": {"Writer"}, "use": {"name", "phone"}, "own.name": {" "}, "own.phone": {"+971 50 123 4567"}})
	if made.StatusCode != http.StatusSeeOther || len(v.Backend.Own) != 1 || !proto.Equal(v.Backend.Profile, before) {
		t.Fatalf("status %d, %d CVs, profile %v", made.StatusCode, len(v.Backend.Own), v.Backend.Profile)
	}
	if page := v.Get(made.Header.Get("Location")).Text(); !strings.Contains(page, "Writer was created, but we couldn’t save what you selected for your profile.") {
		t.Error(page)
	}
}

func TestUploadedPhotoIsStored(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	png := "\x89PNG\r\n\x1a\n rest"
	if got := v.Upload("/profile/photo", "photo", []byte(png)); got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(v.Backend.Profile.GetAvatarUrl(), "data:image/png;base64,") {
		t.Errorf("status %d, stored photo %q", got.StatusCode, v.Backend.Profile.GetAvatarUrl())
	}
	stored := v.Backend.Profile.GetAvatarUrl()
	for file, want := range map[string]string{
		pagestest.NoFile: "Choose a photo.", png + strings.Repeat("x", 512<<10): "We can’t read this image.", png + strings.Repeat("x", 10<<20+16<<10): "This file is larger than 10 MB.",
	} {
		got := v.Upload("/profile/photo", "photo", []byte(file))
		fault := got.ByID("photo-fault")
		if got.StatusCode != http.StatusUnprocessableEntity && got.StatusCode != http.StatusRequestEntityTooLarge || fault == nil || !strings.HasPrefix(pagestest.TextOf(fault), want) || pagestest.Attribute(fault, "role") != "alert" {
			t.Errorf("%d bytes: %d %s, want %q", len(file), got.StatusCode, got.Text(), want)
		}
	}
	if v.Backend.Profile.GetAvatarUrl() != stored {
		t.Error("a rejected file changes the photo")
	}
	var large bytes.Buffer
	noise := image.NewNRGBA(image.Rect(0, 0, 600, 600))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(rand.Uint32())
	}
	if err := imagepng.Encode(&large, noise); err != nil || large.Len() <= 512<<10 {
		t.Fatalf("%d bytes, %v", large.Len(), err)
	}
	if got := v.Upload("/profile/photo", "photo", large.Bytes()); got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(v.Backend.Profile.GetAvatarUrl(), "data:image/jpeg;base64,") || len(v.Backend.Profile.GetAvatarUrl()) > 150_000 {
		t.Errorf("status %d, %d bytes stored", got.StatusCode, len(v.Backend.Profile.GetAvatarUrl()))
	}
	if got := v.Post("/profile/photo", url.Values{"do": {"remove"}}); got.StatusCode != http.StatusSeeOther || v.Backend.Profile.GetAvatarUrl() != "" {
		t.Errorf("status %d, stored photo %q", got.StatusCode, v.Backend.Profile.GetAvatarUrl())
	}
}

// behaviour: profiles#external-editor
func TestExternalEditorReplacesEditor(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Pages = pagestest.NewPages(t, func(c *pages.Config) { c.ProfileURL = "https://host.example/me" })
	v.SignIn()
	for _, path := range []string{"/profile", "/cvs"} {
		if got := v.Get(path); got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "https://host.example/me" {
			t.Errorf("%s: status %d, redirect to %q", path, got.StatusCode, got.Header.Get("Location"))
		}
	}
	for _, path := range []string{"/cvs/new", "/cvs/import", "/cvs/cv_1", "/profile/photo", "/profile/preview"} {
		if got := v.Get(path); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, got.StatusCode)
		}
	}
	if !strings.Contains(v.Get("/account").Body, `href="https://host.example/me"`) {
		t.Error("the pages do not link to the external editor")
	}
}

func TestEditorIsTranslatedToArabic(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	v.Lang = "ar"
	id := v.Backend.AddOwn("للمصممين", &candidatev1.CvContent{})
	for _, path := range []string{"/profile", "/profile/photo", "/profile/preview", "/cvs", "/cvs/new", "/cvs/import", "/cvs/" + id, "/cvs/" + id + "/main", "/cvs/" + id + "/delete"} {
		got := v.Get(path)
		if got.StatusCode != http.StatusOK || pagestest.Attribute(got.Root.FirstChild.NextSibling, "dir") != "rtl" {
			t.Errorf("%s: status %d", path, got.StatusCode)
		}
	}
	form := fields(v.Get("/profile"))
	form.Set("name", "")
	if got := v.Post("/profile", form); !strings.Contains(got.Text(), "هذا الحقل ناقص.") {
		t.Errorf("got %s", got.Text())
	}
}

func TestEditorAcceptsLargeForms(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	form := fields(v.Get("/profile"))
	form.Set("summary", strings.Repeat("كلمة ", 45_000))
	if got := v.Post("/profile", form); got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a form above 1 MiB gets status %d", got.StatusCode)
	}
	form.Set("summary", strings.Repeat("كلمة ", 20_000))
	if got := v.Post("/profile", form); got.StatusCode != http.StatusSeeOther {
		t.Errorf("a form of half a megabyte gets status %d", got.StatusCode)
	}
}

// behaviour: profiles#autosave
func TestEditorSaysWhoSeesSavedContent(t *testing.T) {
	t.Parallel()
	v := pagestest.Editing(t)
	says := func() string { return v.Get("/profile").Text() }
	if text := says(); strings.Contains(text, "what you saved on") {
		t.Errorf("before the first save: %s", text)
	}
	form := fields(v.Get("/profile"))
	v.Post("/profile", form)
	if text := says(); !strings.Contains(text, "Apps that you share it with see what you saved on") || strings.Contains(text, "Your public page, and") {
		t.Errorf("after a save: %s", text)
	}
	form = fields(v.Get("/profile"))
	form.Set("profile_public", "on")
	v.Post("/profile", form)
	if text := says(); !strings.Contains(text, "Your public page, and apps that you share it with, show what you saved on") {
		t.Errorf("with a public page: %s", text)
	}
}
