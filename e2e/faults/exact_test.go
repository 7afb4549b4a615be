package faults_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/testkit/ports"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// requestCount returns the number of requests to send: in the long form, the maximum number of rows in
// a file of the console.
func requestCount() int {
	if long() {
		return 10_000
	}
	return 2_000
}

// missingEvery is the interval, in requests, between requests for a job that does not exist.
const missingEvery = 20

// reader is an account with two keys, and its owner, who uses the console.
type reader struct {
	*system
	account string
	keys    []string
	keyIDs  []string
	usage   authv1.UsageServiceClient
	owner   *person.Person
}

// sentTo holds the replica and the key of a request, and the status of its response.
type sentTo struct{ edge, status, key int }

func TestRequestsAreCountedExactly(t *testing.T) {
	expect.OneDay(t)
	s := newSystem(t)
	third := s.thirdEdge(t)
	r := newReader(t, s)
	sent := r.send(t, third)
	r.inTheLog(t, sent)
	r.inTheUsage(t, sent)
	r.onConsole(t, sent)
}

// thirdEdge starts a third gateway replica, which is stopped at the end of the test.
func (s *system) thirdEdge(t *testing.T) *process {
	t.Helper()
	free := func() string { return expect.Must(ports.FreeAddress())(t) }
	public, ops := free(), free()
	p := &process{
		name: "edge3", program: "gateway", addr: public, opsURL: "http://" + ops, logFile: filepath.Join(s.dir, "edge3.log"),
		env: append(slices.Clone(s.processes["edge1"].env), "VITAE_PUBLIC_ADDR="+public, "VITAE_APP_ADDR="+free(), "VITAE_LEGACY_ADDR="+free(),
			"VITAE_CONSOLE_ADDR="+free(), "VITAE_OPS_ADDR="+ops),
	}
	s.processes[p.name] = p
	t.Cleanup(func() {
		p.end()
		delete(s.processes, p.name)
	})
	s.start(t, p.name)
	s.awaitReady(t, p.name)
	return p
}

func newReader(t *testing.T, s *system) *reader {
	t.Helper()
	owner, dev := world.Full(), world.Platform()
	dev.Members = []world.Member{{Person: owner.Ref, Role: "owner"}}
	made := world.Import(t, s.Stack, world.World{People: []world.Person{owner}, Developers: []world.Developer{dev}})
	r := &reader{system: s, account: made.Developers[dev.Ref].ID, owner: person.New(owner.Email, owner.Password)}
	for _, ref := range []string{"ats-key", "sibling-key"} {
		r.keys, r.keyIDs = append(r.keys, made.APIKeys[ref].Key), append(r.keyIDs, made.APIKeys[ref].ID)
	}
	r.usage = authv1.NewUsageServiceClient(suite.Dial(t, s.Stack, s.note.GRPC.Auth, "auth", "vitaectl"))
	return r
}

// send sends requests to three replicas in turn. Half-way, it stops the third replica gracefully and
// restarts it. A request that it does not accept is sent to a different replica.
func (r *reader) send(t *testing.T, third *process) map[string]sentTo {
	t.Helper()
	bases := append(slices.Clone(r.BaseURLs), "http://"+third.addr)
	sent := make(map[string]sentTo, requestCount())
	var mu sync.Mutex
	var next atomic.Int64
	var group sync.WaitGroup
	half := make(chan struct{})
	for range 16 {
		group.Go(func() {
			for n := int(next.Add(1) - 1); n < requestCount(); n = int(next.Add(1) - 1) {
				if n == requestCount()/2 {
					close(half)
				}
				one := sentTo{edge: n % len(bases), key: n % 7 % len(r.keys)}
				a, err := r.request(t.Context(), bases[one.edge], one.key, n)
				if err != nil && one.edge == len(bases)-1 { // it is stopping, and has not accepted the request
					one.edge = n % len(r.BaseURLs)
					a, err = r.request(t.Context(), bases[one.edge], one.key, n)
				}
				if one.status = a.Status; err != nil || a.Status != http.StatusOK && a.Status != http.StatusNotFound {
					t.Errorf("request %d: %s, %v", n, a, err)
				}
				mu.Lock()
				sent[a.Header.Get("x-request-id")] = one
				mu.Unlock()
			}
		})
	}
	<-half
	if err := third.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	<-third.Done()
	if err := third.Err(); err != nil {
		t.Errorf("the replica exited with %v", err)
	}
	r.start(t, third.name)
	group.Wait()
	byEdge := map[int]int{}
	for _, one := range sent {
		byEdge[one.edge]++
	}
	t.Logf("requests by replica: %v", byEdge)
	if len(sent) != requestCount() || byEdge[2] == 0 || byEdge[2] >= requestCount()/len(bases) {
		t.Fatalf("%d requests were sent, by replica %v: the third was not stopped during the test", len(sent), byEdge)
	}
	return sent
}

