package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

func TestOlderTokenRequestsNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	send := func(body string, headers ...string) partner.Answer {
		if headers == nil {
			headers = []string{"Content-Type", "application/json; charset=utf-8"}
		}
		return must(o.app.Send(t.Context(), http.MethodPost, "/api/oauth/token", body, headers...))(t)
	}
	good := `{"client_id":"a","client_secret":"b","code":"c","grant_type":"authorization_code"}`
	for _, c := range []struct{ body, names string }{
		{``, "body"}, {`{`, "body"}, {`[]`, "body"}, {`null`, "body"}, {good + good, "body"},
		{strings.Replace(good, `"client_id":"a",`, ``, 1), "client_id"},
		{strings.Replace(good, `"client_secret":"b",`, ``, 1), "client_secret"},
		{strings.Replace(good, `"code":"c",`, ``, 1), "code"},
		{strings.Replace(good, `,"grant_type":"authorization_code"`, ``, 1), "grant_type"},
		{strings.Replace(good, `"authorization_code"`, `"refresh_token"`, 1), "grant_type"},
		{strings.Replace(good, `"authorization_code"`, `""`, 1), "grant_type"},
		{strings.Replace(good, `"c"`, `1`, 1), "code"},
		{strings.Replace(good, `"c"`, `null`, 1), "code"},
		{strings.Replace(good, `"c"`, `{"x":1}`, 1), "code"},
		{strings.Replace(good, `"c"`, `"x\u0000"`, 1), "code"},
		{strings.Replace(good, `"c"`, "\"\xff\"", 1), "code"},
		{strings.Replace(good, `"c"`, `"c","code":"d"`, 1), "code"},
		{strings.Replace(good, `"c"`, `"`+strings.Repeat("x", 5000)+`"`, 1), "code"},
	} {
		a := send(c.body)
		olderRefused(t, a, http.StatusBadRequest, "INVALID_REQUEST")
		if message, _ := must(a.JSON())(t)["message"].(string); !strings.HasPrefix(message, c.names) {
			t.Errorf("%.60s: %q does not name %s", c.body, message, c.names)
		}
	}
	for _, headers := range [][]string{{}, {"Content-Type", "application/x-www-form-urlencoded"}, {"Content-Type", "text/json"}} {
		olderRefused(t, send(good, headers...), http.StatusBadRequest, "INVALID_REQUEST")
	}
	olderRefused(t, send(strings.Repeat(" ", 1<<20+1)+good), http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
}

func TestOlderTokensGoToNoClientButTheirOwn(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	code := o.code(t, person.Choice{})
	newer, oldest := o.client(t, "newer"), o.client(t, "oldest")
	without := o.app
	without.Secret = "svc_cs_wrong"
	swapped := o.app
	swapped.Secret = oldest.Secret
	unknown := o.app
	unknown.ID = "svc_ci_none"
	for _, c := range []struct {
		client partner.Legacy
		status int
		code   string
	}{
		{without, 401, "INVALID_CLIENT"}, {swapped, 401, "INVALID_CLIENT"}, {unknown, 401, "INVALID_CLIENT"},
		{newer, 401, "INVALID_CLIENT"},
		{oldest, 400, "INVALID_CODE"}, // it fails, and harms nobody
	} {
		a := must(c.client.Exchange(t.Context(), code))(t)
		olderRefused(t, a, c.status, c.code)
		if strings.HasPrefix(a.Header.Get("WWW-Authenticate"), "Basic") {
			t.Errorf("a browser would ask for a password: %v", a.Header)
		}
	}
	for _, made := range []string{"x", "svc_ac_none", code[:len(code)-1] + "0"} {
		olderRefused(t, must(o.app.Exchange(t.Context(), made))(t), http.StatusBadRequest, "INVALID_CODE")
	}
	o.reads(t, o.token(t, must(o.app.Exchange(t.Context(), code))(t)))
}

