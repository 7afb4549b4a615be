package console

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/scope"
)

func TestFilesHaveNoFormulas(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	if err := sendCSV(w, "x.csv", [][]string{{"=1", "+1", "-1", "@x", "＝1", "\tx", "1=1", ""}}); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Body.String(), byteOrderMark+"'=1,'+1,'-1,'@x,'＝1,'\tx,1=1,\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDurationsHaveMeaningfulDigits(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration][2]string{
		0: {"0.0 ms", "0.0 ms"}, 1_250 * time.Microsecond: {"1.2 ms", "1.2 ms"}, 12_345 * time.Microsecond: {"12 ms", "12 ms"},
		1_234 * time.Millisecond: {"1.23 s", "1.2 s"}, 12_340 * time.Millisecond: {"12.3 s", "12 s"},
	} {
		if got := [2]string{measured(d), estimated(d)}; got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestTimespanAcceptsDaysAndTimes(t *testing.T) {
	t.Parallel()
	for written, want := range map[timespan][2]string{
		{"2026-03-01", "2026-03-01"}:                            {"2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"},
		{"2026-03-01T12:00", "2026-03-01 12:30:15"}:             {"2026-03-01T12:00:00Z", "2026-03-01T12:30:15Z"},
		{"2026-03-01T12:00:00+04:00", "2026-03-01T12:00:00.5Z"}: {"2026-03-01T08:00:00Z", "2026-03-01T12:00:00.5Z"},
	} {
		from, to, faults := written.read()
		if got := [2]string{from.AsTime().Format(time.RFC3339Nano), to.AsTime().Format(time.RFC3339Nano)}; faults != nil || got != want {
			t.Errorf("%v is %v, %v", written, got, faults)
		}
	}
	if from, to, faults := (timespan{}).read(); from != nil || to != nil || faults != nil {
		t.Errorf("nothing is %v to %v, %v", from, to, faults)
	}
	if _, _, faults := (timespan{"yesterday", "9999-12-31"}).read(); len(faults) != 2 || faults[0].Field != "from" || faults[1].Field != "to" {
		t.Errorf("%v", faults)
	}
}

func TestSharesAreNotRoundedToNothingOrAll(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		n, all int64
		want   string
	}{{0, 0, "0%"}, {0, 9, "0%"}, {1, 100_000, "< 0.1%"}, {1, 8, "12.5%"}, {99_999, 100_000, "> 99.9%"}, {5, 5, "100%"}} {
		if got := percent(one.n, one.all); got != one.want {
			t.Errorf("%d of %d is %s", one.n, one.all, got)
		}
	}
}

func TestEveryScopeHasAText(t *testing.T) {
	t.Parallel()
	all := append(scope.User(), scope.Company()...)
	for _, one := range all {
		if scopeTexts[one] == "" {
			t.Errorf("%s has no text", one)
		}
	}
	if len(scopeTexts) != len(all) {
		t.Errorf("%d texts for %d scopes", len(scopeTexts), len(all))
	}
}

func TestEveryVisibleActionHasAName(t *testing.T) {
	t.Parallel()
	seen, texts := map[audit.Action]bool{}, map[string]bool{}
	for _, group := range auditActions {
		for _, a := range group.actions {
			if seen[a.action] || texts[a.text] || !a.action.ForMembers() || !a.action.Known() {
				t.Errorf("%s (%q) is named twice, or members do not see it", a.action, a.text)
			}
			seen[a.action], texts[a.text] = true, true
		}
	}
	for _, action := range audit.Actions {
		if action.ForMembers() && !seen[action] {
			t.Errorf("%s has no name", action)
		}
	}
}

func TestGuideExplainsEveryPublicCode(t *testing.T) {
	t.Parallel()
	explained, err := readErrorDocs(docs.Files, "https://vitae.example")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range answer.Codes() {
		if doc := explained[code]; len(doc.Text) < 10 || strings.ContainsAny(string(doc.Text), "`|") {
			t.Errorf("%s: %q", code, doc.Text)
		}
	}
}

func TestRoutesHaveTheirScopes(t *testing.T) {
	t.Parallel()
	routes, scopes, err := readRoutes()
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		known := scopes["GET "+route] + scopes["POST "+route] + scopes["PATCH "+route]
		if credential := strings.HasSuffix(route, "{token}"); strings.HasPrefix(route, "/v1/") && (known == "") != credential {
			t.Errorf("%s needs %q", route, known)
		}
	}
	if !slices.IsSorted(routes) {
		t.Errorf("routes are not sorted: %v", routes)
	}
}
