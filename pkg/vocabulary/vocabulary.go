// Package vocabulary converts enum values of the proto contracts to the domain's words and back. A
// word is the name of the value in lower case, without the prefix of its enum: JOB_STATUS_ACTIVE
// becomes "active". JSON uses the same words.
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

// Unknown is the word for a value that the enum does not define. No domain uses this word, so
// validation rejects it.
const Unknown = "?"

// Of maps between the values of the enum E and words.
type Of[E Enum] struct {
	words  map[E]string
	values map[string]E
}

// New returns the vocabulary of E, built from its descriptor.
func New[E Enum]() Of[E] {
	v := Of[E]{words: map[E]string{0: ""}, values: map[string]E{"": 0}}
	for word, number := range Words(E(0).Descriptor()) {
		v.words[E(number)], v.values[word] = word, E(number)
	}
	return v
}

// Words returns a map from the words of an enum to its values. The unspecified value has no word.
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

// Word returns the word for a value, "" for the unspecified value, or Unknown for an undefined
// value.
func (v Of[E]) Word(value E) string {
	word, known := v.words[value]
	if !known {
		return Unknown
	}
	return word
}

// Value returns the value for a word, or the unspecified value if the word is empty or unknown.
func (v Of[E]) Value(word string) E { return v.values[word] }

// Optional returns a pointer to the value for a word, or nil if the word is empty.
func (v Of[E]) Optional(word string) *E {
	if word == "" {
		return nil
	}
	value := v.values[word]
	return &value
}

// Len returns the number of words, not counting the empty one.
func (v Of[E]) Len() int { return len(v.words) - 1 }
