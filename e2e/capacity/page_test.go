package capacity_test

import (
	"os"
	"strings"
	"testing"

	"vitae.internal/e2e/capacity"
)

const page = "../../docs/scale.md"

// The page is written by `make scale`, and must not be older than the files.
func TestThePageHasTheTablesOfTheFiles(t *testing.T) {
	c, err := capacity.ReadCoefficients("coefficients.json")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := capacity.ReadPlan("scenarios.json", c)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	filled, err := capacity.FillPage(string(text), capacity.Tables(c, plan))
	if err != nil {
		t.Fatal(err)
	}
	if filled != string(text) {
		t.Error("docs/scale.md is not what the files of e2e/capacity give: run `make scale`")
	}
}

func TestEveryTableHasOnePlaceOnAPage(t *testing.T) {
	one := map[string]string{"a": "| x |\n"}
	place := "before\n<!-- capacity: a -->\nold\n<!-- end -->\nafter\n"
	got, err := capacity.FillPage(place, one)
	if want := "before\n<!-- capacity: a -->\n\n| x |\n\n<!-- end -->\nafter\n"; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	if again, err := capacity.FillPage(got, one); err != nil || again != got {
		t.Errorf("a second time: %q, %v", again, err)
	}
	for name, text := range map[string]string{
		"no place": "text\n", "two places": place + place, "no end": strings.Replace(place, "<!-- end -->", "", 1),
		"a place of no table": place + strings.Replace(place, ": a", ": b", 1),
	} {
		if _, err := capacity.FillPage(text, one); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestFiguresAreWrittenWithTwoDigitsThatCount(t *testing.T) {
	c, p := measured(), assumed()
	c.Rows[capacity.Profile] = capacity.Row{Database: "candidate", Table: 4321, Indexes: 98.7}
	rows := capacity.Tables(c, p)["rows"]
	if want := "| profile | candidate | 4.3 kB | 99 B | 4.4 kB |\n"; !strings.Contains(rows, want) {
		t.Errorf("%s\nhas no %s", rows, want)
	}
	steps := capacity.Tables(c, p)["steps"]
	for _, want := range []string{
		"| people | small | large |\n", "| gateway: cores in use, replicas | 0.02, 2 | 2, 2 |\n", "| auth: cores in use, replicas | 0.05, 2 | 5, 5 |\n",
		"| Postgres of candidate: disk | 6.6 MB | 660 MB |\n", "| calls a second at the busiest time | 100 | 10,000 |\n", "| Postgres of auth: cores in use | below 0.01 | 0.06 |\n",
	} {
		if !strings.Contains(steps, want) {
			t.Errorf("%s\nhas no %s", steps, want)
		}
	}
}
