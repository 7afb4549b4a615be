package usage

import (
	"math/bits"
	"net/http"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
)

// KeyMinute counts the requests made in one minute with an API key, or with an app's tokens and links.
type KeyMinute struct {
	AccountID, AppID, APIKeyID string
	Minute
}

// DayLatencies holds the latencies of an account's requests on one day.
type DayLatencies struct {
	AccountID string
	Day       time.Time
	Latencies
}

// Summary holds the totals of a batch's entries. Each row adds up many entries, so a batch writes few rows.
type Summary struct {
	Refusals  []RefusalDay
	Minutes   []KeyMinute
	Latencies []DayLatencies
	// Reads counts the reads of personal data, as shown to the people concerned.
	Reads []ReadDay
	// ReadCountries breaks down Reads by country. It omits reads from unknown countries.
	ReadCountries []ReadCountry
	// ApplicationReads counts the reads of applications, as shown to the applicants.
	ApplicationReads []ApplicationReadDay
}

type (
	refusalDay struct {
		accountID, limit string
		day              int64
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

// Summarize adds up entries. It truncates times to microseconds, the precision of the log. The rows
// are in no particular order.
func Summarize(entries []requestlog.Entry) Summary {
	var s Summary
	refusals, minutes, buckets, reads := map[refusalDay]int{}, map[keyMinute]int{}, map[bucketDay]int{}, map[readDay]int{}
	applications, countries := map[applicationReadDay]int{}, map[readCountry]int{}
	for i := range entries {
		e := &entries[i]
		at := e.At.Unix()
		day := at - at%int64(day/time.Second)
		s.addRefusal(refusals, e, day)
		s.addMinute(minutes, keyMinute{e.AccountID, e.AppID, e.APIKeyID, at - at%60}, e)
		s.addRead(reads, e, day)
		s.addReadCountry(countries, e, day)
		s.addApplicationRead(applications, e, day)
		s.addLatency(buckets, bucketDay{e.AccountID, e.Method, e.Route, day, bucketOf(e.Latency)}, e)
	}
	return s
}

func (s *Summary) addRefusal(known map[refusalDay]int, e *requestlog.Entry, day int64) {
	if e.RefusedBy == "" {
		return
	}
	key := refusalDay{e.AccountID, e.RefusedBy, day}
	i, there := known[key]
	if !there {
		i = len(s.Refusals)
		known[key] = i
		s.Refusals = append(s.Refusals, RefusalDay{AccountID: e.AccountID, Refusals: Refusals{Day: time.Unix(day, 0).UTC(), Limit: e.RefusedBy}})
	}
	s.Refusals[i].Requests++
}

func (s *Summary) addMinute(known map[keyMinute]int, key keyMinute, e *requestlog.Entry) {
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

func (s *Summary) addLatency(known map[bucketDay]int, key bucketDay, e *requestlog.Entry) {
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

// bucketOf returns the bucket of Latencies for the given latency.
func bucketOf(latency time.Duration) int {
	micros := uint64(max(latency.Microseconds(), 1))
	// Bucket b begins at 2^(b/2), whose square is 2^b. So b is the number of binary digits of the squared latency,
	// minus one.
	high, low := bits.Mul64(micros, micros)
	digits := bits.Len64(low)
	if high > 0 {
		digits = 64 + bits.Len64(high)
	}
	return digits - 1
}
