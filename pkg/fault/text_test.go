package fault

import "testing"

// An invisible name would be misleading, for example on a consent page.
func TestInvisibleCharactersAreBlank(t *testing.T) {
	for _, blank := range []string{
		"", " \t\n", "\u00a0\u3000", "\u200b\u200d\ufeff", "\u00ad\u180e\u2060", "\u200f\u061c", "\u202e", "\U000e0041",
		"\u3164", "\uffa0", "\u115f\u1160", "\u17b4\u17b5", "\u034f", "\ufe0f", "\U000e0100", "\u180b", "\u2800", " \u3164\u2800\ufe0f ",
	} {
		if !IsBlank(blank) {
			t.Errorf("%+q is not blank", blank)
		}
	}
	for _, text := range []string{"x", "\u0648", "\uac00", "\u2801", ".", "\u0301", "\u263a\ufe0f", "\u200fx", "\x00"} {
		if IsBlank(text) {
			t.Errorf("%+q is blank", text)
		}
	}
}
