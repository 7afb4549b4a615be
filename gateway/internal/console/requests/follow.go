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
	// newestAtMost is how many requests a page that follows the log gets at a time. If there are
	// more, they replace those on the page.
	newestAtMost = 200
	// lateness is how late a request may arrive and still be found: replicas of the gateway
	// report separately.
	lateness = 10 * time.Second
)

// newest returns the rows of requests since a time, or 304 if the page has them
// (behaviour: console#following-the-request-log).
func (h handlers) newest(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	q := r.URL.Query()
	filter := fields.Read(q)
	req, faults := filter.search(v.AccountID())
	if faults != nil {
		return web.ErrMalformed
	}
	req.PageSize = newestAtMost
	since, named := shell.MomentOf(q.Get("since"), false)
	if since = since.Add(-lateness); named && since.After(req.GetFrom().AsTime()) {
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
	// A search that stopped returns fewer requests (behaviour: usage#pages), but all new ones.
	if len(body.Rows) == newestAtMost {
		body.Older = filter.page(found.GetNextPageToken())
		body.Whole = body.Older != ""
	}
	return h.RenderPart(w, r, "requests", "rows", web.View{Data: body})
}

// tagOf identifies a list of requests. An entry of the log never changes.
func tagOf(entries []*authv1.RequestEntry) string {
	sum := sha256.New()
	for _, e := range entries {
		sum.Write([]byte(e.GetRequestId() + "\n"))
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16])
}
