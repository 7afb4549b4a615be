package audit_test

import (
	"slices"
	"testing"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/id"
)

func TestCommitStoresTransactionEvents(t *testing.T) {
	call := audit.NewCall(audit.Event{Action: audit.CVUpdate, Caller: "vitaectl/alice"})
	first, failed, second := call.Transaction(), call.Transaction(), call.Transaction()
	var want []string
	for _, tx := range []*audit.Transaction{second, first} {
		want = append(want, tx.Event(audit.About{ObjectID: id.New("cv")}).ID)
		failed.Event(audit.About{ObjectID: id.New("cv")})
		tx.Committed()
	}
	var got []string
	for _, e := range call.Result().Stored {
		got = append(got, e.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("stored %v, want %v", got, want)
	}
}

func TestNoteAppliesToLaterEvents(t *testing.T) {
	call := audit.NewCall(audit.Event{Action: audit.TokenRefresh, Caller: audit.Gateway, Actor: audit.Actor{Kind: audit.Anonymous}})
	app, person := id.New("app"), id.New("usr")
	before := call.Event(audit.About{})
	call.Note(audit.About{By: audit.ByApp(app), AppID: app})
	done, ended := call.Event(audit.About{PersonID: person}), call.Ended("OAUTH_INVALID_GRANT")
	if before.AppID != "" || done.AppID != app || done.PersonID != person || done.Actor != audit.ByApp(app) || done.Outcome != audit.Done {
		t.Errorf("before %+v\ndone %+v", before, done)
	}
	if ended.AppID != app || ended.PersonID != "" || ended.Outcome != audit.Refused || ended.Code != "OAUTH_INVALID_GRANT" {
		t.Errorf("ended %+v", ended)
	}
}

// Stores also run in background jobs, whose contexts carry no Call.
func TestNilCallAcceptsEverything(t *testing.T) {
	call := audit.FromContext(t.Context())
	if call != nil || call.Transaction() != nil {
		t.Fatal("an empty context carries a call or a transaction")
	}
	call.Note(audit.About{AppID: "app_1"})
	call.Skip()
	call.Refuse("NOT_TODAY")
	call.Transaction().Committed()
	e := call.Event(audit.About{Action: audit.TokenRefresh})
	call.Stored(e)
	if e.Action != audit.TokenRefresh || e.Actor.Kind != audit.Service || !id.Valid("evt", e.ID) {
		t.Errorf("got event %+v", e)
	}
}
