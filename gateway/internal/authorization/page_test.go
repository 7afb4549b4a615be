package authorization

import (
	"net/http"
	"testing"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestOnlyBrowsersGetErrorPage(t *testing.T) {
	t.Parallel()
	fault := &authv1.CheckAuthorizationResponse{Fault: &authv1.AuthorizationFault{Error: "invalid_scope"}}
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "text/*": false, "text/htmlx": false,
		"text/html": true, "application/xml;q=0.9, Text/HTML;q=0.8": true,
	} {
		r := &http.Request{Header: http.Header{"Accept": {accept}}}
		if got := StaysHere(r, fault); got != want {
			t.Errorf("Accept %q: %v", accept, got)
		}
		if StaysHere(r, &authv1.CheckAuthorizationResponse{}) || StaysHere(r, &authv1.CheckAuthorizationResponse{Fault: fault.GetFault(), PublisherVerified: true}) {
			t.Errorf("Accept %q: StaysHere is true without a fault, or for a verified publisher", accept)
		}
	}
}
