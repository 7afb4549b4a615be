package auditlog

import (
	"net/netip"
	"strconv"
	"sync"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/id"
)

// The bounds of behaviour: audit#floods.
const (
	// window is the time over which refusals are counted.
	window = time.Minute
	// perSource is how many refusals of a kind from one network have an event of their own
	// in a window.
	perSource = 30
	// inAll is how many refusals have one over all networks.
	inAll = 600
	// sources bounds the kinds and networks that are counted apart. What comes after is
	// counted by its kind alone.
	sources = 2000
	// flushEvery is the pause between two rounds that add what was counted.
	flushEvery = 20 * time.Second
)

// source is what refusals are counted by: what was tried, why it was refused, and the
// network that it came from.
type source struct {
	action audit.Action
	code   string
	// network is an IPv4 address, or the /64 of an IPv6 one, in which a single host has as
	// many addresses as it likes; empty for all that are not counted apart.
	network string
}

// count is what one source did in a window.
type count struct {
	admitted, more int
	// like is the first event that was only counted.
	like audit.Event
}

// flood counts the refusals of the present window.
type flood struct {
	clock clock.Clock

	mu      sync.Mutex
	began   time.Time
	all     int
	counted map[source]*count
	// over are the counts of windows that have ended.
	over []audit.Event
}

func newFlood(c clock.Clock) *flood {
	return &flood{clock: c, began: c.Now(), counted: map[source]*count{}}
}

// admits reports whether a refusal has an event of its own. Otherwise it is counted.
func (f *flood) admits(e audit.Event) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn()
	s := source{e.Action, e.Code, network(e.ClientAddress)}
	c := f.counted[s]
	if c == nil && len(f.counted) >= sources {
		s.network = ""
		c = f.counted[s]
	}
	if c == nil {
		c = &count{}
		f.counted[s] = c
	}
	if c.admitted < perSource && f.all < inAll {
		c.admitted++
		f.all++
		return true
	}
	if c.more == 0 {
		c.like = e
	}
	c.more++
	if c.like.ClientAddress != e.ClientAddress {
		c.like.ClientAddress = ""
	}
	if c.like.PersonID != e.PersonID {
		c.like.PersonID = ""
	}
	if c.like.AppID != e.AppID {
		c.like.AppID, c.like.AccountID = "", ""
	}
	return false
}

// turn begins a new window if the present one has ended.
func (f *flood) turn() {
	if f.clock.Now().Sub(f.began) >= window {
		f.next()
	}
}

// end ends the present window.
func (f *flood) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next()
}

func (f *flood) next() {
	for _, c := range f.counted {
		if c.more > 0 {
			f.over = append(f.over, c.event())
		}
	}
	f.began, f.all, f.counted = f.clock.Now(), 0, map[source]*count{}
}

// event says how many refusals were counted. It names what they have in common.
func (c *count) event() audit.Event {
	e := c.like
	e.ID, e.Object.ID, e.RequestID = id.New("evt"), "", ""
	e.Details = map[string]string{audit.Repeated: strconv.Itoa(c.more)}
	return e
}

// ended takes the counts of the windows that have ended.
func (f *flood) ended() []audit.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn()
	over := f.over
	f.over = nil
	return over
}

// takeBack keeps counts that could not be added.
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
