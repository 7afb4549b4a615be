package usage

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"time"
	"unicode/utf8"
)

// maxRequestID is the longest request id, in bytes, as in the contract.
const maxRequestID = 100

// newest is before every entry.
var newest = Position{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}

// token writes a position: microseconds since 1970 in eight bytes, then the id. It
// says where a page ends, and nothing that must be kept from who may ask at all.
func (p Position) token() string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(p.At.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(raw, p.RequestID...))
}

// position reads a token; the empty one stands for the beginning.
func position(token string) (Position, error) {
	if token == "" {
		return newest, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) <= 8 || len(raw) > 8+maxRequestID {
		return Position{}, errToken()
	}
	micros, id := binary.BigEndian.Uint64(raw), raw[8:]
	if micros > math.MaxInt64 || time.UnixMicro(int64(micros)).After(newest.At) || !printable(id) {
		return Position{}, errToken()
	}
	return Position{At: time.UnixMicro(int64(micros)).UTC(), RequestID: string(id)}, nil
}

// printable reports whether an id may be one: Postgres takes no NUL.
func printable(id []byte) bool {
	for _, b := range id {
		if b <= ' ' || b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func errToken() error { return invalid("page_token", "is not one that this method has given") }
