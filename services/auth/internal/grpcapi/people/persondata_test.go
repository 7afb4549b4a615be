package people

import (
	"testing"

	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// taken is a stream that records the events that it is sent.
type taken struct {
	events []*authv1.ExportedEvent
}

func (s *taken) Send(piece *authv1.ReadPersonDataResponse) error {
	s.events = append(s.events, piece.GetEvent())
	return nil
}

// The app that manages a job would reveal the job's masked employer.
func TestApplicationEventOmitsJobsApp(t *testing.T) {
	to := &taken{}
	for _, object := range []string{"application", "connection"} {
		e := audit.Event{PersonID: "usr_1", AppID: "app_1", Actor: audit.ByApp("app_1"), Object: audit.Object{Type: object, ID: "1"}}
		if err := (pieces{to: to}).Event(e); err != nil {
			t.Fatal(err)
		}
	}
	if of := to.events; of[0].GetAppId() != "" || of[1].GetAppId() != "app_1" || of[0].GetObjectType() != "application" {
		t.Errorf("%v", of)
	}
}
