package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

//go:embed templates
var files embed.FS

const (
	callbackPath  = "/callback"
	signOutPath   = "/sign-out"
	signedOutPath = "/signed-out"
	// signInCookie binds an authorization request to the browser.
	signInCookie = "signin"
	// signInLife limits how long a person may take to sign in and consent.
	signInLife = 30 * time.Minute
	// maxBack is the maximum length of the return path in bytes. The length is limited because the
	// path is stored in a cookie.
	maxBack = 512
)

// entry handles signing in and out.
type entry struct {
	*shell.Shell
	app         *ownApp
	console     authv1.ConsoleServiceClient
	oauth       authv1.OAuthServiceClient
	credentials authv1.CredentialServiceClient
	me          candidatev1.MeServiceClient
}

func newEntry(s *shell.Shell) (entry, error) {
	e := entry{
		Shell: s, console: authv1.NewConsoleServiceClient(s.Auth), oauth: authv1.NewOAuthServiceClient(s.Auth),
		credentials: authv1.NewCredentialServiceClient(s.Auth), me: candidatev1.NewMeServiceClient(s.Candidate),
	}
	var err error
	e.app, err = newOwnApp(e.console, s.CookieKeys, s.URL+callbackPath, s.Log)
	return e, err
}

func (e entry) routes() []web.Route {
	return []web.Route{
		{Path: shell.SignInPath, Get: e.signIn},
		{Path: callbackPath, Get: e.Limited(e.callback)},
		{Path: signOutPath, Post: e.signOut},
		{Path: signedOutPath, Get: e.signedOut},
	}
}

// isPage reports whether the browser may return to path after signing in. It may not return to the
// sign-in's own routes.
func isPage(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, "\\") {
		return false
	}
	return path != shell.SignInPath && path != callbackPath && path != signOutPath && path != signedOutPath
}

// signIn starts an authorization request (RFC 6749 §4.1.1) with PKCE (RFC 7636).
func (e entry) signIn(w http.ResponseWriter, r *http.Request) error {
	web.Personal(w.Header())
	made, err := e.app.ensure(r.Context())
	if err != nil {
		return err
	}
	back := "/"
	if path, query, ok := web.LocalPath(r.URL.Query().Get(shell.ReturnField), isPage); ok {
		back = (&url.URL{Path: path, RawQuery: query}).String()
	}
	if len(back) > maxBack {
		back = "/"
	}
	state, verifier := rand.Text(), rand.Text()+rand.Text()
	e.SetSealed(w, signInCookie, state+" "+verifier+" "+back, signInLife)
	challenge := sha256.Sum256([]byte(verifier))
	request := url.Values{
		"response_type": {"code"}, "client_id": {made.GetClientId()}, "redirect_uri": {e.app.redirectURI},
		"scope": {strings.Join(made.GetScopes(), " ")}, "state": {state},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])}, "code_challenge_method": {"S256"},
	}
	if strings.HasPrefix(back, shell.InvitationsPath+"/") {
		request.Set(authorization.InvitedField, "1")
	}
	web.SeeOther(w, e.BaseURL+"/oauth/authorize?"+request.Encode())
	return nil
}

// errNotBegun is returned for an authorization response if this browser did not send the request,
// or sent it too long ago.
var errNotBegun = errs.New(errs.Invalid, shell.CodeNotBegun, "The sign-in was not begun here.")

// callback handles the authorization response and opens a session.
func (e entry) callback(w http.ResponseWriter, r *http.Request) error {
	web.Personal(w.Header())
	q := r.URL.Query()
	begun, ok := e.Sealed(r, signInCookie)
	e.ClearSealed(w, signInCookie)
	parts := strings.SplitN(begun, " ", 3)
	if !ok || len(parts) != 3 || subtle.ConstantTimeCompare([]byte(parts[0]), []byte(q.Get("state"))) != 1 || q.Get("iss") != e.BaseURL {
		return errNotBegun
	}
	if q.Get("error") != "" {
		return errs.New(errs.Denied, shell.CodeNotAllowed, "The authorization server answered %.60q.", q.Get("error"))
	}
	token, err := e.exchange(r, shell.Readable(q.Get("code")), parts[1])
	if err != nil {
		return err
	}
	opened, err := e.open(r, token.GetAccessToken())
	if err != nil {
		return err
	}
	e.revoke(r, token.GetRefreshToken())
	e.OpenSession(w, opened.GetSessionToken(), opened.GetExpiresAt().AsTime().Sub(e.Clock.Now()))
	web.SeeOther(w, parts[2])
	return nil
}

func (e entry) exchange(r *http.Request, code, verifier string) (*authv1.TokenPair, error) {
	made, err := e.app.ensure(r.Context())
	if err != nil {
		return nil, err
	}
	resp, err := e.oauth.ExchangeCode(r.Context(), &authv1.ExchangeCodeRequest{
		Client: e.app.client(made), Code: code, RedirectUri: e.app.redirectURI, CodeVerifier: verifier,
	})
	if errs.HasCode(err, "OAUTH_INVALID_GRANT") {
		return nil, errNotBegun.WithCause(err)
	}
	return resp.GetTokens(), err
}

// open opens a session for the person to whom the access token belongs.
func (e entry) open(r *http.Request, accessToken string) (*authv1.OpenConsoleSessionResponse, error) {
	ctx := r.Context()
	hash := credential.Hash(accessToken)
	resolved, err := e.credentials.ResolveCredential(ctx, &authv1.ResolveCredentialRequest{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, Hash: hash[:],
	})
	if err != nil {
		return nil, err
	}
	me, err := e.me.GetMe(principal.NewContext(ctx, resolved.GetRecord().GetPrincipal()), &candidatev1.GetMeRequest{})
	if err != nil {
		return nil, err
	}
	return e.console.OpenConsoleSession(ctx, &authv1.OpenConsoleSessionRequest{AccessToken: accessToken, Name: me.GetUser().GetName()})
}

// revoke revokes the tokens from the sign-in, because the console no longer needs them. If this
// fails, no harm is done, because nobody else has the tokens and they expire.
func (e entry) revoke(r *http.Request, refreshToken string) {
	made, err := e.app.ensure(r.Context())
	if err == nil {
		_, err = e.oauth.RevokeToken(r.Context(), &authv1.RevokeTokenRequest{Client: e.app.client(made), Token: refreshToken})
	}
	if err != nil {
		e.Log.WarnContext(r.Context(), "tokens of a sign-in to the console were not revoked", "error", err)
	}
}

// signOut ends the session. It also succeeds if the session has already expired.
func (e entry) signOut(w http.ResponseWriter, r *http.Request) error {
	ctx := grpcx.WithConsoleSession(r.Context(), e.SessionToken(r))
	_, err := e.console.CloseConsoleSession(ctx, &authv1.CloseConsoleSessionRequest{})
	if err != nil && errs.KindOf(err) != errs.Unauthenticated {
		return err
	}
	e.EndSession(w)
	web.SeeOther(w, signedOutPath)
	return nil
}

// signedOut is a separate page, because the start page would sign the person in again.
func (e entry) signedOut(w http.ResponseWriter, r *http.Request) error {
	return e.Render(w, r, http.StatusOK, "signedout", web.View{Title: "Signed out"})
}
