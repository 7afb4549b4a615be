package admission

import (
	"context"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/pkg/credential"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Verifier reports whether a credential is live. credentials.Verifier implements it.
type Verifier interface {
	// Admit also charges the request to the account's budget and the surface's tier.
	Admit(ctx context.Context, kind identityv1.CredentialKind, hash credential.Digest, mayAsk credentials.MayAsk) (limits.Decision, error)
	// Verify charges nothing.
	Verify(ctx context.Context, kind identityv1.CredentialKind, hash credential.Digest, mayAsk credentials.MayAsk) (*authv1.SessionRecord, error)
}

// Limiter limits requests that have no account. limits.Limiter implements it. Its errors are of type
// *limits.TierRefusal.
type Limiter interface {
	// Surface charges a request to the subject, or rejects it.
	Surface(ctx context.Context, t limits.Tier, subject string) error
	// CheckSurface charges nothing. It reserves room for other requests in progress.
	CheckSurface(ctx context.Context, t limits.Tier, subject string, others int) error
}

// Shared holds the dependencies that all listeners share, so that they share counters. All of them are
// required except Tiers. The zero Tier has no limit.
type Shared struct {
	Verifier Verifier
	Limiter  Limiter
	Tiers    limits.Tiers
	// Addresses verifies durable links and signs the URLs of a principal.
	Addresses *signedurl.Signer
}

// madeUp limits, per IP address, credentials that were never issued (behaviour: limits#unknown-credentials).
func (s Shared) madeUp() Surface {
	return Surface{Name: "made-up credential", Tier: s.Tiers.FailedAddress, Limiter: s.Limiter}
}

// Authorize limits authorization requests per IP address (behaviour: limits#surface-tiers).
func (s Shared) Authorize() Surface {
	return Surface{Name: "authorize", Tier: s.Tiers.Authorize, Limiter: s.Limiter}
}

// formSurface names the counters of the OAuth endpoints other than revoke. The legacy interface shares the
// counters for IP addresses.
const formSurface = "oauth"

// Forms limits, per IP address, requests to the OAuth endpoints that identify no client.
func (s Shared) Forms() Surface {
	return Surface{Name: formSurface, Tier: s.Tiers.OAuth, Limiter: s.Limiter}
}

// FormClients limits the clients of the OAuth endpoints other than revoke.
func (s Shared) FormClients() (*Clients, error) { return s.NewClients(formSurface, s.Tiers.OAuth) }

// Pages limits, per IP address, requests for pages that need a call to a service
// (behaviour: limits#pages).
func (s Shared) Pages() Surface {
	return Surface{Name: "page", Tier: s.Tiers.Page, Limiter: s.Limiter}
}

// ConsolePages is like Pages, but for the developer console. It has separate counters, so a team that uses the
// console does not block consent at its IP address.
func (s Shared) ConsolePages() Surface {
	return Surface{Name: "console page", Tier: s.Tiers.Page, Limiter: s.Limiter}
}
