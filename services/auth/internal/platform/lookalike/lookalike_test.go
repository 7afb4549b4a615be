package lookalike

import "testing"

func TestLookalikeIsFound(t *testing.T) {
	t.Parallel()
	names := New("Vitae", "Vitae Console", "توظيف", "Émile & Co")
	for _, name := range []string{
		"Vitae", "vitae", "VITAE", "ViTaE", " Vitae ", "V i t a e", "Vitae.", "VlTAE", "V1TAE", "Vit\u0430e", "V\u0456tae", "\uff36\uff49\uff54\uff41\uff45",
		"\U0001d415\U0001d422\U0001d42d\U0001d41a\U0001d41e", "Vi\u200btae", "Vi\u00adtae", "\u3164Vitae", "Vitae-Console", "VITAE C0NSOLE", "vitae conso1e",
		"Vitae™", "Vitae℠", "Vitae®", "Vitae\U0001f16a", "\U0001f145\U0001f138tae", "\U0001f185\U0001f178\U0001f183\U0001f170\U0001f174",
		"\U0001f165\U0001f158\U0001f163\U0001f150\U0001f154", "\U0001f1fb\U0001f1ee\U0001f1f9\U0001f1e6\U0001f1ea", "vitae\u0336",
		"v\u0338i\u0338t\u0338a\u0338e\u0338", "v\u20e3itae", "vita\u20dde", "vi\u20d2tae", "...", "\u2615", " ", "™", "توظيف", "تو\u200dظيف", "emile & co.",
	} {
		found := names.Has(name)
		if want := name != "emile & co."; found != want { // an accent is visible, so the names are distinguishable
			t.Errorf("%q: %v", name, found)
		}
	}
	for _, name := range []string{"Curriculum Vitae Builder", "Vita", "Vitae 2", "Console", "Vital", "TM", "Vítae"} {
		if names.Has(name) {
			t.Errorf("%q looks like one of the names", name)
		}
	}
}

func TestMemoComputesOnlyNewKeys(t *testing.T) {
	t.Parallel()
	var m Memo
	for _, names := range [][]string{{"Acme", "Globex"}, {"Acme"}, {"Acme", "Initech"}, nil, {"Globex"}} {
		set := m.New(names...)
		for _, name := range []string{"ACME", "globex", "1nitech"} {
			if want := New(names...).Has(name); set.Has(name) != want {
				t.Errorf("%s among %q: %v", name, names, !want)
			}
		}
		if len(m.keys) != len(names) {
			t.Errorf("keys of %d names are stored for %q", len(m.keys), names)
		}
	}
	m.keys["Globex"] = []string{"kept"}
	if _, found := m.New("Globex", "Acme")["kept"]; !found {
		t.Error("the keys of a cached name were computed again")
	}
}

func TestTableMatchesUnicode(t *testing.T) {
	t.Parallel()
	all := confusables()
	if len(all) != 6565 || all['\u0430'] != "a" || all['1'] != "l" || all['\u33c2'] != "" && all['m'] != "rn" {
		t.Errorf("%d entries, %q, %q, %q", len(all), all['\u0430'], all['1'], all['m'])
	}
}
