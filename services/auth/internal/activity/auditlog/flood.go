package auditlog

import (
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/id"
)

// These limits implement behaviour: audit#rate-of-events.
const (
	// window is the period in which refusals are counted.
	window = time.Minute
	// perSource is the maximum number of refusals of one kind from one network, or about one person
	// or account, that are recorded as separate events in a window.
	perSource = 30
	// inAll is the corresponding limit for all networks together, and for all people and accounts together.
	inAll = 600
	// sources is the maximum number of kinds and networks that are counted separately. Further
	// refusals are counted by kind only.
	sources = 2000
	// namedSources is the maximum number of combinations of a kind with a person or account that are counted
	// separately. It exceeds the number of password checks that all replicas can do in a window, so every counted
	// password guess names its person.
	namedSources = 20_000
	// maxOver is the maximum number of pending counts, which accumulate while the database is down, for example.
	// Further counts are added to the count for their kind.
	maxOver = 4 * sources
	// maxNamedOver is the maximum number of pending counts, including those for people and accounts.
	maxNamedOver = maxOver + 2*namedSources
	// flushAtOnce is the maximum number of counts added per transaction.
	flushAtOnce = 200
	// flushEvery is the interval at which the counts are stored.
	flushEvery = 20 * time.Second
)

// source is the key under which refusals are counted: the action, the reason, and either the person and account or
// the network. Therefore, attempts against other people from the same network don't hide attempts against one
// person.
type source struct {
	action audit.Action
	code   string
	// named identifies the person and account. It is empty if the refusals concern neither.
	named string
	// network is an IPv4 address or an IPv6 /64, because a host can use every address in its /64.
	// It is empty if named is set, and for refusals that are not counted separately.
	network string
}

// places holds the sources that are counted separately, up to a limit.
type places struct {
	most    int
	all     int
	counted map[source]*count
}

// count holds how many refusals one source has caused in a window.
type count struct {
	admitted, more int
	// like is the first event that was only counted.
	like audit.Event
}

// flood counts the refusals of the current window.
type flood struct {
	clock clock.Clock

	mu    sync.Mutex
	began time.Time
	// named counts refusals about a person or an account; others counts all other refusals.
	named, others places
	// over holds the counts of past windows.
	over []audit.Event
}

func newFlood(c clock.Clock) *flood {
	f := &flood{clock: c}
	f.empty(c.Now())
	return f
}

func (f *flood) empty(now time.Time) {
	f.began = now
	f.named, f.others = places{most: namedSources, counted: map[source]*count{}}, places{most: sources, counted: map[source]*count{}}
}

// admits reports whether an event is to be added separately. If not, admits counts it.
func (f *flood) admits(e audit.Event) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.roll()
	p, s := &f.others, source{action: e.Action, code: e.Code, network: network(e.ClientAddress)}
	if isNamed(e) {
		p, s = &f.named, source{action: e.Action, code: e.Code, named: e.PersonID + " " + e.AccountID}
	}
	c := p.counted[s]
	if c == nil && len(p.counted) >= p.most {
		s.network, s.named = "", ""
		c = p.counted[s]
	}
	if c == nil {
		c = &count{}
		p.counted[s] = c
	}
	if c.admitted < perSource && p.all < inAll {
		c.admitted++
		p.all++
		return true
	}
	if c.more == 0 {
		c.like = e
	}
	c.more++
	c.like = common(c.like, e)
	return false
}

// isNamed reports whether an event is about a person or an account.
func isNamed(e audit.Event) bool { return e.PersonID != "" || e.AccountID != "" }

// common returns the fields that two refusals of a kind share.
func common(a, b audit.Event) audit.Event {
	if a.ClientAddress != b.ClientAddress {
		a.ClientAddress = ""
	}
	if a.Actor.Kind != b.Actor.Kind {
		a.Actor = audit.Actor{Kind: audit.Anonymous}
	}
	if a.Actor.ID != b.Actor.ID {
		a.Actor.ID = ""
	}
	if a.Caller != b.Caller {
		a.Caller = ""
	}
	if a.PersonID != b.PersonID {
		a.PersonID = ""
	}
	if a.AppID != b.AppID {
		a.AppID = ""
	}
	if a.AccountID != b.AccountID {
		a.AccountID = ""
	}
	return a
}

// roll starts a new window if the current one has ended.
func (f *flood) roll() {
	if f.clock.Now().Sub(f.began) >= window {
		f.next()
	}
}

// end ends the current window.
func (f *flood) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next()
}

func (f *flood) next() {
	now := f.clock.Now()
	for _, p := range []places{f.named, f.others} {
		for _, c := range p.counted {
			switch {
			case c.more == 0:
			case len(f.over) < maxOver, isNamed(c.like) && len(f.over) < maxNamedOver:
				f.over = append(f.over, c.event(now))
			default:
				f.merge(c.event(now))
			}
		}
	}
	f.empty(now)
}

// merge adds a count to the count for its kind, which names neither a person nor an account. If there is none yet,
// the count becomes the first one.
func (f *flood) merge(e audit.Event) {
	at := slices.IndexFunc(f.over, func(o audit.Event) bool { return o.Action == e.Action && o.Code == e.Code && !isNamed(o) })
	if at < 0 {
		e.PersonID, e.AccountID = "", "" // so that further counts of this kind are added to it
		f.over = append(f.over, e)       // there are few kinds
		return
	}
	o := common(f.over[at], e)
	o.Details = map[string]string{audit.Repeated: strconv.Itoa(repeated(o) + repeated(e))}
	f.over[at] = o
}

// repeated returns the number of refusals that an event counts.
func repeated(e audit.Event) int {
	n, _ := strconv.Atoi(e.Details[audit.Repeated]) // written by event
	return n
}

// event returns an event that represents the count and has the fields that all counted refusals share. The event's
// time and id are fixed, so it is stored only once even if it is added twice.
func (c *count) event(at time.Time) audit.Event {
	e := c.like
	e.ID, e.At, e.Object.ID, e.RequestID = id.New("evt"), at.Truncate(time.Microsecond), "", ""
	e.Details = map[string]string{audit.Repeated: strconv.Itoa(c.more)}
	return e
}

// ended returns and removes the counts of past windows.
func (f *flood) ended() []audit.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.roll()
	over := f.over
	f.over = nil
	return over
}

// takeBack restores counts that could not be added.
func (f *flood) takeBack(events []audit.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = append(events, f.over...)
}

func network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	if a = a.Unmap(); a.Is6() {
		prefix, err := a.WithZone("").Prefix(64)
		if err != nil {
			return ""
		}
		return prefix.String()
	}
	return a.String()
}
