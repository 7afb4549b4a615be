package authorize_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/app"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	if !errs.HasCode(err, code) {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

func TestValidRequestHasItsScopesInOrder(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	for name, c := range map[string]struct {
		change func(*authorize.Parameters)
		scopes []string
	}{
		"as documented":         {func(*authorize.Parameters) {}, authtest.Everything},
		"other order, repeated": {func(p *authorize.Parameters) { p.Scope = "email profile  email" }, []string{"profile", "email"}},
		"without state":         {func(p *authorize.Parameters) { p.State = "" }, authtest.Everything},
		"the longest state":     {func(p *authorize.Parameters) { p.State = strings.Repeat("x", 4096) }, authtest.Everything},
		"the longest scope":     {func(p *authorize.Parameters) { p.Scope = "email" + strings.Repeat(" ", 4091) }, []string{"email"}},
	} {
		p := authtest.Request(a)
		c.change(&p)
		checked, fault, err := w.Authorize.Check(t.Context(), p)
		if err != nil || fault != nil || checked.App.ID != a.App.ID || !slices.Equal(checked.Scopes, c.scopes) {
			t.Errorf("%s: %+v, %+v, %v", name, checked, fault, err)
		}
	}
}

// (behaviour: sign-in#faults-without-redirect)
func TestUnverifiedRedirectURIIsNeverUsed(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, suspended := w.Confidential(), w.Confidential()
	_, err := w.Accounts.Suspend(t.Context(), suspended.AccountID, "")
	w.Must(err)
	for name, c := range map[string]struct {
		change      func(*authorize.Parameters)
		code, field string
	}{
		"no client_id":         {func(p *authorize.Parameters) { p.ClientID = "" }, "OAUTH_INVALID_REQUEST", "client_id"},
		"client_id twice":      {func(p *authorize.Parameters) { p.Duplicated = []string{"scope", "client_id"} }, "OAUTH_INVALID_REQUEST", "client_id"},
		"client_id malformed":  {func(p *authorize.Parameters) { p.ClientID = "x" }, "OAUTH_INVALID_CLIENT", ""},
		"client_id unknown":    {func(p *authorize.Parameters) { p.ClientID = credential.New(credential.ClientID) }, "OAUTH_INVALID_CLIENT", ""},
		"suspended":            {func(p *authorize.Parameters) { p.ClientID = suspended.ClientID }, "DEVELOPER_ACCOUNT_SUSPENDED", ""},
		"no redirect_uri":      {func(p *authorize.Parameters) { p.RedirectURI = "" }, "OAUTH_INVALID_REQUEST", "redirect_uri"},
		"redirect_uri twice":   {func(p *authorize.Parameters) { p.Duplicated = []string{"redirect_uri"} }, "OAUTH_INVALID_REQUEST", "redirect_uri"},
		"redirect_uri unknown": {func(p *authorize.Parameters) { p.RedirectURI += "/" }, "OAUTH_INVALID_REQUEST", "redirect_uri"},
		"no legacy mark":       {func(p *authorize.Parameters) { p.Legacy, p.Scope = true, scope.ProfileRead }, "OAUTH_INVALID_CLIENT", ""},
	} {
		// These errors take precedence over a wrong response type.
		for _, also := range []func(*authorize.Parameters){func(*authorize.Parameters) {}, func(p *authorize.Parameters) { p.ResponseType = "token" }} {
			p := authtest.Request(a)
			also(&p)
			c.change(&p)
			_, fault, err := w.Authorize.Check(t.Context(), p)
			wantCode(t, name, err, c.code)
			if e, _ := errs.As(err); fault != nil || e != nil && e.Field() != c.field {
				t.Errorf("%s: redirected with %+v, error in field %q", name, fault, e.Field())
			}
			code, fault, err := w.Authorize.Authorize(t.Context(), p, authorize.Decision{Session: authtest.Session("usr_1"), Scopes: []string{"profile"}})
			wantCode(t, name+", decided", err, c.code)
			if code != "" || fault != nil {
				t.Errorf("%s: after the decision: %q, %+v", name, code, fault)
			}
		}
	}
}

