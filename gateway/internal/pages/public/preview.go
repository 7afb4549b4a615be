package public

import (
	"strings"
)

// socialPreview is what sites and messengers show of a linked page (Open Graph
// protocol, ogp.me).
type socialPreview struct {
	Title, Description string
	// URL is the address of the page, Image that of the photo, "" for none.
	URL, Image string
	// Locale is that of the content, in the form of the protocol.
	Locale string
}

// mostDescribed is how many characters of a text a preview has.
const mostDescribed = 200

func previewOf(appURL, path, title string, v View) socialPreview {
	p := socialPreview{Title: title, Description: describe(v), URL: appURL + path, Image: string(v.Photo), Locale: "en_US"}
	if strings.HasPrefix(p.Image, "data:") {
		p.Image = appURL + "/p/" + v.Username + "/photo"
	}
	if v.Language == "ar" {
		p.Locale = "ar_AE"
	}
	return p
}

// describe is the headline and the place of a person, or else how their summary begins.
func describe(v View) string {
	var parts []string
	for _, one := range []string{v.Headline, v.Doc.GetLocation().GetValue()} {
		if one != "" {
			parts = append(parts, one)
		}
	}
	text := strings.Join(parts, " · ")
	if text == "" {
		text = strings.Join(strings.Fields(v.Doc.GetSummary().GetValue()), " ")
	}
	if all := []rune(text); len(all) > mostDescribed {
		return string(all[:mostDescribed]) + "…"
	}
	return text
}
