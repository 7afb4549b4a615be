package throttle

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"time"
)

// The limits. Free failures cause no wait; each further failure doubles the wait.
const (
	// Window is how long a count is retained after the last failure.
	Window = 15 * time.Minute
	// FreePerPair is the number of free failures from one client IP address for one email address.
	FreePerPair = 5
	// FreePerAddress is the number of free failures from one client IP address for all email addresses together. It
	// is large because many people in an office may share one IP address and sign in at nine in the morning. Each
	// attempt counts as a failure until its password has been checked.
	FreePerAddress = 100
	// MaxWait is the maximum wait after the last failure.
	MaxWait = 5 * time.Minute
)

// Attempt holds the keys of the two counts that a sign-in attempt affects. They contain only hashes.
type Attempt struct {
	Address, Pair string
}

// NewAttempt returns the keys for an email address in lower case and a client IP address.
func NewAttempt(emailKey, clientIP string) Attempt {
	e, a := digest(emailKey), digest(Network(clientIP))
	return Attempt{Address: "a:" + a, Pair: "p:" + digest(e+a)}
}

// NewRequest returns the keys for an unauthenticated request of the given kind. Its counts are separate from the
// counts of sign-ins and other kinds of requests.
func NewRequest(kind, emailKey, clientIP string) Attempt {
	e, a := digest(emailKey), digest(kind+" "+Network(clientIP))
	return Attempt{Address: "a:" + a, Pair: "p:" + digest(e+a)}
}

// Network returns the part of an IP address that identifies a client. That is a whole IPv4 address, or the /64
// prefix of an IPv6 address, because one machine can use all addresses in its /64. Network returns a string
// unchanged if it is not an IP address.
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

// Count holds a key's number of failures and the time of the last one.
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

// left returns how much of a wait remains. If there is no wait, it returns zero even if last is slightly later than
// now, which is possible because callers read their clocks before they count.
func left(last time.Time, wait time.Duration, now time.Time) time.Duration {
	if wait == 0 {
		return 0
	}
	return max(0, last.Add(wait).Sub(now))
}
