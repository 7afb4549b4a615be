package db_test

import (
	"errors"
	"testing"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

func TestClosedDatabaseIsUnavailable(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	w.Pool.Close()
	_, appendOnly := w.Stores.Audit.IsAppendOnly(t.Context())
	_, _, rotated := w.Stores.Grants.Rotate(t.Context(), grant.Rotation{}, grant.Issue{})
	for name, err := range map[string]error{
		"append only": appendOnly, "rotate": rotated,
		"create an account": w.Stores.Accounts.CreateAccount(t.Context(), account.Account{ID: id.New("dev")}, ""), "delete a revocation": w.Stores.Outbox.DeleteRevocation(t.Context(), 1),
	} {
		if errs.KindOf(err) != errs.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The error must say that the parent row is missing only if this is true.
func TestTakenIDIsNotAMissingParent(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	keyID, _ := w.Key(a, "jobs:read")
	taken := a.App
	taken.ClientID = credential.New(credential.ClientID)
	err := w.Stores.Apps.CreateApp(t.Context(), taken, app.Logo{}, &app.NewSecret{ID: id.New("sec"), Hash: credential.Hash("new")})
	if err == nil || errs.HasCode(err, account.ErrNotFound.Code) {
		t.Errorf("creating an app: %v", err)
	}
	err = w.Stores.Apps.CreateAPIKey(t.Context(), app.APIKey{ID: keyID, AppID: a.App.ID, CreatedAt: w.Clock.Now()}, credential.Hash("new"), nil)
	if err == nil || errs.HasCode(err, app.ErrNotFound.Code) {
		t.Errorf("creating a key: %v", err)
	}
	// An error in the row itself must not be reported as a missing partition.
	_, err = w.Pool.Exec(t.Context(), "ALTER TABLE audit_events ALTER COLUMN caller TYPE varchar(3)")
	w.Must(err)
	err = w.Stores.Audit.AddEvents(t.Context(), []audit.Event{{ID: id.New("evt"), Action: audit.SignIn, Caller: "gateway"}})
	if err == nil || errors.Is(err, auditlog.ErrNoPartition) {
		t.Errorf("adding an event: %v", err)
	}
}

func TestUnreadableEventFailsTheList(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	good, bad := audit.Event{ID: id.New("evt"), Action: audit.SignIn}, audit.Event{ID: id.New("evt"), Action: audit.SignIn}
	w.Must(w.Stores.Audit.AddEvents(t.Context(), []audit.Event{good}))
	_, err := w.Pool.Exec(t.Context(), `INSERT INTO audit_events SELECT $1, at, action, outcome, error_code, actor_kind, actor_id, caller, account_id, app_id,
		person_id, object_type, object_id, client_address, request_id, '["no object"]' FROM audit_events`, bad.ID)
	w.Must(err)
	events, err := w.Stores.Audit.Events(t.Context(), auditlog.Query{After: auditlog.Position{At: authtest.ServerTime(w).AddDate(1, 0, 0)}, AtMost: 10})
	if err == nil || events != nil {
		t.Errorf("%+v, %v", events, err)
	}
}

// Errors returned by use cases must reach the caller unchanged.
func TestDomainErrorIsReturnedUnchanged(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, c, _ := authtest.Connected(w, "profile")
	refusal := errs.New(errs.Precondition, "CV_NOT_GRANTED", "refused")
	_, _, ofConnection := w.Stores.Connections.ChangeConnection(t.Context(), p, c.ID, w.Clock.Now(), func(connection.Connection) (connection.Connection, error) { return c, refusal })
	_, ofSecrets := w.Stores.Apps.ChangeClientSecrets(t.Context(), a.App.ID, w.Clock.Now(), func(app.App, []app.ClientSecret) ([]app.ClientSecret, *app.NewSecret, error) {
		return nil, nil, refusal
	})
	for name, err := range map[string]error{"connection": ofConnection, "secrets": ofSecrets} {
		if err.Error() != refusal.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
}
