package usage

import (
	"context"
	"net/http"
	"slices"
	"time"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/activity/requestlog"
)

// application is the value of Entry.Reads for a request that returns a whole application.
const application = "application"

// ApplicationReadDay counts how often an app read an application on one day.
type ApplicationReadDay struct {
	ApplicationID, AppID string
	Day                  time.Time
	Reads                int64
	Latest               time.Time
}

// ApplicationRead holds one day's reads of an application, as shown to the applicant.
type ApplicationRead struct {
	ApplicationID string
	// AppName is the app's current name, or empty if the app no longer exists.
	AppName string
	Day     time.Time
	Count   int64
	Latest  time.Time
}

type applicationReadDay struct {
	applicationID, appID string
	day                  int64
}

// readsApplication reports whether an entry read an application. Failed requests read nothing.
func readsApplication(e *requestlog.Entry) bool {
	return e.Reads == application && e.ResourceID != "" && e.Status < http.StatusBadRequest
}

func (s *Summary) addApplicationRead(known map[applicationReadDay]int, e *requestlog.Entry, day int64) {
	if !readsApplication(e) {
		return
	}
	key, at := applicationReadDay{e.ResourceID, e.AppID, day}, e.At.Truncate(time.Microsecond)
	i, there := known[key]
	if !there {
		i = len(s.ApplicationReads)
		known[key] = i
		s.ApplicationReads = append(s.ApplicationReads, ApplicationReadDay{
			ApplicationID: e.ResourceID, AppID: e.AppID, Day: time.Unix(day, 0).UTC(), Latest: at,
		})
	}
	r := &s.ApplicationReads[i]
	r.Reads++
	if at.After(r.Latest) {
		r.Latest = at
	}
}

// readsShown is how far back the list of application reads goes.
const readsShown = 365 * day

// ApplicationReads lists how often applications were read in the last year, sorted by application, then newest day
// first. The caller must check that the person may see these applications, because the auth service has no data
// about applications.
func (s *Service) ApplicationReads(ctx context.Context, applicationIDs []string) ([]ApplicationRead, error) {
	known := slices.DeleteFunc(slices.Clone(applicationIDs), func(id string) bool { return !fault.IsStorable(id) })
	return s.store.ApplicationReads(ctx, known, DayOf(s.clock.Now().Add(-readsShown)))
}
