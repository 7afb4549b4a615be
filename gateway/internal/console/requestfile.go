package console

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// requestColumns are the columns of the file. What is not known is empty.
var requestColumns = []string{
	"at", "request_id", "method", "route", "resource_id", "status", "error_code", "duration_ms", "bytes", "metered", "minute_left", "day_left",
	"refused_by", "app", "app_id", "key", "connection", "client_address", "user_agent",
	"error_message", "other_faults",
}

// fileSearches is how many searches that find too little are made for a file. They take a
// second or two.
const fileSearches = 10

// requestFile gives the filtered log as a CSV file (behaviour: console#files).
func (c *Console) requestFile(w http.ResponseWriter, r *http.Request, v visit) error {
	req, faults := requestFilterOf(r.URL.Query()).search(v.account.GetAccountId())
	if faults != nil {
		return web.ErrMalformed
	}
	known, err := c.readApps(r.Context(), v.account.GetAccountId(), c.oldestLogged())
	if err != nil {
		return err
	}
	req.PageSize = filePage
	rows := [][]string{requestColumns}
	for searches := 1; ; {
		found, err := c.usages.ListRequests(r.Context(), req)
		if err != nil {
			return err
		}
		for _, e := range found.GetRequests() {
			rows = append(rows, requestCells(e, known))
		}
		if req.PageToken = found.GetNextPageToken(); req.PageToken == "" || len(rows) > fileRows {
			break
		}
		if at := found.GetSearchedTo(); at != nil {
			if searches++; searches > fileSearches {
				last := make([]string, len(requestColumns)) // strict readers refuse rows of another length
				last[0] = "Searched back to " + stamp(at.AsTime())
				rows = append(rows, last)
				break
			}
		}
	}
	return sendCSV(w, "requests.csv", rows[:min(len(rows), fileRows+1)])
}

func requestCells(e *authv1.RequestEntry, known *catalog) []string {
	return []string{
		e.GetAt().AsTime().UTC().Format(time.RFC3339Nano), e.GetRequestId(), e.GetMethod(), e.GetRoute(), e.GetResourceId(),
		strconv.Itoa(int(e.GetStatus())), e.GetErrorCode(),
		strconv.FormatFloat(float64(e.GetLatency().AsDuration().Microseconds())/1000, 'f', -1, 64), strconv.FormatInt(e.GetBytes(), 10),
		strconv.FormatBool(e.GetMetered()), left(e.MinuteLeft), left(e.DayLeft), e.GetRefusedBy(),
		known.app[e.GetAppId()].GetName(), e.GetAppId(), e.GetApiKeyId(), e.GetConnectionId(), e.GetClientAddress(), e.GetUserAgent(),
		e.GetErrorMessage(), strings.Join(e.GetOtherFaults(), "; "),
	}
}

// left writes what was left of a limit, if that is known.
func left(n *int32) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(int(*n))
}
