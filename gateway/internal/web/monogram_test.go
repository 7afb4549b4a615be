package web

import "testing"

func TestMonogramsFitScript(t *testing.T) {
	for name, want := range map[string]string{
		"Acme Jobs": "AJ", "ليلى حداد": "ل", "  x ": "X", "": "·", "«Noor» (HR) Dept": "NH", "7 Seas": "7", "Élan vital": "ÉV",
	} {
		if got := initials(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