func TestMissingRedirectURIIsReported(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p := authtest.Request(w.Confidential())
	for uri, says := range map[string]string{"": "is missing", p.RedirectURI + "/": "is not registered"} {
		p.RedirectURI = uri
		_, _, err := w.Authorize.Check(t.Context(), p)
		if e, ok := errs.As(err); !ok || !strings.Contains(e.Message, says) {
			t.Errorf("%q: %v", uri, err)
		}
	}
}

// (behaviour: sign-in#faults-with-redirect)
func TestOtherErrorsRedirect(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	person, a := w.Person(), w.Confidential()
	narrow := w.App(app.Creation{ClientType: app.Public, Scopes: []string{"profile"}})
	keysAlone := w.App(app.Creation{ClientType: app.Confidential})
	for name, c := range map[string]struct {
		change func(*authorize.Parameters)
		want   string
		says   string
	}{
		"response_type missing":      {func(p *authorize.Parameters) { p.ResponseType = "" }, "invalid_request", "missing"},
		"response_type twice":        {func(p *authorize.Parameters) { p.Duplicated = []string{"response_type"} }, "invalid_request", "more than once: response_type"},
		"response_type unknown":      {func(p *authorize.Parameters) { p.ResponseType = "token" }, "unsupported_response_type", "must be code"},
		"state too long":             {func(p *authorize.Parameters) { p.State = strings.Repeat("x", 4097) }, "invalid_request", "state is too long"},
		"scope too long":             {func(p *authorize.Parameters) { p.Scope = "email" + strings.Repeat(" ", 4092) }, "invalid_request", "scope is too long"},
		"challenge missing":          {func(p *authorize.Parameters) { p.CodeChallenge = "" }, "invalid_request", "PKCE"},
		"challenge malformed":        {func(p *authorize.Parameters) { p.CodeChallenge = "short" }, "invalid_request", "43 characters"},
		"method missing":             {func(p *authorize.Parameters) { p.CodeChallengeMethod = "" }, "invalid_request", "S256"},
		"method plain":               {func(p *authorize.Parameters) { p.CodeChallengeMethod = "plain" }, "invalid_request", "S256"},
		"scope missing":              {func(p *authorize.Parameters) { p.Scope = " " }, "invalid_scope", "missing"},
		"scope unknown":              {func(p *authorize.Parameters) { p.Scope = "profile openid" }, "invalid_scope", "unknown"},
		"cv:contact without cv:read": {func(p *authorize.Parameters) { p.Scope = "profile cv:contact" }, "invalid_scope", "cv:contact"},
		"scope beyond the app's":     {func(p *authorize.Parameters) { p.ClientID, p.Scope = narrow.ClientID, "profile email" }, "invalid_scope", "may not request"},
		"app without scopes":         {func(p *authorize.Parameters) { p.ClientID = keysAlone.ClientID }, "unauthorized_client", "consent"},
	} {
		p := authtest.Request(a)
		c.change(&p)
		checked, fault, err := w.Authorize.Check(t.Context(), p)
		w.Must(err)
		if fault == nil || fault.Code != c.want || !strings.Contains(fault.Description, c.says) || checked.App.ID == "" || checked.Scopes != nil {
			t.Errorf("%s: %+v, %+v", name, fault, checked)
		}
		code, fault, err := w.Authorize.Authorize(t.Context(), p, authorize.Decision{Session: authtest.Session(person), Scopes: []string{"profile"}})
		if err != nil || code != "" || fault == nil || fault.Code != c.want {
			t.Errorf("%s, after the decision: %q, %+v, %v", name, code, fault, err)
		}
	}
}

