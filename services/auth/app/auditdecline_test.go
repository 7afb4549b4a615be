package app_test

import (
	"context"
	"testing"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestAPersonWhoDeclinesAnAppIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, older, p := w.confidential(), w.legacyClient(), w.person("a@example.com")
	decline := func(parameters *authv1.AuthorizationParameters, session string) []*authv1.AuditEvent {
		return w.traced(func(ctx context.Context) {
			_, _ = w.oauth.DeclineAuthorization(ctx, &authv1.DeclineAuthorizationRequest{Parameters: parameters, SessionToken: session})
		})
	}
	declined := func(c client) trail {
		return trail{
			action: "consent.decline", kind: byPerson, actor: p.id, caller: "gateway", person: p.id, account: c.app.GetAccountId(), app: c.app.GetId(),
			objectType: "app", object: c.app.GetId(), address: "203.0.113.7",
		}
	}
	before := w.fingerprint()
	w.expect("decline", decline(parameters(c, allScopes), p.session), declined(c))
	w.expect("decline at the older interface", decline(legacyParameters(older), p.session), declined(older))
	if w.fingerprint() != before {
		t.Error("a decision against an app changes something")
	}
	refused := func(code string) trail {
		e := declined(c)
		e.kind, e.actor, e.person, e.object, e.code = anonymous, "", "", "", code
		return e
	}
	w.expect("nobody is signed in", decline(parameters(c, allScopes), "x"), refused("SESSION_ENDED"))
	w.expect("a request that nobody was asked about", decline(parameters(c, "profile openid"), p.session), refused("OAUTH_INVALID_SCOPE"))
}

func TestPressingCancelForEverAddsABoundedNumberOfEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, p := w.confidential(), w.person("a@example.com")
	events := w.traced(func(ctx context.Context) {
		for range 100 {
			_, err := w.oauth.DeclineAuthorization(ctx, &authv1.DeclineAuthorizationRequest{Parameters: parameters(c, allScopes), SessionToken: p.session})
			w.must(err)
		}
	})
	if len(events) != 30 {
		t.Errorf("%d events, want the 30 of a minute", len(events))
	}
}
