package console

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

const owner = optionsv1.Role_ROLE_OWNER

func TestWhoBelongsToNoAccountIsOfferedToCreateOne(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner))
	if res := b.get("/apps"); res.Header.Get("Location") != "/accounts/new" {
		t.Fatalf("%d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	if res := b.post("/accounts/new", "/accounts/new", url.Values{"name": {"Rasheed"}}); res.Header.Get("Location") != "/" {
		t.Fatalf("%d", res.StatusCode)
	}
	if page := body(t, b.get("/")); !strings.Contains(page, "Rasheed") {
		t.Error("the new account is not shown")
	}
	back.fail = errs.New(errs.Precondition, "TOO_MANY_ACCOUNTS", "A person can create 5 accounts.")
	res := b.post("/accounts/new", "/accounts/new", url.Values{"name": {"Another"}})
	if page := body(t, res); res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(page, "A person can create 5 accounts.") || !strings.Contains(page, `value="Another"`) {
		t.Errorf("%d", res.StatusCode)
	}
}

func TestABrowserLooksAtOneOfThePersonsOwnAccounts(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1", "dev_2"))
	b.get("/apps")
	b.post("/", "/account", url.Values{"account": {"dev_2"}})
	b.get("/apps")
	b.post("/", "/account", url.Values{"account": {"dev_3"}})
	b.get("/apps")
	for account, want := range map[string]bool{"dev_1": true, "dev_2": true, "dev_3": false} {
		if _, asked := back.asked["ListApps "+account]; asked != want {
			t.Errorf("%s was looked at: %v", account, asked)
		}
	}
	delete(back.asked, "ListApps dev_1")
	back.live["secret"] = member(owner, "dev_1") // removed from the chosen one
	b.get("/apps")
	if _, asked := back.asked["ListApps dev_1"]; !asked {
		t.Error("who was removed from an account does not see the next one")
	}
}

func TestABrowserLooksAtTheAccountInWhichThePersonMayDoTheMost(t *testing.T) {
	t.Parallel()
	back := newBackend()
	session := member(optionsv1.Role_ROLE_VIEWER, "dev_1", "dev_2", "dev_3")
	session.Memberships[1].Role, session.Memberships[2].Role = owner, owner
	b := signedIn(t, back, session)
	b.get("/apps")
	if _, asked := back.asked["ListApps dev_2"]; !asked {
		t.Errorf("who has chosen no account does not see the first of their own: %v", back.asked)
	}
}

func TestFormsThatNoPageHasShownAreRefused(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/accounts/new", "/account", "/apps/new", "/apps/app_1", "/apps/app_1/delete", "/apps/app_1/secrets", "/apps/app_1/secrets/sec_1/delete",
		"/apps/app_1/keys", "/apps/app_1/keys/key_1/delete", "/team", "/team/usr_2/remove", "/team/usr_2/role", "/limits", "/settings", "/settings/close",
		"/invitations/inv_1/withdraw", "/invitations/secret", "/sign-out",
	} {
		b := signedIn(t, newBackend(), member(owner, "dev_1"))
		if res := b.bare(path, url.Values{"csrf": {"x"}}); res.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
}

func TestEveryPageRefusesFramesScriptsOfOthersAndCaches(t *testing.T) {
	t.Parallel()
	b := signedIn(t, newBackend(), member(owner, "dev_1"))
	for _, path := range []string{"/", "/apps", "/apps/new", "/apps/app_1", "/apps/app_1/keys", "/team", "/audit", "/limits", "/settings", "/settings/close", "/accounts/new", "/requests", "/requests/newest", "/requests.csv", "/requests/req_0"} {
		h := b.get(path).Header
		policy := h.Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "script-src 'self'") || strings.Contains(policy, "unsafe") || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %q, %q", path, policy, h.Get("Cache-Control"))
		}
	}
}

func TestNamesOfOthersAreShownAsTheyAre(t *testing.T) {
	t.Parallel()
	b := signedIn(t, newBackend(), member(owner, "dev_1"))
	for _, path := range []string{"/", "/apps", "/apps/app_1", "/apps/app_1/keys", "/apps/app_1/delete"} {
		if page := body(t, b.get(path)); strings.Contains(page, "<b>") || !strings.Contains(page, "&lt;b&gt;") {
			t.Errorf("%s does not escape the name of an app", path)
		}
	}
}

func TestARoleSeesOnlyWhatItCanUse(t *testing.T) {
	t.Parallel()
	for role, want := range map[optionsv1.Role][]string{
		owner:                         {"Create app", "Save changes", "Create key", "Invite"},
		optionsv1.Role_ROLE_DEVELOPER: {"Create app", "Save changes", "Create key"},
		optionsv1.Role_ROLE_VIEWER:    nil,
	} {
		b := signedIn(t, newBackend(), member(role, "dev_1"))
		pages := body(t, b.get("/apps")) + body(t, b.get("/apps/app_1")) + body(t, b.get("/apps/app_1/keys")) + body(t, b.get("/team"))
		for _, control := range []string{"Create app", "Save changes", "Create key", "Invite"} {
			if shown := strings.Contains(pages, ">"+control+"<"); shown != slices.Contains(want, control) {
				t.Errorf("%v: %s is shown: %v", role, control, shown)
			}
		}
	}
	suspended := member(owner, "dev_1")
	suspended.Memberships[0].Suspended = true
	b := signedIn(t, newBackend(), suspended)
	if page := body(t, b.get("/apps/app_1")); !strings.Contains(page, "This account is suspended") || strings.Contains(page, "Save changes") {
		t.Error("a suspended account is not read-only")
	}
}