// (behaviour: sign-in#optional-scopes)
func TestConsentGrantsExactlyTheDecision(t *testing.T) {
	t.Parallel()
	const cv = "cv_0000000000000000000000000g"
	w := authtest.New(t)
	person, a := w.Person(), w.Confidential()
	for _, c := range []struct {
		name, requested string
		granted         []string
		cv              string
		code, field     string
	}{
		{"all", "", authtest.Everything, "master", "", ""},
		{"no contact details", "", []string{"profile", "cv:read"}, cv, "", ""},
		{"profile alone, and a CV that nobody asked for", "", []string{"profile"}, "../x", "", ""},
		{"profile was not requested", "email", []string{"email"}, "", "", ""},
		{"profile dropped", "", []string{"email"}, "", "OAUTH_INVALID_SCOPE", "granted_scopes"},
		{"nothing", "email", nil, "", "OAUTH_INVALID_SCOPE", "granted_scopes"},
		{"more than requested", "profile", []string{"profile", "email"}, "", "OAUTH_INVALID_SCOPE", "granted_scopes"},
		{"contact details without the CV", "", []string{"profile", "cv:contact"}, "master", "OAUTH_INVALID_SCOPE", "granted_scopes"},
		{"unknown", "", []string{"profile", "x"}, "", "OAUTH_INVALID_SCOPE", "granted_scopes"},
		{"no CV", "", []string{"profile", "cv:read"}, "", "OAUTH_INVALID_REQUEST", "cv_id"},
		{"no CV's id", "", []string{"profile", "cv:read"}, "../x", "OAUTH_INVALID_REQUEST", "cv_id"},
	} {
		p := authtest.Request(a)
		if c.requested != "" {
			p.Scope = c.requested
		}
		code, fault, err := w.Authorize.Authorize(t.Context(), p, authorize.Decision{Session: authtest.Session(person), Scopes: c.granted, CvID: c.cv})
		if c.code != "" {
			wantCode(t, c.name, err, c.code)
			if e, _ := errs.As(err); code != "" || fault != nil || e != nil && e.Field() != c.field {
				t.Errorf("%s: %q, %+v, %v", c.name, code, fault, err)
			}
			continue
		}
		w.Must(err)
		if !credential.WellFormed(credential.AuthorizationCode, code) {
			t.Errorf("%s: code %q", c.name, code)
		}
		tokens, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, code))
		w.Must(err)
		live, _ := w.State(state.AccessToken, tokens.Access)
		wantCV := c.cv
		if !slices.Contains(c.granted, "cv:read") {
			wantCV = ""
		}
		got := live.Connection
		if !slices.Equal(tokens.Scopes, c.granted) || got.CvID != wantCV || got.PersonID != person || got.SharePhoto || (got.LinkID != "") != (wantCV != "") {
			t.Errorf("%s: scopes %v, connection %+v", c.name, tokens.Scopes, got)
		}
	}
}

func TestLegacyConsentGrantsTheWholeProfile(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	person, a := w.Person(), w.Legacy()
	request := authorize.Parameters{ResponseType: "code", ClientID: a.ClientID, RedirectURI: authtest.RedirectURI, Scope: scope.ProfileRead, Legacy: true}
	decision := authorize.Decision{Session: authtest.Session(person), Scopes: []string{scope.ProfileRead}, SharePhoto: true, CvID: "master"}
	for name, scopes := range map[string]string{"another scope": "profile", "two": scope.ProfileRead + " profile", "none": ""} {
		p := request
		p.Scope = scopes
		if _, fault, err := w.Authorize.Check(t.Context(), p); err != nil || fault == nil || fault.Code != "invalid_scope" {
			t.Errorf("%s: %+v, %v", name, fault, err)
		}
	}
	for name, granted := range map[string][]string{"nothing": nil, "something else": {"profile"}} {
		d := decision
		d.Scopes = granted
		_, _, err := w.Authorize.Authorize(t.Context(), request, d)
		wantCode(t, name, err, "OAUTH_INVALID_SCOPE")
	}
	if checked, fault, err := w.Authorize.Check(t.Context(), request); err != nil || fault != nil || !slices.Equal(checked.Scopes, []string{scope.ProfileRead}) {
		t.Errorf("valid request: %+v, %+v, %v", checked, fault, err)
	}
	live, lives := w.State(state.LegacyToken, w.LegacyToken(person, a))
	if !lives || !live.Legacy || live.Connection.CvID != "" || !live.Connection.SharePhoto || live.Connection.LinkID == "" {
		t.Errorf("connection %+v", live.Connection)
	}
	modern, _ := w.State(state.AccessToken, w.Tokens(person, a, "profile").Access)
	if modern.Connection.ID == live.Connection.ID {
		t.Error("the consents of both interfaces share a connection")
	}
}

