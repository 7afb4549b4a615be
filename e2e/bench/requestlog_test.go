package bench

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// ownRequests is the number of requests per day in the log of the large account: six million in
	// total. All other accounts together have the same number.
	ownRequests = 206_900
	filledDays  = 29
	// leastOf is the number of times that each page is read. The shortest duration counts, because
	// other load on the machine only makes reads slower.
	leastOf = 7
)

// BenchmarkRequestLog reads the log and the usage of two accounts alternately. One account has six
// million requests among six million of other accounts; the other has six thousand and is otherwise
// similar. Like the console, it uses auth's gRPC API. It reports each filter separately. For all pairs
// of filters, it reports the slowest page, the largest ratio among comparable pages, and the total
// ratio.
func BenchmarkRequestLog(b *testing.B) {
	created := world.Import(b, system, world.World{Developers: []world.Developer{world.Platform(), world.OtherPlatform()}})
	large, small := created.Developers["platform"].ID, created.Developers["rival-platform"].ID
	db := employer{}.database(b, "auth")
	fillLog(b, db, large, small)
	l := requestLog{usageService(b)}
	for b.Loop() {
		l.filters(b, large, small)
		l.pairs(b, large, small)
		l.timesOf(b, l.byID(l.oneOf(b, small)), l.byID(l.oneOf(b, large))).report(b, "by-id")
		today := time.Now().UTC()
		usage := func(ctx context.Context) error {
			_, err := l.ListUsage(ctx, &authv1.ListUsageRequest{
				AccountId: large, FromDay: today.AddDate(0, 0, -89).Format(time.DateOnly), ToDay: today.Format(time.DateOnly),
			})
			return err
		}
		b.ReportMetric(l.timesOf(b, usage, usage).large, "usage-of-90-days-ms")
		b.ReportMetric(loadAverage(b), "load")
	}
	b.ReportMetric(0, "ns/op")
}

func fillLog(b *testing.B, db *pgx.Conn, large, small string) {
	b.Helper()
	fill(b, db, "requestlog")
	start := time.Now()
	for ago := filledDays; ago > 0; ago-- {
		day := time.Now().UTC().AddDate(0, 0, -ago)
		if _, err := db.Exec(b.Context(), "SELECT pg_temp.fill_request_log($1, $2, $3, $3, $4)", large, small, ownRequests, day); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("the log of %d days: %v", filledDays, time.Since(start).Round(time.Second))
	fill(b, db, "usagedays", large)
	tidy(b, db)
}

func usageService(b *testing.B) authv1.UsageServiceClient {
	b.Helper()
	identity, err := mtls.Load(mtls.Files(system.TLSDir(), "internal"))
	if err != nil {
		b.Fatal(err)
	}
	note, err := system.Note()
	if err != nil {
		b.Fatal(err)
	}
	conn, err := grpcx.Dial(note.GRPC.Auth, "auth", identity)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	return authv1.NewUsageServiceClient(conn)
}

// logFilters returns one or more filters of each kind, by their names in the report.
func logFilters(account string) map[string]*authv1.ListRequestsRequest {
	now := time.Now().UTC()
	filters := map[string]*authv1.ListRequestsRequest{
		"all": {}, "app": {AppId: account + "_app_3"}, "no-app": {AppId: account + "_app_none"}, "key": {ApiKeyId: account + "_key_9"}, "token": {ApiKeyId: "token"},
		"status": {Status: "404"}, "rare-status": {Status: "500"}, "class": {Status: "2xx"}, "class-4xx": {Status: "4xx"},
		"code": {ErrorCode: "NOT_FOUND"}, "rare-code": {ErrorCode: "INTERNAL_ERROR"}, "method": {Method: "PATCH"},
		"route": {Route: "/v1/things10"}, "large-route": {Route: "/v1/jobs/{jobId}"},
		"large-resource": {ResourceId: "job_big"}, "resource": {ResourceId: "com_7"}, "rare-resource": {ResourceId: "job_7"},
		"time": {From: timestamppb.New(now.AddDate(0, 0, -20)), To: timestamppb.New(now.AddDate(0, 0, -10))},
	}
	for _, f := range filters {
		f.AccountId = account
	}
	return filters
}

type requestLog struct{ authv1.UsageServiceClient }

func (l requestLog) first(req *authv1.ListRequestsRequest) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := l.ListRequests(ctx, req)
		return err
	}
}

func (l requestLog) byID(req *authv1.GetRequestRequest) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := l.GetRequest(ctx, req)
		return err
	}
}

