package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestAFormThatIsSentAgainMakesNoSecondThing(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		page, path, leads string
		form              url.Values
	}{
		{"/accounts/new", "/accounts/new", "/", url.Values{"name": {"Rasheed"}}},
		{"/apps/new", "/apps/new", "/apps", url.Values{"name": {"web"}, "scopes": {"profile"}}},
		{"/apps/app_1", "/apps/app_1/secrets", "/apps/app_1", url.Values{}},
		{"/apps/app_1/keys", "/apps/app_1/keys", "/apps/app_1/keys", url.Values{"name": {"ats"}, "scopes": {"jobs:read"}}},
		{"/limits", "/limits", "/limits", url.Values{"plan": {"elevated"}, "reason": {"More."}}},
		{"/team", "/team", "/team", url.Values{"email": {"omar@vitae.example"}, "role": {"viewer"}}},
	} {
		back := newBackend()
		b := signedIn(t, back, member(owner, "dev_1"))
		if res := b.post(one.page, one.path, one.form); res.StatusCode >= 400 || back.made != 1 {
			t.Fatalf("%s: %d, %d made", one.path, res.StatusCode, back.made)
		}
		again := b.bare(one.path, one.form) // the same form, as a reload sends it
		if back.made != 1 || again.StatusCode != http.StatusSeeOther || again.Header.Get("Location") != one.leads {
			t.Errorf("%s again: %d made, %d to %q", one.path, back.made, again.StatusCode, again.Header.Get("Location"))
		}
		if page := body(t, b.get(one.leads)); !strings.Contains(page, `<p class="notice neutral" role="status">This form was already sent`) || strings.Contains(page, "Copy it now") {
			t.Errorf("%s again: the page does not say what has happened", one.path)
		}
		if b.post(one.page, one.path, one.form); back.made != 2 {
			t.Errorf("%s: a form that was loaded anew makes nothing", one.path)
		}
		one.form.Del(formField)
		if res := b.bare(one.path, one.form); res.StatusCode < 400 || back.made != 2 {
			t.Errorf("%s: a form without a name: %d", one.path, res.StatusCode)
		}
	}
}

func TestRemovingAMemberNamesWhatWorksOn(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.keys = []*authv1.ApiKey{
		{Id: "key_1", Name: "ats", Hint: "abcd", CreatedBy: "usr_2"}, {Id: "key_2", Name: "other", CreatedBy: "usr_1"},
		{Id: "key_3", Name: "over", CreatedBy: "usr_2", ExpiresAt: timestamppb.New(now)},
	}
	b := signedIn(t, back, member(owner, "dev_1"))
	page := body(t, b.get("/team/usr_2/remove"))
	if !strings.Contains(page, "API key ats (…abcd) of") || !strings.Contains(page, "stay members") ||
		strings.Contains(page, "API key other") || strings.Contains(page, "API key over") || strings.Contains(page, "Client secret") {
		t.Errorf("of Omar it says %s", page)
	}
	if page := body(t, b.get("/team/usr_1/remove")); !strings.Contains(page, "Client secret sec_1 of") {
		t.Errorf("of Layla it says %s", page)
	}
}

// A console that is found open makes no credential, no owner and no end of an account.
func TestWhatGivesAccessAsksForAProof(t *testing.T) {
	t.Parallel()
	back := newBackend()
	late := member(owner, "dev_1")
	late.Proven = false
	for path, to := range map[string]string{
		"/apps/app_1/keys": "/apps/app_1/keys", "/apps/app_1/secrets": "/apps/app_1", "/apps/app_1/secrets/sec_1/end": "/apps/app_1",
		"/apps/new": "/apps/new", "/team": "/team", "/team/usr_2/role": "/team",
		"/team/usr_2/remove": "/team/usr_2/remove", "/settings/close": "/settings/close",
	} {
		b := signedIn(t, back, late)
		form := url.Values{formField: {"one"}, "name": {"x"}, "email": {"new@vitae.example"}, "role": {"owner"}, "expires": {""}, "confirm": {"x"}}
		for _, field := range newAppFields {
			form[field] = append(form[field], "x")
		}
		res := b.post("/team", path, form)
		if want := appURL + "/account/confirm?" + (url.Values{"return": {consoleURL + to}}).Encode(); res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != want {
			t.Errorf("%s: %d to %s, want %s", path, res.StatusCode, res.Header.Get("Location"), want)
		}
	}
	// Its form is long, so the question comes before it.
	if res := signedIn(t, back, late).get("/apps/new"); res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(res.Header.Get("Location"), appURL+"/account/confirm?") {
		t.Errorf("the form of a new app: %d", res.StatusCode)
	}
	if back.made != 0 || len(back.forms) != 0 {
		t.Errorf("%d were made, the forms %v were taken", back.made, back.forms)
	}
}

