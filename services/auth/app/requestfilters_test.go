package app_test

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// requestIDAt is a request id as the gateway makes it at a moment.
func requestIDAt(at time.Time) string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(at.UnixMilli())<<16|7<<12|rand.Uint64N(1<<12))
	raw = binary.BigEndian.AppendUint64(raw, rand.Uint64())
	return "req_" + base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding).EncodeToString(raw)
}

// manyRequests are requests of the last 25 days that differ in all that the log is filtered
// by: half of them of one resource, five with an error code that no others have.
func (w *world) manyRequests(account string, n int) (entries []*authv1.RequestEntry) {
	w.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	statuses := []int32{200, 200, 200, 201, 304, 400, 404, 429}
	for i := range n {
		at := started.Add(-time.Duration(i) * (25 * 24 * time.Hour / time.Duration(n)))
		key := random.IntN(40)
		e := &authv1.RequestEntry{
			At: timestamppb.New(at), RequestId: requestIDAt(at), AccountId: account, AppId: fmt.Sprint("app_", key%4), ApiKeyId: fmt.Sprint("key_", key),
			Method: []string{"GET", "PATCH"}[random.IntN(2)], Route: []string{"/v1/jobs/{jobId}", "/v1/companies/{companyId}"}[random.IntN(2)],
			Status: statuses[random.IntN(len(statuses))], Latency: durationpb.New(time.Millisecond), Metered: true,
			ResourceId: []string{"com_big", fmt.Sprint("job_", random.IntN(n/10))}[random.IntN(2)], ClientAddress: "203.0.113.7", UserAgent: "agent/1",
			MinuteLeft: proto.Int32(int32(i)), DayLeft: proto.Int32(0),
		}
		if key < 4 {
			e.ApiKeyId, e.ConnectionId = "", "con_1"
		}
		switch {
		case i%(n/5) == n/6:
			e.Status, e.ErrorCode = 500, "INTERNAL_ERROR"
		case e.GetStatus() == 429:
			e.ErrorCode, e.RefusedBy = "RATE_LIMIT_EXCEEDED", "minute"
		case e.GetStatus() >= 400:
			e.ErrorCode = "JOB_NOT_FOUND"
		}
		entries = append(entries, e)
	}
	shuffled := slices.Clone(entries)
	random.Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for part := range slices.Chunk(shuffled, 700) {
		w.log(part...)
	}
	return entries
}

// filters are one or two for each thing that the log is filtered by.
func filters() []*authv1.ListRequestsRequest {
	return []*authv1.ListRequestsRequest{
		{AppId: "app_3"},
		{ApiKeyId: "key_9"},
		{ApiKeyId: "token"},
		{Status: "404"},
		{Status: "2xx"},
		{ErrorCode: "INTERNAL_ERROR"},
		{ErrorCode: "JOB_NOT_FOUND"},
		{Method: "PATCH"},
		{Route: "/v1/jobs/{jobId}"},
		{ResourceId: "com_big"},
		{ResourceId: "job_7"},
		{ResourceId: "job_none"},
		{From: timestamppb.New(started.Add(-20 * 24 * time.Hour)), To: timestamppb.New(started.Add(-3*24*time.Hour - time.Hour))},
	}
}

func matching(e *authv1.RequestEntry, f *authv1.ListRequestsRequest) bool {
	key := e.GetApiKeyId()
	if key == "" {
		key = "token"
	}
	is := func(wanted, got string) bool { return wanted == "" || wanted == got }
	status := fmt.Sprint(e.GetStatus())
	return is(f.GetAppId(), e.GetAppId()) && is(f.GetApiKeyId(), key) && (is(f.GetStatus(), status) || f.GetStatus() == status[:1]+"xx") &&
		is(f.GetErrorCode(), e.GetErrorCode()) && is(f.GetMethod(), e.GetMethod()) && is(f.GetRoute(), e.GetRoute()) && is(f.GetResourceId(), e.GetResourceId()) &&
		(f.GetFrom() == nil || !e.GetAt().AsTime().Before(f.GetFrom().AsTime())) && (f.GetTo() == nil || e.GetAt().AsTime().Before(f.GetTo().AsTime()))
}