// A changed consent must apply immediately, even to tokens issued earlier.
func TestChangedConsentWaitsForTheRecords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		decision authorize.Decision
		forgets  bool
	}{
		"the same":          {authorize.Decision{Scopes: authtest.Everything, CvID: "master", SharePhoto: true}, false},
		"without the photo": {authorize.Decision{Scopes: authtest.Everything, CvID: "master"}, true},
		"another CV":        {authorize.Decision{Scopes: authtest.Everything, CvID: "cv_0000000000000000000000000g", SharePhoto: true}, true},
		"less":              {authorize.Decision{Scopes: []string{"profile"}, SharePhoto: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := authtest.New(t)
			person, a := w.Person(), w.Confidential()
			tokens := w.Tokens(person, a, authtest.Everything...)
			w.Records.Reset()
			c.decision.Session = authtest.Session(person)
			_, fault, err := w.Authorize.Authorize(t.Context(), authtest.Request(a), c.decision)
			if err != nil || fault != nil {
				t.Fatal(fault, err)
			}
			if got := w.Records.Forgot(tokens.Access); got != c.forgets {
				t.Errorf("the record was deleted: %t", got)
			}
			w.Records.Break(errors.New("down"))
			changed := c.decision
			changed.Scopes, changed.CvID = []string{"profile", "email"}, ""
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, _, err = w.Authorize.Authorize(ctx, authtest.Request(a), changed)
			cancel()
			if errs.KindOf(err) != errs.Unavailable {
				t.Errorf("returned %v while a record may still exist", err)
			}
		})
	}
}

func TestConsentRequiresSignedInPerson(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	code, fault, err := w.Authorize.Authorize(t.Context(), authtest.Request(w.Confidential()), authorize.Decision{Scopes: []string{"profile"}})
	wantCode(t, "nobody", err, "SESSION_ENDED")
	if code != "" || fault != nil {
		t.Errorf("%q, %+v", code, fault)
	}
}

func TestStoreErrorIsReturned(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	w.Pool.Close()
	if _, fault, err := w.Authorize.Check(t.Context(), authtest.Request(a)); err == nil || fault != nil || errs.HasCode(err, "OAUTH_INVALID_CLIENT") {
		t.Errorf("%+v, %v", fault, err)
	}
}

// (behaviour: sign-in#coming-back)
func TestReturningChangesNothing(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	person, a := w.Person(), w.Confidential()
	keep := func(scopes string) (string, error) {
		p := authtest.Request(a)
		p.Scope = scopes
		code, fault, err := w.Authorize.Authorize(t.Context(), p, authorize.Decision{Session: authtest.Session(person), Keep: true})
		if fault != nil {
			t.Fatalf("%q: %+v", scopes, *fault)
		}
		return code, err
	}
	_, err := keep("profile")
	wantCode(t, "not connected", err, "CONSENT_NEEDED")

	first := w.Tokens(person, a, "profile", "email", "cv:read")
	w.Records.Reset()
	before, _ := w.State(state.AccessToken, first.Access)
	for _, scopes := range []string{"profile email cv:read", "email", "profile"} {
		code, err := keep(scopes)
		w.Must(err)
		tokens, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, code))
		w.Must(err)
		if !slices.Equal(tokens.Scopes, strings.Fields(scopes)) {
			t.Errorf("%q: the token has %v", scopes, tokens.Scopes)
		}
		after, _ := w.State(state.AccessToken, first.Access)
		if !slices.Equal(after.Scopes, before.Scopes) || after.Connection.CvID != before.Connection.CvID ||
			after.Connection.LinkID != before.Connection.LinkID || !after.Connection.SharePhoto {
			t.Errorf("%q: the connection changed from %+v to %+v", scopes, before.Connection, after.Connection)
		}
		if w.Records.Forgot(first.Access) {
			t.Errorf("%q: a record was deleted", scopes)
		}
	}
	_, err = keep("profile cv:read cv:contact")
	wantCode(t, "something new", err, "CONSENT_NEEDED")
}

