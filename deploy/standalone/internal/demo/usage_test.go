package demo_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/deploy/standalone/internal/datadir"
	"vitae.internal/deploy/standalone/internal/demo"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// demoWorld is the part of the demo import's output that concerns the account with usage.
const demoWorld = `{"developers": {"dalil": {"id": "dev_1"}}, "apps": {"dalil-mobile": {"id": "app_1"}},
  "apiKeys": {"dalil-employers": {"id": "key_1"}, "dalil-feed": {"id": "key_2"}}, "companies": {"wadi": {"id": "com_1"}},
  "jobs": {"wadi-frontend": {"id": "job_1"}}, "applications": {"layla-frontend": {"id": "apl_1"}}}`

const world90 = "../../../demo/world.json"

// fakeUsage is a fake auth service. Call number downAfter fails.
type fakeUsage struct {
	authv1.UsageServiceClient
	downAfter int
	batches   map[string]bool
	entries   []*authv1.RequestEntry
	days      map[string]*authv1.Usage
}

func (b *fakeUsage) RecordRequests(_ context.Context, req *authv1.RecordRequestsRequest, _ ...grpc.CallOption) (*authv1.RecordRequestsResponse, error) {
	if b.downAfter--; b.downAfter == 0 {
		return nil, errors.New("down")
	}
	if b.batches[req.GetBatchId()] {
		return &authv1.RecordRequestsResponse{}, nil
	}
	b.batches[req.GetBatchId()] = true
	b.entries = append(b.entries, req.GetEntries()...)
	for _, c := range req.GetCounts() {
		key := c.GetUsage().GetDay() + " " + c.GetUsage().GetApiKeyId()
		if b.days[key] != nil || c.GetAccountId() != "dev_1" || c.GetUsage().GetAppId() != "app_1" {
			return nil, errors.New("counted twice, or for another account: " + key)
		}
		b.days[key] = c.GetUsage()
	}
	return &authv1.RecordRequestsResponse{}, nil
}

func imported(t *testing.T) *datadir.Dir {
	t.Helper()
	d, err := datadir.Open(filepath.Join(t.TempDir(), ".vitae"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	for name, content := range map[string]string{demo.Printed: demoWorld, "usage.pending": ""} {
		if err := d.Keep(name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// afternoon is a Thursday.
var afternoon = time.Date(2030, 1, 31, 15, 30, 0, 0, time.UTC)

func TestDemoAccountHasUsageAndRequests(t *testing.T) {
	d, b := imported(t), &fakeUsage{batches: map[string]bool{}, days: map[string]*authv1.Usage{}}
	for range 2 { // a stack is started many times
		if err := demo.SeedUsage(t.Context(), d, b, world90, afternoon); err != nil {
			t.Fatal(err)
		}
	}
	if len(b.days) != 90*3 {
		t.Errorf("%d days of keys and tokens, want 90 of three", len(b.days))
	}
	if n := len(b.entries); n < 10_000 || n > 50_000 {
		t.Errorf("%d requests in the log", n)
	}
	logged := map[string]int64{}
	for _, e := range b.entries {
		at := e.GetAt().AsTime()
		logged[at.Format(time.DateOnly)+" "+e.GetApiKeyId()]++
		if made, ok := id.MadeAt("req", e.GetRequestId()); !ok || !made.Equal(at) {
			t.Fatalf("the id of a request from %v contains the time %v", at, made)
		}
		if at.After(afternoon) || at.Before(afternoon.Truncate(24*time.Hour).AddDate(0, 0, -29)) {
			t.Fatalf("the log has a request from %v", at)
		}
		if e.GetRoute() == "/v1/jobs/{jobId}" && e.GetResourceId() == "" || (e.GetApiKeyId() == "") != (e.GetConnectionId() != "" || e.GetRoute() == "/oauth/token") {
			t.Fatalf("%v", e)
		}
	}
	for key, n := range logged {
		if b.days[key].GetRequests() != n {
			t.Errorf("%s: %d requests in the log, %d counted", key, n, b.days[key].GetRequests())
		}
	}
	refused, down := b.days["2030-01-28 key_2"].GetRefused(), b.days["2030-01-20 key_1"].GetServerFailed()
	if refused == 0 || down == 0 {
		t.Errorf("%d rejected and %d failed requests on the days of incidents, want some of both", refused, down)
	}
	if week, weekend := b.days["2030-01-24 key_1"].GetRequests(), b.days["2030-01-26 key_1"].GetRequests(); week < 2*weekend {
		t.Errorf("%d requests on a Thursday, %d on a Saturday", week, weekend)
	}
}

func TestInterruptedUsageIsCompletedOnce(t *testing.T) {
	d, b := imported(t), &fakeUsage{downAfter: 70, batches: map[string]bool{}, days: map[string]*authv1.Usage{}}
	if err := demo.SeedUsage(t.Context(), d, b, world90, afternoon); err == nil {
		t.Fatal("no error although auth is down")
	}
	if err := demo.SeedUsage(t.Context(), d, b, world90, afternoon); err != nil {
		t.Fatal(err)
	}
	if len(b.days) != 90*3 {
		t.Errorf("%d days", len(b.days))
	}
	ids := map[string]bool{}
	for _, e := range b.entries {
		if ids[e.GetRequestId()] {
			t.Fatalf("%s twice", e.GetRequestId())
		}
		ids[e.GetRequestId()] = true
	}
}

func TestOtherWorldHasNoDemoUsage(t *testing.T) {
	folder := t.TempDir()
	own := filepath.Join(folder, "world.json")
	if err := os.WriteFile(own, []byte(world), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &fakeUsage{batches: map[string]bool{}, days: map[string]*authv1.Usage{}}
	if err := demo.SeedUsage(t.Context(), imported(t), b, own, afternoon); err != nil || len(b.batches) != 0 {
		t.Errorf("%v, %d batches", err, len(b.batches))
	}
	for _, bad := range []string{"{", "{}", `{"account": "d", "days": 3, "sources": [{}]}`,
		`{"account": "gone", "days": 3, "sources": [{"app": "dalil-mobile", "routes": [{"method": "GET"}], "addresses": ["192.0.2.1"]}]}`} {
		if err := os.WriteFile(filepath.Join(folder, "usage.json"), []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := demo.SeedUsage(t.Context(), imported(t), b, own, afternoon); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	if slices.ContainsFunc(b.entries, func(*authv1.RequestEntry) bool { return true }) {
		t.Error("requests are recorded although the file is invalid")
	}
}
