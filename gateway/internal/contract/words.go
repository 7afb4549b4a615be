package contract

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Words holds the JSON words of an enum in the order of the .proto file, and their numbers. A word is the
// value's name in lower case without the prefix of the enum. The value 0, "unspecified", has no word.
type Words struct {
	All    []string
	Number map[string]protoreflect.EnumNumber
}

// WordsOf reads the words of an enum.
func WordsOf(d protoreflect.EnumDescriptor) (Words, error) {
	w := Words{Number: map[string]protoreflect.EnumNumber{}}
	prefix := upperSnake(string(d.Name())) + "_"
	for i := range d.Values().Len() {
		v := d.Values().Get(i)
		name, ok := strings.CutPrefix(string(v.Name()), prefix)
		if !ok {
			return Words{}, fmt.Errorf("contract: %s does not begin with %s", v.FullName(), prefix)
		}
		if v.Number() == 0 {
			continue
		}
		word := strings.ToLower(name)
		w.All = append(w.All, word)
		w.Number[word] = v.Number()
	}
	return w, nil
}

// upperSnake converts WorkMode to WORK_MODE, as buf's lint rule does.
func upperSnake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToUpper(b.String())
}
