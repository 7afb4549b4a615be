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

// Reasons why a stored record is none.
var (
	// ErrUnsealed is for a record without a seal, as auth of the release before writes it.
	ErrUnsealed = errors.New("session record: it has no seal")
	// ErrForged is for a record that auth has not written, or not under this key, for this
	// generation or with this content.
	ErrForged = errors.New("session record: its seal is not auth's")
	// ErrStale is for a record that should have expired, or is from the future: somebody
	// keeps it alive, or the clocks of auth and its reader differ by more than clockSlack.
	ErrStale = errors.New("session record: it was written at another time than a live record can be")
)

// clockSlack is how much older than Life a record may look: NonceLife may lie between the
// moment that the seal names and the write, and clocks differ. So nothing is believed
// that was sealed longer ago than WaitOut.
const clockSlack = WaitOut - Life

// Seal makes and checks the authentication codes of records, so that who can write to
// Redis cannot have a credential act as another one.
type Seal struct{ mac *keyring.MAC }

// NewSeal makes a Seal. auth seals with the ring's first key; a reader takes every key.
func NewSeal(keys keyring.Ring) (*Seal, error) {
	mac, err := keys.MAC("vitae session record v1")
	if err != nil {
		return nil, err
	}
	return &Seal{mac: mac}, nil
}

// Stored is a record as it lies in Redis: the fields of its hash, as they are there.
// Nothing in it is to be believed before Open.
type Stored struct {
	generation, record                    string
	suspended, perMinute, perDay, expires string
}

// The seal is the last field of the message: its tag, its length, the moment of the write
// in Unix microseconds and the code. Readers of the release before skip a field that they
// do not know. A writer of the release before replaces the whole message, so no seal
// stays behind over a content that it is not for.
const (
	sealField  = 5
	sealLength = 8 + keyring.Size
	sealStart  = 2 // bytes of tag and length
)

// close appends the seal to the record of s.
func (s *Seal) close(ref Ref, stored *Stored, written time.Time) {
	moment := binary.BigEndian.AppendUint64(nil, uint64(written.UnixMicro())) //nolint:gosec // it is read back as it was
	code := s.mac.Sign(sealed(ref, stored, stored.record, moment))
	raw := protowire.AppendTag([]byte(stored.record), sealField, protowire.BytesType)
	stored.record = string(protowire.AppendBytes(raw, append(moment, code[:]...)))
}

// Open checks a stored record and decodes it. now is the reader's time. Errors:
// ErrUnsealed, ErrForged, ErrStale; in every case the record is to be treated as absent.
func (s *Seal) Open(ref Ref, stored *Stored, now time.Time) (*authv1.SessionRecord, error) {
	o, err := s.Verify(ref, stored)
	if err != nil {
		return nil, err
	}
	return o.At(now)
}

// Opened is a record that auth has written. Whether it may still be acted on, At tells.
type Opened struct {
	ref     Ref
	stored  Stored
	written time.Time
	record  *authv1.SessionRecord
}

// Is reports whether the record is what is stored for ref, to the byte. Then it need not be
// verified again.
func (o *Opened) Is(ref Ref, stored *Stored) bool { return o.ref == ref && o.stored == *stored }

// At gives the record, if one that was written then can be alive now. Errors: ErrStale.
func (o *Opened) At(now time.Time) (*authv1.SessionRecord, error) {
	if age := now.Sub(o.written); age > Life+clockSlack || age < -clockSlack {
		return nil, ErrStale
	}
	return o.record, nil
}

// Verify checks that a stored record is auth's, and decodes it, whatever its age. Errors:
// ErrUnsealed, ErrForged.
func (s *Seal) Verify(ref Ref, stored *Stored) (*Opened, error) {
	at := len(stored.record) - sealStart - sealLength
	if at < 0 || stored.record[at:at+sealStart] != string([]byte{sealField<<3 | byte(protowire.BytesType), sealLength}) {
		return nil, ErrUnsealed
	}
	content, seal := stored.record[:at], []byte(stored.record[at+sealStart:])
	moment, code := seal[:8], seal[8:]
	if !s.mac.Verify(sealed(ref, stored, content, moment), code) {
		return nil, ErrForged
	}
	written := time.UnixMicro(int64(binary.BigEndian.Uint64(moment))) //nolint:gosec // close wrote it
	record := &authv1.SessionRecord{}
	if err := proto.Unmarshal([]byte(content), record); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForged, err)
	}
	return &Opened{ref: ref, stored: *stored, written: written, record: record}, nil
}

// sealed is what the code authenticates: the key of the record, its generation, the
// fields that scripts decide by, the moment, and the message. Each part has its length
// before it, so that nothing can be moved from one part into the next.
func sealed(ref Ref, stored *Stored, content string, moment []byte) []byte {
	message := make([]byte, 0, 256+len(content))
	for _, part := range [...]string{
		ref.AccountID, string(ref.Hash[:]), stored.generation,
		stored.suspended, stored.perMinute, stored.perDay, stored.expires, string(moment), content,
	} {
		message = binary.BigEndian.AppendUint64(message, uint64(len(part)))
		message = append(message, part...)
	}
	return message
}
