package throttle

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"time"
)

// Limits. Free failures cause no wait; each further failure doubles it.
const (
	// Window is how long a count is kept after its last failure.
	Window = 15 * time.Minute
	// FreePerPair is the number of free failures of a client address for one email address.
	FreePerPair = 5
	// FreePerAddress is the number of free failures of a client address over all email
	// addresses. It is large because an office may share one address and many people sign in
	// at nine in the morning: attempts count until their password is checked.
	FreePerAddress = 100
	// MaxWait limits the wait after the last failure.
	MaxWait = 5 * time.Minute
)

// Attempt has the keys of the two counts of a sign-in attempt. They contain only hashes.
type Attempt struct {
	Address, Pair string
}

// NewAttempt returns the keys for an email address in lower case and a client address.
func NewAttempt(emailKey, clientIP string) Attempt {
	e, a := digest(emailKey), digest(Network(clientIP))
	return Attempt{Address: "a:" + a, Pair: "p:" + digest(e+a)}
}

// NewRequest returns the keys for an unauthenticated request of the given kind. Its counts
// are separate from those of sign-ins and of other kinds.
func NewRequest(kind, emailKey, clientIP string) Attempt {
	e, a := digest(emailKey), digest(kind+" "+Network(clientIP))
	return Attempt{Address: "a:" + a, Pair: "p:" + digest(e+a)}
}

// Network returns what identifies a client: its IPv4 address, or the /64 prefix of its IPv6
// address, which one machine can use completely. It returns an unparsable address unchanged.
func Network(clientIP string) string {
	ip, err := netip.ParseAddr(clientIP)
	if err != nil {
		return clientIP
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		if p, err := ip.Prefix(64); err == nil {
			ip = p.Addr()
		}
	}
	return ip.String()
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// Count is the number of failures of one key, and the time of the last one.
type Count struct {
	N    int
	Last time.Time
}

// Wait returns how long the client must wait, or zero if it may try now.
func Wait(address, pair Count, now time.Time) time.Duration {
	return max(left(pair.Last, penalty(pair.N, FreePerPair), now), left(address.Last, penalty(address.N, FreePerAddress), now))
}

func penalty(failures, free int) time.Duration {
	over := failures - free
	if over < 0 {
		return 0
	}
	if over >= 10 {
		return MaxWait
	}
	return min(time.Second<<over, MaxWait)
}

// left returns the rest of a penalty. Without a penalty it is zero: callers read their clocks
// before they count, so the last attempt may be slightly later than now.
func left(last time.Time, wait time.Duration, now time.Time) time.Duration {
	if wait == 0 {
		return 0
	}
	return max(0, last.Add(wait).Sub(now))
}
