package company

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
)

func TestSlugIsDerivedFromName(t *testing.T) {
	for name, want := range map[string]string{
		"Acme":                    "acme",
		"Acme 2":                  "acme-2",
		"  Acme,  Inc. ":          "acme-inc",
		"AT&T":                    "at-t",
		"McDonald's":              "mcdonalds",
		"L’Oréal":                 "loreal",
		"Rock ’n’ Roll":           "rock-n-roll",
		"--acme--":                "acme",
		"snake_case":              "snake-case",
		"Société Générale":        "societe-generale",
		"Société":                 "societe",
		"Müller & Söhne":          "muller-sohne",
		"Straße":                  "strasse",
		"Ærø Øl Łódź Đà Nẵng":     "aero-ol-lodz-da-nang",
		"İstanbul ısı":            "istanbul-isi",
		"ＡＣＭＥ ﬁnance":             "acme-finance",
		"x̂y":                     "xy",
		"2024":                    "2024",
		"Acme شركة":               "acme",
		"Acme Газ 7":              "acme-7",
		"Acme ٢٠٢٤":               "acme-2024",
		"شركة المستقبل":           "shrka-almstqbl",
		"مَكْتَب":                 "mktb",
		"ﻻﻣﻊ":                     "lama",
		"مؤسسة ١٢٣":               "mwssa-123",
		"مصــرف أبوظبي":           "msrf-abwzby",
		"شرکت پارس چوگان":         "shrkt-pars-chwgan",
		"Газпром":                 "gazprom",
		"Щелково-7":               "shchelkovo-7",
		"Ελλάδα":                  "ellada",
		"北京":                      "bei-jing",
		"서울":                      "seoul",
		"(12) شركة":               "12-shrka",
		"a\u200bb":                "ab",
		"🚀 Rocket 🚀":              "rocket",
		strings.Repeat("a", 65):   strings.Repeat("a", 64),
		strings.Repeat("ab ", 30): strings.TrimRight(strings.Repeat("ab-", 22)[:64], "-"),
	} {
		if got := deriveSlug(name); got != want {
			t.Errorf("deriveSlug(%q) = %q, want %q", name, got, want)
		}
	}
}

var random = regexp.MustCompile(`^company-[a-z]{8}$`)

func TestUnspellableNameGetsRandomLetters(t *testing.T) {
	for _, name := range []string{"", "!!!", "🚀", "---", "\u200b", "ـ", "ء", "\U000F0000"} {
		first, second := deriveSlug(name), deriveSlug(name)
		if !random.MatchString(first) || !random.MatchString(second) || first == second {
			t.Errorf("deriveSlug(%q) = %q, then %q, want two random slugs", name, first, second)
		}
	}
}

func TestStemLeavesRoomForNumber(t *testing.T) {
	for slug, want := range map[string]string{
		"acme":                           "acme",
		strings.Repeat("a", 64):          strings.Repeat("a", 53),
		strings.Repeat("a", 52) + "-bbb": strings.Repeat("a", 52),
	} {
		if got := stemOf(slug); got != want {
			t.Errorf("stemOf(%q) = %q, want %q", slug, got, want)
		}
	}
}

func TestArabicTableMapsArabicToASCII(t *testing.T) {
	for r, spelt := range arabic {
		if !unicode.In(r, unicode.Arabic) && r != 'ـ' || spell(string(r)) != spelt {
			t.Errorf("%q maps to %q, but spell returns %q", r, spelt, spell(string(r)))
		}
	}
}

func FuzzDeriveSlug(f *testing.F) {
	for _, name := range []string{"Acme", "شركة المستقبل", "Ünï", "\xff", "a-", "北京", "\u0301", "'", strings.Repeat("ß", 200)} {
		f.Add(name)
	}
	spelt := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	f.Fuzz(func(t *testing.T, name string) {
		slug := deriveSlug(name)
		if len(slug) > maxSlug || !spelt.MatchString(slug) || !slugForm.MatchString(slug) {
			t.Errorf("deriveSlug(%q) = %q, which is not a valid slug", name, slug)
		}
		if again := deriveSlug(slug); again != slug {
			t.Errorf("deriveSlug(%q) = %q, from which it derives %q", name, slug, again)
		}
		if stem := stemOf(slug); stem == "" || len(stem) > maxStem || !strings.HasPrefix(slug, stem) {
			t.Errorf("name %q: slug %q has the stem %q", name, slug, stem)
		}
	})
}
