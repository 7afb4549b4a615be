// Package shipped reads the files of deploy/observability, for tests that check them and tests that run
// them.
package shipped

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/pkg/testkit"
)

// Root returns the root folder of the repository.
func Root(t testing.TB) string {
	t.Helper()
	return expect.Must(testkit.Root())(t)
}

// File returns the path of a file in deploy/observability.
func File(t testing.TB, file string) string {
	t.Helper()
	return filepath.Join(Root(t), "deploy/observability", file)
}

// Read returns the content of a file in deploy/observability.
func Read(t testing.TB, file string) string {
	t.Helper()
	return string(expect.Must(os.ReadFile(File(t, file)))(t))
}

// Alerts returns the names of the alerts.
func Alerts(t testing.TB) (names []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(Read(t, "prometheus/alerts.yml"), -1) {
		names = append(names, m[1])
	}
	if len(names) == 0 {
		t.Fatal("there are no alerts")
	}
	return names
}

// Query is a query of a dashboard.
type Query struct{ Dashboard, Panel, Expr string }

// Deployments is the panel name used for the annotation query that marks new versions.
const Deployments = "Deployments"

// Queries returns the queries of all dashboards.
func Queries(t testing.TB) (all []Query) {
	t.Helper()
	files := expect.Must(filepath.Glob(File(t, "grafana/dashboards/*.json")))(t)
	for _, file := range files {
		var d struct {
			UID, Title  string
			Templating  struct{ List []struct{ Name string } }
			Annotations struct{ List []struct{ Expr string } }
			Panels      []struct {
				Title, Type string
				Targets     []struct{ Expr string }
			}
		}
		if err := json.Unmarshal(expect.Must(os.ReadFile(file))(t), &d); err != nil || d.UID == "" || d.Title == "" {
			t.Fatalf("%s is not a dashboard: %v", file, err)
		}
		if len(d.Templating.List) < 2 || d.Templating.List[0].Name != "cluster" || d.Templating.List[1].Name != "namespace" || len(d.Annotations.List) != 1 {
			t.Fatalf("%s has no variables for cluster and namespace, or no annotations for deployments", file)
		}
		all = append(all, Query{d.Title, Deployments, d.Annotations.List[0].Expr})
		for _, p := range d.Panels {
			if p.Type != "row" && p.Type != "text" && len(p.Targets) == 0 {
				t.Errorf("%s: %s has no query", d.Title, p.Title)
			}
			for _, q := range p.Targets {
				if metrics, chosen := strings.Count(q.Expr, "{"), strings.Count(q.Expr, `cluster=~"$cluster"`); metrics != chosen {
					t.Errorf("%s: %s filters by cluster for %d of %d metrics: %s", d.Title, p.Title, chosen, metrics, q.Expr)
				}
				all = append(all, Query{d.Title, p.Title, q.Expr})
			}
		}
	}
	if len(files) != 3 || len(all) < 30 {
		t.Fatalf("%d dashboards with %d queries", len(files), len(all))
	}
	return all
}

// Filled returns the query with values for Grafana's variables. The interval covers a whole drill.
func (q Query) Filled() string {
	return strings.NewReplacer("$__rate_interval", "15m", "$cluster", ".*", "$namespace", ".*").Replace(q.Expr)
}
