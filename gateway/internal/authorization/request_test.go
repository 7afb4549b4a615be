package authorization

import "testing"

func TestDescribeKeepsAllowedCharacters(t *testing.T) {
	var described string
	for c := range byte(0x80) {
		described += Describe(string(c))
	}
	const between = "$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ["
	if want := " !'#" + between + "']^_`abcdefghijklmnopqrstuvwxyz{|}~"; described != want {
		t.Errorf("a description keeps\n%s, want\n%s", described, want)
	}
}
