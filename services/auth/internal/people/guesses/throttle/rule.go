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
	// FreePerPair is the number of free failures of a client IP address for one email address.
	FreePerPair = 5
	// FreePerAddress is the number of free failures of a client IP address for all email addresses
	// together. It is large because an office may share one IP address and many people sign in at
	// nine in the morning: each attempt counts until its password is checked.
	FreePerAddress = 100
	// MaxWait is the maximum wait after the last failure.
	MaxWait = 5 * time.Minute
)

// Attempt holds the keys of the two counts of a sign-in attempt. They contain only hashes.
type Attempt struct {
	Address, Pair string
}

// NewAttempt returns the keys for an email address in lower case and a client IP address.
func NewAttempt(emailKey, clientIP string) Attempt {
	e, a := digest(emailKey), digest(Network(clientIP))
	return Attempt{Address: "a:" + a, Pair: "p:" + digest(e+a)}
}

// NewRequest returns the keys for an unauthenticated request of the given kind. Its counts are
// separate from the counts of sign-ins and of other kinds of request.
func NewRequest(kind, emailKey, clientIP string) Attempt {
	e, a := digest(emailKey), digest(kind+" "+Network(clientIP))
	return Attempt{Address: "a:" + a, Pair: "p:" + digest(e+a)}
}

// Network returns the part of an IP address that identifies a client: an IPv4 address, or the /64
// prefix of an IPv6 address. One machine can use all addresses in its /64. Network returns an
// address that it cannot parse unchanged.
// it cannot parse unchanged.
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

// Count holds the number of failures of one key and the time of the last one.
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

// left returns the remaining time of a penalty. Without a penalty it is zero: callers read their
// clocks before they count, so the last attempt may be slightly later than now.
func left(last time.Time, wait time.Duration, now time.Time) time.Duration {
	if wait == 0 {
		return 0
	}
	return max(0, last.Add(wait).Sub(now))
}
