package public

import (
	"strings"
)

// socialPreview is the preview that other sites and messaging apps show for a linked page (Open
// Graph protocol, ogp.me).
type socialPreview struct {
	Title, Description string
	// URL is the URL of the page. Image is the URL of the photo, or "" if there is none.
	URL, Image string
	// Locale is the locale of the content, in Open Graph format.
	Locale string
}

// maxDescription is the maximum number of characters in a preview's description.
const maxDescription = 200

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

// describe returns the person's headline and location, or the beginning of the summary if there is
// neither.
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
	if all := []rune(text); len(all) > maxDescription {
		return string(all[:maxDescription]) + "…"
	}
	return text
}
