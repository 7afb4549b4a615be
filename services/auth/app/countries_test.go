package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/testkit/addressfile"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// The address database that knowing configures knows the countries of all these IP addresses except the last.
const (
	inRiyadh = "203.0.113.7"
	inBerlin = "198.51.100.7"
	nowhere  = "192.0.2.7"
)

// knowing returns a replica that has a geolocation database.
func (w *world) knowing() *world {
	w.Helper()
	with := *w
	with.cfg.AddressDatabase = addressfile.Write(w, map[string]string{"203.0.113.0/24": "SA", "198.51.100.0/24": "DE"})
	return with.replica()
}

// at returns a context for calls on behalf of a client with the given IP address.
func (w *world) at(address string) context.Context {
	return grpcx.WithClientAddress(w.Context(), address)
}

// signsInAt signs Layla in with an unknown browser from the given IP address, and returns the session secret.
func (w *world) signsInAt(address string) string {
	w.Helper()
	w.clock.Advance(2 * time.Minute)
	in, err := w.sessions.SignIn(w.at(address), &authv1.SignInRequest{
		Email: "layla@example.com", Password: plainWord, ClientIp: address, Browser: &authv1.Browser{Name: "Chrome", System: "Android"},
	})
	w.must(err)
	return in.GetSessionToken()
}

// countries lists the countries of a person's sessions, most recently used first.
func (w *world) countries(ctx context.Context, secret string) string {
	w.Helper()
	resp, err := w.sessions.ListSessions(ctx, &authv1.ListSessionsRequest{SessionToken: secret})
	w.must(err)
	var all []string
	for _, one := range resp.GetSessions() {
		all = append(all, one.GetCountry())
	}
	return strings.Join(all, " ")
}

func TestSessionHasCountryOfLastUse(t *testing.T) {
	t.Parallel()
	off := newWorld(t)
	p := off.person("layla@example.com")
	w := off.knowing()
	first := w.signsInAt(inRiyadh)
	if got := w.countries(w.at(inRiyadh), first); got != "SA " {
		t.Errorf("after signing in: %q", got)
	}
	w.clock.Advance(time.Minute)
	if got := w.countries(w.at(inBerlin), first); got != "DE " {
		t.Errorf("after a use elsewhere: %q", got)
	}
	if got := w.countries(w.at(inRiyadh), first); got != "SA " {
		t.Errorf("after an immediate use elsewhere: %q", got)
	}
	if got := w.countries(w.Context(), first); got != "SA " {
		t.Errorf("after a use without an address: %q", got)
	}
	w.clock.Advance(time.Minute)
	if got := w.countries(w.at(nowhere), first); got != " " {
		t.Errorf("after a use from an unknown address: %q", got)
	}
	w.clock.Advance(time.Minute)
	w.countries(w.at(inRiyadh), first)
	w.clock.Advance(time.Minute)
	_, err := authv1.NewSessionServiceClient(w.candidate).GetSession(w.at(inBerlin), &authv1.GetSessionRequest{SessionToken: first})
	w.must(err)
	if got := w.countries(w.Context(), first); got != "SA " {
		t.Errorf("after a call by a different service: %q", got)
	}
	if got := off.countries(w.at(inBerlin), first); got != " " {
		t.Errorf("without a database: %q", got)
	}
	w.clock.Advance(time.Minute)
	if got := w.countries(w.at(inRiyadh), p.session); !strings.HasPrefix(got, "SA") {
		t.Errorf("a session opened without a database: %q", got)
	}
}

func TestNoticeNamesTheCountry(t *testing.T) {
	t.Parallel()
	off := newWorld(t)
	off.person("layla@example.com")
	w := off.knowing()
	w.awaitNotices("layla@example.com", 1)
	w.signsInAt(inRiyadh)
	if notice := w.awaitNotices("layla@example.com", 2)[1]; !strings.Contains(notice, "from \u2068Chrome\u2069 on \u2068Android\u2069, \u2068Saudi Arabia\u2069.") {
		t.Errorf("the notice is %s", notice)
	}
	w.signsInAt(nowhere)
	if notice := w.awaitNotices("layla@example.com", 3)[2]; !strings.Contains(notice, "from \u2068Chrome\u2069 on \u2068Android\u2069.") {
		t.Errorf("the notice is %s", notice)
	}
	secret := w.signsInAt(inBerlin)
	_, err := w.sessions.SetLanguage(w.at(inBerlin), &authv1.SetLanguageRequest{SessionToken: secret, Language: "ar"})
	w.must(err)
	w.signsInAt(inRiyadh)
	if notice := w.awaitNotices("layla@example.com", 5)[4]; !strings.Contains(notice, "\u2068Android\u2069، \u2068المملكة العربية السعودية\u2069.") {
		t.Errorf("the notice is %s", notice)
	}
}

