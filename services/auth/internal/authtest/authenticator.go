package authtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// The authenticator's flags (WebAuthn §6.1).
const (
	UserPresent  = 0x01
	UserVerified = 0x04
	withKey      = 0x40
)

// Authenticator simulates a browser and its authenticator with one passkey. A test can set the
// fields to values that a thief or a broken authenticator would send.
type Authenticator struct {
	testing.TB
	// Origin is the page's origin, and RPID is the signed relying party id.
	Origin, RPID string
	// Flags are the flags to send, and Count is the signature counter.
	Flags byte
	Count uint32
	// ID is the credential id, and Handle is the user handle stored with it.
	ID, Handle []byte
	key        *ecdsa.PrivateKey
}

// NewAuthenticator returns an Authenticator for the pages of a local stack.
func NewAuthenticator(t testing.TB) *Authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &Authenticator{
		TB: t, Origin: "http://localhost:8081", RPID: "localhost", Flags: UserPresent | UserVerified, ID: []byte(rand.Text()), key: key,
	}
}

// options holds the options that both ceremonies use.
type options struct {
	Challenge string `json:"challenge"`
	User      struct {
		ID string `json:"id"`
	} `json:"user"`
}

func (a *Authenticator) read(raw []byte) (o options) {
	a.Helper()
	a.must(json.Unmarshal(raw, &o))
	return o
}

func (a *Authenticator) must(err error) {
	a.Helper()
	if err != nil {
		a.Fatal(err)
	}
}

// Create creates the passkey and returns the browser's response.
func (a *Authenticator) Create(raw []byte) []byte {
	a.Helper()
	o := a.read(raw)
	var err error
	a.Handle, err = base64.RawURLEncoding.DecodeString(o.User.ID)
	a.must(err)
	point, err := a.key.PublicKey.Bytes() // 0x04, followed by both coordinates
	a.must(err)
	// This is an EC2 key on the curve P-256, for ES256 (RFC 9053 §2.1, §7.1.1).
	public, err := cbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})
	a.must(err)
	told := a.data(withKey)
	told = append(told, make([]byte, 16)...)
	told = binary.BigEndian.AppendUint16(told, uint16(len(a.ID)))
	told = append(append(told, a.ID...), public...)
	object, err := cbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": told})
	a.must(err)
	return a.answer("webauthn.create", o.Challenge, func([]byte) map[string]any {
		return map[string]any{"attestationObject": encode(object), "transports": []string{"internal"}}
	})
}

// Get uses the passkey and returns the browser's response.
func (a *Authenticator) Get(raw []byte) []byte {
	a.Helper()
	told := a.data(0)
	return a.answer("webauthn.get", a.read(raw).Challenge, func(client []byte) map[string]any {
		hash := sha256.Sum256(client)
		sum := sha256.Sum256(append(told, hash[:]...))
		signature, err := ecdsa.SignASN1(rand.Reader, a.key, sum[:])
		a.must(err)
		return map[string]any{"authenticatorData": encode(told), "signature": encode(signature), "userHandle": encode(a.Handle)}
	})
}

// data returns the authenticator data (WebAuthn §6.1).
func (a *Authenticator) data(more byte) []byte {
	name := sha256.Sum256([]byte(a.RPID))
	return binary.BigEndian.AppendUint32(append(name[:], a.Flags|more), a.Count)
}

func (a *Authenticator) answer(kind, challenge string, response func(client []byte) map[string]any) []byte {
	a.Helper()
	client, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.Origin, "crossOrigin": false})
	a.must(err)
	all := response(client)
	all["clientDataJSON"] = encode(client)
	answer, err := json.Marshal(map[string]any{
		"id": encode(a.ID), "rawId": encode(a.ID), "type": "public-key", "clientExtensionResults": map[string]any{}, "response": all,
	})
	a.must(err)
	return answer
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
