package chromium

import (
	"embed"
	"sync"

	"vitae.internal/services/cvrender/internal/revision"
)

//go:embed *.go
var sources embed.FS

// Revision names the code that decides how documents are printed.
var Revision = sync.OnceValue(func() string { return revision.Of(sources) })
