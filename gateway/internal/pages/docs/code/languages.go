package code

import "strings"

// language holds the rules that classify the words of a language.
type language struct {
	// comment is the prefix of a comment that extends to the end of the line, or "" if there is
	// none.
	comment string
	// quotes delimit string literals. Longer quotes come first.
	quotes []string
	// raw lists the quotes inside which a backslash is an ordinary character.
	raw string
	// variables reports whether $NAME and ${NAME} are variables.
	variables bool
	// keys reports whether a string before a colon is a field name.
	keys     bool
	keywords map[string]bool
}

// languages maps the info strings of fenced code blocks to the languages that the pages highlight.
var languages = map[string]language{
	"sh": {
		comment: "#", quotes: []string{`"`, "'"}, raw: "'", variables: true,
		keywords: words("if then else fi for in do done while case esac test read printf curl jq export"),
	},
	"js": {
		comment: "//", quotes: []string{"`", `"`, "'"},
		keywords: words("import from export const let var function return if else throw new await async for of true false null undefined"),
	},
	"python": {
		comment: "#", quotes: []string{`"""`, `"`, "'"},
		keywords: words("import from def class return if else elif raise try except with as for in not and or None True False pass"),
	},
	"go": {
		comment: "//", quotes: []string{"`", `"`, "'"}, raw: "`",
		keywords: words("package import func return if else for range var const type struct switch case default defer go map nil true false"),
	},
	"json": {quotes: []string{`"`}, keys: true, keywords: words("true false null")},
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
