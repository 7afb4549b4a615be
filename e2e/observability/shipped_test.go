package observability_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/shipped"
)

// promtool runs promtool, the configuration checker of Prometheus.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("promtool", args...)
	cmd.Dir = shipped.File(t, "prometheus")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func TestPrometheusAcceptsConfiguration(t *testing.T) {
	promtool(t, "check", "config", "--lint=all", "prometheus.yml")
}

func TestAlertsFireAtTheirThresholds(t *testing.T) {
	promtool(t, "test", "rules", "alerts_test.yml")
	tested := shipped.Read(t, "prometheus/alerts_test.yml")
	for _, alert := range shipped.Alerts(t) {
		if !strings.Contains(tested, "alertname: "+alert+"\n") {
			t.Errorf("alerts_test.yml has no test in which %s fires", alert)
		}
		if !strings.Contains(tested, "{alertname: "+alert+",") && alert != "VitaePostgresPoolStarved" && alert != "VitaeCertificateExpires" {
			t.Errorf("alerts_test.yml has no test in which %s does not fire", alert) // the two exceptions are tested with a second series that must not fire
		}
	}
}

func TestRunbookListsEveryAlert(t *testing.T) {
	_, runbook, found := strings.Cut(read(t, shipped.Root(t)+"/docs/operations.md"), "\n## Alerts\n")
	if !found {
		t.Fatal("docs/operations.md has no section Alerts")
	}
	runbook, _, _ = strings.Cut(runbook, "\n## ")
	var lines []string
	for _, m := range regexp.MustCompile(`(?m)^#### (Vitae\w+)$`).FindAllStringSubmatch(runbook, -1) {
		lines = append(lines, m[1])
	}
	names := shipped.Alerts(t)
	for _, name := range names {
		if !slices.Contains(lines, name) {
			t.Errorf("the runbook has no section %s", name)
		}
		// The alert links to its section in the runbook.
		if link := "runbook: docs/operations.md#" + strings.ToLower(name) + "\n"; !strings.Contains(shipped.Read(t, "prometheus/alerts.yml"), link) {
			t.Errorf("%s does not link to its section in the runbook", name)
		}
	}
	for _, line := range lines {
		if !slices.Contains(names, line) {
			t.Errorf("the runbook has the section %s, which is not an alert", line)
		}
	}
}

func TestTestedCollectorHasShippedVersion(t *testing.T) {
	image := regexp.MustCompile(`opentelemetry-collector-contrib:([0-9.]+)`).FindStringSubmatch(shipped.Read(t, "compose.yml"))
	if image == nil {
		t.Fatal("compose.yml has no collector")
	}
	built := read(t, shipped.Root(t)+"/tools/collector/go.mod")
	for _, component := range []string{"collector/otelcol", "collector/receiver/otlpreceiver", "collector/exporter/otlpexporter",
		"collector/processor/batchprocessor", "collector/processor/memorylimiterprocessor",
		"opentelemetry-collector-contrib/processor/tailsamplingprocessor", "opentelemetry-collector-contrib/extension/healthcheckextension"} {
		if !strings.Contains(built, component+" v"+image[1]+"\n") {
			t.Errorf("compose.yml has %s, but tools/collector has a different version of %s", image[1], component)
		}
	}
}

// metric matches strings that look like names of our metrics.
var metric = regexp.MustCompile(`\b(?:vitae_[a-z_]+|vitae:[a-z0-9_:]+|grpc_(?:server|client)_[a-z_]+)\b`)

// suffix matches the suffixes that Prometheus adds to the name of a histogram.
var suffix = regexp.MustCompile(`_(?:bucket|sum|count)$`)

// exposed returns the names of the metrics in the code.
func exposed(t *testing.T) map[string]bool {
	t.Helper()
	names, written := map[string]bool{}, regexp.MustCompile(`"(vitae_[a-z_]+)",`)
	for _, of := range []string{"pkg", "gateway", "services"} {
		err := filepath.WalkDir(shipped.Root(t)+"/"+of, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/gen/") {
				return err
			}
			text := read(t, path)
			if !strings.Contains(text, "client_golang/prometheus\"") {
				return nil
			}
			for _, m := range written.FindAllStringSubmatch(text, -1) {
				names[m[1]] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, side := range []string{"server", "client"} { // pkg/rpcmetrics builds these names
		for _, what := range []string{"started_total", "handled_total", "handling_seconds"} {
			names["grpc_"+side+"_"+what] = true
		}
	}
	return names
}

func TestDashboardQueriesAreValid(t *testing.T) {
	rules := "groups:\n  - name: queries\n    rules:\n"
	for i, q := range shipped.Queries(t) {
		rules += fmt.Sprintf("      - record: query:%d\n        expr: %q\n", i, q.Filled())
	}
	file := t.TempDir() + "/queries.yml"
	write(t, file, rules)
	promtool(t, "check", "rules", file)
}

func TestRulesAndDashboardsUseRealMetrics(t *testing.T) {
	names := exposed(t)
	for _, m := range regexp.MustCompile(`record: (\S+)`).FindAllStringSubmatch(shipped.Read(t, "prometheus/objectives.yml"), -1) {
		names[m[1]] = true
	}
	check := func(where, text string) {
		for _, name := range metric.FindAllString(text, -1) {
			if !names[name] && !names[suffix.ReplaceAllString(name, "")] {
				t.Errorf("%s uses %s, which no service exposes", where, name)
			}
		}
	}
	check("objectives.yml", shipped.Read(t, "prometheus/objectives.yml"))
	check("alerts.yml", shipped.Read(t, "prometheus/alerts.yml"))
	for _, q := range shipped.Queries(t) {
		check(q.Dashboard+": "+q.Panel, q.Expr)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
