package usage

import "testing"

func TestHeadRequestIsARead(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]bool{"GET": true, "HEAD": true, "OPTIONS": false, "POST": false} {
		for route, kind := range kindOfRoute {
			e := Entry{ConnectionID: "con_1", Method: method, Status: 200, Route: route}
			if got := e.reads(); (got == kind) != want {
				t.Errorf("%s %s reads %q", method, route, got)
			}
		}
		e := Entry{ResourceID: "apl_1", Method: method, Status: 200, Route: applicationRoute}
		if e.readsApplication() != want {
			t.Errorf("%s reads an application: %t", method, !want)
		}
	}
}
