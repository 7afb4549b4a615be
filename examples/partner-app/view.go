package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"strings"
	"time"
)

// notice is a message that the next page shows once.
type notice struct {
	Text        string
	Connections string // URL of the Vitae page that lists connections, or "" to show no link
}

// cvView is the content of the page for a signed-in person.
type cvView struct {
	Me       me
	CV       *sharedCV
	NoCV     string // the reason why there is no CV
	Raw      string // the CV as JSON
	Requests []request
}

// request is a line in the page's list "How this page was made".
type request struct {
	Line      string
	Condition string // the ETag that was sent
	Status    int
	RequestID string
}

func (v *cvView) record(path, etag string, a answer) {
	v.Requests = append(v.Requests, request{Line: "GET " + path, Condition: etag, Status: a.Status, RequestID: a.RequestID})
}

func (v *cvView) setCV(data json.RawMessage) error {
	v.CV = &sharedCV{}
	if err := json.Unmarshal(data, v.CV); err != nil {
		return fmt.Errorf("the CV: %w", err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, data, "", "  "); err != nil {
		return fmt.Errorf("the CV: %w", err)
	}
	v.Raw = shortenImages.ReplaceAllString(indented.String(), "$1…")
	return nil
}

// shortenImages matches inline photos in the JSON, which the page shows shortened.
var shortenImages = regexp.MustCompile(`("data:image/[a-z]+;base64,[A-Za-z0-9+/]{24})[A-Za-z0-9+/=]+`)

// inlineImage matches the only data: URLs that a page may contain.
var inlineImage = regexp.MustCompile(`^data:image/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$`)

var viewFuncs = template.FuncMap{
	"moment": moment,
	// photo marks inline images as safe, because html/template would reject them. For all other URLs, html/template
	// decides.
	"photo": func(address string) any {
		if inlineImage.MatchString(address) {
			return template.URL(address)
		}
		return address
	},
	"direction": func(language string) string {
		if language == "ar" {
			return "rtl"
		}
		return "ltr"
	},
	"period": func(start, end *string, current bool) string {
		var parts []string
		if start != nil {
			parts = append(parts, month(*start))
		}
		switch {
		case current:
			parts = append(parts, "Present")
		case end != nil:
			parts = append(parts, month(*end))
		}
		return strings.Join(parts, " – ")
	},
	"initial": func(name string) string {
		for _, r := range name {
			return string(r)
		}
		return ""
	},
	// words converts dateOfBirth to "date of birth".
	"words": func(camel string) string {
		var b strings.Builder
		for _, r := range camel {
			if r >= 'A' && r <= 'Z' {
				b.WriteByte(' ')
			}
			b.WriteRune(r)
		}
		return strings.ToLower(b.String())
	},
}

// moment formats a time from the API (RFC 3339) in words, in UTC.
func moment(instant string) string {
	t, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return instant
	}
	return t.UTC().Format("2 January 2006, 15:04 UTC")
}

// month formats a date in a CV, such as "2025-09" or "2025", in words, without the day.
func month(date string) string {
	if len(date) >= len("2006-01") {
		if t, err := time.Parse("2006-01", date[:len("2006-01")]); err == nil {
			return t.Format("Jan 2006")
		}
	}
	return date
}
