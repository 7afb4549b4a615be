package direction

import "testing"

func TestFirstLetterDecidesDirection(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Khalid خالد بن سعيد العتيبي": LeftToRight, "مسؤول عن البيانات and for all the forecasts": RightToLeft,
		"(2020) خبرة في Go": RightToLeft, "• Go": LeftToRight, "2020 – 2021": "", "": "",
	} {
		if got := Of(text); got != want {
			t.Errorf("Of(%q) = %q, want %q", text, got, want)
		}
	}
}
