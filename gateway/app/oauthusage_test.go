package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
)

// requestLine reads the log up to the line for a request, and returns the app and the account in
// that line.
func requestLine(t *testing.T, log lines, requestID string) (app, account string) {
	t.Helper()
	for {
		select {
		case raw := <-log:
			var line struct {
				Msg       string `json:"msg"`
				RequestID string `json:"request_id"`
				App       string `json:"app"`
				Account   string `json:"account"`
			}
			if err := json.Unmarshal([]byte(raw), &line); err != nil {
				t.Fatal(err)
			}
			if line.Msg == "request" && line.RequestID == requestID {
				return line.App, line.Account
			}
		case <-t.Context().Done():
			t.Fatal("the log has no line for the request")
		}
	}
}

// (behaviour: usage#logged-requests)
func TestOAuthRequestsAreLoggedForClient(t *testing.T) {
	t.Parallel()
	log := make(lines, 1000)
	s := newOAuthScene(t, logTo(log))
	acts := audit.About{By: audit.ByApp("app_1"), AppID: "app_1", AccountID: "dev_1"}
	want := map[string]string{}
	ask := func(name, app, account string) {
		a := s.post(paths[name], forms[name].Encode())
		id := a.Header.Get("X-Request-Id")
		if gotApp, gotAccount := requestLine(t, log, id); gotApp != app || gotAccount != account {
			t.Errorf("%s: the log line has app %q and account %q, want %q and %q", name, gotApp, gotAccount, app, account)
		}
		if app != "" {
			want[id] = fmt.Sprint(account, " ", app, " POST ", paths[name], " ", a.StatusCode, " false")
		}
	}
	for name := range forms {
		s.auth.acts = audit.About{}
		ask(name, "", "")
		s.auth.acts = acts
		ask(name, "app_1", "dev_1")
	}
	s.failing(errs.New(errs.Invalid, "OAUTH_INVALID_GRANT", "no")) // the client is authenticated, but the grant is rejected
	for name := range forms {
		ask(name, "app_1", "dev_1")
	}
	entries, counts := s.auth.awaitReports(t, len(want))
	got := map[string]string{}
	for id, e := range entries {
		got[id] = fmt.Sprint(e.GetAccountId(), " ", e.GetAppId(), e.GetApiKeyId(), e.GetConnectionId(), " ", e.GetMethod(), " ", e.GetRoute(), " ", e.GetStatus(), " ", e.GetMetered())
	}
	if !maps.Equal(got, want) {
		t.Errorf("reported\n%v\nwant\n%v", got, want)
	}
	for _, c := range counts {
		if c.GetUsage().GetMetered() != 0 {
			t.Errorf("counted against the budget: %v", c)
		}
	}
}
