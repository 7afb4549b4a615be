// Package revision names the code that decides the bytes of a PDF, so that a new version of it
// gives PDFs of another name and no cache holds the old ones for the new ones
// (behaviour: pdf#caching).
//
// It must never depend on when or where a program was built: replicas of one version give one
// name.
package revision

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

// Of names the Go files of a folder, without tests.
func Of(folder fs.FS) string {
	files, err := fs.Glob(folder, "*.go")
	if err != nil {
		panic(fmt.Sprintf("revision: %v", err)) // the pattern is right
	}
	h := sha256.New()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		code, err := fs.ReadFile(folder, name)
		if err != nil {
			panic(fmt.Sprintf("revision: %v", err)) // the files are in the program
		}
		fmt.Fprintf(h, "%s %d\n", name, len(code))
		h.Write(code)
	}
	return hex.EncodeToString(h.Sum(nil))
}
