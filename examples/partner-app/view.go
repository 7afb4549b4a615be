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

// notice is shown once, on the page after the one that caused it.
type notice struct {
	Text        string
	Connections string // where Vitae lists the connections, if the notice is about them
}

// cvView is what the page of a signed-in person shows.
type cvView struct {
	Me       me
	CV       *sharedCV
	NoCV     string // why there is no CV
	Raw      string // the CV as it came
	Requests []request
}

// request is a line of the page's "what happened" list.
type request struct {
	Line      string
	Condition string // the ETag sent
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

// shortenImages spares the reader the body of an inline photo.
var shortenImages = regexp.MustCompile(`("data:image/[a-z]+;base64,[A-Za-z0-9+/]{24})[A-Za-z0-9+/=]+`)

// inlineImage is the only kind of data: URL that is let into a page.
var inlineImage = regexp.MustCompile(`^data:image/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$`)

var viewFuncs = template.FuncMap{
	"moment": moment,
	// photo lets inline images pass, which html/template would refuse. Anything
	// else goes through its check of addresses.
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
	// words turns dateOfBirth into "date of birth".
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

// moment writes an instant of the API (RFC 3339) for people, in UTC.
func moment(instant string) string {
	t, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return instant
	}
	return t.UTC().Format("2 January 2006, 15:04 UTC")
}

// month writes a date of a CV, "2025-09" or "2025", for people. Days are left out.
func month(date string) string {
	if len(date) >= len("2006-01") {
		if t, err := time.Parse("2006-01", date[:len("2006-01")]); err == nil {
			return t.Format("Jan 2006")
		}
	}
	return date
}
