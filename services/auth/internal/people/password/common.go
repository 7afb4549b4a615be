package password

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"io"
	"strings"
	"sync"
)

// packed contains the 10,000 most common passwords of at least 10 characters, in lower case, one
// per line, compressed with gzip; see common/README.md.
//
//go:embed common/passwords.txt.gz
var packed []byte

var common = sync.OnceValue(func() map[string]struct{} {
	list, err := unpack(packed)
	if err != nil {
		panic("password: the list of common passwords is damaged: " + err.Error()) // this cannot happen, because the list is embedded in the binary
	}
	return list
})

// IsCommon reports whether a password is in the list of common passwords, ignoring case. The list
// omits passwords that are too short to be accepted anyway (behaviour: sign-in#password-rules).
func IsCommon(plain string) bool {
	_, found := common()[strings.ToLower(plain)]
	return found
}

func unpack(raw []byte) (map[string]struct{}, error) {
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	list := map[string]struct{}{}
	for line := range strings.Lines(string(text)) {
		list[strings.TrimSuffix(line, "\n")] = struct{}{}
	}
	if len(list) == 0 {
		return nil, errors.New("the list is empty")
	}
	return list, nil
}