func (r *reader) request(ctx context.Context, base string, key, n int) (partner.Response, error) {
	path := "/v1/companies"
	if n%missingEvery == 0 {
		path = "/v1/jobs/job_none"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, nil)
	if err != nil {
		return partner.Response{}, err
	}
	req.Header.Set("Authorization", "Bearer "+r.keys[key])
	return partner.Send(req)
}

// inTheLog waits until all requests are in the log, and compares each with its log entry.
func (r *reader) inTheLog(t *testing.T, sent map[string]sentTo) {
	t.Helper()
	var logged []*authv1.RequestEntry
	expect.Eventually(t, "all requests are in the log", func(ctx context.Context) error {
		logged = nil
		for token, first := "", true; first || token != ""; first = false {
			page, err := r.usage.ListRequests(ctx, &authv1.ListRequestsRequest{AccountId: r.account, PageSize: 1000, PageToken: token})
			if err != nil {
				return err
			}
			logged, token = append(logged, page.GetRequests()...), page.GetNextPageToken()
		}
		if len(logged) < requestCount() {
			return fmt.Errorf("%d of %d", len(logged), requestCount())
		}
		return nil
	})
	seen := map[string]bool{}
	for _, e := range logged {
		one, known := sent[e.GetRequestId()]
		if !known || seen[e.GetRequestId()] || int(e.GetStatus()) != one.status || e.GetApiKeyId() != r.keyIDs[one.key] || !e.GetMetered() {
			t.Fatalf("the log has %v, sent %+v", e, one)
		}
		seen[e.GetRequestId()] = true
	}
	if len(seen) != requestCount() {
		t.Errorf("the log has %d requests, want %d", len(seen), requestCount())
	}
}

// inTheUsage compares the requests with the counts by day, by minute and by route.
func (r *reader) inTheUsage(t *testing.T, sent map[string]sentTo) {
	t.Helper()
	want, got := map[string]int64{}, map[string]int64{}
	for _, one := range sent {
		want[r.keyIDs[one.key]]++
		if one.status != http.StatusOK {
			want["failed"]++
		}
	}
	want["metered"], want["minutes"], want["routes"] = int64(requestCount()), int64(requestCount()), int64(requestCount())
	days := expect.Must(r.usage.ListUsage(t.Context(), &authv1.ListUsageRequest{AccountId: r.account}))(t)
	for _, u := range days.GetUsage() {
		got[u.GetApiKeyId()] += u.GetRequests()
		got["failed"] += u.GetFailed()
		got["metered"] += u.GetMetered()
	}
	minutes := expect.Must(r.usage.ListUsageByMinute(t.Context(), &authv1.ListUsageByMinuteRequest{AccountId: r.account, Minutes: 120}))(t)
	for _, m := range minutes.GetMinutes() {
		got["minutes"] += m.GetRequests()
	}
	routes := expect.Must(r.usage.ListRouteStats(t.Context(), &authv1.ListRouteStatsRequest{AccountId: r.account}))(t)
	for _, one := range routes.GetRoutes() {
		got["routes"] += one.GetRequests()
	}
	if !maps.Equal(got, want) {
		t.Errorf("the usage is %v, want %v", got, want)
	}
}

// onConsole compares the requests with the console's file of all requests and, page by page, with its
// list of failed requests.
func (r *reader) onConsole(t *testing.T, sent map[string]sentTo) {
	t.Helper()
	console := r.note.ConsoleURL
	expect.Must(r.owner.EnterConsole(t.Context(), console))(t)
	status, text, err := r.owner.Read(t.Context(), console+"/requests.csv")
	if err != nil || status != http.StatusOK {
		t.Fatalf("the file of requests: status %d, %v", status, err)
	}
	rows := expect.Must(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	id, code := slices.Index(rows[0], "request_id"), slices.Index(rows[0], "status")
	inFile := map[string]bool{}
	for _, row := range rows[1:] {
		if one, known := sent[row[id]]; !known || strconv.Itoa(one.status) != row[code] {
			t.Fatalf("the file has %v, sent %+v", row, one)
		}
		inFile[row[id]] = true
	}
	if len(rows)-1 != requestCount() || len(inFile) != requestCount() {
		t.Errorf("the file has %d rows with %d different requests", len(rows)-1, len(inFile))
	}
	onPages, pages := map[string]bool{}, 0
	for next := "/requests?status=404"; next != ""; pages++ {
		at := expect.Must(r.owner.Open(t.Context(), console+next))(t)
		for _, link := range at.Page.All("link", "") {
			if name := link.Name(); strings.HasPrefix(name, "req_") {
				if onPages[name] || sent[name].status != http.StatusNotFound {
					t.Fatalf("page %d has %s, which is a duplicate or has the status %d", pages, name, sent[name].status)
				}
				onPages[name] = true
			}
		}
		next = ""
		if older := at.Page.All("link", "Older"); len(older) == 1 {
			next = older[0].Attr("href")
		}
	}
	if len(onPages) != requestCount()/missingEvery {
		t.Errorf("%d requests on %d pages, want %d", len(onPages), pages, requestCount()/missingEvery)
	}
}
