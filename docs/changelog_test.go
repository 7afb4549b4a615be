package docs_test

import (
	"regexp"
	"strings"
	"testing"
)

// release is a section of the changelog: "Unreleased", or a version with its day.
type release struct{ name, text string }

var versionHeading = regexp.MustCompile(`^(v\d+\.\d+\.\d+(?:-rc\.\d+)?), \d{1,2} [A-Z][a-z]+ 20\d\d$`)

// releases gives the sections of a changelog, and what is wrong with their headings.
func releases(changelog string) (all []release, faults []string) {
	parts := strings.Split(changelog, "\n## ")
	for _, part := range parts[1:] {
		heading, text, _ := strings.Cut(part, "\n")
		name := heading
		if m := versionHeading.FindStringSubmatch(heading); m != nil {
			name = m[1]
		} else if heading != "Unreleased" {
			faults = append(faults, "the changelog has a section "+heading+", which is neither Unreleased nor a version with its day")
		}
		all = append(all, release{name, text})
	}
	return all, faults
}

// concerned are those by whom changes are listed, in their order.
var concerned = []string{"Partners", "People", "Operators", "Internal teams", "Developers of Vitae"}

// notesFaults says what a section of the changelog, and its chapter of the upgrade notes,
// lack. A section with changes for operators leads to what they have to do.
func notesFaults(r release, upgrading string) (faults []string) {
	at := 0
	for part := range strings.SplitSeq("\n"+r.text, "\n### ") {
		whom, text, _ := strings.Cut(part, "\n")
		if strings.TrimSpace(part) == "" {
			continue
		}
		for at < len(concerned) && concerned[at] != whom {
			at++
		}
		if at == len(concerned) {
			faults = append(faults, r.name+": the changelog has a part "+whom+", which is none of those it has in their order")
			at = 0
		}
		link := "(docs/upgrading.md#" + strings.ToLower(strings.ReplaceAll(r.name, ".", "")) + ")"
		if whom == "Operators" && !strings.Contains(text, link) {
			faults = append(faults, r.name+": what concerns operators has no link "+link)
		}
	}
	if !strings.Contains(upgrading, "\n## "+r.name+"\n") {
		faults = append(faults, r.name+": docs/upgrading.md has no chapter of it")
	}
	return faults
}

func TestEveryReleaseTellsOperatorsWhatTheyHaveToDo(t *testing.T) {
	r := repository(t)
	all, faults := releases(strings.Join(r.lines["CHANGELOG.md"], "\n"))
	upgrading := strings.Join(r.lines["docs/upgrading.md"], "\n")
	if len(all) == 0 || all[0].name != "Unreleased" {
		t.Fatal("the changelog does not begin with what is unreleased")
	}
	for _, one := range all {
		faults = append(faults, notesFaults(one, upgrading)...)
	}
	for _, what := range faults {
		t.Error(what)
	}
}

func TestAReleaseWithoutUpgradeNotesIsFound(t *testing.T) {
	const notes = "# Upgrading\n\n## Unreleased\n\n## v1.2.0\n"
	for _, c := range []struct{ changelog, want string }{
		{"# Changelog\n\n## v1.2.0, 1 December 2026\n\n### Operators\n\nSee [the notes](docs/upgrading.md#v120).\n", ""},
		{"# Changelog\n\n## Unreleased\n\n### Partners\n\n- A field.\n\n### Operators\n\n[Notes](docs/upgrading.md#unreleased)\n", ""},
		{"# Changelog\n\n## v1.2.0, 1 December 2026\n\n### Partners\n\n- A field.\n", ""},
		{"# Changelog\n\n## v1.2.0, 1 December 2026\n\n### Operators\n\n- A setting.\n", "has no link"},
		{"# Changelog\n\n## v1.2.0, 1 December 2026\n\n### Operators\n\n[Notes](docs/upgrading.md#unreleased)\n", "has no link"},
		{"# Changelog\n\n## v1.3.0, 1 December 2026\n\n### Partners\n\n- A field.\n", "no chapter of it"},
		{"# Changelog\n\n## v1.2.0\n\n### Partners\n\n- A field.\n", "neither Unreleased nor a version"},
		{"# Changelog\n\n## v1.2.0, 1 December 2026\n\n### Operators\n\n(docs/upgrading.md#v120)\n\n### Partners\n\n- A field.\n", "in their order"},
	} {
		all, faults := releases(c.changelog)
		for _, one := range all {
			faults = append(faults, notesFaults(one, notes)...)
		}
		got := strings.Join(faults, "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%q: %q, want %q", c.changelog, got, c.want)
		}
	}
}
