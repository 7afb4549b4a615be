// Package revision identifies the code that determines the bytes of a PDF. If the code changes, PDFs get new
// ETags, so no cache returns old PDFs (behaviour: pdf#caching).
//
// A revision must never depend on when or where a program was built, because all replicas of the same
// version must use the same ETags.
package revision

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

// Of returns the revision of the Go files in folder, ignoring tests.
func Of(folder fs.FS) string {
	files, err := fs.Glob(folder, "*.go")
	if err != nil {
		panic(fmt.Sprintf("revision: %v", err)) // the pattern is valid
	}
	h := sha256.New()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		code, err := fs.ReadFile(folder, name)
		if err != nil {
			panic(fmt.Sprintf("revision: %v", err)) // the files are embedded
		}
		fmt.Fprintf(h, "%s %d\n", name, len(code))
		h.Write(code)
	}
	return hex.EncodeToString(h.Sum(nil))
}
