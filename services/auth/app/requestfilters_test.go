package app_test

import (
	"encoding/base32"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// requestIDAt returns a request id as the gateway would create it at the given time.
func requestIDAt(at time.Time) string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(at.UnixMilli())<<16|7<<12|rand.Uint64N(1<<12))
	raw = binary.BigEndian.AppendUint64(raw, rand.Uint64())
	return "req_" + base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding).EncodeToString(raw)
}

func TestEachFilterFindsItsRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	plain := entry(account, "req_plain", started)
	plain.Status, plain.ErrorCode = 200, ""
	w.log(plain)
	for name, c := range map[string]struct {
		change func(*authv1.RequestEntry)
		filter *authv1.ListRequestsRequest
	}{
		"app":      {func(e *authv1.RequestEntry) { e.AppId = "app_2" }, &authv1.ListRequestsRequest{AppId: "app_2"}},
		"key":      {func(e *authv1.RequestEntry) { e.ApiKeyId = "key_2" }, &authv1.ListRequestsRequest{ApiKeyId: "key_2"}},
		"token":    {func(e *authv1.RequestEntry) { e.ApiKeyId, e.ConnectionId = "", "con_1" }, &authv1.ListRequestsRequest{ApiKeyId: "token"}},
		"status":   {func(e *authv1.RequestEntry) { e.Status = 304 }, &authv1.ListRequestsRequest{Status: "304"}},
		"class":    {func(e *authv1.RequestEntry) { e.Status = 503 }, &authv1.ListRequestsRequest{Status: "5xx"}},
		"code":     {func(e *authv1.RequestEntry) { e.Status, e.ErrorCode = 404, "JOB_NOT_FOUND" }, &authv1.ListRequestsRequest{ErrorCode: "JOB_NOT_FOUND"}},
		"method":   {func(e *authv1.RequestEntry) { e.Method = "PATCH" }, &authv1.ListRequestsRequest{Method: "PATCH"}},
		"route":    {func(e *authv1.RequestEntry) { e.Route = "/v1/me" }, &authv1.ListRequestsRequest{Route: "/v1/me"}},
		"resource": {func(e *authv1.RequestEntry) { e.ResourceId = "job_7" }, &authv1.ListRequestsRequest{ResourceId: "job_7"}},
		"time": {func(e *authv1.RequestEntry) { e.At = timestamppb.New(started.Add(-day)) }, &authv1.ListRequestsRequest{
			From: timestamppb.New(started.Add(-day)), To: timestamppb.New(started),
		}},
	} {
		e := proto.CloneOf(plain)
		e.RequestId = "req_" + name
		c.change(e)
		w.log(e)
		c.filter.AccountId = account
		if got := w.logged(c.filter); !slices.Equal(got, []string{e.GetRequestId()}) {
			t.Errorf("%s: found %v", name, got)
		}
	}
}

func TestLongSearchStopsAndContinues(t *testing.T) {
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
		t.Errorf("%d requests found, searched to %v, want %v", len(first.GetRequests()), at.AsTime(), want)
	}
	req.PageToken = first.GetNextPageToken()
	next, err := w.ledger.ListRequests(t.Context(), req)
	w.must(err)
	if len(next.GetRequests()) != 1 || next.GetNextPageToken() != "" || next.GetSearchedTo() != nil {
		t.Errorf("the search continues with %v", next)
	}
}

func TestRequestIsFoundOnlyInItsAccount(t *testing.T) {
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
		t.Errorf("a request that was recorded late: %v", err)
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
