package console

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/grpc"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// closing is an auth whose accounts close.
type closing struct{ *backend }

func (c closing) CloseAccount(ctx context.Context, _ *authv1.CloseAccountRequest, _ ...grpc.CallOption) (*authv1.CloseAccountResponse, error) {
	session, err := c.session(ctx, "CloseAccount")
	session.Memberships = nil
	return &authv1.CloseAccountResponse{}, err
}

// closed is a browser whose person has just closed their only account.
func closed(t *testing.T, back *backend) *browser {
	t.Helper()
	p := partsOf(back)
	p.accounts = closing{back}
	b := openParts(t, p).as(back, member(owner, "dev_1"))
	if res := b.post("/settings/close", "/settings/close", url.Values{"confirm": {"Account dev_1"}}); res.Header.Get("Location") != "/" {
		t.Fatalf("%d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	return b
}

func TestWhoHasClosedTheirOnlyAccountIsToldSo(t *testing.T) {
	t.Parallel()
	b := closed(t, newBackend())
	if res := b.get("/"); res.Header.Get("Location") != "/accounts/new" {
		t.Fatalf("%d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	if page := body(t, b.get("/accounts/new")); !strings.Contains(page, "Account dev_1 was closed.") {
		t.Error("the page that offers a new account does not say that the other was closed")
	}
	if page := body(t, b.get("/accounts/new")); strings.Contains(page, "was closed") {
		t.Error("it says so again")
	}
}

// A browser may be used by several people, one after the other.
func TestANoticeIsForNobodyElse(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := closed(t, back)
	waiting := b.cookies["__Host-vitae_console_notice"]
	if waiting == nil {
		t.Fatalf("no notice waits among %v", b.cookies)
	}
	csrf, _ := hidden(body(t, b.get("/accounts/new")), "csrf")
	b.cookies[waiting.Name] = waiting // as if no page had been opened since
	if res := b.bare("/sign-out", url.Values{"csrf": {csrf}}); res.Header.Get("Location") != signedOutPath {
		t.Fatalf("%d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	b.as(back, member(owner, "dev_2"))
	if page := body(t, b.get("/")); strings.Contains(page, "was closed") {
		t.Error("the next person in this browser reads what the one before has done")
	}
}
