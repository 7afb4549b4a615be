package postgres_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/grant"
)

// authenticated are the statements that check a client's secret. Each prepares a call of
// the app, which uses the secret.
var authenticated = map[string]func(w *authtest.World, p string, a authtest.App) func(context.Context) error{
	"exchange of a code": func(w *authtest.World, p string, a authtest.App) func(context.Context) error {
		code := w.Code(p, a, "profile")
		return func(ctx context.Context) error {
			_, err := w.Grant.ExchangeCode(ctx, authtest.Exchange(a, code))
			return err
		}
	},
	"exchange of a legacy code": func(w *authtest.World, p string, a authtest.App) func(context.Context) error {
		code := w.LegacyCode(p, a)
		return func(ctx context.Context) error {
			_, err := w.Grant.ExchangeLegacyCode(ctx, grant.LegacyExchange{Client: a.Credentials, Code: code})
			return err
		}
	},
	"refresh": func(w *authtest.World, p string, a authtest.App) func(context.Context) error {
		refresh := w.Tokens(p, a, "profile").Refresh
		return func(ctx context.Context) error {
			_, err := w.Grant.RefreshToken(ctx, grant.Refresh{Client: a.Credentials, Token: refresh})
			return err
		}
	},
	"introspection of an access token": func(w *authtest.World, _ string, a authtest.App) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Token.Introspect(ctx, a.Credentials, credential.New(credential.AccessToken))
			return err
		}
	},
	"introspection of a refresh token": func(w *authtest.World, _ string, a authtest.App) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Token.Introspect(ctx, a.Credentials, credential.New(credential.RefreshToken))
			return err
		}
	},
	"revocation": func(w *authtest.World, _ string, a authtest.App) func(context.Context) error {
		return func(ctx context.Context) error {
			return w.Token.Revoke(ctx, a.Credentials, credential.New(credential.AccessToken))
		}
	},
}

func TestASecretIsTakenUntilTheMicrosecondOfItsEnd(t *testing.T) {
	for name, prepare := range authenticated {
		w := authtest.New(t)
		p, a := w.Person(), w.Legacy()
		before, after := prepare(w, p, a), prepare(w, p, a)
		_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET expires_at = $1", w.Clock.Now().Add(time.Microsecond))
		w.Must(err)
		if err := before(t.Context()); err != nil {
			t.Errorf("%s: before the end: %v", name, err)
		}
		w.Clock.Advance(time.Microsecond)
		if err := after(t.Context()); !errs.HasCode(err, client.ErrInvalid.Code) {
			t.Errorf("%s: at the end: %v", name, err)
		}
	}
}

func TestTheUseOfASecretIsNotedOnceAnHour(t *testing.T) {
	for name, prepare := range authenticated {
		w := authtest.New(t)
		p, a, idle := w.Person(), w.Legacy(), w.Legacy()
		uses := []func(context.Context) error{prepare(w, p, a), prepare(w, p, a), prepare(w, p, a)}
		_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET last_used_at = NULL")
		w.Must(err)
		if _, err := w.Pool.Exec(t.Context(), "UPDATE authorization_codes SET expires_at = expires_at + interval '1 day'"); err != nil {
			t.Fatal(err)
		}
		noted := func(id string) (at *time.Time) {
			w.Must(w.Pool.QueryRow(t.Context(), "SELECT last_used_at FROM client_secrets WHERE app_id = $1", id).Scan(&at))
			return at
		}
		use := func(i int, want time.Time) {
			t.Helper()
			w.Must(uses[i](t.Context()))
			if got := noted(a.App.ID); got == nil || !got.Equal(want) {
				t.Errorf("%s: after use %d it is noted at %v, want %v", name, i, got, want)
			}
		}
		use(0, authtest.Start)
		w.Clock.Advance(time.Hour - time.Microsecond)
		use(1, authtest.Start)
		w.Clock.Advance(time.Microsecond)
		use(2, authtest.Start.Add(time.Hour))
		if got := noted(idle.App.ID); got != nil {
			t.Errorf("%s: the secret of another app is noted at %v", name, got)
		}
	}
}

// Otherwise one slow transaction would stop every client of an app.
func TestNobodyWaitsToNoteTheUseOfASecret(t *testing.T) {
	for name, prepare := range authenticated {
		w := authtest.New(t)
		use := prepare(w, w.Person(), w.Legacy())
		_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET last_used_at = NULL")
		w.Must(err)
		tx, err := w.Pool.Begin(t.Context())
		w.Must(err)
		_, err = tx.Exec(t.Context(), "SELECT 1 FROM client_secrets FOR NO KEY UPDATE")
		w.Must(err)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := use(ctx); err != nil {
				t.Errorf("%s: not answered: %v", name, err)
			}
		}()
		waits(w, 1, done)
		select {
		case <-done:
		default:
			t.Errorf("%s: it waits for the other", name)
		}
		cancel()
		<-done
		w.Must(tx.Rollback(t.Context()))
	}
}
