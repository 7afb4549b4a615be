package app_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestLegacyCodeExpiresAfterTenMinutes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.legacyClient()
	code := w.legacyConsent(w.person("a@example.com"), c)
	w.clock.Advance(10 * time.Minute)
	_, err := w.tryLegacyExchange(c.auth(), code)
	wantCode(t, err, "OAUTH_INVALID_GRANT")
}

func TestClientThatDoesNotAuthenticateGetsNothingOfTheLegacyInterface(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.legacyClient()
	code := w.legacyConsent(w.person("a@example.com"), c)
	secret, id := credential.New(credential.ClientSecret), c.app.GetClientId()
	for name, auth := range map[string]*authv1.ClientAuthentication{
		"no client id":        {ClientSecret: &c.secret},
		"malformed client id": {ClientId: "x", ClientSecret: &c.secret},
		"unknown client id":   {ClientId: credential.New(credential.ClientID), ClientSecret: &c.secret},
		"wrong secret":        {ClientId: id, ClientSecret: &secret},
		"no secret":           {ClientId: id},
		"empty secret":        {ClientId: id, ClientSecret: proto.String("")},
	} {
		for _, presented := range []string{code, "", "x"} {
			_, err := w.tryLegacyExchange(auth, presented)
			if !errs.HasCode(err, "OAUTH_INVALID_CLIENT") || errs.KindOf(err) != errs.Unauthenticated {
				t.Errorf("%s, code %q: %v", name, presented, err)
			}
		}
		_, err := w.legacy.AuthenticateLegacyClient(t.Context(), &authv1.AuthenticateLegacyClientRequest{Client: auth})
		if !errs.HasCode(err, "OAUTH_INVALID_CLIENT") {
			t.Errorf("%s: authentication: %v", name, err)
		}
	}
	_, err := w.tryLegacyExchange(c.auth(), "")
	wantCode(t, err, "OAUTH_INVALID_REQUEST")
	w.legacyExchange(c, code) // nothing was used up
}

func TestCodeOfOneInterfaceIsNoneAtTheOtherAndIsNotUsedUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c, other := w.person("a@example.com"), w.legacyClient(), w.legacyClient()
	modern, legacy := w.consent(p, c, everything...), w.legacyConsent(p, c)
	for name, err := range map[string]error{
		"a modern code at the legacy interface":                 second(w.tryLegacyExchange(c.auth(), modern)),
		"a modern code of another client":                       second(w.tryLegacyExchange(other.auth(), modern)),
		"a code of the legacy interface at the other":           second(w.oauth.ExchangeCode(t.Context(), exchangeRequest(c, legacy))),
		"a code of the legacy interface of another client":      second(w.tryLegacyExchange(other.auth(), legacy)),
		"a code of another client's legacy interface elsewhere": second(w.oauth.ExchangeCode(t.Context(), exchangeRequest(other, legacy))),
		"an unknown code":  second(w.tryLegacyExchange(c.auth(), credential.New(credential.AuthorizationCode))),
		"a malformed code": second(w.tryLegacyExchange(c.auth(), "svc_ac_x")),
	} {
		if !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.live(c, w.exchange(c, modern).GetAccessToken())
	w.legacyLive(c, w.legacyExchange(c, legacy))
}

func second[T any](_ T, err error) error { return err }

func TestUsedLegacyCodePresentedAgainRevokesWhatItIssued(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]func(*world, client, string) error{
		"at the legacy interface": func(w *world, c client, code string) error { return second(w.tryLegacyExchange(c.auth(), code)) },
		"at the other": func(w *world, c client, code string) error {
			return second(w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code)))
		},
	} {
		for _, later := range []time.Duration{0, 30 * time.Minute} { // and after the code has expired
			w := newWorld(t)
			p, c := w.person("a@example.com"), w.legacyClient()
			code := w.legacyConsent(p, c)
			token, bystander := w.legacyExchange(c, code), w.legacyConnect(p, c)
			w.legacyLive(c, token)
			w.clock.Advance(later)
			if err := again(w, c, code); !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
				t.Errorf("%s: %v", name, err)
			}
			w.dead(legacyToken, c.app.GetAccountId(), token)
			w.legacyLive(c, bystander)
			w.clock.Advance(time.Hour) // revoked, so it has not expired
			_, err := w.resolve(legacyToken, token)
			wantCode(t, err, "CREDENTIAL_UNKNOWN")
		}
	}
}

