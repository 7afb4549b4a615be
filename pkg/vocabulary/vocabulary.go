// Package vocabulary turns the values of an enum of the contracts into the words of
// the domain and back. A word is the value's name without the prefix of its enum, in
// lower case: JOB_STATUS_ACTIVE is "active". JSON has the same words.
package vocabulary

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Enum is a generated enum type.
type Enum interface {
	~int32
	protoreflect.Enum
}

// Unknown is the word of a value that the enum does not have. No domain has it as
// a word, so a check of allowed words refuses it.
const Unknown = "?"

// Of is the vocabulary of the enum E.
type Of[E Enum] struct {
	words  map[E]string
	values map[string]E
}

// New reads the vocabulary of E from its descriptor.
func New[E Enum]() Of[E] {
	v := Of[E]{words: map[E]string{0: ""}, values: map[string]E{"": 0}}
	for word, number := range Words(E(0).Descriptor()) {
		v.words[E(number)], v.values[word] = word, E(number)
	}
	return v
}

// Words gives the values of an enum by their words. The unset value has none.
func Words(e protoreflect.EnumDescriptor) map[string]protoreflect.EnumNumber {
	words := map[string]protoreflect.EnumNumber{}
	values := e.Values()
	prefix := strings.TrimSuffix(string(values.ByNumber(0).Name()), "UNSPECIFIED")
	for i := range values.Len() {
		if value := values.Get(i); value.Number() != 0 {
			words[strings.ToLower(strings.TrimPrefix(string(value.Name()), prefix))] = value.Number()
		}
	}
	return words
}

// Word gives the word of a value: empty for the unset value, Unknown for one that
// the enum does not have.
func (v Of[E]) Word(value E) string {
	word, known := v.words[value]
	if !known {
		return Unknown
	}
	return word
}

// Value gives the value of a word, the unset one for the empty word and for a word
// that the enum does not have.
func (v Of[E]) Value(word string) E { return v.values[word] }

// Optional gives the value of a word, nil for the empty word.
func (v Of[E]) Optional(word string) *E {
	if word == "" {
		return nil
	}
	value := v.values[word]
	return &value
}

// Len is the number of words, the empty one not counted.
func (v Of[E]) Len() int { return len(v.words) - 1 }
