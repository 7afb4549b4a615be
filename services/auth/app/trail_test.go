package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// trail returns the events of a person's own log, newest first.
func (w *world) trail(session string) (all []*authv1.OwnEvent) {
	w.Helper()
	for token := ""; ; {
		page, err := w.own.ListOwnEvents(w.Context(), &authv1.ListOwnEventsRequest{SessionToken: session, PageSize: 2, PageToken: token})
		w.must(err)
		all = append(all, page.GetEvents()...)
		if token = page.GetNextPageToken(); token == "" {
			return all
		}
	}
}

// outcomesOf returns the actions in a person's activity, each with its outcome.
func outcomesOf(events []*authv1.OwnEvent) (all []string) {
	for _, e := range events {
		how := ""
		if e.GetOutcome() == authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED {
			how = " refused"
		}
		all = append(all, e.GetAction()+how)
	}
	return all
}

func TestPersonSeesOnlyOwnActivity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made, err := w.people.CreatePerson(t.Context(), &authv1.CreatePersonRequest{Email: "layla@example.com", Password: plainWord})
	w.must(err)
	signIn := func(password string) (*authv1.SignInResponse, error) {
		w.clock.Advance(time.Second)
		return w.sessions.SignIn(t.Context(), &authv1.SignInRequest{
			Email: "layla@example.com", Password: password, ClientIp: "203.0.113.7", Browser: &authv1.Browser{Name: "Firefox", System: "Linux"},
		})
	}
	_, err = signIn("another password")
	wantCode(t, err, "SIGN_IN_FAILED")
	in, err := signIn(plainWord)
	w.must(err)
	p := person{made.GetPerson().GetId(), "layla@example.com", in.GetSessionToken()}
	c := w.confidential()
	w.connect(p, c, everything...)
	w.withPasskey(p.session)
	other := w.person("omar@example.com")
	w.connect(other, c, "profile")
	w.control(p, &authv1.UpdateConnectionRequest{Id: w.connectionOf(p).GetId(), ShareEmail: proto.Bool(false)})
	_, err = w.operator.Disconnect(t.Context(), &authv1.DisconnectRequest{
		Id: w.connectionOf(p).GetId(), Actor: &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: p.id}},
	})
	w.must(err)

	all := w.trail(p.session)
	want := []string{"connection.disconnect", "connection.update", "passkey.add", "consent.grant", "session.sign_in", "session.sign_in refused", "person.create"}
	if got := outcomesOf(all); !slices.Equal(got, want) {
		t.Fatalf("Layla sees the events %v", got)
	}
	for i, e := range all {
		byOperator := i == 0 || i == len(all)-1
		if e.GetByOperator() != byOperator || !byOperator && (e.GetBrowser().GetName() != "Firefox" || e.GetBrowser().GetSystem() != "Linux") {
			t.Errorf("%s: %v", e.GetAction(), e)
		}
		if named := strings.HasPrefix(e.GetAction(), "con"); (e.GetAppName() == "Partner site") != named {
			t.Errorf("%s: the app is %q", e.GetAction(), e.GetAppName())
		}
	}
	if got := all[1].GetDetails(); got["share_email"] != "off" || got["browser"] != "" {
		t.Errorf("Layla sees these events of the change: %v", got)
	}
	if got := outcomesOf(w.trail(other.session)); !slices.Equal(got, []string{"consent.grant", "session.sign_in", "person.create"}) {
		t.Errorf("Omar sees the events %v", got)
	}
	_, err = w.own.ListOwnEvents(t.Context(), &authv1.ListOwnEventsRequest{SessionToken: "nobody"})
	wantCode(t, err, "SESSION_ENDED")
	_, err = w.own.ListOwnEvents(t.Context(), &authv1.ListOwnEventsRequest{SessionToken: p.session, PageToken: fmt.Sprint(1)})
	w.isRefused(err, "", "page_token")
}
