package answer

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// row matches the code and status in a row of docs/guides/errors.md.
var row = regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| ([0-9]{3}) \\|")

func TestPublicCodesMatchGuide(t *testing.T) {
	page, err := os.ReadFile("../../../docs/guides/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]int{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		if _, twice := documented[m[1]]; twice {
			t.Errorf("%s is documented twice", m[1])
		}
		documented[m[1]], _ = strconv.Atoi(m[2]) // the pattern lets only three digits through
	}
	for code, status := range statuses {
		if documented[code] != status {
			t.Errorf("%s is answered with %d and documented with %d", code, status, documented[code])
		}
	}
	for code := range documented {
		if _, known := statuses[code]; !known {
			t.Errorf("%s is documented and never answered", code)
		}
	}
}
