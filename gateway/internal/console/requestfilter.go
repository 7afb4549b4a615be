package console

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// requestFilter is what the form above the request log holds, as it was written. The
// names of the fields in an address are those of requestFields.
type requestFilter struct {
	App, Key, Status, ErrorCode, Method, Route, Resource, From, To, RequestID string
}

// requestFields are the filters by their names in an address, which are the ids of their
// controls too, in the order of the form.
var requestFields = []struct {
	name string
	of   func(*requestFilter) *string
}{
	{"app", func(f *requestFilter) *string { return &f.App }},
	{"key", func(f *requestFilter) *string { return &f.Key }},
	{"status", func(f *requestFilter) *string { return &f.Status }},
	{"error-code", func(f *requestFilter) *string { return &f.ErrorCode }},
	{"method", func(f *requestFilter) *string { return &f.Method }},
	{"route", func(f *requestFilter) *string { return &f.Route }},
	{"resource-id", func(f *requestFilter) *string { return &f.Resource }},
	{"from", func(f *requestFilter) *string { return &f.From }},
	{"to", func(f *requestFilter) *string { return &f.To }},
	{"request-id", func(f *requestFilter) *string { return &f.RequestID }},
}

// requestControls are the fields of ListRequestsRequest and their controls.
var requestControls = controls{
	"app_id": "app", "api_key_id": "key", "status": "status", "error_code": "error-code", "method": "method", "route": "route",
	"resource_id": "resource-id", "from": "from", "to": "to",
}

func requestFilterOf(q url.Values) requestFilter {
	var f requestFilter
	for _, field := range requestFields {
		*field.of(&f) = readable(strings.TrimSpace(q.Get(field.name)))
	}
	return f
}

// readable is a text of an address that can be sent to auth. What is no UTF-8 matches nothing.
func readable(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// values are the filters that are set, as they stand in an address.
func (f requestFilter) values() url.Values {
	q := url.Values{}
	for _, field := range requestFields {
		if value := *field.of(&f); value != "" {
			q.Set(field.name, value)
		}
	}
	return q
}

// address is a path with the filter, and with further parameters: pairs of name and value.
func (f requestFilter) address(path string, more ...string) string {
	q := f.values()
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// hasBlanks reports whether an address has parameters that say nothing, as a form sends
// them.
func hasBlanks(q url.Values) bool {
	for _, values := range q {
		if slices.Contains(values, "") {
			return true
		}
	}
	return false
}

// statusForm is that of the filter by status in the contract.
var statusForm = regexp.MustCompile(`^[1-5]([0-9]{2}|xx)$`)

const noStatus = "Enter a status such as 404, or a class such as 4xx."

// search is the filter as auth takes it, and everything that is wrong with it.
func (f requestFilter) search(accountID string) (*authv1.ListRequestsRequest, []web.Fault) {
	req := &authv1.ListRequestsRequest{
		AccountId: accountID, AppId: f.App, ApiKeyId: f.Key, Status: strings.ToLower(f.Status), ErrorCode: strings.ToUpper(f.ErrorCode),
		Method: strings.ToUpper(f.Method), Route: f.Route, ResourceId: f.Resource,
	}
	var faults []web.Fault
	if req.GetStatus() != "" && !statusForm.MatchString(req.GetStatus()) {
		faults = append(faults, faultAt("status", noStatus)...)
	}
	var wrong []web.Fault
	req.From, req.To, wrong = f.span().read()
	return req, append(faults, wrong...)
}

// span are the times of the filter.
func (f requestFilter) span() timespan { return timespan{f.From, f.To} }
