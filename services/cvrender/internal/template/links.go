package template

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// link is an email address, a phone number or a URL. It is written from left to right in every language.
type link struct {
	// Label is the name of the platform. It is "" if the text already shows the name.
	Label string
	Text  string
	// Href is "" for text without a link.
	Href template.URL
}

// phonePlatform is the key of the phone number in the socials (behaviour: sharing#telephone-links).
const phonePlatform = "phone"

// platforms are the known platforms, in display order.
var platforms = []struct{ key, label string }{
	{"website", "Web"}, {"portfolio", "Portfolio"}, {"linkedin", "LinkedIn"}, {"github", "GitHub"}, {"gitlab", "GitLab"},
	{"behance", "Behance"}, {"dribbble", "Dribbble"}, {"medium", "Medium"}, {"stackoverflow", "Stack Overflow"},
	{"x", "X"}, {"twitter", "X"}, {"instagram", "Instagram"}, {"facebook", "Facebook"}, {"youtube", "YouTube"},
	{"tiktok", "TikTok"}, {"telegram", "Telegram"}, {"whatsapp", "WhatsApp"},
}

// contacts returns the contact details in a fixed order, so the document is the same in every rendering.
func contacts(c *cvv1.SharedCv) []link {
	var out []link
	d := c.GetDocument()
	if email := d.GetContactEmail().GetValue(); email != "" {
		out = append(out, link{Text: email, Href: template.URL("mailto:" + url.PathEscape(email))})
	}
	if phone := d.GetSocials()[phonePlatform]; phone != "" {
		out = append(out, link{Text: phone, Href: telephone(phone)})
	}
	if page := cmp.Or(d.GetPublicCvUrl().GetValue(), c.GetPublicProfileUrl().GetValue()); page != "" {
		out = append(out, webLink("", page))
	}
	for _, key := range socialKeys(d.GetSocials()) {
		out = append(out, webLink(platformLabel(key), d.GetSocials()[key]))
	}
	return out
}

// socialKeys returns the platforms that have a link. The known ones come first, followed by the others by
// name.
func socialKeys(socials map[string]string) []string {
	rank := func(key string) int {
		for i, p := range platforms {
			if strings.EqualFold(p.key, key) {
				return i
			}
		}
		return len(platforms)
	}
	var keys []string
	for key, value := range socials {
		if key != phonePlatform && strings.TrimSpace(value) != "" {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return keys
}

func platformLabel(key string) string {
	for _, p := range platforms {
		if strings.EqualFold(p.key, key) {
			return p.label
		}
	}
	r, size := utf8.DecodeRuneInString(key)
	return string(unicode.ToUpper(r)) + key[size:]
}

// webLink formats a URL as a link with a short text. Other values, such as handles or URLs with other
// schemes, become plain text after the label.
func webLink(label, value string) link {
	u, err := url.Parse(strings.TrimSpace(value))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return link{Label: label, Text: value}
	}
	text := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(value), u.Scheme+"://"), "www.")
	return link{Text: strings.TrimSuffix(text, "/"), Href: template.URL(u.String())}
}

// telephone returns the tel: URL for a phone number (RFC 3966).
func telephone(number string) template.URL {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '+' {
			return r
		}
		return -1
	}, number)
	if digits == "" {
		return ""
	}
	return template.URL("tel:" + digits)
}
