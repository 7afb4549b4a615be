package usage

import (
	"math/bits"
	"net/http"
	"time"
)

// Facet is all that the log is filtered by but time and resource. Requests with the same
// facet are counted together.
type Facet struct {
	AccountID, AppID, APIKeyID, Method, Route, ErrorCode, RefusedBy string
	Status                                                          int32
}

// FacetDay counts the requests of a facet on a day.
type FacetDay struct {
	Facet
	Day           time.Time
	Requests      int64
	First, Latest time.Time
}

// KeyMinute counts the requests of a minute by an API key, or by the tokens and links of an
// app.
type KeyMinute struct {
	AccountID, AppID, APIKeyID string
	Minute
}

// DayLatencies are the latencies of an account's requests of a day.
type DayLatencies struct {
	AccountID string
	Day       time.Time
	Latencies
}

// Summary is what is kept of entries beside the log: filters, usage by minute and errors
// and latency by route read it. Each row of it stands for many entries, so that a batch
// writes few.
type Summary struct {
	FacetDays []FacetDay
	Minutes   []KeyMinute
	Latencies []DayLatencies
	// Reads are what people see of what apps have read of them.
	Reads []ReadDay
	// ReadCountries are the countries of those of Reads whose country is known.
	ReadCountries []ReadCountry
	// ApplicationReads are what applicants see of who looked at their applications.
	ApplicationReads []ApplicationReadDay
}

type (
	facetDay struct {
		Facet
		day int64
	}
	keyMinute struct {
		accountID, appID, apiKeyID string
		minute                     int64
	}
	bucketDay struct {
		accountID, method, route string
		day                      int64
		bucket                   int
	}
)

// Summarize adds up entries. Times are cut to the microseconds that the log stores. The
// rows have no order.
func Summarize(entries []Entry) Summary {
	var s Summary
	facets, minutes, buckets, reads := map[facetDay]int{}, map[keyMinute]int{}, map[bucketDay]int{}, map[readDay]int{}
	applications, countries := map[applicationReadDay]int{}, map[readCountry]int{}
	for i := range entries {
		e := &entries[i]
		at := e.At.Unix()
		day := at - at%int64(day/time.Second)
		s.addFacet(facets, facetDay{e.facet(), day}, e)
		s.addMinute(minutes, keyMinute{e.AccountID, e.AppID, e.APIKeyID, at - at%60}, e)
		s.addRead(reads, e, day)
		s.addReadCountry(countries, e, day)
		s.addApplicationRead(applications, e, day)
		s.addLatency(buckets, bucketDay{e.AccountID, e.Method, e.Route, day, bucketOf(e.Latency)}, e)
	}
	return s
}

func (e *Entry) facet() Facet {
	return Facet{
		AccountID: e.AccountID, AppID: e.AppID, APIKeyID: e.APIKeyID, Method: e.Method, Route: e.Route,
		ErrorCode: e.ErrorCode, RefusedBy: e.RefusedBy, Status: e.Status,
	}
}

func (s *Summary) addFacet(known map[facetDay]int, key facetDay, e *Entry) {
	at := e.At.Truncate(time.Microsecond)
	i, there := known[key]
	if !there {
		i = len(s.FacetDays)
		known[key] = i
		s.FacetDays = append(s.FacetDays, FacetDay{Facet: key.Facet, Day: time.Unix(key.day, 0).UTC(), First: at, Latest: at})
	}
	f := &s.FacetDays[i]
	f.Requests++
	if at.Before(f.First) {
		f.First = at
	}
	if at.After(f.Latest) {
		f.Latest = at
	}
}

func (s *Summary) addMinute(known map[keyMinute]int, key keyMinute, e *Entry) {
	i, there := known[key]
	if !there {
		i = len(s.Minutes)
		known[key] = i
		s.Minutes = append(s.Minutes, KeyMinute{
			AccountID: key.accountID, AppID: key.appID, APIKeyID: key.apiKeyID, Minute: Minute{At: time.Unix(key.minute, 0).UTC()},
		})
	}
	m := &s.Minutes[i]
	m.Requests++
	if e.Metered {
		m.Metered++
	}
	if e.RefusedBy != "" {
		m.Refused++
	}
}

func (s *Summary) addLatency(known map[bucketDay]int, key bucketDay, e *Entry) {
	i, there := known[key]
	if !there {
		i = len(s.Latencies)
		known[key] = i
		s.Latencies = append(s.Latencies, DayLatencies{
			AccountID: key.accountID, Day: time.Unix(key.day, 0).UTC(), Latencies: Latencies{Method: key.method, Route: key.route, Bucket: key.bucket},
		})
	}
	l := &s.Latencies[i]
	l.Requests++
	if e.Status >= http.StatusBadRequest {
		l.Failed++
	}
	if e.Status >= http.StatusInternalServerError {
		l.ServerFailed++
	}
}

// bucketOf is the bucket of Latencies that a latency lies in.
func bucketOf(latency time.Duration) int {
	micros := uint64(max(latency.Microseconds(), 1))
	// Bucket b begins at 2^(b/2), whose square is 2^b: the square of micros has as many
	// digits after its first as the number of the bucket says.
	high, low := bits.Mul64(micros, micros)
	digits := bits.Len64(low)
	if high > 0 {
		digits = 64 + bits.Len64(high)
	}
	return digits - 1
}
