// Package docs embeds the pages for partners, so that the repository and the gateway, at
// {app_url}/docs, have the same text.
//
// The guides are Markdown. Links between guides are links between files, and addresses
// are those of `make run` (BaseURL, AppURL, LegacyURL, ConsoleURL). The gateway replaces both when
// it serves the guides (behaviour: pages#partner-pages).
//
// Only the guides and the texts of the codes are embedded. The other pages of this folder are for developers and
// operators of Vitae and must never be served.
package docs

import "embed"

// Addresses of the local stack that the guides name.
const (
	BaseURL    = "http://127.0.0.1:8080"
	AppURL     = "http://127.0.0.1:8081"
	LegacyURL  = "http://127.0.0.1:8082"
	ConsoleURL = "http://127.0.0.1:8083"
)

// Guide is one page.
type Guide struct {
	// Name is the last element of its path below /docs, "" for the first page.
	Name string
	// Label is its short name in the list of pages, where there is little room.
	Label string
	// File is its path in Files.
	File string
}

// Guides lists all pages in the order of the list of pages.
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

// Files contains the Markdown files of Guides, and in errors/ one CODE.md for each error code
// of the REST API, with causes and advice. Their links lead to guides.
//
//go:embed guides/*.md errors/*.md
var Files embed.FS

// ErrorFolder is the folder of Files with the texts of the codes.
const ErrorFolder = "errors"
