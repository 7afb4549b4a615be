package answer

import "testing"

func TestPublicCodesHaveTexts(t *testing.T) {
	for code := range statuses {
		if text, known := TextOf(code); !known || text.Means == "" || text.Message == "" {
			t.Errorf("partners read nothing about %s", code)
		}
	}
	for code := range texts {
		if _, public := StatusOf(code); !public {
			t.Errorf("%s is explained and never answered", code)
		}
	}
}