func TestReturningKeepsDeclinedScopes(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	person, a := w.Person(), w.Confidential()
	p := authtest.Request(a)
	p.Scope = "profile email cv:read"
	_, _, err := w.Authorize.Authorize(t.Context(), p, authorize.Decision{
		Session: authtest.Session(person), Scopes: []string{"profile"}, Declined: []string{"profile", "email", "cv:contact"},
	})
	w.Must(err)
	keep := authorize.Decision{Session: authtest.Session(person), Keep: true}
	p.Scope = "profile email"
	code, _, err := w.Authorize.Authorize(t.Context(), p, keep)
	w.Must(err)
	tokens, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, code))
	w.Must(err)
	if !slices.Equal(tokens.Scopes, []string{"profile"}) {
		t.Errorf("the token has %v", tokens.Scopes)
	}
	for _, scopes := range []string{"profile cv:read", "profile cv:read cv:contact", "email"} { // respectively: not offered before, not requested, no scope in force
		p.Scope = scopes
		_, _, err = w.Authorize.Authorize(t.Context(), p, keep)
		wantCode(t, scopes, err, "CONSENT_NEEDED")
	}
	// If the person grants more in a later consent, an older token still has only the scopes with which it was
	// issued.
	p.Scope = "profile email"
	_, _, err = w.Authorize.Authorize(t.Context(), p, authorize.Decision{Session: authtest.Session(person), Scopes: []string{"profile", "email"}})
	w.Must(err)
	if live, _ := w.State(state.AccessToken, tokens.Access); !slices.Equal(live.Scopes, []string{"profile"}) {
		t.Errorf("the older token has %v", live.Scopes)
	}
}

func TestReturningKeepsWithdrawnScopes(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	person, a := w.Person(), w.Confidential()
	tokens := w.Tokens(person, a, "profile", "email")
	live, _ := w.State(state.AccessToken, tokens.Access)
	set := func(column string) {
		_, err := w.Pool.Exec(t.Context(), "UPDATE connections SET "+column+" WHERE id = $1", live.Connection.ID)
		w.Must(err)
	}
	p := authtest.Request(a)
	p.Scope = "profile email"
	d := authorize.Decision{Session: authtest.Session(person), Keep: true}
	set("withheld = '{email}'")
	code, _, err := w.Authorize.Authorize(t.Context(), p, d)
	w.Must(err)
	second, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, code))
	w.Must(err)
	if !slices.Equal(second.Scopes, []string{"profile"}) {
		t.Errorf("the token has %v", second.Scopes)
	}
	p.Scope = "email"
	_, _, err = w.Authorize.Authorize(t.Context(), p, d)
	wantCode(t, "nothing in force", err, "CONSENT_NEEDED")
	p.Scope = "profile email"
	set("paused_at = now()")
	_, _, err = w.Authorize.Authorize(t.Context(), p, d)
	wantCode(t, "paused", err, "CONSENT_NEEDED")
	set("paused_at = NULL, ends_at = created_at")
	_, _, err = w.Authorize.Authorize(t.Context(), p, d)
	wantCode(t, "ended", err, "CONSENT_NEEDED")
}
