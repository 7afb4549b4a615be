package app_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// grants returns a function that connects a new person. Each goroutine of a benchmark calls it once, because
// partners refresh the tokens of different people at the same time.
func grants(w *world, c client) func() *authv1.TokenPair {
	var n atomic.Int32
	return func() *authv1.TokenPair {
		return w.connect(w.person(fmt.Sprintf("p%d@example.com", n.Add(1))), c, everything...)
	}
}

func perSecond(b *testing.B) { b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s") }

func BenchmarkRefresh(b *testing.B) {
	w := newWorld(b)
	c := w.confidential()
	connect := grants(w, c)
	b.SetParallelism(4)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		tokens := connect()
		for pb.Next() {
			tokens = w.refresh(c, tokens.GetRefreshToken())
		}
	})
	perSecond(b)
}

func BenchmarkIntrospection(b *testing.B) {
	w := newWorld(b)
	c := w.confidential()
	connect := grants(w, c)
	b.SetParallelism(4)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		tokens := connect()
		for pb.Next() {
			if !w.introspect(c, tokens.GetAccessToken()).GetActive() {
				b.Error("the token is inactive")
			}
		}
	})
	perSecond(b)
}

func BenchmarkResolve(b *testing.B) {
	w := newWorld(b)
	c := w.confidential()
	connect := grants(w, c)
	b.SetParallelism(4)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		tokens := connect()
		for pb.Next() {
			if _, err := w.resolve(accessToken, tokens.GetAccessToken()); err != nil {
				b.Error(err)
			}
		}
	})
	perSecond(b)
}

// BenchmarkRecordRequests measures the cost of recording a thousand requests.
func BenchmarkRecordRequests(b *testing.B) {
	w := newWorld(b)
	account := w.account()
	batch := &authv1.RecordRequestsRequest{Counts: []*authv1.AccountUsage{used(account, "2026-03-01", "app_1", "key_1", 1000)}}
	for range 1000 {
		batch.Entries = append(batch.Entries, entry(account, id.New("req"), started))
	}
	for b.Loop() {
		batch.BatchId = ""
		w.report(batch)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "µs/request")
}

// BenchmarkRecordReads measures the most expensive batch: every request reads through a different connection, so
// each of them adds a row to the list of what apps have read.
func BenchmarkRecordReads(b *testing.B) {
	w := newWorld(b)
	account := w.account()
	batch := &authv1.RecordRequestsRequest{Counts: []*authv1.AccountUsage{used(account, "2026-03-01", "app_1", "", 1000)}}
	for range 1000 {
		read := entry(account, id.New("req"), started)
		read.ApiKeyId, read.ConnectionId, read.Method, read.Route, read.Reads, read.Status = "", id.New("con"), "GET", "/v1/me", "identity", 200
		batch.Entries = append(batch.Entries, read)
	}
	for b.Loop() {
		batch.BatchId = ""
		w.report(batch)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "µs/request")
}
