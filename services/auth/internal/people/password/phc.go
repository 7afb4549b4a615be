package password

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// Params is the cost of a hash. Each stored string contains its own parameters, so the cost can be
// raised without invalidating stored hashes.
type Params struct {
	// Memory is the memory in KiB.
	Memory uint32
	// Time is the number of passes.
	Time uint32
	// Threads is the number of lanes.
	Threads uint8
}

// Default holds the parameters recommended by OWASP (Password Storage Cheat Sheet).
var Default = Params{Memory: 19 * 1024, Time: 2, Threads: 1}

// maxMemory is the maximum memory, in KiB, that a stored string may require. A damaged row must not exhaust the
// process's memory.
const maxMemory = 1 << 20

// record is a parsed PHC string: $argon2id$v=19$m=19456,t=2,p=1$salt$hash.
type record struct {
	params     Params
	salt, hash []byte
}

func (r record) String() string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s",
		r.params.Memory, r.params.Time, r.params.Threads, b64.EncodeToString(r.salt), b64.EncodeToString(r.hash))
}

func parse(s string) (record, error) {
	var r record
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != "v=19" {
		return r, fmt.Errorf("password: not an argon2id string")
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &r.params.Memory, &r.params.Time, &r.params.Threads); err != nil {
		return r, fmt.Errorf("password: parameters: %w", err)
	}
	if r.params.Memory > maxMemory || r.params.Time < 1 || r.params.Threads < 1 {
		return r, fmt.Errorf("password: parameters out of range")
	}
	var err error
	if r.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return r, fmt.Errorf("password: salt: %w", err)
	}
	if r.hash, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil || len(r.hash) != hashLen {
		return r, fmt.Errorf("password: hash is malformed")
	}
	return r, nil
}
