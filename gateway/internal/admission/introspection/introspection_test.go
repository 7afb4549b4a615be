package introspection_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/admission/introspection"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

const (
	ofClient = identityv1.CredentialKind_CREDENTIAL_KIND_CLIENT_SECRET
	ofToken  = identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN
)

var (
	noon   = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	client = credential.New(credential.ClientID)
	secret = credential.New(credential.ClientSecret)
	token  = credential.New(credential.AccessToken)
)

func newReader(t *testing.T, c clock.Clock) *introspection.Reader {
	t.Helper()
	r, err := introspection.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// learned returns a Reader that knows the client's account, and the client's question about the
// token.
func learned(t *testing.T, c clock.Clock) (*introspection.Reader, introspection.Question) {
	t.Helper()
	r := newReader(t, c)
	r.Learn(r.Question(client, &secret, token), "dev_1")
	return r, r.Question(client, &secret, token)
}

func record(kind identityv1.CredentialKind) *authv1.SessionRecord {
	return &authv1.SessionRecord{Principal: &identityv1.Principal{Kind: kind, AccountId: "dev_1", AppId: "app_1"}}
}

func TestIntrospectionNeedsLiveRecordsOfOneApp(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(client, token *authv1.SessionRecord)
		answers bool
	}{
		"both live":                              {func(_, _ *authv1.SessionRecord) {}, true},
		"the secret is about to expire":          {func(c, _ *authv1.SessionRecord) { c.ExpiresAt = timestamppb.New(noon.Add(time.Microsecond)) }, true},
		"the secret has just expired":            {func(c, _ *authv1.SessionRecord) { c.ExpiresAt = timestamppb.New(noon) }, false},
		"the token is about to expire":           {func(_, t *authv1.SessionRecord) { t.ExpiresAt = timestamppb.New(noon.Add(time.Microsecond)) }, true},
		"the token has just expired":             {func(_, t *authv1.SessionRecord) { t.ExpiresAt = timestamppb.New(noon) }, false},
		"a token of a different app":             {func(_, t *authv1.SessionRecord) { t.Principal.AppId = "app_2" }, false},
		"neither has an app":                     {func(c, t *authv1.SessionRecord) { c.Principal.AppId, t.Principal.AppId = "", "" }, false},
		"a client of a different account":        {func(c, _ *authv1.SessionRecord) { c.Principal.AccountId = "dev_2" }, false},
		"a token of a different account":         {func(_, t *authv1.SessionRecord) { t.Principal.AccountId = "dev_2" }, false},
		"the client is suspended":                {func(c, _ *authv1.SessionRecord) { c.AccountSuspended = true }, false},
		"the token's app is suspended":           {func(_, t *authv1.SessionRecord) { t.AccountSuspended = true }, false},
		"the client record is of an API key":     {func(c, _ *authv1.SessionRecord) { c.Principal.Kind = identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY }, false},
		"the client record is of a token":        {func(c, _ *authv1.SessionRecord) { c.Principal.Kind = ofToken }, false},
		"the token record is of a client secret": {func(_, t *authv1.SessionRecord) { t.Principal.Kind = ofClient }, false},
		"the token is a legacy one": {func(_, t *authv1.SessionRecord) {
			t.Principal.Kind = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN
		}, false},
		"no principal": {func(c, _ *authv1.SessionRecord) { c.Principal = nil }, false},
	} {
		r, q := learned(t, clock.NewFake(noon))
		held, described := record(ofClient), record(ofToken)
		c.change(held, described)
		gotClient, gotToken := r.Answer(q, limits.Found{held, described})
		if answers := gotToken != nil; answers != c.answers || answers && (!proto.Equal(gotClient, held) || !proto.Equal(gotToken, described)) || !answers && gotClient != nil {
			t.Errorf("%s: %v, %v", name, gotClient, gotToken)
		}
	}
	r, q := learned(t, clock.NewFake(noon))
	for name, found := range map[string]limits.Found{
		"nothing": nil, "only the client": {record(ofClient), nil}, "only the token": {nil, record(ofToken)}, "neither": {nil, nil},
		"one": {record(ofClient)}, "three": {record(ofClient), record(ofToken), record(ofToken)},
	} {
		if held, described := r.Answer(q, found); held != nil || described != nil {
			t.Errorf("%s: Answer returned records", name)
		}
	}
}

func TestNoLookupBeforeAccountIsKnown(t *testing.T) {
	r := newReader(t, clock.NewFake(noon))
	q := r.Question(client, &secret, token)
	if look := q.Lookup(); len(look.Hashes) != 0 {
		t.Errorf("look-up of %v", look)
	}
	r.Learn(q, "")
	if look := r.Question(client, &secret, token).Lookup(); len(look.Hashes) != 0 {
		t.Errorf("look-up of %v although no client has authenticated", look)
	}
	r.Learn(q, "dev_1")
	look := r.Question(client, &secret, token).Lookup()
	if look.AccountID != "dev_1" || len(look.Hashes) != 2 ||
		look.Hashes[0] != credential.ClientDigest(client, credential.Hash(secret)) || look.Hashes[1] != credential.Hash(token) {
		t.Errorf("look-up of %v", look)
	}
	none, other := "", credential.New(credential.ClientSecret)
	for name, q := range map[string]introspection.Question{
		"a different secret": r.Question(client, &other, token), "a different client": r.Question(credential.New(credential.ClientID), &secret, token),
		"no client": r.Question("", &secret, token), "no secret": r.Question(client, nil, token), "an empty one": r.Question(client, &none, token),
		"a refresh token": r.Question(client, &secret, credential.New(credential.RefreshToken)), "a malformed one": r.Question(client, &secret, token+"x"),
	} {
		if look := q.Lookup(); len(look.Hashes) != 0 {
			t.Errorf("%s: look-up of %v", name, look)
		}
	}
}

func TestQuestionMatchesClientSecretAndToken(t *testing.T) {
	_, q := learned(t, clock.NewFake(noon))
	other := "x"
	if !q.Of(client, &secret, token) {
		t.Error("Of returned false for the question's own values")
	}
	if q.Of(client+"x", &secret, token) || q.Of(client, &other, token) || q.Of(client, nil, token) || q.Of(client, &secret, token+"x") {
		t.Error("Of returned true for different values")
	}
	if empty := ""; (introspection.Question{}).Of(client, &secret, token) || (introspection.Question{}).Of(client, &empty, token) {
		t.Error("the zero question matches a client")
	}
}

func TestMissingRecordsAreRequested(t *testing.T) {
	now := clock.NewFake(noon)
	r, q := learned(t, now)
	ask := func(what string, found limits.Found, wantClient, wantToken bool) {
		t.Helper()
		if held, described := r.ShouldRecord(q, found); held != wantClient || described != wantToken {
			t.Errorf("%s: %v, %v", what, held, described)
		}
	}
	ask("Redis does not respond", nil, false, false)
	ask("no records, for the first time", limits.Found{nil, nil}, true, false)
	ask("no records, shortly after", limits.Found{nil, nil}, true, true)
	ask("only the client's record", limits.Found{record(ofClient), nil}, false, true)
	ask("only the token's record", limits.Found{nil, record(ofToken)}, true, false)
	now.Advance(2*sessionrecord.WaitOut - time.Microsecond)
	ask("soon afterwards", limits.Found{record(ofClient), nil}, false, true)
	now.Advance(2 * sessionrecord.WaitOut)
	ask("after long", limits.Found{record(ofClient), nil}, false, false)
}
