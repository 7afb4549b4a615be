package sessionrecord

import (
	"encoding/hex"
	"time"

	"vitae.internal/pkg/credential"
)

const (
	// Life is the maximum lifetime of a record (behaviour: tokens#revoked-means-revoked).
	Life = 10 * time.Second
	// NonceLife is the maximum time between the start of a fill and its write.
	NonceLife = 2 * time.Second
	// WaitOut is the time after the commit of a revocation for which a record of the credential can
	// still exist on some server if not every replica confirmed its deletion. The last fill that
	// read the old state writes within NonceLife, and its record expires within Life. The remaining
	// half second allows for clock differences.
	WaitOut = Life + NonceLife + 500*time.Millisecond

	// generationLife is far longer than Life, so that all records of a generation have expired
	// before the generation expires.
	generationLife = 24 * time.Hour
)

// Ref identifies a credential of an account.
type Ref struct {
	// AccountID is the developer account that owns the credential.
	AccountID string
	// Hash is the digest of the credential (credential.Digest).
	Hash credential.Digest
}

func (r Ref) record() string     { return tag(r.AccountID) + ":cred:" + hex.EncodeToString(r.Hash[:]) }
func (r Ref) nonce() string      { return tag(r.AccountID) + ":fill:" + hex.EncodeToString(r.Hash[:]) }
func (r Ref) generation() string { return generation(r.AccountID) }

// Keys returns the keys of the record and of its account's generation, for Lua scripts.
func (r Ref) Keys() (record, generation string) { return r.record(), r.generation() }

// AccountKey returns a key for other data of the account, in the same hash slot as its records.
func AccountKey(accountID, name string) string { return tag(accountID) + ":" + name }

func generation(accountID string) string { return tag(accountID) + ":gen" }

func tag(accountID string) string { return "{" + accountID + "}" }
