package admission

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
)

func TestBearerIsParsedStrictly(t *testing.T) {
	token := credential.New(credential.AccessToken)
	for name, c := range map[string]struct {
		fields []string
		want   string
		sent   bool // whether the challenge may contain "invalid_token"
	}{
		"plain":              {[]string{"Bearer " + token}, token, true},
		"any case of scheme": {[]string{"bEaReR " + token}, token, true},
		"more spaces":        {[]string{"Bearer   " + token}, token, true},
		"nothing":            {nil, "", false},
		"empty":              {[]string{""}, "", false},
		"scheme only":        {[]string{"Bearer"}, "", false},
		"other scheme":       {[]string{"Basic " + token}, "", false},
		"bare token":         {[]string{token}, "", false},
		"two headers":        {[]string{"Bearer " + token, "Bearer " + token}, "", true},
		"tab":                {[]string{"Bearer\t" + token}, "", false},
	} {
		got, err := userToken.bearer(http.Header{"Authorization": c.fields})
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if err != nil && (!errs.HasCode(err, answer.CodeOAuthToken) || errors.Is(err, answer.ErrNoCredential) == c.sent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOnlyWellFormedAccessTokensAreLookedUp(t *testing.T) {
	good := credential.New(credential.AccessToken)
	for name, token := range map[string]string{
		"API key":        credential.New(credential.APIKey),
		"refresh token":  credential.New(credential.RefreshToken),
		"wrong checksum": good[:len(good)-1] + string(good[len(good)-1]^1),
		"two tokens":     good + ", Bearer " + good,
		"too long":       strings.Repeat(good, 100),
		"not a token":    "x",
	} {
		_, err := userToken.present(&http.Request{Header: http.Header{"Authorization": {"Bearer " + token}}})
		if !errs.HasCode(err, answer.CodeOAuthToken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOnlyWellFormedAPIKeysAreLookedUp(t *testing.T) {
	good := credential.New(credential.APIKey)
	if presented, err := apiKey.present(&http.Request{Header: http.Header{"Authorization": {"Bearer " + good}}}); err != nil || presented.Hash != credential.Hash(good) {
		t.Errorf("a well-formed key: %v", err)
	}
	for name, fields := range map[string][]string{
		"access token":   {"Bearer " + credential.New(credential.AccessToken)},
		"wrong checksum": {"Bearer " + good[:len(good)-1] + string(good[len(good)-1]^1)},
		"nothing":        nil,
		"Basic":          {"Basic " + good},
		"two headers":    {"Bearer " + good, "Bearer " + good},
	} {
		_, err := apiKey.present(&http.Request{Header: http.Header{"Authorization": fields}})
		if !errs.HasCode(err, answer.CodeAPIKeyInvalid) || errs.KindOf(err) != errs.Unauthenticated {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzBearer(f *testing.F) {
	f.Add("Bearer " + credential.New(credential.AccessToken))
	f.Add("bearer  x")
	f.Add("Basic dTpw")
	f.Fuzz(func(t *testing.T, field string) {
		presented, err := userToken.present(&http.Request{Header: http.Header{"Authorization": {field}}})
		if err != nil {
			return
		}
		token := field[len(field)-credential.Len:]
		if !strings.EqualFold(field[:6], "bearer") || presented.Hash != credential.Hash(token) {
			t.Errorf("accepted %q", field)
		}
	})
}