func TestUsedLegacyCodePresentedByAnotherClientHarmsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, other := w.legacyClient(), w.legacyClient()
	code := w.legacyConsent(w.person("a@example.com"), c)
	token := w.legacyExchange(c, code)
	_, err := w.tryLegacyExchange(other.auth(), code)
	wantCode(t, err, "OAUTH_INVALID_GRANT")
	w.legacyLive(c, token)
}

func TestExpiredLegacyTokenIsToldFromAnUnknownOneForAMonth(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	token := w.legacyConnect(p, c)
	is := func(code, revoke string) {
		t.Helper()
		_, err := w.resolve(legacyToken, token)
		wantCode(t, err, code)
		wantCode(t, w.legacyRevoke(token), revoke)
		_, err = w.resolve(accessToken, token)
		wantCode(t, err, "CREDENTIAL_NOT_ISSUED")
	}
	w.clock.Advance(time.Hour - time.Second)
	w.legacyLive(c, token)
	w.clock.Advance(time.Second)
	is("CREDENTIAL_EXPIRED", "CREDENTIAL_EXPIRED")
	for range 10 {
		w.clock.Advance(3 * day)
		w.cleanUp()
		is("CREDENTIAL_EXPIRED", "CREDENTIAL_EXPIRED")
	}
	w.clock.Advance(8 * day)
	w.cleanUp()
	is("CREDENTIAL_NOT_ISSUED", "CREDENTIAL_UNKNOWN") // nothing is left by which it could be known
	if n := w.rows(); n.codes != 0 || n.families != 0 || n.access != 0 {
		t.Errorf("left: %+v", n)
	}
}

func TestLegacyTokenThatWasEndedIsUnknownAndNotExpired(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world, person, string){
		"revoked":          func(w *world, _ person, token string) { w.must(w.legacyRevoke(token)) },
		"disconnected":     func(w *world, p person, _ string) { w.disconnectLegacy(p) },
		"person forgotten": func(w *world, p person, _ string) { w.forget(p) },
		"disconnected after it expired": func(w *world, p person, _ string) {
			w.clock.Advance(2 * time.Hour)
			w.disconnectLegacy(p)
		},
	} {
		w := newWorld(t)
		p, c := w.person("a@example.com"), w.legacyClient()
		token := w.legacyConnect(p, c)
		end(w, p, token)
		for range 2 { // before and after it would have expired
			if r, err := w.resolve(legacyToken, token); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
				t.Errorf("%s: %v, %v", name, r, err)
			}
			if r, err := w.resolve(accessToken, token); !errs.HasCode(err, "CREDENTIAL_NOT_ISSUED") {
				t.Errorf("%s: as an access token: %v, %v", name, r, err)
			}
			w.clock.Advance(2 * time.Hour)
		}
	}
}

func TestRevokedLegacyTokenIsTheOnlyOneRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	account := c.app.GetAccountId()
	first, other := w.legacyConnect(p, c), w.legacyConnect(p, c)
	modern := w.connect(p, c, everything...).GetAccessToken()
	link := w.legacyLive(c, first).GetPrincipal().GetCvLinkId()
	w.legacyLive(c, other)
	w.must(w.legacyRevoke(first))
	w.dead(legacyToken, account, first)
	w.legacyLive(c, other)
	w.live(c, modern)
	if w.record(cvLink, account, link) == nil {
		t.Error("the link died")
	}
	wantCode(t, w.legacyRevoke(first), "CREDENTIAL_UNKNOWN")
	wantCode(t, w.legacyRevoke(modern), "CREDENTIAL_UNKNOWN")
	wantCode(t, w.legacyRevoke(credential.New(credential.AccessToken)), "CREDENTIAL_UNKNOWN")
	if n := w.outbox(); n != 0 {
		t.Errorf("%d entries are left", n)
	}
}

