package drill_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/shipped"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/child"
	"vitae.internal/pkg/testkit/ports"
)

// prometheus is a Prometheus server with the shipped configuration.
type prometheus struct{ url string }

// startPrometheus starts a server that scrapes the targets, given by job name.
func startPrometheus(t *testing.T, targets map[string][]string) prometheus {
	t.Helper()
	dir := filepath.Join(suite.Scratch, "prometheus")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"objectives.yml", "alerts.yml"} {
		write(t, filepath.Join(dir, file), shorten(shipped.Read(t, "prometheus/"+file)))
	}
	write(t, filepath.Join(dir, "prometheus.yml"), withTargets(t, shipped.Read(t, "prometheus/prometheus.yml"), targets))
	p := prometheus{url: "http://" + expect.Must(ports.FreeAddress())(t)}
	log := expect.Must(os.Create(filepath.Join(dir, "log")))(t)
	cmd := exec.Command("prometheus", "--config.file="+dir+"/prometheus.yml", "--storage.tsdb.path="+dir+"/data", "--web.listen-address="+strings.TrimPrefix(p.url, "http://"))
	cmd.Stdout, cmd.Stderr = log, log
	process := expect.Must(child.Start(child.Options{Cmd: cmd, Name: "prometheus"}))(t)
	t.Cleanup(func() {
		process.Kill()
		if t.Failed() {
			t.Log(string(expect.Must(os.ReadFile(log.Name()))(t)))
		}
	})
	expect.Eventually(t, "prometheus is running", func(ctx context.Context) error {
		_, err := p.query(ctx, "vector(1)")
		return err
	})
	return p
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

var (
	window  = regexp.MustCompile(`\[(\d+)([mhd])\]`)
	wait    = regexp.MustCompile(`(?m)^( +for: )(\d+)([mhd])$`)
	pace    = regexp.MustCompile(`(?m)^( *(?:interval|scrape_interval|evaluation_interval): )\d+s$`)
	timeout = regexp.MustCompile(`(?m)^( *scrape_timeout: )\d+s$`)
	// discovery matches the service discovery of a job in the shipped configuration.
	discovery = regexp.MustCompile(`(?m)^  - job_name: (\S+)\n    dns_sd_configs: .*$`)
)

// shorten divides the windows of rules by 60 and their waits by 3600 (see doc.go).
func shorten(rules string) string {
	unit := map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	length := func(n, of string) time.Duration {
		count, _ := strconv.Atoi(n) // the expressions match only digits
		return time.Duration(count) * unit[of]
	}
	rules = window.ReplaceAllStringFunc(rules, func(s string) string {
		m := window.FindStringSubmatch(s)
		return fmt.Sprintf("[%ds]", int(max(length(m[1], m[2])/60, 5*time.Second).Seconds()))
	})
	rules = wait.ReplaceAllStringFunc(rules, func(s string) string {
		m := wait.FindStringSubmatch(s)
		return fmt.Sprintf("%s%ds", m[1], int(max(length(m[2], m[3])/3600, time.Second).Seconds()))
	})
	return pace.ReplaceAllString(rules, "${1}1s")
}

// withTargets changes a configuration to scrape these targets every second.
func withTargets(t *testing.T, config string, targets map[string][]string) string {
	t.Helper()
	config = timeout.ReplaceAllString(pace.ReplaceAllString(config, "${1}1s"), "${1}1s")
	seen := 0
	config = discovery.ReplaceAllStringFunc(config, func(s string) string {
		seen++
		job := discovery.FindStringSubmatch(s)[1]
		list := expect.Must(json.Marshal(targets[job]))(t)
		if len(targets[job]) == 0 {
			t.Fatalf("the stack has no %s", job)
		}
		return fmt.Sprintf("  - job_name: %s\n    static_configs: [{targets: %s}]", job, list)
	})
	if seen != len(targets) {
		t.Fatalf("the configuration has %d jobs, the stack %d", seen, len(targets))
	}
	return config
}

// sample is one series of a query result.
type sample struct {
	Metric map[string]string
	Value  [2]any
}

// number returns the value of a sample, or false if the value is not a number.
func (s sample) number() (value float64, ok bool) {
	text, _ := s.Value[1].(string)
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil && value == value //nolint:gocritic,staticcheck // NaN does not equal itself
}

func (p prometheus) query(ctx context.Context, expr string) (series []sample, err error) {
	var result struct {
		Error string
		Data  struct{ Result []sample }
	}
	err = p.get(ctx, "/api/v1/query?query="+url.QueryEscape(expr), &result)
	if err == nil && result.Error != "" {
		err = fmt.Errorf("%s: %s", expr, result.Error)
	}
	return result.Data.Result, err
}

// firing returns the labels of the firing alerts.
func (p prometheus) firing(ctx context.Context) (all []map[string]string, err error) {
	var result struct {
		Data struct {
			Alerts []struct {
				Labels map[string]string
				State  string
			}
		}
	}
	err = p.get(ctx, "/api/v1/alerts", &result)
	for _, a := range result.Data.Alerts {
		if a.State == "firing" {
			all = append(all, a.Labels)
		}
	}
	return all, err
}

func (p prometheus) get(ctx context.Context, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(into)
}
