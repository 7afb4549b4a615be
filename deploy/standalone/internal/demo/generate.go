package demo

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	day = 24 * time.Hour
	// logged is the number of days with requests in the log, including today. The log keeps thirty days; earlier days have
	// only counts.
	logged = 30
)

// generator generates an account's requests.
type generator struct {
	pattern
	things
	owned
	random      *rand.Rand
	now         time.Time
	connections []string
}

func newGenerator(p pattern, t things, o owned, now time.Time) *generator {
	// The seed is fixed, so that an interrupted start generates the same requests.
	g := &generator{pattern: p, things: t, owned: o, now: now, random: rand.New(rand.NewPCG(1, uint64(p.Days)))}
	for _, s := range p.Sources {
		for len(g.connections) < s.Connections {
			g.connections = append(g.connections, id.New("con"))
		}
	}
	return g
}

// dayAgo returns the requests from n days ago, in order, up to now.
func (g *generator) dayAgo(n int) []*authv1.RequestEntry {
	midnight := g.now.UTC().Truncate(day).Add(-time.Duration(n) * day)
	var entries []*authv1.RequestEntry
	for _, s := range g.Sources {
		for range g.volume(s, midnight, n) {
			entries = append(entries, g.request(s, midnight.Add(g.timeOfDay(s))))
		}
	}
	for _, i := range g.Incidents {
		if i.DaysAgo == n {
			entries = append(entries, g.failures(i, midnight)...)
		}
	}
	entries = slices.DeleteFunc(entries, func(e *authv1.RequestEntry) bool { return e.GetAt().AsTime().After(g.now) })
	slices.SortFunc(entries, func(a, b *authv1.RequestEntry) int { return a.GetAt().AsTime().Compare(b.GetAt().AsTime()) })
	g.budget(entries)
	return entries
}

// volume returns the number of requests that a source sends on a day. It is random, lower on weekends, and grows over
// time.
func (g *generator) volume(s source, midnight time.Time, n int) int {
	usual := s.Weekday
	if w := midnight.Weekday(); w == time.Saturday || w == time.Sunday {
		usual = s.Weekend
	}
	grown := 1 - 0.45*float64(n)/float64(g.Days)
	return int(float64(usual) * grown * (0.85 + 0.3*g.random.Float64()))
}

// timeOfDay returns a random time, usually near the middle of the working day in the Gulf.
func (g *generator) timeOfDay(s source) time.Duration {
	hours := 24 * g.random.Float64()
	if !s.AllDay && g.random.Float64() < 0.9 {
		hours = min(max(9.5+3.2*g.random.NormFloat64(), 0), 23.9)
	}
	return time.Duration(hours * float64(time.Hour)).Truncate(time.Millisecond)
}

func (g *generator) request(s source, at time.Time) *authv1.RequestEntry {
	r := g.choose(s.Routes)
	e := g.entry(s, r, at)
	chance := g.random.Float64()
	if chance < r.Unchanged {
		e.Status, e.Bytes = 304, 0
		return e
	}
	chance -= r.Unchanged
	for _, f := range r.Faults {
		if chance < f.Share {
			e.Status, e.ErrorCode, e.Bytes = f.Status, f.Code, 180
			return e
		}
		chance -= f.Share
	}
	return e
}

// entry returns a successful request. Latencies have a long tail.
func (g *generator) entry(s source, r route, at time.Time) *authv1.RequestEntry {
	e := &authv1.RequestEntry{
		At: timestamppb.New(at), RequestId: id.NewAt("req", at), AccountId: g.Developers[g.Account].ID, AppId: g.Apps[s.App].ID,
		Method: r.Method, Route: r.Route, Reads: r.Reads, Status: int32(cmp.Or(r.OK, 200)), Metered: !r.Unmetered,
		Latency: durationpb.New(time.Duration(r.MS * math.Exp(0.35*g.random.NormFloat64()) * float64(time.Millisecond)).Truncate(time.Microsecond)),
		Bytes:   int64(float64(r.Bytes) * (0.8 + 0.4*g.random.Float64())), ClientAddress: pick(g.random, s.Addresses), UserAgent: s.Agent,
	}
	if s.APIKey != "" {
		e.ApiKeyId = g.APIKeys[s.APIKey].ID
	} else if !r.Unmetered && s.Connections > 0 {
		e.ConnectionId = g.connections[g.random.IntN(s.Connections)]
	}
	if ids := g.owned[r.IDs]; len(ids) > 0 {
		e.ResourceId = pick(g.random, ids)
	}
	return e
}

// failures returns the requests that fail in an incident.
func (g *generator) failures(i incident, midnight time.Time) (entries []*authv1.RequestEntry) {
	for _, s := range g.Sources {
		for range i.Extra {
			if s.APIKey != i.APIKey {
				break
			}
			within := time.Duration(g.random.Int64N(int64(i.Minutes) * int64(time.Minute))).Truncate(time.Millisecond)
			e := g.entry(s, g.choose(s.Routes), midnight.Add(time.Duration(i.From)*time.Hour+within))
			e.Status, e.ErrorCode, e.RefusedBy, e.Bytes = i.Status, i.Code, i.RefusedBy, 180
			e.Metered = e.Metered && i.RefusedBy == ""
			entries = append(entries, e)
		}
	}
	return entries
}

// budget sets the account's remaining budget after each request of a day.
func (g *generator) budget(entries []*authv1.RequestEntry) {
	var spentToday, spentInMinute int32
	var minute time.Time
	for _, e := range entries {
		if m := e.GetAt().AsTime().Truncate(time.Minute); m != minute {
			minute, spentInMinute = m, 0
		}
		if e.GetMetered() {
			spentToday++
			spentInMinute++
		}
		if e.GetRoute() != "/oauth/token" {
			minuteLeft, dayLeft := max(g.PerMinute-spentInMinute, 0), max(g.PerDay-spentToday, 0)
			e.MinuteLeft, e.DayLeft = &minuteLeft, &dayLeft
		}
	}
}

func (g *generator) choose(routes []route) route {
	sum := 0
	for _, r := range routes {
		sum += r.Weight
	}
	n := g.random.IntN(max(sum, 1))
	for _, r := range routes {
		if n -= r.Weight; n < 0 {
			return r
		}
	}
	return routes[0]
}

func pick[T any](random *rand.Rand, of []T) T { return of[random.IntN(len(of))] }
