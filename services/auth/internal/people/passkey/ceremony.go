package passkey

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/relyingparty"
	"vitae.internal/services/auth/internal/people/person"
)

// Rules holds the deployment's WebAuthn settings.
type Rules struct {
	// rp is nil if the website has no host name.
	rp *webauthn.WebAuthn
}

// NewRules returns the settings for the website at appURL.
func NewRules(appURL string) (Rules, error) {
	party, ok := relyingparty.Of(appURL)
	if !ok {
		return Rules{}, nil
	}
	timeout := webauthn.TimeoutConfig{Timeout: Life, TimeoutUVD: Life} // the store enforces this timeout
	rp, err := webauthn.New(&webauthn.Config{
		RPID: party.ID, RPDisplayName: "Vitae", RPOrigins: []string{party.Origin},
		// The authenticator's model doesn't matter, so no attestation is requested.
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
	})
	if err != nil {
		return Rules{}, fmt.Errorf("passkey: VITAE_APP_URL: %w", err)
	}
	return Rules{rp}, nil
}

// binding returns the stored form of the session, browser or link to which a ceremony is bound.
func binding(p Purpose, boundTo string) credential.Digest {
	return credential.Hash(string(p) + " " + boundTo)
}

// BeginNew starts the creation of a passkey and returns the browser's options as JSON.
// Errors: ErrOff.
func (s *Service) BeginNew(ctx context.Context, p Purpose, boundTo string, o Owner) ([]byte, error) {
	if s.rules.rp == nil {
		return nil, ErrOff
	}
	made, state, err := s.rules.rp.BeginRegistration(o, webauthn.WithExclusions(webauthn.Credentials(o.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return nil, fmt.Errorf("passkey: begin: %w", err)
	}
	return s.begin(ctx, p, boundTo, made.Response, made.Response.Challenge.String(), state)
}

// beginUse starts a sign-in or proof with any of the passkeys that the browser has for the website.
func (s *Service) beginUse(ctx context.Context, p Purpose, boundTo string) ([]byte, error) {
	if s.rules.rp == nil {
		return nil, ErrOff
	}
	asked, state, err := s.rules.rp.BeginDiscoverableLogin()
	if err != nil {
		return nil, fmt.Errorf("passkey: begin: %w", err)
	}
	return s.begin(ctx, p, boundTo, asked.Response, asked.Response.Challenge.String(), state)
}

func (s *Service) begin(ctx context.Context, p Purpose, boundTo string, options any, challenge string, state *webauthn.SessionData) ([]byte, error) {
	kept, err := json.Marshal(state)
	if err != nil {
		return nil, fmt.Errorf("passkey: state: %w", err)
	}
	c := Ceremony{Purpose: p, Binding: binding(p, boundTo), State: kept, ExpiresAt: s.cfg.Clock.Now().Add(Life)}
	if err := s.cfg.Store.AddCeremony(ctx, credential.Hash(challenge), c); err != nil {
		return nil, err
	}
	return json.Marshal(options)
}

// take consumes the ceremony to which a challenge belongs. Errors: ErrOver.
func (s *Service) take(ctx context.Context, challenge string, p Purpose, boundTo string) (webauthn.SessionData, error) {
	var state webauthn.SessionData
	c, err := s.cfg.Store.TakeCeremony(ctx, credential.Hash(challenge))
	if err != nil {
		return state, err
	}
	if c.Purpose != p || c.Binding != binding(p, boundTo) || !s.cfg.Clock.Now().Before(c.ExpiresAt) {
		return state, ErrOver
	}
	if err := json.Unmarshal(c.State, &state); err != nil {
		return state, fmt.Errorf("passkey: state: %w", err)
	}
	return state, nil
}

// Made checks the browser's response to a ceremony that creates a passkey. It returns the new passkey, which the
// caller must store. Errors: Invalid, with the name of the field; ErrOff; ErrOver; ErrRefused.
func (s *Service) Made(ctx context.Context, p Purpose, boundTo, name string, answer []byte) (Passkey, error) {
	if s.rules.rp == nil {
		return Passkey{}, ErrOff
	}
	if err := checkName(name); err != nil {
		return Passkey{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return Passkey{}, ErrRefused.WithCause(err)
	}
	state, err := s.take(ctx, parsed.Response.CollectedClientData.Challenge, p, boundTo)
	if err != nil {
		return Passkey{}, err
	}
	made, err := s.rules.rp.CreateCredential(Owner{ID: string(state.UserID)}, state, parsed)
	if err != nil {
		return Passkey{}, ErrRefused.WithCause(err)
	}
	key := Passkey{
		ID: id.New("pky"), PersonID: string(state.UserID), Name: name, CredentialID: made.ID, PublicKey: made.PublicKey,
		Flags: made.Flags.MsgpByte(), SignCount: made.Authenticator.SignCount, AAGUID: made.Authenticator.AAGUID, CreatedAt: s.cfg.Clock.Now(),
	}
	for _, t := range made.Transport {
		if known := string(t); fault.IsStorable(known) && len(known) <= maxName {
			key.Transports = append(key.Transports, known)
		}
	}
	return key, nil
}

// checkName checks that a passkey's name is a single, non-blank line.
func checkName(name string) error {
	faults := fault.Argument()
	if faults.Line("name", name, maxName) {
		faults.NotBlank("name", name)
	}
	return faults.Err()
}

// used checks the browser's response to a ceremony that uses a passkey, and records the use. Errors: ErrOff;
// ErrOver; ErrRefused; ErrUnknown.
func (s *Service) used(ctx context.Context, p Purpose, boundTo string, answer []byte) (person.Person, error) {
	if s.rules.rp == nil {
		return person.Person{}, ErrOff
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return person.Person{}, ErrRefused.WithCause(err)
	}
	state, err := s.take(ctx, parsed.Response.CollectedClientData.Challenge, p, boundTo)
	if err != nil {
		return person.Person{}, err
	}
	key, who, err := s.cfg.Store.PasskeyByCredential(ctx, parsed.RawID)
	if err != nil {
		return person.Person{}, err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: who.ID})
	owner := Owner{ID: who.ID, Email: who.Email, passkeys: []Passkey{key}}
	shown, err := s.rules.rp.ValidateDiscoverableLogin(func(_, _ []byte) (webauthn.User, error) { return owner, nil }, state, parsed)
	if err != nil {
		return person.Person{}, ErrRefused.WithCause(err)
	}
	key.Flags = shown.Flags.MsgpByte()
	use := Use{Passkey: key, At: s.cfg.Clock.Now(), CountBack: shown.Authenticator.CloneWarning}
	use.SignCount = max(key.SignCount, shown.Authenticator.SignCount)
	return who, s.cfg.Store.NotePasskeyUse(ctx, use)
}
