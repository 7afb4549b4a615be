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

// Client is the client that a request claims to be. Nothing is known of it yet.
type Client struct {
	// ID is the client id; empty if the request names no client.
	ID string
	// Secret is the secret of a confidential client; nil for a public client.
	Secret *string
}

// Clients limits endpoints at which clients authenticate, so that nobody but a
// partner spends of the partner's tier (behaviour: limits#client-tiers).
//
// A client is known only after auth has checked its secret, and a request must be
// spent before. So a tier counts for the client id together with the secret as it was
// sent: whoever sends another secret spends of other counters. A public client has no
// secret; its requests count for the client id together with the address. What fails
// is spent afterwards, of the client at its address and of the address, and these
// are looked at before the next request from there is checked.
type Clients struct {
	name     string
	tier     limits.Tier
	limiter  Limiter
	failures Failures
	turns    *turns
	proven   *lru.Cache[[sha256.Size]byte, struct{}]
}

// ClientsConfig is what Clients need. All of it is required but the tiers, of which
// the zero one has no limit.
type ClientsConfig struct {
	// Name separates the counters from those of other endpoints.
	Name string
	// Tier limits each client, and each address that names no client.
	Tier limits.Tier
	// Limiter keeps the counters.
	Limiter Limiter
	// Failures counts clients that did not authenticate.
	Failures Failures
}

// provenCount bounds the memory of clients that have authenticated, to about 2 MiB.
const provenCount = 20_000

// NewClients makes Clients.
func NewClients(c ClientsConfig) (*Clients, error) {
	if c.Name == "" || c.Limiter == nil || c.Failures.Limiter == nil {
		return nil, errors.New("admission: Name, Limiter and Failures are required")
	}
	return &Clients{
		name: c.Name, tier: c.Tier, limiter: c.Limiter, failures: c.Failures, turns: newTurns(c.Failures.ByClient, c.Failures.ByAddress),
		proven: lru.New[[sha256.Size]byte, struct{}](provenCount),
	}, nil
}

// Admit spends a request before its client is checked. A client that has
// authenticated at this replica with the same secret is not held up by failures that
// others cause at its address. Another one has a turn, which the caller ends once the
// outcome is counted; end is never nil. A turn that outlasts the answer would count against
// the client's next request. Errors: RATE_LIMIT_EXCEEDED, UNAVAILABLE.
func (c *Clients) Admit(r *http.Request, client Client) (end func(), err error) {
	return c.admit(r, client, func(subject string) error { return c.limiter.Surface(r.Context(), c.tier, subject) })
}

// Reading limits as a Limiter does, and reads session records in the same round trip.
// limits.Reading implements it.
type Reading interface {
	Surface(ctx context.Context, t limits.Tier, subject string, look limits.Look) (limits.Found, error)
}

// AdmitReading is Admit, and reads session records in the same round trip for a client that
// has authenticated at this replica with the same secret. It finds none for another one.
func (c *Clients) AdmitReading(r *http.Request, client Client, by Reading, look limits.Look) (found limits.Found, end func(), err error) {
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

func (c *Clients) admit(r *http.Request, client Client, spend func(subject string) error) (end func(), err error) {
	end = func() {}
	if client.ID == "" {
		return end, Surface{Name: c.name, Tier: c.tier, Limiter: c.limiter}.Spend(r)
	}
	digest := digestOf(r, client)
	if _, proven := c.proven.Get(digest); !proven {
		done, others, err := c.turns.take(r.Context(), chain.Network(chain.ClientIP(r)))
		if err != nil {
			return end, err
		}
		end = done
		if err := c.failures.left(r, client.ID, others); err != nil {
			return end, err
		}
	}
	return end, spend(c.name + " client " + string(digest[:]))
}

// Proven remembers that the client has authenticated.
func (c *Clients) Proven(r *http.Request, client Client) {
	if client.ID != "" {
		c.proven.Put(digestOf(r, client), struct{}{})
	}
}

// Failed spends a failed authentication of the client. A secret that has ended proves
// nothing any more.
func (c *Clients) Failed(r *http.Request, client Client) {
	if client.ID != "" { // without a client, the request is spent of its address already
		c.proven.Delete(digestOf(r, client))
		c.failures.spend(r, client.ID)
	}
}

// Unread spends a request that was refused before its client was checked, as a failed
// authentication: such a request costs counters of its own, so one that names a made-up
// client must not be free. A client that has authenticated with the same secret at this
// replica spends of its own tier alone.
func (c *Clients) Unread(r *http.Request, client Client) {
	if client.ID == "" {
		return
	}
	if _, proven := c.proven.Get(digestOf(r, client)); !proven {
		c.failures.spend(r, client.ID)
	}
}

// digestOf identifies a client and what it proves itself with: its secret, or else its
// address.
func digestOf(r *http.Request, client Client) [sha256.Size]byte {
	proof := "address " + chain.Network(chain.ClientIP(r))
	if client.Secret != nil {
		proof = "secret " + *client.Secret
	}
	id := sha256.Sum256([]byte(client.ID)) // of one length, so that id and proof cannot run together
	return sha256.Sum256(append(id[:], proof...))
}

// Failures counts clients that did not authenticate.
type Failures struct {
	// ByClient limits them for each client at each address.
	ByClient limits.Tier
	// ByAddress limits them for each address.
	ByAddress limits.Tier
	// Limiter keeps the counters.
	Limiter Limiter
}

func (f Failures) left(r *http.Request, clientID string, others int) error {
	if err := f.address().Left(r, others); err != nil {
		return err
	}
	return f.client(clientID).Left(r, others)
}

// spend spends of both limits; a limit that is exhausted already stays so.
func (f Failures) spend(r *http.Request, clientID string) {
	_ = f.address().Spend(r)
	_ = f.client(clientID).Spend(r)
}

func (f Failures) address() Surface {
	return Surface{Name: "failed client", Tier: f.ByAddress, Limiter: f.Limiter}
}

func (f Failures) client(clientID string) Surface {
	return Surface{Name: "failed client " + clientID, Tier: f.ByClient, Limiter: f.Limiter}
}
