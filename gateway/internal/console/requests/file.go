package requests

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// columns are the columns of the CSV file. Unknown values are empty.
var columns = []string{
	"at", "request_id", "method", "route", "resource_id", "status", "error_code", "duration_ms", "bytes", "metered", "minute_left", "day_left",
	"refused_by", "app", "app_id", "key", "connection", "client_address", "user_agent",
	"error_message", "other_faults",
}

// fileSearches is the maximum number of searches per file that may stop early. Each of them takes
// one to two seconds.
const fileSearches = 10

// file sends the filtered log as a CSV file (behaviour: console#files).
func (h handlers) file(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	req, faults := fields.Read(r.URL.Query()).search(v.AccountID())
	if faults != nil {
		return web.ErrMalformed
	}
	known, err := h.Apps(r.Context(), v.AccountID(), h.oldest())
	if err != nil {
		return err
	}
	req.PageSize = shell.FilePage
	all := [][]string{columns}
	for searches := 1; ; {
		found, err := h.usages.ListRequests(r.Context(), req)
		if err != nil {
			return err
		}
		for _, e := range found.GetRequests() {
			all = append(all, cells(e, known))
		}
		if req.PageToken = found.GetNextPageToken(); req.PageToken == "" || len(all) > shell.FileRows {
			break
		}
		if at := found.GetSearchedTo(); at != nil {
			if searches++; searches > fileSearches {
				last := make([]string, len(columns)) // strict CSV readers reject rows of different lengths
				last[0] = "Searched back to " + shell.Stamp(at.AsTime())
				all = append(all, last)
				break
			}
		}
	}
	return shell.SendCSV(w, "requests.csv", all[:min(len(all), shell.FileRows+1)])
}

func cells(e *authv1.RequestEntry, known *shell.Catalog) []string {
	left := func(n *int32) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(int(*n))
	}
	return []string{
		e.GetAt().AsTime().UTC().Format(time.RFC3339Nano), e.GetRequestId(), e.GetMethod(), e.GetRoute(), e.GetResourceId(),
		strconv.Itoa(int(e.GetStatus())), e.GetErrorCode(),
		strconv.FormatFloat(float64(e.GetLatency().AsDuration().Microseconds())/1000, 'f', -1, 64), strconv.FormatInt(e.GetBytes(), 10),
		strconv.FormatBool(e.GetMetered()), left(e.MinuteLeft), left(e.DayLeft), e.GetRefusedBy(),
		known.App(e.GetAppId()).GetName(), e.GetAppId(), e.GetApiKeyId(), e.GetConnectionId(), e.GetClientAddress(), e.GetUserAgent(),
		e.GetErrorMessage(), strings.Join(e.GetOtherFaults(), "; "),
	}
}
