package throttle

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"time"
)

// The figures of the rule. Free failures cause no wait; each further failure doubles it.
const (
	// Window is how long a count is kept after its last failure.
	Window = 15 * time.Minute
	// FreePerPair is the number of free failures of a client address for one e-mail
	// address.
	FreePerPair = 5
	// FreePerAddress is the number of free failures of a client address over all e-mail
	// addresses. It is large because attempts with the right password count too while they
	// are checked, and a whole office may share one address: at nine in the morning, many
	// people sign in at once.
	FreePerAddress = 100
	// MaxWait bounds the wait after an address's own last failure.
	MaxWait = 5 * time.Minute
)

// Attempt has the keys of the two counts of one sign-in attempt. They hold hashes only.
type Attempt struct {
	Address, Pair string
}

// NewAttempt makes the keys for an e-mail address in lower case and a client address.
func NewAttempt(emailKey, clientIP string) Attempt {
	e, a := digest(emailKey), digest(Network(clientIP))
	return Attempt{Address: "a:" + a, Pair: "p:" + digest(e+a)}
}

// NewRequest makes the keys for a request that anybody may make, of the given kind. Its counts are
// separate from those of sign-in and of other kinds, so that it slows neither.
func NewRequest(kind, emailKey, clientIP string) Attempt {
	e, a := digest(emailKey), digest(kind+" "+Network(clientIP))
	return Attempt{Address: "a:" + a, Pair: "p:" + digest(e+a)}
}

// Network is what stands for a client: its IPv4 address, or the /64 of its IPv6 address,
// since one machine can use all addresses of that. What is no address stands for itself.
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

// Wait gives how long the client has to wait, by the counts so far. With zero it may try.
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

// left gives the rest of a penalty. Without a penalty it is zero, whatever the times are:
// callers read their clocks before they count, so the last attempt may be a little later
// than this one.
func left(last time.Time, wait time.Duration, now time.Time) time.Duration {
	if wait == 0 {
		return 0
	}
	return max(0, last.Add(wait).Sub(now))
}
