package code

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

var tag = regexp.MustCompile("<[^>]*>")

func TestTokensAreHighlightedByKind(t *testing.T) {
	for _, tt := range []struct{ lang, source, want string }{
		{"sh", `curl "$BASE" # it's`, `<span class="hl-keyword">curl</span> <span class="hl-text">&#34;$BASE&#34;</span> <span class="hl-comment"># it&#39;s</span>`},
		{"sh", `$A ${B} $ 'a\' x#y`, `<span class="hl-variable">$A</span> <span class="hl-variable">${B}</span> $ <span class="hl-text">&#39;a\&#39;</span> x#y`},
		{"js", "const a = `b\\`c` // d", "<span class=\"hl-keyword\">const</span> a = <span class=\"hl-text\">`b\\`c`</span> <span class=\"hl-comment\">// d</span>"},
		{"python", `"""a "b" """ None 12.5`, `<span class="hl-text">&#34;&#34;&#34;a &#34;b&#34; &#34;&#34;&#34;</span> <span class="hl-keyword">None</span> <span class="hl-number">12.5</span>`},
		{"go", "nilly nil `\\`", "nilly <span class=\"hl-keyword\">nil</span> <span class=\"hl-text\">`\\`</span>"},
		{"json", `{"a" : "b"}`, `{<span class="hl-key">&#34;a&#34;</span> : <span class="hl-text">&#34;b&#34;</span>}`},
		{"", `if <b> "x"`, `if &lt;b&gt; &#34;x&#34;`},
	} {
		if got := mark(tt.lang, tt.source); got != tt.want {
			t.Errorf("%s %s:\n%s\nwant\n%s", tt.lang, tt.source, got, tt.want)
		}
	}
}

func FuzzBlockPreservesSource(f *testing.F) {
	for lang := range languages {
		f.Add(lang, "x \"open\n'é' ${ $ # // \\")
	}
	f.Add("", "<script>")
	f.Fuzz(func(t *testing.T, lang, source string) {
		if strings.ContainsAny(source, "\x00\r") {
			return // HTML represents these characters differently
		}
		if got := html.UnescapeString(tag.ReplaceAllString(mark(lang, source), "")); got != source {
			t.Errorf("%q became %q", source, got)
		}
	})
}
