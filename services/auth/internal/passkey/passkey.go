package passkey

import (
	"context"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/session"
)

const (
	// MostPerPerson bounds the passkeys of a person.
	MostPerPerson = 20
	// maxName is the longest name in characters, as the contract takes it.
	maxName = 100
	// Life is how long a ceremony waits for its answer. WebAuthn §5.1 recommends three
	// hundred seconds where the user is verified.
	Life = 5 * time.Minute
)

// Errors of the package.
var (
	// ErrOff is for pages that have no host name, for which browsers make no passkeys.
	ErrOff = errs.New(errs.Precondition, "PASSKEYS_OFF", "There are no passkeys here: the pages have no host name.")
	// ErrOver is for an answer to a challenge that was answered, is too old, was never given, or
	// was given for something else.
	ErrOver = errs.New(errs.Precondition, "CEREMONY_OVER", "That took too long, or was answered already. Try again.")
	// ErrRefused is for an answer that is not what an authenticator of the person signs here.
	ErrRefused = errs.New(errs.Denied, "PASSKEY_REFUSED", "The passkey could not be checked.")
	// ErrUnknown is for a passkey that no account has, or not that of the session.
	ErrUnknown = errs.New(errs.NotFound, "PASSKEY_UNKNOWN", "There is no such passkey.")
	// ErrExists is for one that an account has already.
	ErrExists = errs.New(errs.Exists, "PASSKEY_EXISTS", "The passkey belongs to an account already.")
	// ErrMost is for an account that has as many as it may have.
	ErrMost = errs.New(errs.Precondition, "PASSKEY_LIMIT", "An account has at most %d passkeys.", MostPerPerson)
	// ErrLastWayIn is for what would leave an account without a way in.
	ErrLastWayIn = errs.New(errs.Precondition, "LAST_WAY_IN", "It is the only way to sign in to the account.")
)

// Purpose is what a ceremony is for. Rows hold it.
type Purpose string

// The purposes.
const (
	Add    Purpose = "add"
	SignIn Purpose = "sign_in"
	Prove  Purpose = "prove"
	SignUp Purpose = "sign_up"
)

// Passkey is a passkey of a person.
type Passkey struct {
	// ID is prefixed "pky_".
	ID       string
	PersonID string
	Name     string
	// CredentialID and PublicKey are the authenticator's (WebAuthn §4).
	CredentialID, PublicKey []byte
	// Flags and SignCount are what it has told last (WebAuthn §6.1).
	Flags     byte
	SignCount uint32
	// AAGUID is the model of the authenticator, 16 bytes.
	AAGUID     []byte
	Transports []string
	CreatedAt  time.Time
	// UsedAt is nil before the first use.
	UsedAt *time.Time
}

// Ceremony is one that was begun.
type Ceremony struct {
	Purpose Purpose
	// Binding is the hash of what it is bound to.
	Binding credential.Digest
	// State is the library's, as JSON.
	State     []byte
	ExpiresAt time.Time
}

// Use is an answer of a passkey that was right.
type Use struct {
	Passkey
	At time.Time
	// CountBack says that the signature counter did not go up: the key may exist twice.
	CountBack bool
}

// Removal takes a way in from an account.
type Removal struct {
	PersonID string
	// PasskeyID is empty for the password.
	PasskeyID string
	// In is the proof by which it was allowed. Its session stays when the password goes.
	In session.Proof
	// Email is the address of the person, to which links may be under way.
	Email string
	// Notice is nil where no mail is sent.
	Notice *mail.Notice
}

// Store keeps passkeys and ceremonies.
type Store interface {
	// AddCeremony stores a ceremony by the hash of its challenge.
	AddCeremony(ctx context.Context, challenge credential.Digest, c Ceremony) error
	// TakeCeremony reads a ceremony and forgets it; ErrOver.
	TakeCeremony(ctx context.Context, challenge credential.Digest) (Ceremony, error)
	// AddPasskey stores a passkey if the session of the proof lives and has a recent proof then,
	// too. The notice may be nil. Errors: ErrExists; ErrMost; session.ErrEnded; session.ErrProof.
	AddPasskey(ctx context.Context, p Passkey, in session.Proof, n *mail.Notice) error
	// Passkeys lists those of a person, the oldest first, and reports whether the person has a
	// password.
	Passkeys(ctx context.Context, personID string) (all []Passkey, password bool, err error)
	// PasskeyByCredential reads a passkey and its person by the id that the authenticator gave
	// it; ErrUnknown.
	PasskeyByCredential(ctx context.Context, credentialID []byte) (Passkey, person.Person, error)
	// NotePasskeyUse notes a use; ErrUnknown for a passkey that was removed meanwhile.
	NotePasskeyUse(ctx context.Context, u Use) error
	// RenamePasskey gives a passkey of a person another name; ErrUnknown.
	RenamePasskey(ctx context.Context, personID, id, name string) error
	// RemovePasskey removes a passkey, if it is there, under the condition of AddPasskey. Errors:
	// ErrLastWayIn; session.ErrEnded; session.ErrProof.
	RemovePasskey(ctx context.Context, r Removal) error
	// RemovePassword removes the password, if there is one, and ends all other sessions, those
	// of the developer console too, under the condition of AddPasskey. Errors: ErrLastWayIn;
	// session.ErrEnded; session.ErrProof.
	RemovePassword(ctx context.Context, r Removal) error
}

// Owner is the account that a passkey is for. It implements webauthn.User.
type Owner struct {
	// ID is the id of the person, which authenticators keep as the user handle. It says nothing
	// of the person (WebAuthn §14.6.1).
	ID, Email string
	passkeys  []Passkey
}

var _ webauthn.User = Owner{}

// WebAuthnID implements webauthn.User.
func (o Owner) WebAuthnID() []byte { return []byte(o.ID) }

// WebAuthnName implements webauthn.User.
func (o Owner) WebAuthnName() string { return o.Email }

// WebAuthnDisplayName implements webauthn.User.
func (o Owner) WebAuthnDisplayName() string { return o.Email }

// WebAuthnCredentials implements webauthn.User.
func (o Owner) WebAuthnCredentials() []webauthn.Credential {
	all := make([]webauthn.Credential, len(o.passkeys))
	for i, p := range o.passkeys {
		all[i] = p.credential()
	}
	return all
}

// credential is the passkey as the library has it.
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
