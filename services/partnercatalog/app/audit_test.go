package app_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// events returns the events in the outbox, oldest first.
func events(t *testing.T, url string) (waiting []audit.Event) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(t.Context(), "SELECT event FROM audit_outbox ORDER BY at, id")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range stored {
		var e audit.Event
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatal(err)
		}
		waiting = append(waiting, e)
	}
	return waiting
}

// The audit log contains only calls from internal callers. Partners' calls are in the request log.
func TestInternalCallersAreAudited(t *testing.T) {
	t.Parallel()
	url := database(t)
	r := startOn(t, url)
	c := r.create("app_1", createRequest("Noor"))
	if got := events(t, url); len(got) != 0 {
		t.Errorf("a call from a partner was audited: %+v", got)
	}
	key := &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, AccountId: "dev_1", AppId: c.GetId(), Scopes: []string{"companies:write"},
	}
	imports := partnercatalogv1.NewCompanyServiceClient(r.dial("vitaectl"))
	made, err := imports.CreateCompany(principal.NewContext(t.Context(), key), createRequest("Imported"))
	if err != nil {
		t.Fatal(err)
	}
	published := true
	if _, err := r.pages.SetCompanyPage(t.Context(), &partnercatalogv1.SetCompanyPageRequest{CompanyId: made.GetCompany().GetId(), Published: &published}); err != nil {
		t.Fatal(err)
	}
	got := events(t, url)
	if len(got) != 2 {
		t.Fatalf("%d events, want 2: %+v", len(got), got)
	}
	for i, want := range []struct {
		action audit.Action
		caller string
		kind   audit.Kind
	}{{audit.CompanyCreate, "vitaectl", audit.Operator}, {audit.CompanySetPage, "internal", audit.Service}} {
		e := got[i]
		if e.Action != want.action || e.Caller != want.caller || e.Actor.Kind != want.kind || e.Outcome != audit.Done ||
			e.Object != (audit.Object{Type: "company", ID: made.GetCompany().GetId()}) || e.ClientAddress != "127.0.0.1" {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "ALTER TABLE audit_outbox RENAME TO elsewhere"); err != nil {
		t.Fatal(err)
	}
	published = false
	if _, err := r.pages.SetCompanyPage(t.Context(), &partnercatalogv1.SetCompanyPageRequest{CompanyId: made.GetCompany().GetId(), Published: &published}); err == nil {
		t.Error("a change succeeded although its event could not be written")
	}
	var still bool
	if err := conn.QueryRow(t.Context(), "SELECT published FROM companies WHERE id = $1", made.GetCompany().GetId()).Scan(&still); err != nil || !still {
		t.Errorf("published is %t after a failed change, want true; %v", still, err)
	}
}
