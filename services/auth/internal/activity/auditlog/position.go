package auditlog

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/fault"
)

// end is a time after every possible event.
var end = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// token encodes a position: microseconds since 1970 in eight bytes, followed by the id. It needs no protection,
// because anyone who may read a page may know where it ends.
func (p Position) token() string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(p.At.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(raw, p.ID...))
}

// position decodes a page token. If the token is empty, it returns the position from which the events before the
// given time are listed.
func position(token string, before time.Time) (Position, error) {
	if token == "" {
		return Position{At: before}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) <= 8 {
		return Position{}, errToken()
	}
	micros, id := binary.BigEndian.Uint64(raw), string(raw[8:])
	if micros > math.MaxInt64 || time.UnixMicro(int64(micros)).After(end) || audit.ID(id) == "" {
		return Position{}, errToken()
	}
	return Position{At: time.UnixMicro(int64(micros)).UTC(), ID: id}, nil
}

func errToken() error {
	return fault.Of(fault.CodeArgument, "page_token", "is not the token of a page")
}
