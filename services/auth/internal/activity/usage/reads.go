package usage

import (
	"net/http"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
)

// ReadKind is the kind of personal data that a request reads, as defined in the .proto file.
type ReadKind string

// ReadDay counts one day's reads of one kind through a connection.
type ReadDay struct {
	ConnectionID string
	Day          time.Time
	Kind         ReadKind
	Reads        int64
	Latest       time.Time
}

// ReadCountry counts those reads of a ReadDay that came from one country.
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

// reads returns the kind of personal data that an entry read, or "" if it read none. Failed requests read nothing. A
// 304 response counts, because it reveals that nothing has changed. A HEAD request counts, because it reveals that
// there is a CV, its length and its entity tag.
func reads(e *requestlog.Entry) ReadKind {
	if e.ConnectionID == "" || e.Reads == application || e.Status >= http.StatusBadRequest {
		return ""
	}
	return ReadKind(e.Reads)
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