func TestCodesOfOneInterfaceAreNothingAtTheOther(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	modern := o.scene.app(t, "older")
	request := modern.NewRequest(allScopes)
	newCode, oldCode := code(t, modern, o.person, request, person.Choice{}), o.code(t, person.Choice{})
	olderRefused(t, must(o.app.Exchange(t.Context(), newCode))(t), http.StatusBadRequest, "INVALID_CODE")
	flatRefused(t, must(modern.Exchange(t.Context(), oldCode, request.Verifier))(t), http.StatusBadRequest, "invalid_grant")
	must(must(modern.Exchange(t.Context(), newCode, request.Verifier))(t).Tokens())(t)
	o.reads(t, o.token(t, must(o.app.Exchange(t.Context(), oldCode))(t)))
}

func TestAnOlderCodeIsRedeemedOnceAndItsReplayEndsTheToken(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	code := o.code(t, person.Choice{})
	token := o.token(t, must(o.app.Exchange(t.Context(), code))(t))
	o.reads(t, token)
	olderRefused(t, must(o.client(t, "oldest").Exchange(t.Context(), code))(t), http.StatusBadRequest, "INVALID_CODE")
	o.reads(t, token) // a stranger's replay harms nobody
	olderRefused(t, must(o.everywhere()[1].Exchange(t.Context(), code))(t), http.StatusBadRequest, "INVALID_CODE")
	o.dead(t, token)
}

