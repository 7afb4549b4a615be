package requests

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/console/shell"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// row is a request in a list.
type row struct {
	ID, Path, Method, Route, Error, AppID, App, Duration string
	// Message is the error message that the client received.
	Message string
	At      time.Time
	Status  int32
}

// Tone returns the CSS class for the status: "bad" for server errors, "odd" for client errors, and
// "good" for everything else.
func (r row) Tone() string {
	switch {
	case r.Status >= http.StatusInternalServerError:
		return "bad"
	case r.Status >= http.StatusBadRequest:
		return "odd"
	default:
		return "good"
	}
}

// rows is a list of requests, newest first.
type rows struct {
	Rows []row
	// Older is the URL of the next page, or "" if there is none.
	Older string
	// Whole reports whether the rows replace all rows on the page.
	Whole bool
}

func rowsOf(entries []*authv1.RequestEntry, k *shell.Catalog) []row {
	all := make([]row, len(entries))
	for i, e := range entries {
		all[i] = row{
			ID: e.GetRequestId(), Path: pathOf(e.GetRequestId()), At: e.GetAt().AsTime(), Method: e.GetMethod(), Route: e.GetRoute(),
			Status: e.GetStatus(), Error: e.GetErrorCode(), Message: e.GetErrorMessage(), Duration: shell.Measured(e.GetLatency().AsDuration()),
			AppID: e.GetAppId(), App: k.AppName(e.GetAppId()),
		}
	}
	return all
}

func pathOf(id string) string { return shell.RequestsPath + "/" + url.PathEscape(id) }

// failures is a group of failed requests on a page that have the same status, message, method and
// route.
type failures struct {
	Count                              int
	Status                             int32
	Method, Route, Code, Message, Path string
}

// groupsShown is the maximum number of groups on a page.
const groupsShown = 5

// grouped returns the groups of repeated failures, with the most frequent first.
func grouped(all []row) []failures {
	var groups []failures
	known := map[failures]int{}
	for _, r := range all {
		if r.Error == "" {
			continue
		}
		of := failures{Status: r.Status, Method: r.Method, Route: r.Route, Code: r.Error, Message: r.Message}
		i, there := known[of]
		if !there {
			i = len(groups)
			known[of] = i
			of.Path = Filter{Status: strconv.Itoa(int(r.Status)), ErrorCode: r.Error, Method: r.Method, Route: r.Route}.Address()
			groups = append(groups, of)
		}
		groups[i].Count++
	}
	groups = slices.DeleteFunc(groups, func(g failures) bool { return g.Count < 2 })
	slices.SortStableFunc(groups, func(a, b failures) int { return b.Count - a.Count })
	return groups[:min(groupsShown, len(groups))]
}