// comparePages reads a filtered log page by page.
func (w *world) comparePages(entries []*authv1.RequestEntry, f *authv1.ListRequestsRequest) {
	w.Helper()
	var want, got []string
	for _, e := range entries { // newest first
		if matching(e, f) {
			want = append(want, e.GetRequestId())
		}
	}
	req := proto.CloneOf(f)
	for req.PageSize = 90; ; {
		resp, err := w.ledger.ListRequests(w.Context(), req)
		w.must(err)
		for _, e := range resp.GetRequests() {
			got = append(got, e.GetRequestId())
		}
		if req.PageToken = resp.GetNextPageToken(); req.PageToken == "" {
			break
		}
	}
	if !slices.Equal(got, want) {
		w.Errorf("%v: %d requests, want %d", f, len(got), len(want))
	}
}

func TestEveryFilterFindsTheRequestsThatMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account, other := w.account(), w.account()
	entries := w.manyRequests(account, 300)
	w.log(entry(other, "req_other", started))
	for _, one := range filters() {
		one.AccountId = account
		w.comparePages(entries, one)
	}
}

func TestALongSearchStopsAndGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	rare := entry(account, "req_rare", started.Add(-time.Hour))
	rare.Method = "PATCH"
	w.log(rare, entry(account, "req_new", started))
	_, err := w.db.Exec(t.Context(), `INSERT INTO request_log (at, request_id, account_id, app_id, api_key_id, connection_id, method, route, status, latency_us, bytes, metered)
		SELECT $1::timestamptz - n * interval '1 millisecond', 'req_' || n, $2, '', '', '', 'GET', '', 200, 1, 1, true FROM generate_series(1, 30000) n`, started, account)
	w.must(err)
	req := &authv1.ListRequestsRequest{AccountId: account, Method: "PATCH"}
	first, err := w.ledger.ListRequests(t.Context(), req)
	w.must(err)
	want := started.Add(-29999 * time.Millisecond)
	if at := first.GetSearchedTo(); len(first.GetRequests()) != 0 || first.GetNextPageToken() == "" || !at.AsTime().Equal(want) {
		t.Errorf("%d found, searched to %v, want %v", len(first.GetRequests()), at.AsTime(), want)
	}
	req.PageToken = first.GetNextPageToken()
	next, err := w.ledger.ListRequests(t.Context(), req)
	w.must(err)
	if len(next.GetRequests()) != 1 || next.GetNextPageToken() != "" || next.GetSearchedTo() != nil {
		t.Errorf("the search goes on with %v", next)
	}
}

func TestRequestIsFoundByItsIdInItsOwnAccountAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account, other := w.account(), w.account()
	id, halted := requestIDAt(started), requestIDAt(started.Add(-50*time.Minute))
	full := entry(account, id, started.Add(time.Millisecond))
	full.ErrorCode, full.ResourceId, full.ClientAddress, full.UserAgent, full.RefusedBy = "JOB_NOT_FOUND", "job_1", "203.0.113.7", "a <b>", "day"
	full.MinuteLeft, full.DayLeft = proto.Int32(0), proto.Int32(19999)
	full.ErrorMessage, full.OtherFaults = "name: must not be blank", []string{"location: is required", `socials["ا"]: must be a link`}
	w.log(full, entry(account, halted, started))
	resp, err := w.ledger.GetRequest(t.Context(), &authv1.GetRequestRequest{AccountId: account, RequestId: id})
	w.must(err)
	if !proto.Equal(resp.GetRequest(), full) {
		t.Errorf("found %v, want %v", resp.GetRequest(), full)
	}
	if _, err := w.ledger.GetRequest(t.Context(), &authv1.GetRequestRequest{AccountId: account, RequestId: halted}); err != nil {
		t.Errorf("a request that came to be recorded late: %v", err)
	}
	for _, c := range []struct{ account, id, code string }{
		{other, id, "REQUEST_NOT_FOUND"}, {account, requestIDAt(started), "REQUEST_NOT_FOUND"}, {account, "req_1", "REQUEST_NOT_FOUND"},
		{"dev_none", id, "ACCOUNT_NOT_FOUND"}, {account, strings.Repeat("x", 101), "INVALID_ARGUMENT"},
	} {
		_, err := w.ledger.GetRequest(t.Context(), &authv1.GetRequestRequest{AccountId: c.account, RequestId: c.id})
		wantCode(t, err, c.code)
	}
	w.clock.Advance(30*24*time.Hour + 2*time.Millisecond)
	_, err = w.ledger.GetRequest(t.Context(), &authv1.GetRequestRequest{AccountId: account, RequestId: id})
	wantCode(t, err, "REQUEST_NOT_FOUND")
}
