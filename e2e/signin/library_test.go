package signin_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// endpoint are the endpoints in the discovery document, from which a partner's library
// takes them.
func endpoint(t testing.TB, style oauth2.AuthStyle) oauth2.Endpoint {
	t.Helper()
	doc := discoveryDocument(t)
	return oauth2.Endpoint{
		AuthURL:   doc["authorization_endpoint"].(string),
		TokenURL:  doc["token_endpoint"].(string),
		AuthStyle: style,
	}
}

func TestTheOAuthLibraryOfGoSignsAPersonInAndStaysSignedIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, app string
		style     oauth2.AuthStyle
	}{
		{"confidential client with Basic", "web", oauth2.AuthStyleInHeader},
		{"confidential client with the secret in the body", "web", oauth2.AuthStyleInParams},
		{"public client", "mobile", oauth2.AuthStyleInParams},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := scene.New(t)
			app := s.Client(t, c.app)
			config := oauth2.Config{
				ClientID: app.ID, ClientSecret: app.Secret, Endpoint: endpoint(t, c.style),
				RedirectURL: app.Redirect, Scopes: world.AllScopes,
			}
			verifier := oauth2.GenerateVerifier()
			target := config.AuthCodeURL("the state & more", oauth2.S256ChallengeOption(verifier))
			back := expect.Must(s.NewPerson(t, "layla").Authorize(t.Context(), target, person.Choice{}))(t).Query()
			if back.Get("state") != "the state & more" || back.Get("iss") != scene.Issuer() {
				t.Errorf("state %q and iss %q came back", back.Get("state"), back.Get("iss"))
			}
			token := expect.Must(config.Exchange(t.Context(), back.Get("code"), oauth2.VerifierOption(verifier)))(t)
			if token.Type() != "Bearer" || time.Until(token.Expiry) > time.Hour || time.Until(token.Expiry) < 50*time.Minute {
				t.Errorf("type %q, expiry %v; want a Bearer token of one hour", token.Type(), token.Expiry)
			}
			reads(t, config, token)

			expired := *token
			expired.Expiry = time.Now().Add(-time.Minute)
			renewed := expect.Must(config.TokenSource(t.Context(), &expired).Token())(t)
			if renewed.AccessToken == token.AccessToken || renewed.RefreshToken == token.RefreshToken {
				t.Error("a refresh did not rotate both tokens")
			}
			reads(t, config, renewed)
		})
	}
}

func reads(t testing.TB, config oauth2.Config, token *oauth2.Token) {
	t.Helper()
	client := config.Client(context.WithValue(t.Context(), oauth2.HTTPClient, http.DefaultClient), token)
	res := expect.Must(client.Get(suite.System.BaseURLs[0] + "/v1/me"))(t)
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("/v1/me answers %d", res.StatusCode)
	}
}
