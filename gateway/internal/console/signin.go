package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

const (
	signInPath    = "/sign-in"
	callbackPath  = "/callback"
	signOutPath   = "/sign-out"
	signedOutPath = "/signed-out"
	// returnField is the query parameter with the page to come back to.
	returnField = "return"
	// signInCookie ties an authorization request to the browser that began it.
	signInCookie = "signin"
	// signInLife is how long a person may take to sign in and consent.
	signInLife = 30 * time.Minute
	// maxBack bounds the address to come back to, in bytes. A longer one, such as that of many
	// filters, would make a large cookie.
	maxBack = 512
)

// signInFor is where to sign in and come back to what r asks for.
func signInFor(r *http.Request) string {
	if r.Method != http.MethodGet || r.URL.Path == "/" {
		return signInPath
	}
	return signInPath + "?" + url.Values{returnField: {r.URL.RequestURI()}}.Encode()
}

// isPage reports whether a path may be returned to: that of any page, which begin a
// process of their own alone.
func isPage(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, "\\") {
		return false
	}
	return path != signInPath && path != callbackPath && path != signOutPath && path != signedOutPath
}

// signIn begins an authorization request (RFC 6749 §4.1.1) with PKCE (RFC 7636).
func (c *Console) signIn(w http.ResponseWriter, r *http.Request) error {
	web.Personal(w.Header())
	made, err := c.app.ensure(r.Context())
	if err != nil {
		return err
	}
	back := "/"
	if path, query, ok := web.LocalPath(r.URL.Query().Get(returnField), isPage); ok {
		back = (&url.URL{Path: path, RawQuery: query}).String()
	}
	if len(back) > maxBack {
		back = "/"
	}
	state, verifier := rand.Text(), rand.Text()+rand.Text()
	c.site.SetSealed(w, signInCookie, state+" "+verifier+" "+back, signInLife)
	challenge := sha256.Sum256([]byte(verifier))
	web.SeeOther(w, c.BaseURL+"/oauth/authorize?"+url.Values{
		"response_type": {"code"}, "client_id": {made.GetClientId()}, "redirect_uri": {c.app.redirectURI},
		"scope": {strings.Join(made.GetScopes(), " ")}, "state": {state},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])}, "code_challenge_method": {"S256"},
	}.Encode())
	return nil
}

// errNotBegun is for an answer to an authorization request that this browser has not made,
// or too long ago.
var errNotBegun = errs.New(errs.Invalid, codeNotBegun, "The sign-in was not begun here.")

// callback takes the answer to an authorization request, and opens a session.
func (c *Console) callback(w http.ResponseWriter, r *http.Request) error {
	web.Personal(w.Header())
	q := r.URL.Query()
	begun, ok := c.site.Sealed(r, signInCookie)
	c.site.ClearSealed(w, signInCookie)
	parts := strings.SplitN(begun, " ", 3)
	if !ok || len(parts) != 3 || subtle.ConstantTimeCompare([]byte(parts[0]), []byte(q.Get("state"))) != 1 || q.Get("iss") != c.BaseURL {
		return errNotBegun
	}
	if q.Get("error") != "" {
		return errs.New(errs.Denied, codeNotAllowed, "The authorization server answered %.60q.", q.Get("error"))
	}
	token, err := c.exchange(r, readable(q.Get("code")), parts[1])
	if err != nil {
		return err
	}
	opened, err := c.open(r, token.GetAccessToken())
	if err != nil {
		return err
	}
	c.endTokens(r, token.GetRefreshToken())
	c.site.OpenSession(w, opened.GetSessionToken(), opened.GetExpiresAt().AsTime().Sub(c.Clock.Now()))
	web.SeeOther(w, parts[2])
	return nil
}

func (c *Console) exchange(r *http.Request, code, verifier string) (*authv1.TokenPair, error) {
	made, err := c.app.ensure(r.Context())
	if err != nil {
		return nil, err
	}
	resp, err := c.oauth.ExchangeCode(r.Context(), &authv1.ExchangeCodeRequest{
		Client: c.app.client(made), Code: code, RedirectUri: c.app.redirectURI, CodeVerifier: verifier,
	})
	if errs.HasCode(err, "OAUTH_INVALID_GRANT") {
		return nil, errNotBegun.WithCause(err)
	}
	return resp.GetTokens(), err
}

// open opens a session of the console for the person of a token.
func (c *Console) open(r *http.Request, accessToken string) (*authv1.OpenConsoleSessionResponse, error) {
	ctx := r.Context()
	hash := credential.Hash(accessToken)
	resolved, err := c.credentials.ResolveCredential(ctx, &authv1.ResolveCredentialRequest{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, Hash: hash[:],
	})
	if err != nil {
		return nil, err
	}
	me, err := c.me.GetMe(principal.NewContext(ctx, resolved.GetRecord().GetPrincipal()), &candidatev1.GetMeRequest{})
	if err != nil {
		return nil, err
	}
	return c.console.OpenConsoleSession(ctx, &authv1.OpenConsoleSessionRequest{AccessToken: accessToken, Name: me.GetUser().GetName()})
}

// endTokens revokes what the sign-in was given: the console reads nothing more with it. A
// failure leaves tokens that nobody has and that expire.
func (c *Console) endTokens(r *http.Request, refreshToken string) {
	made, err := c.app.ensure(r.Context())
	if err == nil {
		_, err = c.oauth.RevokeToken(r.Context(), &authv1.RevokeTokenRequest{Client: c.app.client(made), Token: refreshToken})
	}
	if err != nil {
		c.Log.WarnContext(r.Context(), "tokens of a sign-in to the console were not revoked", "error", err)
	}
}

// signOut ends the session. A session that has ended already is no fault.
func (c *Console) signOut(w http.ResponseWriter, r *http.Request) error {
	ctx := grpcx.WithConsoleSession(r.Context(), c.site.SessionToken(r))
	_, err := c.console.CloseConsoleSession(ctx, &authv1.CloseConsoleSessionRequest{})
	if err != nil && errs.KindOf(err) != errs.Unauthenticated {
		return err
	}
	c.site.EndSession(w)
	web.SeeOther(w, signedOutPath)
	return nil
}

// signedOut is a page of its own: the start page would sign the person in again.
func (c *Console) signedOut(w http.ResponseWriter, r *http.Request) error {
	return c.site.Render(w, r, http.StatusOK, "signedout", web.View{Title: "Signed out"})
}
