package tokens_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
)

func TestForgedIdentityHeadersAreIgnored(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	forged := []string{
		"Grpc-Metadata-Vitae-Principal-Bin", "AAAA", "Vitae-Principal-Bin", "AAAA",
		"Grpc-Metadata-Authorization", "Bearer " + c.Tokens.Access, "X-Forwarded-Host", "evil.example.com",
	}
	expect.Refused(t, expect.Must(c.App.Get(t.Context(), "/v1/me", "", forged...))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
	expect.Success(t, expect.Must(c.App.Get(t.Context(), "/v1/me", c.Tokens.Access, forged...))(t))
}

func TestCredentialKindsAreNotInterchangeable(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	secret := c.Vitaectl(t, "key", "create", "--app", c.Created.Apps["web"].ID, "--scopes", "companies:read")["key"].(string)
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
		expect.Refused(t, expect.Must(c.App.Get(t.Context(), path, secret))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
		expect.Refused(t, expect.Must(c.App.Get(t.Context(), path, c.Tokens.Refresh))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
	}
	if link := expect.Must(c.App.Get(t.Context(), "/v1/cv-links/"+c.Tokens.Access, ""))(t); link.Status != http.StatusNotFound {
		t.Errorf("an access token as a link: %s", link)
	}
}

func TestOnlyPublicClientsNeedNoSecret(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	mobile, web := s.Client(t, "mobile"), s.Client(t, "web")
	tokens := scene.Connect(t, mobile, s.NewPerson(t, "layla"), "profile", person.Choice{})
	sneaky := mobile
	sneaky.Secret, sneaky.Method = "svc_cs_invalid", partner.Body
	expect.FlatRefused(t, expect.Must(sneaky.Refresh(t.Context(), tokens.Refresh, ""))(t), http.StatusUnauthorized, "invalid_client")
	web.Method = partner.Public
	expect.FlatRefused(t, expect.Must(web.Introspect(t.Context(), tokens.Access))(t), http.StatusUnauthorized, "invalid_client")
	expect.Must(expect.Must(mobile.Refresh(t.Context(), tokens.Refresh, ""))(t).Tokens())(t)
}
