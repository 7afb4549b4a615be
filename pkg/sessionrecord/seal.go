package sessionrecord

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/keyring"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Errors of Seal.Open. Callers treat the record as missing.
var (
	// ErrUnsealed means that the record has no seal.
	ErrUnsealed = errors.New("session record: no seal")
	// ErrForged means that the auth service did not write the record, or wrote it with a different
	// key, generation or content.
	ErrForged = errors.New("session record: invalid seal")
	// ErrStale means that the record should have expired, or was written in the future. Either
	// someone has extended its TTL, or the clocks of the auth service and the reader differ by more
	// than clockSlack.
	ErrStale = errors.New("session record: expired, or written in the future")
)

// clockSlack is the tolerance for the age of a record: up to NonceLife can pass between the time in
// the seal and the write, and clocks differ. A record that was sealed longer than WaitOut ago is
// never accepted.
const clockSlack = WaitOut - Life

// Seal creates and verifies the MACs of records. Because of the MACs, write access to Redis is not
// enough to make a credential act for a different account.
type Seal struct{ mac *keyring.MAC }

// NewSeal returns a Seal. The auth service signs with the first key of the ring; readers accept
// every key.
func NewSeal(keys keyring.Ring) (*Seal, error) {
	mac, err := keys.MAC("vitae session record v1")
	if err != nil {
		return nil, err
	}
	return &Seal{mac: mac}, nil
}

// Stored is a record as read from Redis. Its fields must not be trusted before Open has verified
// them.
type Stored struct {
	generation, record                    string
	suspended, perMinute, perDay, expires string
}

// The seal is the last field of the message. It consists of the tag, the length, the time of the
// write in Unix microseconds, and the MAC.
const (
	sealField  = 5
	sealLength = 8 + keyring.Size
	sealStart  = 2 // size of the tag and the length, in bytes
)

// close appends the seal to a stored record.
func (s *Seal) close(ref Ref, stored *Stored, written time.Time) {
	timestamp := binary.BigEndian.AppendUint64(nil, uint64(written.UnixMicro())) //nolint:gosec // the conversion is reversed in Verify
	code := s.mac.Sign(sealed(ref, stored, stored.record, timestamp))
	raw := protowire.AppendTag([]byte(stored.record), sealField, protowire.BytesType)
	stored.record = string(protowire.AppendBytes(raw, append(timestamp, code[:]...)))
}

// Open verifies and decodes a stored record. now is the reader's time. Open returns ErrUnsealed,
// ErrForged or ErrStale if the record is invalid. The caller must then treat the record as missing.
func (s *Seal) Open(ref Ref, stored *Stored, now time.Time) (*authv1.SessionRecord, error) {
	o, err := s.Verify(ref, stored)
	if err != nil {
		return nil, err
	}
	return o.At(now)
}

// Opened is a record with a valid seal. At reports whether it may still be used.
type Opened struct {
	ref     Ref
	stored  Stored
	written time.Time
	record  *authv1.SessionRecord
}

// Is reports whether stored is identical to the record that was verified, and was read for the same
// ref. If so, it need not be verified again.
func (o *Opened) Is(ref Ref, stored *Stored) bool { return o.ref == ref && o.stored == *stored }

// At returns the record. It returns ErrStale if the record is too old at the time now.
func (o *Opened) At(now time.Time) (*authv1.SessionRecord, error) {
	if age := now.Sub(o.written); age > Life+clockSlack || age < -clockSlack {
		return nil, ErrStale
	}
	return o.record, nil
}

// Verify checks the seal of a stored record and decodes the record, regardless of its age. It
// returns ErrUnsealed or ErrForged if the seal is missing or invalid.
func (s *Seal) Verify(ref Ref, stored *Stored) (*Opened, error) {
	at := len(stored.record) - sealStart - sealLength
	if at < 0 || stored.record[at:at+sealStart] != string([]byte{sealField<<3 | byte(protowire.BytesType), sealLength}) {
		return nil, ErrUnsealed
	}
	content, seal := stored.record[:at], []byte(stored.record[at+sealStart:])
	timestamp, code := seal[:8], seal[8:]
	if !s.mac.Verify(sealed(ref, stored, content, timestamp), code) {
		return nil, ErrForged
	}
	written := time.UnixMicro(int64(binary.BigEndian.Uint64(timestamp))) //nolint:gosec // written by close
	record := &authv1.SessionRecord{}
	if err := proto.Unmarshal([]byte(content), record); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForged, err)
	}
	return &Opened{ref: ref, stored: *stored, written: written, record: record}, nil
}

// sealed returns the bytes that the MAC covers: the key of the record, its generation, the fields
// that scripts use, the time and the message. Each part is prefixed with its length, so that no
// bytes can move from one part to the next.
func sealed(ref Ref, stored *Stored, content string, timestamp []byte) []byte {
	message := make([]byte, 0, 256+len(content))
	for _, part := range [...]string{
		ref.AccountID, string(ref.Hash[:]), stored.generation,
		stored.suspended, stored.perMinute, stored.perDay, stored.expires, string(timestamp), content,
	} {
		message = binary.BigEndian.AppendUint64(message, uint64(len(part)))
		message = append(message, part...)
	}
	return message
}
