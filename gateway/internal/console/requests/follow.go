package requests

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// maxNewest is the maximum number of requests sent at once to a page that follows the log. If
	// there are more, they replace the rows on the page.
	maxNewest = 200
	// maxDelay is the maximum delay with which a request may be recorded after newer ones and still
	// be found. Requests may be recorded out of order, because the gateway's replicas report
	// independently of each other.
	maxDelay = 10 * time.Second
)

// newest returns the rows of the requests since a given time, or 304 if the page already has them
// (behaviour: console#following-the-request-log).
func (h handlers) newest(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	q := r.URL.Query()
	filter := fields.Read(q)
	req, faults := filter.search(v.AccountID())
	if faults != nil {
		return web.ErrMalformed
	}
	req.PageSize = maxNewest
	since, named := shell.MomentOf(q.Get("since"), false)
	if since = since.Add(-maxDelay); named && since.After(req.GetFrom().AsTime()) {
		req.From = timestamppb.New(since)
	}
	found, err := h.usages.ListRequests(r.Context(), req)
	if err != nil {
		return err
	}
	tag := tagOf(found.GetRequests())
	w.Header().Set("ETag", `"`+tag+`"`)
	if answer.ParseIfNoneMatch(r.Header.Values("If-None-Match")).Match(tag) {
		answer.NotModified(w)
		return nil
	}
	known, err := h.Apps(r.Context(), v.AccountID(), h.oldest())
	if err != nil {
		return err
	}
	body := rows{Rows: rowsOf(found.GetRequests(), known)}
	// A search that stopped early may return less than a full page (behaviour: usage#pages), but it
	// never misses a new request.
	if len(body.Rows) == maxNewest {
		body.Older = filter.page(found.GetNextPageToken())
		body.Whole = body.Older != ""
	}
	return h.RenderPart(w, r, "requests", "rows", web.View{Data: body})
}

// tagOf returns an ETag for a list of requests. It covers only the ids, because log entries never
// change.
func tagOf(entries []*authv1.RequestEntry) string {
	sum := sha256.New()
	for _, e := range entries {
		sum.Write([]byte(e.GetRequestId() + "\n"))
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16])
}
