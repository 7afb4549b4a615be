// Package docs embeds the pages for partners. The gateway serves them at {app_url}/docs, so the repository and the site
// have the same text.
//
// The guides are Markdown files. Links between guides are links between files, and URLs are the URLs of `make run`
// (BaseURL, AppURL, LegacyURL, ConsoleURL). The gateway replaces both when it serves the guides
// (behaviour: pages#partner-pages).
//
// Only the guides and the pages about error codes are embedded. The other pages in this folder are for developers and
// operators of Vitae and must never be served.
package docs

import "embed"

// URLs of the local stack, as used in the guides.
const (
	BaseURL    = "http://127.0.0.1:8080"
	AppURL     = "http://127.0.0.1:8081"
	LegacyURL  = "http://127.0.0.1:8082"
	ConsoleURL = "http://127.0.0.1:8083"
)

// Guide is a page for partners.
type Guide struct {
	// Name is the last element of the path below /docs, or "" for the first page.
	Name string
	// Label is a short name for the list of pages, where space is limited.
	Label string
	// File is the path of the page in Files.
	File string
}

// Guides lists all pages in the order in which the site lists them.
var Guides = []Guide{
	{Name: "", Label: "Quickstart", File: "guides/quickstart.md"},
	{Name: "first-app", Label: "First app", File: "guides/first-app.md"},
	{Name: "sign-in", Label: "Sign-in", File: "guides/sign-in.md"},
	{Name: "first-job", Label: "First job", File: "guides/first-job.md"},
	{Name: "writing", Label: "Writing", File: "guides/writing.md"},
	{Name: "errors", Label: "Errors", File: "guides/errors.md"},
	{Name: "limits", Label: "Limits", File: "guides/limits.md"},
	{Name: "going-live", Label: "Going live", File: "guides/going-live.md"},
	{Name: "news", Label: "What is new", File: newsFile},
	{Name: "older-interface", Label: "Older interface", File: "guides/older-interface.md"},
}

// Files contains the Markdown files of Guides. It also contains a file errors/CODE.md for each error code of the REST
// API, with causes and advice.
//
//go:embed guides/*.md errors/*.md
var Files embed.FS

// ErrorFolder is the folder in Files with the pages about error codes.
const ErrorFolder = "errors"