func TestActivityNamesTheCountry(t *testing.T) {
	t.Parallel()
	off := newWorld(t)
	p := off.person("layla@example.com")
	w := off.knowing()
	_, err := w.sessions.SignIn(w.at(inBerlin), &authv1.SignInRequest{Email: p.email, Password: "another password", ClientIp: inBerlin})
	wantCode(t, err, "SIGN_IN_FAILED")
	secret := w.signsInAt(inRiyadh)
	_, err = w.operator.ListConnections(w.at(inBerlin), &authv1.ListConnectionsRequest{Actor: &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: p.id}}})
	w.must(err)
	seen := map[string]string{}
	for _, e := range w.trail(secret) {
		seen[e.GetAction()+" "+e.GetOutcome().String()] += "/" + e.GetCountry()
	}
	if signIns := seen["session.sign_in AUDIT_OUTCOME_SUCCEEDED"]; signIns != "/SA/" {
		t.Errorf("sign-ins from %q", signIns)
	}
	if refused := seen["session.sign_in AUDIT_OUTCOME_REFUSED"]; refused != "/DE" {
		t.Errorf("failed sign-ins from %q", refused)
	}
	for _, e := range off.trail(secret) {
		if e.GetCountry() != "" {
			t.Errorf("without a database: %v", e)
		}
	}
}

func TestReadsAreCountedByCountry(t *testing.T) {
	t.Parallel()
	off := newWorld(t)
	p, c := off.person("layla@example.com"), off.confidential()
	off.connect(p, c, everything...)
	w := off.knowing()
	con := w.connectionOf(p)
	read := func(w *world, n int, request, address string) {
		t.Helper()
		for i := range n {
			w.log(&authv1.RequestEntry{
				At: timestamppb.New(w.clock.Now()), RequestId: request + string(rune('a'+i)), AccountId: con.GetApp().GetAccountId(), AppId: con.GetApp().GetId(),
				ConnectionId: con.GetId(), Method: "GET", Route: "/v1/me", Reads: "identity", Status: 200, ClientAddress: address,
			})
		}
	}
	read(off, 1, "req_1", inRiyadh) // recorded before the geolocation database was configured
	read(w, 2, "req_2", inBerlin)
	read(w, 3, "req_3", inRiyadh)
	read(w, 1, "req_4", nowhere)
	from := func(w *world) (counts []string) {
		t.Helper()
		resp, err := w.connections.ListReads(t.Context(), &authv1.ListReadsRequest{Id: con.GetId(), Actor: bySession(p)})
		w.must(err)
		if all := resp.GetReads(); len(all) != 1 || all[0].GetReads() != 7 {
			t.Fatalf("the reads are %v", all)
		}
		for _, f := range resp.GetReads()[0].GetFrom() {
			counts = append(counts, f.GetCountry()+strings.Repeat("+", int(f.GetReads())))
		}
		return counts
	}
	if got := strings.Join(from(w), " "); got != "SA+++ DE++ ++" {
		t.Errorf("from %q", got)
	}
	if got := from(off); len(got) != 0 {
		t.Errorf("without a database, from %q", got)
	}
}

// The notices of a password change and of a password reset contain the same facts, although a reset happens without
// a session.
func TestPasswordNoticeHasTimeBrowserCountry(t *testing.T) {
	t.Parallel()
	off := newWorld(t)
	p := off.person("layla@example.com")
	w := off.knowing()
	secret := w.signsInAt(inRiyadh)
	_, err := w.passwords.ChangePassword(w.at(inRiyadh), &authv1.ChangePasswordRequest{
		SessionToken: secret, NewPassword: another, Language: "en", ClientIp: inRiyadh,
	})
	w.must(err)
	w.clock.Advance(time.Minute)
	w.forgets(p.email)
	token := w.tokenIn(w.awaitMail(p.email, 2))
	w.clock.Advance(time.Minute)
	_, err = w.passwords.ResetPassword(w.at(inBerlin), &authv1.ResetPasswordRequest{
		Token: token, Password: plainWord, ClientIp: inBerlin, Language: "en", Browser: &authv1.Browser{Name: "Firefox", System: "Linux"},
	})
	w.must(err)
	all := w.awaitNotices(p.email, 5)
	for n, want := range map[int]string{
		2: "was changed on \u20681 March 2026 at 09:02 UTC\u2069, from \u2068Chrome\u2069 on \u2068Android\u2069, \u2068Saudi Arabia\u2069.",
		4: "was changed on \u20681 March 2026 at 09:04 UTC\u2069, from \u2068Firefox\u2069 on \u2068Linux\u2069, \u2068Germany\u2069.",
	} {
		if strings.Count(all[n], want) != 2 { // in the plain-text and the HTML part
			t.Errorf("email %d lacks %q: %s", n, want, all[n])
		}
	}
}