// The proof was given in another browser session than that of the console's session, or not at all.
func TestAProofThatDoesNotCountSignsInAgain(t *testing.T) {
	t.Parallel()
	back := newBackend()
	who := member(owner, "dev_1")
	who.Proven = false
	b := signedIn(t, back, who)
	send := func() string {
		return b.post("/settings/close", "/settings/close", url.Values{"confirm": {"x"}}).Header.Get("Location")
	}
	proof := appURL + "/account/confirm?" + (url.Values{"return": {consoleURL + "/settings/close"}}).Encode()
	for i, want := range []string{proof, "/sign-in?return=%2Fsettings%2Fclose", proof} {
		if got := send(); got != want {
			t.Errorf("form %d leads to %s, want %s", i, got, want)
		}
		if page := body(t, b.get("/settings/close")); strings.Contains(page, "You can continue now") {
			t.Errorf("form %d: the page says that the proof was given", i)
		}
	}
	who.Proven = true
	if got := b.get("/settings/close").Header.Get("Location"); got != "/settings/close" {
		t.Errorf("back with the proof to %q", got)
	}
	for _, want := range []bool{true, false} {
		if page := body(t, b.get("/settings/close")); strings.Contains(page, "You can continue now") != want {
			t.Errorf("the page says that the proof was given: %t, want %t", !want, want)
		}
	}
}

func TestWhoDidItIsAMembersName(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.keys = []*authv1.ApiKey{{Id: "key_1", Name: "ats", CreatedBy: "usr_2"}, {Id: "key_2", Name: "old", CreatedBy: "usr_gone"}, {Id: "key_3", CreatedBy: "internal/ops"}}
	back.invitations = []*authv1.Invitation{{Id: "inv_1", Email: "new@vitae.example", CreatedBy: "usr_2"}}
	back.events = []*authv1.AuditEvent{
		{Action: "member.remove", Actor: &authv1.AuditActor{Id: "usr_2"}, ObjectId: "usr_1"}, {Actor: &authv1.AuditActor{Id: "usr_gone"}},
	}
	back.eventNames = []*authv1.EventName{{Id: "usr_1", Name: "Layla"}, {Id: "usr_2", Name: "Omar"}}
	b := signedIn(t, back, member(owner, "dev_1"))
	for path, want := range map[string][]string{
		"/apps/app_1":      {"by <bdi>Layla</bdi>"},
		"/apps/app_1/keys": {"by <bdi>Omar</bdi>", "by <bdi>usr_gone</bdi>", "by <bdi>internal/ops</bdi>"},
		"/team":            {`<td data-label="By"><bdi>Omar</bdi></td>`},
		"/audit":           {`<a href="/team"><bdi>Omar</bdi></a>`, `<a href="/team"><bdi>Layla</bdi></a>`, "<td><bdi>usr_gone</bdi></td>"},
		"/audit.csv":       {",usr_2,usr_1,", ",Omar,Layla,\n", ",usr_gone,,\n"},
	} {
		page := body(t, b.get(path))
		for _, name := range want {
			if !strings.Contains(page, name) {
				t.Errorf("%s does not say %q", path, name)
			}
		}
	}
}
