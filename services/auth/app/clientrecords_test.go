package app_test

import (
	"context"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/app"
)

// leaving introspects a token and asks the service to leave session records for the client and the token in Redis.
func (w *world) leaving(c *authv1.ClientAuthentication, token string) (*authv1.IntrospectTokenResponse, error) {
	return w.oauth.IntrospectToken(w.Context(), &authv1.IntrospectTokenRequest{
		Client: c, Token: token, LeaveClientRecord: true, LeaveTokenRecord: true,
	})
}

// inRedis returns the record that a gateway replica finds in Redis, or nil if there is none.
func (w *world) inRedis(c client, hash credential.Digest) *authv1.SessionRecord {
	w.Helper()
	ref := sessionrecord.Ref{AccountID: c.app.GetAccountId(), Hash: hash}
	stored, err := sessionrecord.Read(w.Context(), w.rdb, ref)
	w.must(err)
	if stored == nil {
		return nil
	}
	seal, err := sessionrecord.NewSeal(testkit.Ring("record", "a"))
	w.must(err)
	opened, err := seal.Verify(ref, stored)
	w.must(err)
	record, err := opened.At(w.clock.Now())
	w.must(err)
	return record
}

func (c client) digest() credential.Digest {
	return credential.ClientDigest(c.app.GetClientId(), credential.Hash(c.secret))
}

// endsOfClients holds the operations that invalidate a client secret.
var endsOfClients = map[string]func(*world, client){
	"a rotation": func(w *world, c client) { w.rotated(c, 0) },
	"the deletion of the secret": func(w *world, c client) {
		w.must(second(w.developers.DeleteClientSecret(w.Context(), &authv1.DeleteClientSecretRequest{Id: w.secrets(c)[0].GetId(), AllowLast: true})))
	},
	"an end within seconds":   func(w *world, c client) { w.endsIn(c, 2*time.Second) },
	"the deletion of the app": func(w *world, c client) { w.must(w.deleteApp(c)) },
	"a suspension of the account": func(w *world, c client) {
		w.must(second(w.developers.SuspendAccount(w.Context(), &authv1.SuspendAccountRequest{Id: c.app.GetAccountId()})))
	},
	"the end of the account": func(w *world, c client) {
		w.must(second(authv1.NewAccountServiceClient(w.vitaectl).CloseAccount(w.Context(), &authv1.CloseAccountRequest{Id: c.app.GetAccountId(), Name: "Partner"})))
	},
}

// endsIn makes the newest secret expire after d.
func (w *world) endsIn(c client, d time.Duration) {
	w.Helper()
	_, err := w.developers.SetClientSecretExpiry(w.Context(), &authv1.SetClientSecretExpiryRequest{
		Id: w.secrets(c)[0].GetId(), ExpiresAt: timestamppb.New(w.clock.Now().Add(d)), AllowLast: true,
	})
	w.must(err)
}

func TestEndedClientHasNoRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("a@example.com")
	for name, end := range endsOfClients {
		c := w.confidential()
		token := w.connect(p, c, "profile").GetAccessToken()
		w.must(second(w.leaving(c.auth(), token)))
		if w.inRedis(c, c.digest()) == nil {
			t.Fatalf("%s: there is no record, so the test proves nothing", name)
		}
		end(w, c)
		if held := w.inRedis(c, c.digest()); held != nil {
			t.Errorf("%s: Redis holds %v", name, held)
		}
	}
}

// With an overlap, the previous secret stays valid, so its record may stay too.
func TestOverlappingRotationKeepsRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	w.must(second(w.leaving(c.auth(), credential.New(credential.AccessToken))))
	newer := w.rotated(c, day)
	if w.inRedis(c, c.digest()) == nil {
		t.Error("the record of the valid secret was deleted")
	}
	w.must(second(w.leaving(newer.auth(), credential.New(credential.AccessToken))))
	w.must(w.deleteSecret(w.secrets(c)[1].GetId()))
	if w.inRedis(c, c.digest()) != nil {
		t.Error("the record of the deleted secret still exists")
	}
}

// The first call ends a secret. The second call must also wait until no gateway accepts that secret.
func TestRotationWaitsForRecentSecretEnd(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL(), app.WithWaitOut(time.Hour))
	first := w.confidential()
	w.rotated(first, day)
	w.must(server.Freeze())
	for call, overlap := range []time.Duration{0, day} { // the second call ends no live secret
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		err := second(w.developers.RotateClientSecret(ctx, &authv1.RotateClientSecretRequest{AppId: first.app.GetId(), Overlap: durationpb.New(overlap)}))
		cancel()
		if errs.KindOf(err) != errs.Unavailable {
			t.Errorf("call %d returned %v while Redis was unreachable", call, err)
		}
	}
	if n := w.outbox(); n != 1 {
		t.Errorf("%d entries are pending, want only the entry of the first call", n)
	}
}
