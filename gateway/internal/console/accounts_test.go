package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestFirstVisitOffersAnAccount(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner))
	leads(t, b.get("/apps"), "/accounts/new")
	wantNone(t, b.page("/accounts/new"), `aria-label="Console"`)
	leads(t, b.post("/accounts/new", "/accounts/new", url.Values{"name": {"Rasheed"}}), "/")
	wantAll(t, b.page("/"), "Rasheed")

	back.fail["CreateAccount"] = errs.New(errs.Precondition, "TOO_MANY_ACCOUNTS", "A person can create 5 accounts.")
	res := b.post("/accounts/new", "/accounts/new", url.Values{"name": {"Another"}})
	if res.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("creating an account over the limit: status %d", res.StatusCode)
	}
	wantAll(t, body(t, res), "A person can create 5 accounts.", `value="Another"`)
}

// listedAccounts returns the accounts whose apps were listed.
func listedAccounts(b *backend) (all []string) {
	for _, r := range sent[*authv1.ListAppsRequest](b) {
		all = append(all, r.GetAccountId())
	}
	return slices.Compact(all)
}

func TestOnlyOwnAccountsCanBeChosen(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1", "dev_2"))
	choose := func(account string) {
		b.bare("/account", url.Values{"csrf": {must(hidden(b.page("/settings"), "csrf"))}, "account": {account}})
		b.get("/apps")
	}
	b.get("/apps")
	choose("dev_2")
	choose("dev_3")
	back.live["secret"] = member(owner, "dev_1") // the member loses access to the selected account
	b.get("/apps")
	if got := listedAccounts(back); !slices.Equal(got, []string{"dev_1", "dev_2", "dev_1"}) {
		t.Errorf("the browser listed the apps of %v", got)
	}
}

func must(value string, _ bool) string { return value }

func TestAccountWithHighestRoleIsDefault(t *testing.T) {
	t.Parallel()
	back := newBackend()
	session := member(viewer, "dev_1", "dev_2", "dev_3")
	session.Memberships[1].Role, session.Memberships[2].Role = owner, owner
	signIn(t, back, session).get("/apps")
	if got := listedAccounts(back); !slices.Equal(got, []string{"dev_2"}) {
		t.Errorf("the browser listed the apps of %v", got)
	}
}

// closeOnlyAccount returns the browser of a person who has just closed their only account.
func closeOnlyAccount(t *testing.T, back *backend) *browser {
	t.Helper()
	b := signIn(t, back, member(owner, "dev_1"))
	leads(t, b.post("/settings/close", "/settings/close", url.Values{"confirm": {"Account dev_1"}}), "/")
	return b
}

func TestClosingTheOnlyAccountIsConfirmedOnce(t *testing.T) {
	t.Parallel()
	b := closeOnlyAccount(t, newBackend())
	leads(t, b.get("/"), "/accounts/new")
	wantAll(t, b.page("/accounts/new"), "Account dev_1 was closed.")
	wantNone(t, b.page("/accounts/new"), "was closed")
}

// Several people may use the same browser one after the other.
func TestNoticeIsNotShownToTheNextPerson(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := closeOnlyAccount(t, back)
	waiting := b.cookies["__Host-vitae_console_notice"]
	if waiting == nil {
		t.Fatalf("no notice is pending; cookies: %v", b.cookies)
	}
	csrf, _ := hidden(b.page("/accounts/new"), "csrf")
	b.cookies[waiting.Name] = waiting // as if no page had shown the notice yet
	leads(t, b.bare("/sign-out", url.Values{"csrf": {csrf}}), "/signed-out")
	wantNone(t, b.as(back, member(owner, "dev_2")).page("/"), "was closed")
}