func TestDisconnectEndsEverythingOfTheLegacyInterfaceAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	account := c.app.GetAccountId()
	unredeemed, token := w.legacyConsent(p, c), w.legacyConnect(p, c)
	link := w.legacyLive(c, token).GetPrincipal().GetCvLinkId()
	w.record(cvLink, account, link)
	w.disconnectLegacy(p)
	w.dead(legacyToken, account, token)
	w.dead(cvLink, account, link)
	_, err := w.tryLegacyExchange(c.auth(), unredeemed)
	wantCode(t, err, "OAUTH_INVALID_GRANT")
	if renewed := w.legacyLive(c, w.legacyConnect(p, c)).GetPrincipal().GetCvLinkId(); renewed == "" || renewed == link {
		t.Errorf("link %q after %q", renewed, link)
	}
	w.dead(cvLink, account, link)
}

// The endpoints of the other interface describe no token of the legacy one, but they do
// revoke it for its own client.
func TestLegacyTokenIsInactiveAtIntrospectionAndDiesOfARevokeByItsOwnClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c, other := w.person("a@example.com"), w.legacyClient(), w.legacyClient()
	token := w.legacyConnect(p, c)
	for _, client := range []client{c, other} {
		if got := w.introspect(client, token); !proto.Equal(got, &authv1.IntrospectTokenResponse{}) {
			t.Errorf("introspection %v", got)
		}
	}
	w.revoke(other, token)
	w.legacyLive(c, token)
	w.revoke(c, token)
	w.dead(legacyToken, c.app.GetAccountId(), token)
}

func TestSuspendedAccountIsRefusedAtTheLegacyInterfaceAndResumes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	account := c.app.GetAccountId()
	code, token := w.legacyConsent(p, c), w.legacyConnect(p, c)
	link := w.legacyLive(c, token).GetPrincipal().GetCvLinkId()
	w.record(cvLink, account, link)
	_, err := w.developers.SuspendAccount(t.Context(), &authv1.SuspendAccountRequest{Id: account})
	w.must(err)
	if !w.legacyLive(c, token).GetAccountSuspended() || !w.record(cvLink, account, link).GetAccountSuspended() {
		t.Error("a record does not say suspended")
	}
	for call, err := range map[string]error{
		"exchange": second(w.tryLegacyExchange(c.auth(), code)),
		"check":    second(w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: legacyParameters(c)})),
	} {
		if !errs.HasCode(err, "DEVELOPER_ACCOUNT_SUSPENDED") || errs.KindOf(err) != errs.Denied {
			t.Errorf("%s: %v", call, err)
		}
	}
	// Whose the client is, is known all the same.
	named, err := w.legacy.AuthenticateLegacyClient(t.Context(), &authv1.AuthenticateLegacyClientRequest{Client: c.auth()})
	w.must(err)
	if named.GetAppId() != c.app.GetId() || named.GetAccountId() != account || !named.GetAccountSuspended() {
		t.Errorf("the client is named %v", named)
	}
	wrong := c.auth()
	wrong.ClientSecret = proto.String("svc_cs_wrong")
	_, err = w.legacy.AuthenticateLegacyClient(t.Context(), &authv1.AuthenticateLegacyClientRequest{Client: wrong})
	wantCode(t, err, "OAUTH_INVALID_CLIENT")
	_, err = w.developers.ResumeAccount(t.Context(), &authv1.ResumeAccountRequest{Id: account})
	w.must(err)
	if w.legacyLive(c, token).GetAccountSuspended() {
		t.Error("still suspended")
	}
	w.legacyExchange(c, code)
}

func TestRedisThatLostItsRecordsRevivesNothingOfTheLegacyInterface(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	revoked, kept := w.legacyConnect(p, c), w.legacyConnect(p, c)
	w.legacyLive(c, revoked)
	w.must(w.legacyRevoke(revoked))
	w.loseRecords(c)
	w.dead(legacyToken, c.app.GetAccountId(), revoked)
	w.legacyLive(c, kept)
}