func TestASecretIsShownInTheAnswerThatMadeItAndNowhereElse(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	for _, one := range []struct {
		path, secret string
		form         url.Values
	}{
		{"/apps/app_1/keys", "svc_sk_once", url.Values{"name": {"ats"}, "scopes": {"jobs:read", "companies:read"}, "expires": {"2026-12-31"}}},
		{"/apps/new", "svc_cs_once", url.Values{"name": {"web"}, "scopes": {"profile"}}},
		{"/team", "invited-once", url.Values{"email": {"omar@vitae.example"}, "role": {"viewer"}}},
	} {
		res := b.post(one.path, one.path, one.form)
		if page := body(t, res); res.StatusCode != http.StatusOK || !strings.Contains(page, one.secret) || !strings.Contains(page, "Copy it now") {
			t.Errorf("%s: %d without the secret", one.path, res.StatusCode)
		}
		if res.Header.Get("Cache-Control") != "no-store" || res.Header.Get("Location") != "" {
			t.Errorf("%s: the answer may be kept: %v", one.path, res.Header)
		}
		for name, c := range b.cookies {
			if strings.Contains(c.Value, "once") {
				t.Errorf("%s: cookie %s holds the secret", one.path, name)
			}
		}
		if page := body(t, b.get(one.path)); strings.Contains(page, one.secret) {
			t.Errorf("%s shows the secret again", one.path)
		}
	}
	if end := back.key.GetExpiresAt().AsTime(); end.Format("2006-01-02T15:04") != "2027-01-01T00:00" {
		t.Errorf("a key whose last day is 31 December ends at %s", end)
	}
}

func TestAnAppIsChangedAndEachFaultStandsAtItsField(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	form := url.Values{"name": {"Web"}, "redirect-uris": {"https://a.example/x\r\n\r\n  http://b.example  \n"}, "scopes": {"profile", "cv:read"}}
	if res := b.post("/apps/app_1", "/apps/app_1", form); res.Header.Get("Location") != "/apps/app_1" {
		t.Fatalf("%d", res.StatusCode)
	}
	if got := back.update; !slices.Equal(got.GetRedirectUris(), []string{"https://a.example/x", "http://b.example"}) || !slices.Equal(got.GetScopes(), []string{"profile", "cv:read"}) ||
		slices.Contains(got.GetUpdateMask().GetPaths(), "logo") {
		t.Errorf("the change is %v", got)
	}
	back.fail = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(
		errs.Violation{Field: "redirect_uris[1]", Description: "must be https off this machine"}, errs.Violation{Field: "name", Description: "is blank"})
	res := b.post("/apps/app_1", "/apps/app_1", form)
	page := body(t, res)
	for _, want := range []string{`href="#redirect-uris"`, "Redirect URIs: Line 2: must be https off this machine.</a>", `href="#name">Name: Is blank.</a>`, `id="name-fault">Is blank.`, "http://b.example"} {
		if !strings.Contains(page, want) {
			t.Errorf("%d, the page does not say %q", res.StatusCode, want)
		}
	}
}

func TestAKeyThatEndsSoonIsPointedOut(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	for days, want := range map[int]string{-1: ">expired<", 6: ">soon<", 8: ""} {
		back.keys = []*authv1.ApiKey{{Id: "key_1", Name: "ats", Hint: "9xYz", ExpiresAt: timestamppb.New(now.AddDate(0, 0, days))}}
		page := body(t, b.get("/apps/app_1/keys"))
		if !strings.Contains(page, "svc_sk_…9xYz") {
			t.Error("the key cannot be told from others")
		}
		for _, word := range []string{">expired<", ">soon<"} {
			if shown := strings.Contains(page, word); shown != (word == want) {
				t.Errorf("%d days: %s is shown: %v", days, word, shown)
			}
		}
	}
}

func TestTheAuditLogAsAFileHoldsNoFormula(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.events = []*authv1.AuditEvent{{At: timestamppb.New(now), Action: "api_key.create", ObjectId: "＝1+1", RequestId: "req_1", Actor: &authv1.AuditActor{Id: "usr_1"}}}
	b := signedIn(t, back, member(owner, "dev_1"))
	res := b.get("/audit.csv")
	want := byteOrderMark + "at,action,outcome,code,actor,object,app,address,request_id,actor_name,object_name,app_name\n2026-03-01T12:00:00Z,api_key.create,done,,usr_1,'＝1+1,,,req_1,usr_1,'＝1+1,\n"
	if got := body(t, res); got != want || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("%q", got)
	}
	if page := body(t, b.get("/audit?action=api_key.create&from=2026-03-01")); !strings.Contains(page, "/audit.csv?action=api_key.create&amp;from=2026-03-01") {
		t.Error("the file does not have the filter of the page")
	}
}
