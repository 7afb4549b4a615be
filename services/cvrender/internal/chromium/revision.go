package chromium

import (
	"embed"
	"sync"

	"vitae.internal/services/cvrender/internal/revision"
)

// sources has the tests too where they are; package revision leaves them out.
//
//go:embed *.go
var sources embed.FS

// Revision names the code that decides how documents are printed.
var Revision = sync.OnceValue(func() string { return revision.Of(sources) })
