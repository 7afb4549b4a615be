package passkey

import (
	"context"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
)

const (
	// MostPerPerson is the maximum number of passkeys that a person can have.
	MostPerPerson = 20
	// maxName is the maximum length of a passkey's name in characters, as in the .proto file.
	maxName = 100
	// Life is how long a ceremony waits for the browser's response. WebAuthn §5.1 recommends 300
	// seconds with user verification.
	Life = 5 * time.Minute
)

// Errors returned by this package.
var (
	// ErrOff is returned if the website has no host name, because browsers then create no passkeys.
	ErrOff = errs.New(errs.Precondition, "PASSKEYS_OFF", "This deployment has no passkeys, because the pages have no host name.")
	// ErrOver is returned for a response to a challenge that is unknown, has expired, has already been answered, or
	// was issued for a different purpose.
	ErrOver = errs.New(errs.Precondition, "CEREMONY_OVER", "The request has expired or was already answered. Try again.")
	// ErrRefused is returned for a response that doesn't pass the WebAuthn checks.
	ErrRefused = errs.New(errs.Denied, "PASSKEY_REFUSED", "The passkey could not be checked.")
	// ErrUnknown is returned for a passkey that belongs to no account, or to a person other than the one signed in.
	ErrUnknown = errs.New(errs.NotFound, "PASSKEY_UNKNOWN", "There is no such passkey.")
	// ErrExists is returned for a passkey that already belongs to an account.
	ErrExists = errs.New(errs.Exists, "PASSKEY_EXISTS", "The passkey already belongs to an account.")
	// ErrMost is returned if the person already has MostPerPerson passkeys.
	ErrMost = errs.New(errs.Precondition, "PASSKEY_LIMIT", "An account has at most %d passkeys.", MostPerPerson)
	// ErrLastWayIn is returned if the removal would leave the account without a sign-in method.
	ErrLastWayIn = errs.New(errs.Precondition, "LAST_WAY_IN", "It is the only way to sign in to the account.")
)

// Purpose is the purpose of a ceremony. The values are stored in the database.
type Purpose string

// The purposes.
const (
	Add    Purpose = "add"
	SignIn Purpose = "sign_in"
	Prove  Purpose = "prove"
	SignUp Purpose = "sign_up"
)

// Passkey is one of a person's passkeys.
type Passkey struct {
	// ID starts with "pky_".
	ID       string
	PersonID string
	Name     string
	// CredentialID and PublicKey come from the authenticator (WebAuthn §4).
	CredentialID, PublicKey []byte
	// Flags and SignCount date from the last use (WebAuthn §6.1).
	Flags     byte
	SignCount uint32
	// AAGUID identifies the authenticator's model. It has 16 bytes.
	AAGUID     []byte
	Transports []string
	CreatedAt  time.Time
	// UsedAt is nil before the first use.
	UsedAt *time.Time
}

// Ceremony is a ceremony that has been started.
type Ceremony struct {
	Purpose Purpose
	// Binding is the hash of the session, browser or link to which the ceremony is bound.
	Binding credential.Digest
	// State is the WebAuthn library's state, encoded as JSON.
	State     []byte
	ExpiresAt time.Time
}

// Use is a successful use of a passkey.
type Use struct {
	Passkey
	At time.Time
	// CountBack is true if the signature counter did not increase, which may mean that the passkey was cloned.
	CountBack bool
}

// Removal is a request to remove a sign-in method from an account.
type Removal struct {
	PersonID string
	// PasskeyID is empty if the password is to be removed.
	PasskeyID string
	// In is the proof of presence. If the password is removed, its session stays open.
	In session.Proof
	// Email is the person's email address. Links may have been sent to it.
	Email string
	// Notice is nil if the deployment sends no email.
	Notice *mail.Notice
}

// Store stores passkeys and ceremonies.
type Store interface {
	// AddCeremony stores a ceremony under the hash of its challenge.
	AddCeremony(ctx context.Context, challenge credential.Digest, c Ceremony) error
	// TakeCeremony reads and deletes a ceremony. Errors: ErrOver.
	TakeCeremony(ctx context.Context, challenge credential.Digest) (Ceremony, error)
	// AddPasskey stores a passkey if the proof's session is still live and has a recent proof of presence. The
	// notice may be nil. Errors: ErrExists; ErrMost; session.ErrEnded; session.ErrProof.
	AddPasskey(ctx context.Context, p Passkey, in session.Proof, n *mail.Notice) error
	// Passkeys lists a person's passkeys, oldest first, and reports whether the person has a password.
	Passkeys(ctx context.Context, personID string) (all []Passkey, password bool, err error)
	// PasskeyByCredential finds a passkey and its owner by the authenticator's credential id. Errors: ErrUnknown.
	PasskeyByCredential(ctx context.Context, credentialID []byte) (Passkey, person.Person, error)
	// NotePasskeyUse records that a passkey was used. It returns ErrUnknown if the passkey has been removed in the
	// meantime.
	NotePasskeyUse(ctx context.Context, u Use) error
	// RenamePasskey renames one of a person's passkeys. Errors: ErrUnknown.
	RenamePasskey(ctx context.Context, personID, id, name string) error
	// RemovePasskey removes a passkey if it exists, under the same condition as AddPasskey. Errors:
	// ErrLastWayIn; session.ErrEnded; session.ErrProof.
	RemovePasskey(ctx context.Context, r Removal) error
	// RemovePassword removes the password if there is one, under the same condition as AddPasskey. It ends all other
	// sessions, including developer console sessions. Errors: ErrLastWayIn; session.ErrEnded; session.ErrProof.
	RemovePassword(ctx context.Context, r Removal) error
}

// Owner is the person to whom a passkey belongs. It implements webauthn.User.
type Owner struct {
	// ID is the person's id, which authenticators store as the user handle. It reveals
	// nothing about the person (WebAuthn §14.6.1).
	ID, Email string
	passkeys  []Passkey
}

var _ webauthn.User = Owner{}

// WebAuthnID returns the user handle.
func (o Owner) WebAuthnID() []byte { return []byte(o.ID) }

// WebAuthnName returns the email address.
func (o Owner) WebAuthnName() string { return o.Email }

// WebAuthnDisplayName returns the email address.
func (o Owner) WebAuthnDisplayName() string { return o.Email }

// WebAuthnCredentials returns the passkeys in the library's format.
func (o Owner) WebAuthnCredentials() []webauthn.Credential {
	all := make([]webauthn.Credential, len(o.passkeys))
	for i, p := range o.passkeys {
		all[i] = p.credential()
	}
	return all
}

func (p Passkey) credential() webauthn.Credential {
	c := webauthn.Credential{
		ID: p.CredentialID, PublicKey: p.PublicKey, AttestationFormat: string(protocol.AttestationFormatNone),
		Flags:         webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(p.Flags)),
		Authenticator: webauthn.Authenticator{AAGUID: p.AAGUID, SignCount: p.SignCount},
	}
	for _, t := range p.Transports {
		c.Transport = append(c.Transport, protocol.AuthenticatorTransport(t))
	}
	return c
}
