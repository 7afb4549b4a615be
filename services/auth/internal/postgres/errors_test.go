package postgres_test

import (
	"context"
	"strings"
	"testing"

	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/developer"
)

func TestTheErrorOfATransactionNamesTheStoreOnce(t *testing.T) {
	w := authtest.New(t)
	account := w.Confidential().AccountID
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, _, err := w.Store.SetPlan(gone, account, developer.Plan{Name: developer.Elevated}, w.Clock.Now())
	if err == nil || strings.Count(err.Error(), "auth store:") != 1 {
		t.Errorf("the message is %v", err)
	}
}

// What a use case refuses with reaches its caller as it was made.
func TestARefusalOfTheDomainPassesTheStoreUnchanged(t *testing.T) {
	w := authtest.New(t)
	p, a, c, _ := connected(w, "profile")
	refusal := errs.New(errs.Precondition, "CV_NOT_GRANTED", "refused")
	_, _, ofConnection := w.Store.ChangeConnection(t.Context(), p, c.ID, w.Clock.Now(), func(connection.Connection) (connection.Connection, error) { return c, refusal })
	_, _, ofSecrets := w.Store.ChangeClientSecrets(t.Context(), a.App.ID, w.Clock.Now(), func(developer.App, []developer.ClientSecret) ([]developer.ClientSecret, *developer.NewSecret, error) {
		return nil, nil, refusal
	})
	for name, err := range map[string]error{"connection": ofConnection, "secrets": ofSecrets} {
		if err.Error() != refusal.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
}
