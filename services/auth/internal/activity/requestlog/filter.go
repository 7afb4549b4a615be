package requestlog

import (
	"math"
	"strconv"
	"time"

	"vitae.internal/pkg/fault"
)

// Token selects the requests made with tokens and links. It is used in place of an API key's id.
const Token = "token"

// Filter selects requests from the log (behaviour: usage#filters). Zero fields match every request.
type Filter struct {
	AppID string
	// APIKeyID is an id or Token.
	APIKeyID string
	// Status is a status code, such as 404, or a class, such as 4xx.
	Status                               string
	ErrorCode, Method, Route, ResourceID string
	// From is inclusive, To is exclusive.
	From, To time.Time
}

// Statuses returns the lowest and highest status codes that match.
func (f Filter) Statuses() (least, greatest int32) {
	if f.Status == "" {
		return 0, math.MaxInt32
	}
	if class := int32(f.Status[0]-'0') * 100; f.Status[1:] == "xx" {
		return class, class + 99
	}
	exact, err := strconv.ParseInt(f.Status, 10, 32)
	if err != nil {
		return 1, 0 // the API rejects such a value; here, it matches no status
	}
	return int32(exact), int32(exact)
}

// storable reports whether any stored request could match.
func (f Filter) storable() bool {
	for _, text := range []string{f.AppID, f.APIKeyID, f.ErrorCode, f.Method, f.Route, f.ResourceID} {
		if !fault.IsStorable(text) {
			return false
		}
	}
	return true
}

// Query requests a page of an account's log, newest first.
type Query struct {
	AccountID string
	Filter    Filter
	// Since is the time of the oldest entry to return.
	Since time.Time
	// After is the position of the last entry on the previous page.
	After  Position
	AtMost int
}

// Page is a page of the log, newest first.
type Page struct {
	Entries []Entry
	// Stopped is the position at which the search stopped because it had read the maximum number of
	// entries. It is zero if the page is full or the log has no more matches.
	Stopped Position
}

// IsPartial reports whether the search can be continued.
func (p Page) IsPartial() bool { return p.Stopped != Position{} }
