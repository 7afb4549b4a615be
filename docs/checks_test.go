package docs_test

import (
	"path"
	"regexp"
	"strings"
)

// pagesFolder is the folder of the pages that citations refer to.
const pagesFolder = "docs/behaviour/"

var (
	// cited matches the start of a citation. If another character follows the colon, such as a bracket in a regular
	// expression, the word is not a citation.
	cited = regexp.MustCompile(`\bbehaviour:(?:$|[\sa-z0-9])`)
	// citation matches a citation in the form that docs/behaviour/README.md defines.
	citation = regexp.MustCompile(`^behaviour:\x20([a-z0-9-]+(?:#[a-z0-9-]+)?(?:, [a-z0-9-]+#[a-z0-9-]+)*)(.*)$`)
	// runsOn matches a string that must not follow a reference.
	runsOn = regexp.MustCompile(`^(?:[A-Z_#]|\.md)`)
)

// deadCitations returns an error for each citation that is malformed or has no target.
func (t *tree) deadCitations() []fault {
	var faults []fault
	for _, file := range t.files() {
		for i, line := range t.lines[file] {
			if !strings.Contains(line, "behaviour") {
				continue // fast path for most lines
			}
			for _, at := range cited.FindAllStringIndex(line, -1) {
				for _, what := range t.citationFaults(line[at[0]:]) {
					faults = append(faults, fault{file, i + 1, what})
				}
			}
		}
	}
	return faults
}

// citationFaults returns the errors in the citation at the start of text.
func (t *tree) citationFaults(text string) []string {
	m := citation.FindStringSubmatch(text)
	if m == nil || strings.TrimSpace(m[2]) == "," || runsOn.MatchString(m[2]) {
		return []string{"a citation must be on one line: the word, a colon, a space, page#anchor"}
	}
	var faults []string
	for reference := range strings.SplitSeq(m[1], ", ") {
		page, anchor, hasAnchor := strings.Cut(reference, "#")
		anchors, exists := t.anchors[pagesFolder+page+".md"]
		switch {
		case !exists:
			faults = append(faults, "cites "+reference+", but there is no page "+pagesFolder+page+".md")
		case hasAnchor && !anchors[anchor]:
			faults = append(faults, "cites "+reference+", but that page has no such heading")
		}
	}
	return faults
}

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	codeSpan = regexp.MustCompile("`+[^`]*`+")
	outside  = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)
)

// deadLinks returns an error for each link between Markdown files of the repository whose file or anchor does not
// exist.
func (t *tree) deadLinks() []fault {
	var faults []fault
	for _, file := range t.files() {
		if path.Ext(file) != ".md" {
			continue
		}
		for i, line := range outsideCode(t.lines[file]) {
			for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
				if what := t.linkFault(file, m[1]); what != "" {
					faults = append(faults, fault{file, i + 1, what})
				}
			}
		}
	}
	return faults
}

// linkFault returns the error in a link on a page, or "" if the link is valid.
func (t *tree) linkFault(page, target string) string {
	if outside.MatchString(target) {
		return ""
	}
	name, anchor, hasAnchor := strings.Cut(target, "#")
	to := page
	if name != "" {
		to = path.Join(path.Dir(page), name)
	}
	anchors, isPage := t.anchors[to]
	switch {
	case t.lines[to] == nil && !t.folders[to]:
		return "links to " + target + ", which does not exist"
	case hasAnchor && !isPage:
		return "links to an anchor in " + name + ", which is not a page"
	case hasAnchor && !anchors[anchor]:
		return "links to " + target + ", but that page has no such heading"
	}
	return ""
}

// mention matches the path of a page in the docs folder, in comments and messages.
var mention = regexp.MustCompile(`(?:^|[^\w./-])(docs/[\w./-]*\w\.md)\b`)

// sourcePath matches a path of the source tree in backquotes.
var sourcePath = regexp.MustCompile("`((?:services|gateway|pkg|cli|e2e|deploy)/[a-z0-9_./-]+)`")

// deadPaths returns an error for each source path in docs/architecture.md that does not exist.
func (t *tree) deadPaths() []fault {
	const page = "docs/architecture.md"
	var faults []fault
	for i, line := range t.lines[page] {
		for _, m := range sourcePath.FindAllStringSubmatch(line, -1) {
			if name := strings.TrimSuffix(m[1], "/"); t.lines[name] == nil && !t.folders[name] {
				faults = append(faults, fault{page, i + 1, "names " + m[1] + ", which does not exist"})
			}
		}
	}
	return faults
}

// deadMentions returns an error for each path of a page, in any file, that does not exist.
func (t *tree) deadMentions() []fault {
	var faults []fault
	for _, file := range t.files() {
		for i, line := range t.lines[file] {
			if !strings.Contains(line, "docs/") {
				continue
			}
			for _, m := range mention.FindAllStringSubmatch(line, -1) {
				inRepository, besideFile := t.anchors[m[1]] != nil, t.anchors[path.Join(path.Dir(file), m[1])] != nil
				if !inRepository && !besideFile {
					faults = append(faults, fault{file, i + 1, "names " + m[1] + ", which does not exist"})
				}
			}
		}
	}
	return faults
}

// sharedHeadings returns an error for each duplicate heading within a page of docs/behaviour. GitHub would number the
// anchors of such headings by position.
func (t *tree) sharedHeadings() []fault {
	var faults []fault
	for _, file := range t.files() {
		if !strings.HasPrefix(file, pagesFolder) {
			continue
		}
		seen := map[string]bool{}
		for i, line := range outsideCode(t.lines[file]) {
			if m := heading.FindStringSubmatch(line); m != nil {
				if seen[strings.ToLower(m[1])] {
					faults = append(faults, fault{file, i + 1, "has the heading " + m[1] + " twice"})
				}
				seen[strings.ToLower(m[1])] = true
			}
		}
	}
	return faults
}
