package usage

import (
	"testing"

	"vitae.internal/services/auth/internal/activity/requestlog"
)

func TestHeadRequestIsARead(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]bool{"GET": true, "HEAD": true, "OPTIONS": false, "POST": false} {
		for route, kind := range kindOfRoute {
			e := requestlog.Entry{ConnectionID: "con_1", Method: method, Status: 200, Route: route}
			if got := reads(&e); (got == kind) != want {
				t.Errorf("%s %s reads %q", method, route, got)
			}
		}
		e := requestlog.Entry{ResourceID: "apl_1", Method: method, Status: 200, Route: applicationRoute}
		if readsApplication(&e) != want {
			t.Errorf("%s reads an application: %t", method, !want)
		}
	}
}
