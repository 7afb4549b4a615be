package console

import (
	"slices"
	"strings"
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// textsOf are the entries of a select, the chosen one in brackets.
func textsOf(options []option) (texts []string) {
	for _, o := range options {
		if o.Chosen {
			o.Text = "[" + o.Text + "]"
		}
		texts = append(texts, o.Text)
	}
	return texts
}

func TestAppsAndKeysAreNamedInOneWay(t *testing.T) {
	t.Parallel()
	u := newUsed()
	c := &Console{parts: parts{developers: u}}
	k, err := c.readCatalog(t.Context(), "dev_1", now.AddDate(0, 0, -30), "")
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"app_1": "<b>Web", "app_2": "Old (deleted)", "app_3": "Ancient (deleted)", "app_9": "app_9", "": ""} {
		if got := k.appName(id); got != want {
			t.Errorf("app %s is %q, want %q", id, got, want)
		}
	}
	for id, want := range map[string]string{liveKey: "ats", goneKey: "sync (deleted)", "key_3": "twin …aaaa", "key_4": "twin …bbbb", "key_9": "key_9", "": tokensText, anyToken: tokensText} {
		if got := k.keyName(id); got != want {
			t.Errorf("key %s is %q, want %q", id, got, want)
		}
	}
	if !k.lives("app_1") || k.lives("app_2") || k.lives("app_9") || k.onlyApp() != "app_1" || k.appOf("key_3") != "app_1" || k.appOf("key_9") != "" {
		t.Error("what lives, or whose a key is, is wrong")
	}
}

func TestAppsOfOneNameAreToldApart(t *testing.T) {
	t.Parallel()
	app := func(id, name string) *authv1.App { return &authv1.App{Id: id, Name: name} }
	k := &catalog{apps: []*authv1.App{app("app_01jdaaaa", "Web"), app("app_01jdbbbb", "Web"), app("app_01jdcccc", "Sync")}, app: map[string]*authv1.App{}}
	for _, a := range k.apps {
		k.app[a.GetId()] = a
	}
	if got := strings.Join(textsOf(k.appOptions("")), ", "); got != "[All apps], Web …aaaa, Web …bbbb, Sync" {
		t.Errorf("the filter offers %s", got)
	}
}

func TestTheChoicesOfAFilterAreWhatMayHaveBeenUsedAndWhatIsChosen(t *testing.T) {
	t.Parallel()
	u := newUsed()
	c := &Console{parts: parts{developers: u}}
	for _, tc := range []struct {
		since    time.Time
		app, key string
		apps     []string
		keys     [][]string
	}{
		{now.AddDate(0, 0, -30), "", "", []string{"[All apps]", "<b>Web", "Old (deleted)"},
			[][]string{{"[All keys]", tokensText}, {"ats", "twin …aaaa", "twin …bbbb"}, {"sync (deleted)"}}},
		{now, "app_1", "key_4", []string{"All apps", "[<b>Web]"}, [][]string{{"All keys", tokensText}, {"ats", "twin …aaaa", "[twin …bbbb]"}}},
		{now.AddDate(0, 0, -30), "app_9", anyToken, []string{"All apps", "<b>Web", "Old (deleted)", "[app_9]"}, [][]string{{"All keys", "[" + tokensText + "]"}}},
		{now, "app_3", "key_9", []string{"All apps", "<b>Web", "[Ancient (deleted)]"}, [][]string{{"All keys", tokensText, "[key_9]"}}},
	} {
		k, err := c.readCatalog(t.Context(), "dev_1", tc.since, tc.app)
		if err != nil {
			t.Fatal(err)
		}
		if got := textsOf(k.appOptions(tc.app)); !slices.Equal(got, tc.apps) {
			t.Errorf("%s, %s: the apps are %q, want %q", tc.app, tc.key, got, tc.apps)
		}
		groups := k.keyOptions(tc.app, tc.key)
		if len(groups) != len(tc.keys) {
			t.Errorf("%s, %s: %d groups of keys, want %d", tc.app, tc.key, len(groups), len(tc.keys))
			continue
		}
		for i, group := range groups {
			if got := textsOf(group.Options); !slices.Equal(got, tc.keys[i]) {
				t.Errorf("%s, %s: the keys of %q are %q, want %q", tc.app, tc.key, group.Label, got, tc.keys[i])
			}
		}
	}
}

func TestDurationsHaveAsManyDigitsAsAreKnown(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration][2]string{
		0: {"0.0 ms", "0.0 ms"}, 1_250 * time.Microsecond: {"1.2 ms", "1.2 ms"}, 12_345 * time.Microsecond: {"12 ms", "12 ms"},
		1_234 * time.Millisecond: {"1.23 s", "1.2 s"}, 12_340 * time.Millisecond: {"12.3 s", "12 s"},
	} {
		if got := [2]string{measured(d), estimated(d)}; got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestATimespanIsReadFromDaysAndTimes(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		parsed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for written, want := range map[timespan][2]time.Time{
		{"2026-03-01", "2026-03-01"}:                            {at("2026-03-01T00:00:00Z"), at("2026-03-02T00:00:00Z")},
		{"2026-03-01T12:00", "2026-03-01 12:30:15"}:             {at("2026-03-01T12:00:00Z"), at("2026-03-01T12:30:15Z")},
		{"2026-03-01T12:00:00+04:00", "2026-03-01T12:00:00.5Z"}: {at("2026-03-01T08:00:00Z"), at("2026-03-01T12:00:00.5Z")},
	} {
		from, to, faults := written.read()
		if faults != nil || !from.AsTime().Equal(want[0]) || !to.AsTime().Equal(want[1]) {
			t.Errorf("%v is %v to %v, %v", written, from, to, faults)
		}
	}
	if from, to, faults := (timespan{}).read(); from != nil || to != nil || faults != nil {
		t.Errorf("nothing is %v to %v, %v", from, to, faults)
	}
	if _, _, faults := (timespan{"yesterday", "9999-12-31"}).read(); len(faults) != 2 || faults[0].Field != "from" || faults[1].Field != "to" {
		t.Errorf("%v", faults)
	}
}
