package format

import (
	"encoding/base64"
	"regexp"
	"strings"

	"vitae.internal/pkg/fault"
)

const (
	// MaxLink is the maximum length of a URL in characters.
	MaxLink = 2048
	// MaxInlineImage is the maximum size of a decoded inline image in bytes.
	MaxInlineImage = 512 << 10
)

// Link checks that s is empty, or an absolute http or https URL with a host and without
// credentials.
func Link(faults *fault.List, path, s string) {
	if s == "" || !faults.Text(path, s, MaxLink) {
		return
	}
	if !fault.IsLink(s) {
		faults.Add(path, "must be an http or https URL with a host")
	}
}

// inlineImage matches the beginning of a data URL that contains an image. The types that it
// matches, unlike SVG, cannot contain scripts or references.
var inlineImage = regexp.MustCompile(`^data:image/(png|jpeg|webp|gif);base64,`)

// Image checks that s is empty, a link, or a data URL that contains a PNG, JPEG, WebP or GIF of at
// most MaxInlineImage bytes.
func Image(faults *fault.List, path, s string) {
	start := inlineImage.FindString(s)
	if start == "" {
		Link(faults, path, s)
		return
	}
	body := s[len(start):]
	if base64.StdEncoding.DecodedLen(len(body)) > MaxInlineImage+2 {
		faults.Add(path, "must hold an image of at most %d bytes", MaxInlineImage)
		return
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(body)
	switch {
	case err != nil || len(raw) == 0 || strings.ContainsAny(body, "\r\n"):
		faults.Add(path, "must hold its image in base64")
	case len(raw) > MaxInlineImage:
		faults.Add(path, "must hold an image of at most %d bytes", MaxInlineImage)
	}
}
