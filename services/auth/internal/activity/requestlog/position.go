package requestlog

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"time"
	"unicode/utf8"

	"vitae.internal/pkg/fault"
)

// maxRequestID is the maximum length of a request id in bytes, as in the .proto file.
const maxRequestID = 100

// newest is a position before the newest entry.
var newest = Position{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}

// token encodes a position: microseconds since 1970 in eight bytes, followed by the id. It needs no protection,
// because anyone who may read a page may know where it ends.
func (p Position) token() string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(p.At.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(raw, p.RequestID...))
}

// position decodes a page token. The empty token means the start of the log.
func position(token string) (Position, error) {
	if token == "" {
		return newest, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) < 8 || len(raw) > 8+maxRequestID {
		return Position{}, errToken()
	}
	micros, id := binary.BigEndian.Uint64(raw), raw[8:]
	if micros > math.MaxInt64 || time.UnixMicro(int64(micros)).After(newest.At) || !printable(id) {
		return Position{}, errToken()
	}
	return Position{At: time.UnixMicro(int64(micros)).UTC(), RequestID: string(id)}, nil
}

// printable reports whether an id consists of visible ASCII characters.
func printable(id []byte) bool {
	for _, b := range id {
		if b <= ' ' || b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func errToken() error {
	return fault.Of(fault.CodeArgument, "page_token", "is not the token of a page")
}
