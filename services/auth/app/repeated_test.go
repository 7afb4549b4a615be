package app_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/app"
)

// A revocation that returned Unavailable has been committed, but gateways may still find session records. Repeating
// it must return the same error until the records are gone.
func TestRepeatedEndWaitsForRecords(t *testing.T) {
	t.Parallel()
	ends := map[string]struct {
		prepare func(*world, person, client) (end func(context.Context) error)
		// again is the error code of a repeated call after the entry has been published, or "" if that call
		// succeeds.
		again string
	}{
		"key": {func(w *world, _ person, c client) func(context.Context) error {
			made, err := w.developers.CreateApiKey(w.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Scopes: []string{"jobs:read"}})
			w.must(err)
			return func(ctx context.Context) error {
				_, err := w.developers.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: made.GetApiKey().GetId()})
				return err
			}
		}, "API_KEY_NOT_FOUND"},
		"client secret": {func(w *world, _ person, c client) func(context.Context) error {
			id := w.secrets(w.rotated(c, day))[1].GetId()
			return func(ctx context.Context) error {
				_, err := w.developers.DeleteClientSecret(ctx, &authv1.DeleteClientSecretRequest{Id: id})
				return err
			}
		}, "CLIENT_SECRET_NOT_FOUND"},
		"app": {func(w *world, _ person, c client) func(context.Context) error {
			return func(ctx context.Context) error {
				return second(w.developers.DeleteApp(ctx, &authv1.DeleteAppRequest{Id: c.app.GetId()}))
			}
		}, "APP_NOT_FOUND"},
		"connection": {func(w *world, p person, c client) func(context.Context) error {
			w.connect(p, c, everything...)
			id := w.connectionOf(p).GetId()
			return func(ctx context.Context) error {
				_, err := w.connections.Disconnect(ctx, &authv1.DisconnectRequest{Actor: bySession(p), Id: id})
				return err
			}
		}, "CONNECTION_NOT_FOUND"},
		"token of the legacy interface": {func(w *world, p person, _ client) func(context.Context) error {
			hash := credential.Hash(w.legacyConnect(p, w.legacyClient()))
			return func(ctx context.Context) error {
				_, err := w.legacy.RevokeLegacyToken(ctx, &authv1.RevokeLegacyTokenRequest{Hash: hash[:]})
				return err
			}
		}, "CREDENTIAL_UNKNOWN"},
		"token of the legacy interface after its connection": {func(w *world, p person, _ client) func(context.Context) error {
			token := w.legacyConnect(p, w.legacyClient())
			id, hash := w.legacyConnectionOf(p).GetId(), credential.Hash(token)
			var disconnected bool
			return func(ctx context.Context) error {
				if !disconnected {
					disconnected = true
					_, err := w.connections.Disconnect(ctx, &authv1.DisconnectRequest{Actor: bySession(p), Id: id})
					return err
				}
				_, err := w.legacy.RevokeLegacyToken(ctx, &authv1.RevokeLegacyTokenRequest{Hash: hash[:]})
				return err
			}
		}, "CREDENTIAL_UNKNOWN"},
		"narrowed consent": {func(w *world, p person, c client) func(context.Context) error {
			w.connect(p, c, everything...)
			return func(ctx context.Context) error {
				_, err := w.oauth.Authorize(ctx, &authv1.AuthorizeRequest{
					Parameters: parameters(c, allScopes), SessionToken: p.session, GrantedScopes: []string{"profile"},
				})
				return err
			}
		}, ""},
	}
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL(), app.WithWaitOut(time.Hour))
	pending := map[string]func(context.Context) error{}
	for name, kind := range ends {
		pending[name] = kind.prepare(w, w.person(fmt.Sprintf("%d@example.com", len(pending))), w.confidential())
	}
	w.must(server.Freeze())
	for range 2 {
		var attempts sync.WaitGroup
		for name, end := range pending { // concurrently, because each call waits until its deadline
			attempts.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				defer cancel()
				if err := end(ctx); errs.KindOf(err) != errs.Unavailable {
					t.Errorf("%s: returned %v while Redis was unreachable", name, err)
				}
			})
		}
		attempts.Wait()
	}
	if n := w.outbox(); n < len(ends)-1 { // two of the calls end the same connection
		t.Errorf("%d entries are pending", n)
	}
	w.must(server.Thaw())
	for name, end := range pending {
		if err := end(t.Context()); (ends[name].again != "" || err != nil) && !errs.HasCode(err, ends[name].again) {
			t.Errorf("%s: returned %v after Redis was back", name, err)
		}
	}
	if n := w.outbox(); n != 0 {
		t.Errorf("%d entries are left", n)
	}
}