func TestOneOfManyWhoRedeemAnOlderCodeWins(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	code := o.code(t, person.Choice{})
	var won atomic.Int32
	all := o.everywhere()
	group, ctx := errgroup.WithContext(t.Context())
	for i := range 20 {
		group.Go(func() error {
			a, err := all[i%len(all)].Exchange(ctx, code)
			if err == nil && a.Status == http.StatusOK {
				won.Add(1)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if won.Load() != 1 {
		t.Errorf("%d won", won.Load())
	}
}

// olderEndings are the ways in which a token of the older interface ends.
var olderEndings = map[string]func(*testing.T, older, string){
	"it is revoked at one replica": func(t *testing.T, o older, token string) {
		if a := must(o.app.Revoke(t.Context(), token))(t); a.Status != http.StatusOK {
			t.Fatal(a)
		}
	},
	"the person disconnects": func(t *testing.T, o older, _ string) {
		if err := o.person.Disconnect(t.Context(), o.stack.AppURLs[0], o.appName(t, "older")); err != nil {
			t.Fatal(err)
		}
	},
}

func TestNoReplicaAcceptsAnOlderTokenAfterItsEndWasAnswered(t *testing.T) {
	t.Parallel()
	flush := flusher(t)
	for name, end := range olderEndings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOlder(t, world.Full())
			token := o.connect(t, person.Choice{})
			for range 3 {
				o.reads(t, token)
			}
			end(t, o, token)
			all := o.everywhere()
			group, ctx := errgroup.WithContext(t.Context())
			group.SetLimit(16)
			for i := range 300 {
				group.Go(func() error {
					if i%50 == 49 {
						if err := flush(ctx); err != nil {
							return err
						}
					}
					a, err := all[i%len(all)].Profile(ctx, token)
					if err == nil && (a.Status != http.StatusUnauthorized || !strings.Contains(string(a.Body), `"UNAUTHORIZED"`)) {
						t.Errorf("request %d: %s", i, a)
					}
					return err
				})
			}
			if err := group.Wait(); err != nil {
				t.Fatal(err)
			}
			o.dead(t, token)
		})
	}
}

func TestASuspendedPartnerIsDeniedAtTheOlderInterface(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	code, token := o.code(t, person.Choice{}), o.connect(t, person.Choice{})
	o.reads(t, token)
	account := o.created.Developers["dev"].ID
	o.vitaectl(t, "account", "suspend", account)
	for _, c := range o.everywhere() {
		for _, a := range []partner.Answer{
			must(c.Profile(t.Context(), token))(t), must(c.Revoke(t.Context(), token))(t), must(c.Exchange(t.Context(), code))(t),
		} {
			olderRefused(t, a, http.StatusForbidden, "ACCESS_DENIED")
			if h := hourOf(t, a); h.remaining < 1 {
				t.Errorf("%d requests are left", h.remaining)
			}
		}
		a := must(c.Send(t.Context(), http.MethodGet, "/oauth/authorize?"+c.Request().Encode(), ""))(t)
		olderRefused(t, a, http.StatusForbidden, "ACCESS_DENIED")
		if a.Header.Get("Location") != "" {
			t.Error("it redirects")
		}
	}
	o.vitaectl(t, "account", "resume", account)
	o.reads(t, token)
}

func TestAnOlderTokenOpensNothingUnderV1(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	token := o.connect(t, person.Choice{})
	o.reads(t, token) // the edge knows it, as what it is
	for _, u := range o.stack.BaseURLs {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			a := must(partner.Get(t.Context(), u+path, token))(t)
			refused(t, a, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
			if a.Header.Get("x-quota-limit") != "" {
				t.Errorf("%s: it is spent of the account's budget", path)
			}
		}
		key := partner.Employer{BaseURL: u, Key: token}
		for _, ask := range []func(context.Context) (partner.Answer, error){
			func(ctx context.Context) (partner.Answer, error) { return key.Companies(ctx, "") },
			func(ctx context.Context) (partner.Answer, error) { return key.CreateCompany(ctx, "{}") },
			func(ctx context.Context) (partner.Answer, error) { return key.Job(ctx, "job_none") },
		} {
			refused(t, must(ask(t.Context()))(t), http.StatusUnauthorized, "API_KEY_INVALID")
		}
	}
	o.reads(t, token)
}

func TestOtherCredentialsOpenNothingAtTheOlderInterface(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	modern := o.scene.app(t, "older")
	tokens := connect(t, modern, o.person, allScopes, person.Choice{})
	success(t, must(modern.Get(t.Context(), "/v1/me", tokens.Access))(t))
	code := o.code(t, person.Choice{})
	for name, presented := range map[string]string{
		"a newer access token": tokens.Access, "a refresh token": tokens.Refresh, "a code": code, "a secret": o.app.Secret,
		"an API key": "svc_sk_none", "nothing we made": "x",
	} {
		for _, c := range o.everywhere() {
			a := must(c.Profile(t.Context(), presented))(t)
			olderRefused(t, a, http.StatusUnauthorized, "UNAUTHORIZED")
			olderRefused(t, must(c.Revoke(t.Context(), presented))(t), http.StatusUnauthorized, "UNAUTHORIZED")
			if a.Header.Get("X-RateLimit-Limit") != "" {
				t.Errorf("%s is counted against a partner", name)
			}
		}
	}
	success(t, must(modern.Get(t.Context(), "/v1/me", tokens.Access))(t))
	for _, path := range []string{"/api/oauth/profile", "/api/oauth/revoke"} {
		method := map[string]string{"/api/oauth/profile": http.MethodGet, "/api/oauth/revoke": http.MethodPost}[path]
		a := must(o.app.Send(t.Context(), method, path, ""))(t)
		olderRefused(t, a, http.StatusUnauthorized, "UNAUTHORIZED")
		if got := a.Header.Get("WWW-Authenticate"); got != `Bearer realm="vitae"` {
			t.Errorf("without a token the challenge is %q", got)
		}
		two := must(o.app.Send(t.Context(), method, path, "", "Authorization", "Bearer a", "Authorization", "Bearer b"))(t)
		olderRefused(t, two, http.StatusUnauthorized, "UNAUTHORIZED")
	}
}

func TestTheOlderInterfaceServesItsFourRoutesAlone(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	for _, path := range []string{"/", "/v1/me", "/oauth/token", "/api/oauth", "/api/oauth/token/", "/.well-known/oauth-authorization-server"} {
		olderRefused(t, must(o.app.Send(t.Context(), http.MethodGet, path, ""))(t), http.StatusNotFound, "NOT_FOUND")
	}
	for path, allow := range map[string]string{
		"/oauth/authorize": "GET, HEAD", "/api/oauth/profile": "GET, HEAD", "/api/oauth/token": "POST", "/api/oauth/revoke": "POST",
	} {
		a := must(o.app.Send(t.Context(), http.MethodDelete, path, ""))(t)
		olderRefused(t, a, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
		if a.Header.Get("Allow") != allow {
			t.Errorf("%s allows %q", path, a.Header.Get("Allow"))
		}
	}
	for _, path := range []string{"/api/oauth/profile", "/api/oauth/token"} {
		a := must(partner.Get(t.Context(), o.stack.BaseURLs[0]+path, ""))(t)
		refused(t, a, http.StatusNotFound, "NOT_FOUND")
	}
}
