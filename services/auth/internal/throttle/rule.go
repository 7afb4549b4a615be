package throttle

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"time"
)

// The rule. Free failures cost nothing; each further one doubles the wait.
const (
	// Window is how long a count is kept after its last failure.
	Window = 15 * time.Minute
	// FreePerEmail is for an e-mail, seen from an address that failed for it too.
	FreePerEmail = 5
	// FreePerAddress is for a client address over all e-mails. Attempts count while
	// they are checked, right ones too, and whole offices share one address: at nine
	// in the morning many of them sign in at once.
	FreePerAddress = 100
	// MaxWait bounds the wait after an address's own last failure.
	MaxWait = 5 * time.Minute
)

// Attempt names what one sign-in attempt is counted under. It holds hashes only.
type Attempt struct {
	// Email, Address and Pair are keys of the three counts.
	Email, Address, Pair string
}

// NewAttempt makes the keys for an e-mail address in lower case and a client
// address. An IPv6 client is its /64: one machine has all of it.
func NewAttempt(emailKey, clientIP string) Attempt {
	if ip, err := netip.ParseAddr(clientIP); err == nil {
		ip = ip.Unmap().WithZone("")
		if ip.Is6() {
			if p, err := ip.Prefix(64); err == nil {
				ip = p.Addr()
			}
		}
		clientIP = ip.String()
	}
	e, a := digest(emailKey), digest(clientIP)
	return Attempt{Email: "e:" + e, Address: "a:" + a, Pair: "p:" + digest(e+a)}
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// Count is the failures under one key and when the last one was.
type Count struct {
	N    int
	Last time.Time
}

// Wait says how long the client has to wait, from what was counted so far; zero
// lets it try.
func Wait(email, address, pair Count, now time.Time) time.Duration {
	var wait time.Duration
	if pair.N > 0 {
		wait = left(pair.Last, penalty(email.N, FreePerEmail), now)
	}
	return max(wait, left(address.Last, penalty(address.N, FreePerAddress), now))
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

// left is what is left of a penalty. Without one nobody waits: callers read their
// clocks before they count, so the last attempt may lie a little after this one.
func left(last time.Time, wait time.Duration, now time.Time) time.Duration {
	if wait == 0 {
		return 0
	}
	return max(0, last.Add(wait).Sub(now))
}
