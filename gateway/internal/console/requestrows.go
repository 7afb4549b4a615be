package console

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// requestRow is a request in the list.
type requestRow struct {
	ID, Path, Method, Route, Error, AppID, App, Duration string
	// Message is that of the error, as the client received it.
	Message string
	At      time.Time
	Status  int32
}

// Tone is how a status is drawn: "good", "odd" for what the client may mend, "bad" for
// what it cannot.
func (r requestRow) Tone() string { return tone(r.Status) }

func tone(status int32) string {
	switch {
	case status >= http.StatusInternalServerError:
		return "bad"
	case status >= http.StatusBadRequest:
		return "odd"
	default:
		return "good"
	}
}

// requestRows are requests, newest first.
type requestRows struct {
	Rows []requestRow
	// Older is the address of the next page; empty if there is none.
	Older string
	// Whole says that the rows replace those of the page before.
	Whole bool
}

// rowsOf are the rows of requests of apps.
func rowsOf(entries []*authv1.RequestEntry, k *catalog) requestRows {
	rows := make([]requestRow, len(entries))
	for i, e := range entries {
		rows[i] = requestRow{
			ID: e.GetRequestId(), Path: requestPath(e.GetRequestId()), At: e.GetAt().AsTime(), Method: e.GetMethod(), Route: e.GetRoute(),
			Status: e.GetStatus(), Error: e.GetErrorCode(), Message: e.GetErrorMessage(), Duration: measured(e.GetLatency().AsDuration()),
			AppID: e.GetAppId(), App: k.appName(e.GetAppId()),
		}
	}
	return requestRows{Rows: rows}
}

// sameFailures are requests of a page that failed alike: with the same status and message, by the
// same method and route.
type sameFailures struct {
	Count                              int
	Status                             int32
	Method, Route, Code, Message, Path string
}

// groupsShown is how many groups of equal failures a page shows at most.
const groupsShown = 5

// grouped are the failures that the rows have more than once, the most frequent first.
func grouped(rows []requestRow) []sameFailures {
	var groups []sameFailures
	known := map[sameFailures]int{}
	for _, r := range rows {
		if r.Error == "" {
			continue
		}
		of := sameFailures{Status: r.Status, Method: r.Method, Route: r.Route, Code: r.Error, Message: r.Message}
		i, there := known[of]
		if !there {
			i = len(groups)
			known[of] = i
			of.Path = requestFilter{Status: strconv.Itoa(int(r.Status)), ErrorCode: r.Error, Method: r.Method, Route: r.Route}.address(requestsPath)
			groups = append(groups, of)
		}
		groups[i].Count++
	}
	groups = slices.DeleteFunc(groups, func(g sameFailures) bool { return g.Count < 2 })
	slices.SortStableFunc(groups, func(a, b sameFailures) int { return b.Count - a.Count })
	return groups[:min(groupsShown, len(groups))]
}

func requestPath(id string) string { return requestsPath + "/" + url.PathEscape(id) }

// instant writes a time as a time element, to the millisecond, in UTC. The element's own
// value puts rows in order.
func instant(t time.Time) template.HTML { return timeElement(t, "2 Jan 15:04:05.000") }

// dated is instant with the year, for a page that may be kept.
func dated(t time.Time) template.HTML { return timeElement(t, "2 Jan 2006 15:04:05.000") }

func timeElement(t time.Time, layout string) template.HTML {
	t = t.UTC()
	return template.HTML(`<time datetime="` + stamp(t) + `">` + t.Format(layout) + "</time>") //nolint:gosec // digits and names of months
}
