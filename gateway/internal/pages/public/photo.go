package public

import (
	"encoding/base64"
	"html/template"
	"net/url"
	"regexp"
	"strings"
)

// PhotoOf returns the photo's URL and the source expression that the page's Content-Security-Policy
// needs for it. Both are "" if the photo may not be shown. An inline photo needs no source
// expression, because every page's policy allows inline images.
func PhotoOf(address string) (photo template.URL, origin string) {
	if isInlineImage(address) {
		return template.URL(address), ""
	}
	origin, ok := imageOrigin(address)
	if !ok {
		return "", ""
	}
	return template.URL(address), origin
}

var imageHost = regexp.MustCompile(`^[a-zA-Z0-9.-]+(:[0-9]+)?$`)

// imageOrigin returns a source expression that matches only the host of an image, and whether the
// image may be shown.
func imageOrigin(image string) (string, bool) {
	u, err := url.Parse(image)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || !imageHost.MatchString(u.Host) {
		return "", false
	}
	return " " + u.Scheme + "://" + u.Host, true
}

var inlineImage = regexp.MustCompile(`^data:image/(?:png|jpeg|webp|gif);base64,([A-Za-z0-9+/]+={0,2})$`)

// inlineBytes returns the bytes and the media type of an inline photo, and whether it may be shown.
func inlineBytes(image string) (raw []byte, mediaType string, ok bool) {
	if !isInlineImage(image) {
		return nil, "", false
	}
	mediaType, body, _ := strings.Cut(strings.TrimPrefix(image, "data:"), ";base64,")
	raw, err := base64.StdEncoding.Strict().DecodeString(body)
	return raw, mediaType, err == nil
}

// isInlineImage reports whether image is a data URL of an image type that profiles support. SVG is
// not supported, because an SVG image can contain links.
func isInlineImage(image string) bool {
	m := inlineImage.FindStringSubmatch(image)
	if m == nil {
		return false
	}
	_, err := base64.StdEncoding.Strict().DecodeString(m[1])
	return err == nil
}
