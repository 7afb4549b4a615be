package public

import (
	"testing"
)

func TestLinkPlatformsHaveNames(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"linkedin": "LinkedIn", "github": "GitHub", "GitHub": "GitHub", "behance": "Behance", "x": "X", "موقعي": "موقعي", "": ""} {
		if got := platformName(key); got != want {
			t.Errorf("the platform %q is named %q", key, got)
		}
	}
}
