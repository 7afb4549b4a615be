package bench

import (
	"context"
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
	// ownRequests is how many requests a day the log of a large account has, which makes six
	// million in the filled days. All others together have as many.
	ownRequests = 206_900
	filledDays  = 29
	// pairAsked is how often the page of a pair of filters is read.
	pairAsked = 5
)

// BenchmarkRequestLog reads the log and the usage of an account with six million requests
// among six million of others, beside those of one with six thousand. Of the pairs of
// filters it reports the slowest.
func BenchmarkRequestLog(b *testing.B) {
	created := world.Import(b, system, world.World{Developers: []world.Developer{world.Platform(), world.OtherPlatform()}})
	large, small := created.Developers["platform"].ID, created.Developers["rival-platform"].ID
	db := employer{}.database(b, "auth")
	fillLog(b, db, large, small)
	l := requestLog{UsageServiceClient: usageService(b)}
	for b.Loop() {
		for name, f := range logFilters(large) {
			compare(b, name, l.first(logFilters(small)[name]), l.first(f))
		}
		l.pairs(b, large)
		compare(b, "by-id", l.byID(l.oneOf(b, small)), l.byID(l.oneOf(b, large)))
		today := time.Now().UTC()
		alone(b, "usage-of-90-days", func(ctx context.Context) error {
			_, err := l.ListUsage(ctx, &authv1.ListUsageRequest{
				AccountId: large, FromDay: today.AddDate(0, 0, -89).Format(time.DateOnly), ToDay: today.Format(time.DateOnly),
			})
			return err
		})
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

// logFilters has one or two filters of each kind, by their names in the report.
func logFilters(account string) map[string]*authv1.ListRequestsRequest {
	now := time.Now().UTC()
	filters := map[string]*authv1.ListRequestsRequest{
		"all": {}, "app": {AppId: account + "_app_3"}, "key": {ApiKeyId: account + "_key_9"}, "token": {ApiKeyId: "token"},
		"status": {Status: "404"}, "class": {Status: "2xx"}, "code": {ErrorCode: "NOT_FOUND"}, "rare-code": {ErrorCode: "INTERNAL_ERROR"},
		"method": {Method: "PATCH"}, "route": {Route: "/v1/things10"}, "large-resource": {ResourceId: "job_big"}, "resource": {ResourceId: "job_7"},
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

// oneOf names a request of an account that is some days old.
func (l requestLog) oneOf(b *testing.B, account string) *authv1.GetRequestRequest {
	b.Helper()
	resp, err := l.ListRequests(b.Context(), &authv1.ListRequestsRequest{AccountId: account, To: timestamppb.New(time.Now().AddDate(0, 0, -9)), PageSize: 1})
	if err != nil || len(resp.GetRequests()) == 0 {
		b.Fatalf("no request of %s: %v", account, err)
	}
	return &authv1.GetRequestRequest{AccountId: account, RequestId: resp.GetRequests()[0].GetRequestId()}
}

// pairs reads the first and the second page of every pair of filters.
func (l requestLog) pairs(b *testing.B, account string) {
	b.Helper()
	filters := logFilters(account)
	slowest := map[string]float64{}
	for one, f := range filters {
		for other, second := range filters {
			if one >= other {
				continue
			}
			pair := proto.CloneOf(f)
			proto.Merge(pair, second)
			resp, err := l.ListRequests(b.Context(), pair)
			if err != nil {
				b.Fatal(err)
			}
			next := proto.CloneOf(pair)
			next.PageToken = resp.GetNextPageToken()
			for page, req := range map[string]*authv1.ListRequestsRequest{"first": pair, "next": next} {
				var took []float64
				for range pairAsked {
					took = append(took, timed(b, l.first(req)))
				}
				if ms := median(took); ms > slowest[page] {
					slowest[page] = ms
					b.Logf("the %s page of %s with %s: %.1f ms", page, one, other, ms)
				}
			}
		}
	}
	b.ReportMetric(slowest["first"], "slowest-pair-ms")
	b.ReportMetric(slowest["next"], "slowest-next-page-ms")
}
