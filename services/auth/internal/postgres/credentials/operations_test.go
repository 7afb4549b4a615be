package credentials_test

import (
	"context"
	"fmt"
	"testing"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestFailedStatementFailsTheCall(t *testing.T) {
	t.Parallel()
	authtest.CheckFaults(t, stateOperations)
}

func TestChangeHasOneAuditEvent(t *testing.T) {
	t.Parallel()
	authtest.CheckEvents(t, stateOperations)
}

func stateOperations(w *authtest.World) []authtest.Operation {
	p, a, c, secret := authtest.Connected(w, authtest.Everything...)
	now, link := w.Clock.Now(), id.New("cvl")
	_, key := w.Key(a)
	live, _ := w.State(state.AccessToken, secret)
	hashes := map[state.Kind]credential.Digest{
		state.AccessToken: credential.Hash(secret), state.LegacyToken: credential.Hash(w.LegacyToken(p, w.Legacy())),
		state.APIKey: credential.Hash(key), state.CVLink: state.LinkHash(live.Connection.LinkID),
	}
	entry := revocation.Entry{AccountID: a.AccountID, ConnectionID: c.ID, At: now}
	all := []authtest.Operation{
		{"photo", func(ctx context.Context) error { _, err := w.Stores.States.PhotoAddress(ctx, c.ID, 0, now); return err }, nil},
		{"expired token", func(ctx context.Context) error {
			_, err := w.Stores.States.LegacyTokenExpired(ctx, hashes[state.LegacyToken], now)
			return err
		}, nil},
		{"make a link", func(ctx context.Context) error {
			_, err := w.Stores.States.MakeLink(ctx, c.ID, credential.Hash(secret), link, now)
			return err
		}, nil},
		{"hashes of a connection", func(ctx context.Context) error { _, err := w.Stores.Outbox.ConnectionHashes(ctx, entry); return err }, nil},
		{"pending revocations", func(ctx context.Context) error {
			_, err := w.Stores.Outbox.PendingRevocations(ctx, now, 10)
			return err
		}, nil},
		{"delete a revocation", func(ctx context.Context) error { return w.Stores.Outbox.DeleteRevocation(ctx, 1) }, nil},
	}
	for kind, hash := range hashes {
		all = append(all,
			authtest.Operation{fmt.Sprint("route ", kind), func(ctx context.Context) error { _, err := w.Stores.States.Route(ctx, kind, hash); return err }, nil},
			authtest.Operation{fmt.Sprint("read ", kind), func(ctx context.Context) error { _, err := w.Stores.States.Read(ctx, kind, hash, now); return err }, nil})
	}
	return all
}
