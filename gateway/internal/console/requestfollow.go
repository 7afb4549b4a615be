package console

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// newestPath is where a page that follows the log asks for newer requests.
const newestPath = requestsPath + "/newest"

const (
	// newestAtMost is how many requests such a page is given at a time. If there are more, it
	// gets the newest of them in place of what it shows.
	newestAtMost = 200
	// lateness is how long after its time a request may come into the log and still be
	// followed: replicas of the gateway report every second, each for itself.
	lateness = 10 * time.Second
)

// newestRequests gives the rows of the requests that are as new as the newest that a page
// shows, or almost. If they are those that the page has been given before, it says no
// more than that (behaviour: console#following-the-request-log).
func (c *Console) newestRequests(w http.ResponseWriter, r *http.Request, v visit) error {
	q := r.URL.Query()
	filter := requestFilterOf(q)
	req, faults := filter.search(v.account.GetAccountId())
	if faults != nil {
		return web.ErrMalformed
	}
	req.PageSize = newestAtMost
	since, named := momentOf(q.Get("since"), false)
	if since = since.Add(-lateness); named && since.After(req.GetFrom().AsTime()) {
		req.From = timestamppb.New(since)
	}
	found, err := c.usages.ListRequests(r.Context(), req)
	if err != nil {
		return err
	}
	tag := tagOf(found.GetRequests())
	w.Header().Set("ETag", `"`+tag+`"`)
	if answer.ParseIfNoneMatch(r.Header.Values("If-None-Match")).Match(tag) {
		answer.NotModified(w)
		return nil
	}
	known, err := c.readApps(r.Context(), v.account.GetAccountId(), c.oldestLogged())
	if err != nil {
		return err
	}
	rows := rowsOf(found.GetRequests(), known)
	// A search that stopped returns a page that is not full (behaviour: usage#pages). It has
	// everything that is new, so what the browser shows stays.
	if next := found.GetNextPageToken(); next != "" && len(rows.Rows) == newestAtMost {
		rows.Whole, rows.Older = true, filter.address(requestsPath, pageField, next)
	}
	return c.site.RenderPart(w, r, "requests", "rows", web.View{Data: rows})
}

// tagOf tells lists of requests apart. An entry of the log never changes.
func tagOf(entries []*authv1.RequestEntry) string {
	sum := sha256.New()
	for _, e := range entries {
		sum.Write([]byte(e.GetRequestId() + "\n"))
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16])
}
