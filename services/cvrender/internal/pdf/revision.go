package pdf

import (
	"embed"
	"sync"

	"vitae.internal/services/cvrender/internal/revision"
)

// sources also contains the tests, which package revision ignores.
//
//go:embed *.go
var sources embed.FS

// Revision identifies the code that determines how files are refined.
var Revision = sync.OnceValue(func() string { return revision.Of(sources) })
