package admission

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/lru"
	"vitae.internal/gateway/internal/chain"
)

// Client is the client that a request claims to come from, before authentication.
type Client struct {
	// ID is the client id, or "" if the request names no client.
	ID string
	// Secret is the secret of a confidential client, or nil for a public client.
	Secret *string
}

// Clients limits requests to endpoints at which clients authenticate. It makes sure that no one else can use up
// a client's limit (behaviour: limits#client-tiers).
//
// A request must be charged before the auth service has verified the secret. The tier therefore counts by
// client id and by the secret that was sent, so requests with a wrong secret count against different
// counters. For a public client, it counts by client id and IP address. Failed requests are also charged to
// the IP address, and to the client at that IP address. Both limits are checked before the next request from
// that address is verified.
type Clients struct {
	name     string
	tier     limits.Tier
	limiter  Limiter
	failures failures
	slots    *addressSlots
	proven   *lru.Cache[[sha256.Size]byte, struct{}]
}

// provenCount limits the memory for clients that have authenticated to about 2 MiB.
const provenCount = 20_000

// NewClients returns a Clients for a group of endpoints. name separates their counters from those of other
// endpoints. The tier limits each client, and each IP address whose requests name no client.
func (s Shared) NewClients(name string, tier limits.Tier) (*Clients, error) {
	if name == "" || s.Limiter == nil {
		return nil, errors.New("admission: a name and Limiter are required")
	}
	f := failures{byClient: s.Tiers.FailedClient, byAddress: s.Tiers.FailedAddress, limiter: s.Limiter}
	return &Clients{
		name: name, tier: tier, limiter: s.Limiter, failures: f, slots: newAddressSlots(f.byClient, f.byAddress),
		proven: lru.New[[sha256.Size]byte, struct{}](provenCount),
	}, nil
}

// Admit charges a request before its client is authenticated. A client that has already authenticated with the
// same secret on this replica is not affected by failures of others at its IP address. Any other client takes a
// slot. The caller must call end, which is never nil, once the outcome has been counted and before it responds.
// Otherwise, the slot would count against the client's next request. Admit returns RATE_LIMIT_EXCEEDED or
// UNAVAILABLE.
func (c *Clients) Admit(r *http.Request, client Client) (end func(), err error) {
	return c.admit(r, client, func(subject string) error { return c.limiter.Surface(r.Context(), c.tier, subject) })
}

// Reading is a Limiter that also reads session records in the same round trip. limits.Reading implements it.
type Reading interface {
	Surface(ctx context.Context, t limits.Tier, subject string, look limits.Lookup) (limits.Found, error)
}

// AdmitReading is like Admit, but also reads session records in the same round trip. It reads them only if the
// client has already authenticated with the same secret on this replica.
func (c *Clients) AdmitReading(r *http.Request, client Client, by Reading, look limits.Lookup) (found limits.Found, end func(), err error) {
	if _, proven := c.proven.Get(digestOf(r, client)); !proven || len(look.Hashes) == 0 {
		end, err = c.Admit(r, client)
		return nil, end, err
	}
	end, err = c.admit(r, client, func(subject string) (err error) {
		found, err = by.Surface(r.Context(), c.tier, subject, look)
		return err
	})
	return found, end, err
}

func (c *Clients) admit(r *http.Request, client Client, charge func(subject string) error) (end func(), err error) {
	end = func() {}
	if client.ID == "" {
		return end, Surface{Name: c.name, Tier: c.tier, Limiter: c.limiter}.Charge(r)
	}
	digest := digestOf(r, client)
	if _, proven := c.proven.Get(digest); !proven {
		done, others, err := c.slots.acquire(r.Context(), chain.Network(chain.ClientIP(r)))
		if err != nil {
			return end, err
		}
		end = done
		if err := c.failures.check(r, client.ID, others); err != nil {
			return end, err
		}
	}
	return end, charge(c.name + " client " + string(digest[:]))
}

// Proven records that the client has authenticated.
func (c *Clients) Proven(r *http.Request, client Client) {
	if client.ID != "" {
		c.proven.Put(digestOf(r, client), struct{}{})
	}
}

// Failed charges a failed authentication. It also forgets an earlier successful one, because the secret may
// have been deleted since then.
func (c *Clients) Failed(r *http.Request, client Client) {
	if client.ID != "" { // otherwise Admit has charged the IP address
		c.proven.Delete(digestOf(r, client))
		c.failures.charge(r, client.ID)
	}
}

// Unread charges a request that was rejected before its client was authenticated, as if authentication had
// failed. Otherwise, requests with invented client ids would be free, although each creates counters. It
// charges nothing if the client has already authenticated with the same secret on this replica.
func (c *Clients) Unread(r *http.Request, client Client) {
	if client.ID == "" {
		return
	}
	if _, proven := c.proven.Get(digestOf(r, client)); !proven {
		c.failures.charge(r, client.ID)
	}
}

// digestOf identifies a client id together with its secret, or with the IP address for a public client.
func digestOf(r *http.Request, client Client) [sha256.Size]byte {
	proof := "address " + chain.Network(chain.ClientIP(r))
	if client.Secret != nil {
		proof = "secret " + *client.Secret
	}
	id := sha256.Sum256([]byte(client.ID)) // has a fixed length, so the concatenation is unambiguous
	return sha256.Sum256(append(id[:], proof...))
}

// failures limits failed client authentications per IP address, and per client at an IP address.
type failures struct {
	byClient, byAddress limits.Tier
	limiter             Limiter
}

func (f failures) check(r *http.Request, clientID string, others int) error {
	if err := f.address().Check(r, others); err != nil {
		return err
	}
	return f.client(clientID).Check(r, others)
}

// charge charges both limits. It ignores their errors: a limit that is exhausted stays exhausted.
func (f failures) charge(r *http.Request, clientID string) {
	_ = f.address().Charge(r)
	_ = f.client(clientID).Charge(r)
}

func (f failures) address() Surface {
	return Surface{Name: "failed client", Tier: f.byAddress, Limiter: f.limiter}
}

func (f failures) client(clientID string) Surface {
	return Surface{Name: "failed client " + clientID, Tier: f.byClient, Limiter: f.limiter}
}
