package e2e_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// The endpoints are those that discovery names, as a partner's library would use
// them.
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
			s := newScene(t)
			app := s.app(t, c.app)
			config := oauth2.Config{
				ClientID: app.ID, ClientSecret: app.Secret, Endpoint: endpoint(t, c.style),
				RedirectURL: app.Redirect, Scopes: world.AllScopes,
			}
			verifier := oauth2.GenerateVerifier()
			target := config.AuthCodeURL("the state & more", oauth2.S256ChallengeOption(verifier))
			back := must(s.person(t, "layla").Authorize(t.Context(), target, person.Choice{}))(t).Query()
			if back.Get("state") != "the state & more" || back.Get("iss") != issuer() {
				t.Errorf("state %q and iss %q came back", back.Get("state"), back.Get("iss"))
			}
			token := must(config.Exchange(t.Context(), back.Get("code"), oauth2.VerifierOption(verifier)))(t)
			if token.Type() != "Bearer" || time.Until(token.Expiry) > time.Hour || time.Until(token.Expiry) < 50*time.Minute {
				t.Errorf("type %q, expiry %v; want a Bearer token of one hour", token.Type(), token.Expiry)
			}
			reads(t, config, token)

			expired := *token
			expired.Expiry = time.Now().Add(-time.Minute)
			renewed := must(config.TokenSource(t.Context(), &expired).Token())(t)
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
	res := must(client.Get(system.BaseURLs[0] + "/v1/me"))(t)
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("/v1/me answers %d", res.StatusCode)
	}
}

func TestAPersonWhoIsSignedInIsNotAskedForThePasswordAgain(t *testing.T) {
	t.Parallel()
	c := everything(t)
	request := c.app.NewRequest("profile")
	visit := must(c.person.Open(t.Context(), c.app.URL(request)))(t)
	if visit.Page == nil || !visit.Page.Has("button", person.Allow) {
		t.Fatalf("no consent page: %+v", visit)
	}
}

func TestAWrongPasswordAndAnUnknownAddressGetTheSameAnswer(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	var shown []string
	for _, visitor := range []*person.Person{
		person.New(s.world.People[0].Email, "not the password"),
		person.New("nobody-"+world.Unique()+"@example.com", world.Password),
	} {
		at := must(visitor.Open(t.Context(), s.stack.AppURLs[0]+"/connections"))(t)
		visit := must(visitor.SignIn(t.Context(), at.Page))(t)
		if visit.Page == nil || !visit.Page.Has("button", person.SignInButton) {
			t.Fatalf("signed in as %s", visitor.Email)
		}
		shown = append(shown, visit.Page.Text())
	}
	if shown[0] != shown[1] {
		t.Errorf("the answers differ:\n%s\n%s", shown[0], shown[1])
	}
}

func TestAPersonWhoCancelsSendsTheAppAccessDenied(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	request := app.NewRequest(allScopes)
	back := must(s.person(t, "layla").Authorize(t.Context(), app.URL(request), person.Choice{Cancel: true}))(t).Query()
	if back.Get("error") != "access_denied" || back.Get("state") != request.State || back.Get("iss") != issuer() || back.Has("code") {
		t.Errorf("the app was sent %v", back)
	}
}
