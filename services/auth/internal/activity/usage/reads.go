package usage

import (
	"net/http"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
)

// ReadKind is the kind of personal data that a request reads.
type ReadKind string

// kindOfRoute has the routes that read data of the person of a connection.
var kindOfRoute = map[string]ReadKind{
	"/v1/me":               "identity",
	"/v1/me/cv":            "cv",
	"/v1/me/cv.pdf":        "pdf",
	"/v1/cv-links/{token}": "link",
	"/v1/photos/{token}":   "photo",
	"/api/oauth/profile":   "profile",
}

// ReadDay counts the reads of a kind through a connection on a day.
type ReadDay struct {
	ConnectionID string
	Day          time.Time
	Kind         ReadKind
	Reads        int64
	Latest       time.Time
}

// ReadCountry counts the reads of a ReadDay from one country.
type ReadCountry struct {
	ConnectionID string
	Day          time.Time
	Kind         ReadKind
	// Country is an ISO 3166-1 alpha-2 code.
	Country string
	Reads   int64
}

type readDay struct {
	connectionID string
	day          int64
	kind         ReadKind
}

// reads returns what an entry reads of a person; empty for nothing. Refused and failed
// requests read nothing. A 304 counts: it reveals that nothing has changed.
func reads(e *requestlog.Entry) ReadKind {
	if e.ConnectionID == "" || !asks(e) || e.Status >= http.StatusBadRequest {
		return ""
	}
	return kindOfRoute[e.Route]
}

// asks reports whether an entry is a read request. HEAD counts: its answer reveals that there
// is a CV, its length and its entity tag.
func asks(e *requestlog.Entry) bool {
	return e.Method == http.MethodGet || e.Method == http.MethodHead
}

func (s *Summary) addRead(known map[readDay]int, e *requestlog.Entry, day int64) {
	kind := reads(e)
	if kind == "" {
		return
	}
	key, at := readDay{e.ConnectionID, day, kind}, e.At.Truncate(time.Microsecond)
	i, there := known[key]
	if !there {
		i = len(s.Reads)
		known[key] = i
		s.Reads = append(s.Reads, ReadDay{ConnectionID: e.ConnectionID, Day: time.Unix(day, 0).UTC(), Kind: kind, Latest: at})
	}
	r := &s.Reads[i]
	r.Reads++
	if at.After(r.Latest) {
		r.Latest = at
	}
}

type readCountry struct {
	readDay
	country string
}

func (s *Summary) addReadCountry(known map[readCountry]int, e *requestlog.Entry, day int64) {
	kind := reads(e)
	if kind == "" || e.Country == "" {
		return
	}
	key := readCountry{readDay{e.ConnectionID, day, kind}, e.Country}
	i, there := known[key]
	if !there {
		i = len(s.ReadCountries)
		known[key] = i
		s.ReadCountries = append(s.ReadCountries, ReadCountry{
			ConnectionID: e.ConnectionID, Day: time.Unix(day, 0).UTC(), Kind: kind, Country: e.Country,
		})
	}
	s.ReadCountries[i].Reads++
}
