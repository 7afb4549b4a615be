package usage

import (
	"math"
	"strconv"
	"time"

	"vitae.internal/pkg/fault"
)

// Token asks for the requests of tokens and links, in place of the id of an API key.
const Token = "token"

// Filter says which requests of the log are meant (behaviour: usage#filters). What is zero
// matches every request.
type Filter struct {
	AppID string
	// APIKeyID is an id or Token.
	APIKeyID string
	// Status is a status, as in 404, or a class, as in 4xx.
	Status                               string
	ErrorCode, Method, Route, ResourceID string
	// From is the time of the oldest request. To is later than that of the newest.
	From, To time.Time
}

// Statuses are the least and the greatest status that match.
func (f Filter) Statuses() (least, greatest int32) {
	if f.Status == "" {
		return 0, math.MaxInt32
	}
	if class := int32(f.Status[0]-'0') * 100; f.Status[1:] == "xx" {
		return class, class + 99
	}
	exact, err := strconv.ParseInt(f.Status, 10, 32)
	if err != nil {
		return 1, 0 // the contract lets no such text through; it is no status
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

// Query asks for a page of the log of an account, newest first.
type Query struct {
	AccountID string
	Filter    Filter
	// Since is the time of the oldest entry.
	Since time.Time
	// After is the position behind which the page begins.
	After  Position
	AtMost int
}

// Page is a page of the log, newest first.
type Page struct {
	Entries []Entry
	// Stopped is where a search ended because it had read as much as one may. It is zero if
	// the page is full or the log has no more that match.
	Stopped Position
}

// IsPartial reports whether the search for the page can go on.
func (p Page) IsPartial() bool { return p.Stopped != Position{} }
