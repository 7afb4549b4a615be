package application_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"vitae.internal/services/candidate/internal/application"
)

func TestSearchMatchesSpellings(t *testing.T) {
	for _, c := range []struct{ name, text, query string }{
		{"case", "Sara Haddad", "sARA hAD"},
		{"inside a word", "Sara Haddad", "adda"},
		{"accents", "Élodie Müller-Núñez", "elodie muller-nunez"},
		{"accents in the query", "Jose", "José"},
		{"composed and decomposed", norm.NFC.String("Zoë"), norm.NFD.String("Zoë")},
		{"letters that do not decompose", "Łukasz Øster Þór Æsa Đorđe", "lukasz oster thor aesa dorde"},
		{"sharp s", "Straße", "STRASSE"},
		{"Turkish i", "Işık İnan", "isik inan"},
		{"final sigma", "Οδυσσέας", "ΟΔΥΣΣΕΑΣ"},
		{"full width", "Ｓａｒａ", "sara"},
		{"ligature", "ﬁnance", "finance"},
		{"spaces", "  Sara \t  Haddad ", "sara haddad"},
		{"space that does not break", "Sara\u00a0Haddad", "sara haddad"},
		{"invisible characters", "Sa\u200bra\u200e", "sara"},
		{"alef forms", "أحمد إبراهيم آمنة ٱلله", "احمد ابراهيم امنه الله"},
		{"taa marbuta", "فاطمة", "فاطمه"},
		{"alef maqsura", "مصطفى", "مصطفي"},
		{"Farsi letters", "علی کمال", "علي كمال"},
		{"hamza on a seat", "رؤى وائل", "روي وايل"},
		{"vowel signs", "مُحَمَّد", "محمد"},
		{"tatweel", "محـــمد", "محمد"},
		{"presentation forms", "ﻣﺤﻤﺪ", "محمد"},
		{"Arabic digits", "١٢٣ ۴۵۶", "123 456"},
		{"e-mail", "Sara@Example.COM", "@example"},
	} {
		if text, query := application.Fold(c.text), application.Fold(c.query); query == "" || !strings.Contains(text, query) {
			t.Errorf("%s: %q does not match %q", c.name, query, text)
		}
	}
}

func TestSearchDistinguishesLetters(t *testing.T) {
	for _, c := range [][2]string{{"Sara", "Zara"}, {"حسن", "حسين"}, {"ذكي", "زكي"}, {"10", "١١"}} {
		if application.Fold(c[0]) == application.Fold(c[1]) {
			t.Errorf("%q and %q both fold to %q", c[0], c[1], application.Fold(c[0]))
		}
	}
}

func TestCombiningMarkFoldsToNothing(t *testing.T) {
	for _, s := range []string{"", " \n", "َ", "ـــ", "\u200f"} {
		if folded := application.Fold(s); folded != "" {
			t.Errorf("%q folds to %q", s, folded)
		}
	}
}

func TestQueryDoesNotSpanParts(t *testing.T) {
	text := application.SearchText("Sara Haddad", "haddad@example.com", "Engineer")
	for _, query := range []string{"haddad haddad@", "haddad\nhaddad@", "haddadhaddad", "com engineer", "comengineer"} {
		if strings.Contains(text, application.Fold(query)) {
			t.Errorf("%q matches %q", query, text)
		}
	}
}

func TestFoldIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		once := application.Fold(s)
		if again := application.Fold(once); again != once {
			t.Fatalf("Fold returns %q, and then %q", once, again)
		}
		if strings.ContainsAny(once, "\n\x00") || strings.TrimSpace(once) != once || !utf8.ValidString(once) {
			t.Fatalf("the folded text %q contains a separator, surrounding spaces or invalid UTF-8", once)
		}
	})
}

func TestSearchFindsFamilyNameFirst(t *testing.T) {
	t.Parallel()
	for query, want := range map[string][]string{
		"layla": {"layla"}, "Haddad, Layla": {"haddad, layla", "layla haddad"}, "Haddad Layla": {"haddad layla", "layla haddad"},
		"Al Mansoori Noura": {"al mansoori noura", "mansoori noura al", "noura al mansoori"}, "المنصوري، نورة": {"المنصوري، نوره", "نوره المنصوري"},
		"Haddad,": {"haddad,"},
	} {
		if got := application.Orders(application.Fold(query)); !slices.Equal(got, want) {
			t.Errorf("the orders of %s are %q, want %q", query, got, want)
		}
	}
}