// oneOf returns a request to read an account's log entry from several days ago.
func (l requestLog) oneOf(b *testing.B, account string) *authv1.GetRequestRequest {
	b.Helper()
	resp, err := l.ListRequests(b.Context(), &authv1.ListRequestsRequest{AccountId: account, To: timestamppb.New(time.Now().AddDate(0, 0, -9)), PageSize: 1})
	if err != nil || len(resp.GetRequests()) == 0 {
		b.Fatalf("no request of %s: %v", account, err)
	}
	return &authv1.GetRequestRequest{AccountId: account, RequestId: resp.GetRequests()[0].GetRequestId()}
}

// times holds the shortest durations of reading a page of the small and of the large account, in
// milliseconds.
type times struct{ small, large float64 }

func (t times) report(b *testing.B, name string) {
	b.ReportMetric(t.large, name+"-ms")
	b.ReportMetric(t.large/t.small, name+"-ratio")
}

// timesOf reads a page of both accounts alternately.
func (requestLog) timesOf(b *testing.B, small, large func(context.Context) error) times {
	b.Helper()
	least := times{timed(b, small), timed(b, large)}
	for range leastOf {
		least.small, least.large = min(least.small, timed(b, small)), min(least.large, timed(b, large))
	}
	return least
}

// pages returns the durations of the first and the next page. If there is only one page, it reads that
// page again. alike reports whether the pages of both accounts have the same number of entries: a
// partial page of the small account is less work.
func (l requestLog) pages(b *testing.B, small, large *authv1.ListRequestsRequest) (first, next times, alike [2]bool) {
	b.Helper()
	smallNext, largeNext := l.after(b, small), l.after(b, large)
	first = l.timesOf(b, l.first(small), l.first(large))
	next = l.timesOf(b, l.first(smallNext), l.first(largeNext))
	return first, next, [2]bool{l.count(b, small) == l.count(b, large), l.count(b, smallNext) == l.count(b, largeNext)}
}

func (l requestLog) count(b *testing.B, req *authv1.ListRequestsRequest) int {
	b.Helper()
	resp, err := l.ListRequests(b.Context(), req)
	if err != nil {
		b.Fatal(err)
	}
	return len(resp.GetRequests())
}

func (l requestLog) after(b *testing.B, req *authv1.ListRequestsRequest) *authv1.ListRequestsRequest {
	b.Helper()
	resp, err := l.ListRequests(b.Context(), req)
	if err != nil {
		b.Fatal(err)
	}
	next := proto.CloneOf(req)
	next.PageToken = resp.GetNextPageToken()
	return next
}

// filters measures the first page of each filter.
func (l requestLog) filters(b *testing.B, large, small string) {
	b.Helper()
	ofSmall := logFilters(small)
	for name, f := range logFilters(large) {
		l.timesOf(b, l.first(ofSmall[name]), l.first(f)).report(b, name)
	}
}

// pairs measures the first and the next page of every pair of filters. One filter is empty, so the
// pairs include each filter by itself.
func (l requestLog) pairs(b *testing.B, large, small string) {
	b.Helper()
	ofLarge, ofSmall := logFilters(large), logFilters(small)
	var all, slowest times
	greatest, n, compared := 0.0, 0, 0
	for one := range ofLarge {
		for other := range ofLarge {
			if one >= other {
				continue
			}
			first, next, alike := l.pages(b, pair(ofSmall[one], ofSmall[other]), pair(ofLarge[one], ofLarge[other]))
			for i, t := range []times{first, next} {
				page := []string{"first", "next"}[i]
				n, all.small, all.large = n+1, all.small+t.small, all.large+t.large
				if t.large > slowest.large {
					slowest = t
					b.Logf("the %s page of %s with %s: %.1f ms, of the small account %.1f", page, one, other, t.large, t.small)
				}
				if !alike[i] {
					continue
				}
				compared++
				if ratio := t.large / t.small; ratio > greatest {
					greatest = ratio
					b.Logf("the %s page of %s with %s: ratio %.1f, %.1f ms to %.1f", page, one, other, ratio, t.large, t.small)
				}
			}
		}
	}
	b.ReportMetric(slowest.large, "slowest-pair-ms")
	b.ReportMetric(greatest, "greatest-pair-ratio")
	all.report(b, "all-pairs")
	b.ReportMetric(float64(n), "pages-of-pairs")
	b.ReportMetric(float64(compared), "pages-of-pairs-alike")
}

// pair merges two filters. If both set the same field, the second takes effect.
func pair(one, other *authv1.ListRequestsRequest) *authv1.ListRequestsRequest {
	both := proto.CloneOf(one)
	proto.Merge(both, other)
	return both
}

// loadAverage returns the machine's load average of the last minute.
func loadAverage(b *testing.B) (load float64) {
	b.Helper()
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Sscan(string(raw), &load); err != nil {
		b.Fatal(err)
	}
	return load
}
