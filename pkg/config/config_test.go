package config_test

import (
	"errors"
	"strings"
	"testing"

	"vitae.internal/pkg/config"
)

type word string

// UnmarshalText accepts only the value "good".
func (w *word) UnmarshalText(text []byte) error {
	if string(text) != "good" {
		return errors.New("it is not good")
	}
	*w = word(text)
	return nil
}

type settings struct {
	Word   word `env:"A_WORD"`
	Number int  `env:"A_NUMBER"`
	Nested struct {
		Word word `env:"WORD"`
	} `envPrefix:"NESTED_"`
	Needed string `env:"A_NEED,required"`
}

func TestInvalidVariablesAreNamed(t *testing.T) {
	got, err := config.Load[settings](config.Environment{"A_WORD": "good", "A_NUMBER": "7", "NESTED_WORD": "good", "A_NEED": "x"})
	if err != nil || got.Word != "good" || got.Nested.Word != "good" || got.Number != 7 {
		t.Fatalf("%+v, %v", got, err)
	}
	_, err = config.Load[settings](config.Environment{"A_WORD": "bad", "A_NUMBER": "many", "NESTED_WORD": "worse"})
	if err == nil {
		t.Fatal("accepted invalid values")
	}
	for _, want := range []string{"A_WORD", "A_NUMBER", "NESTED_WORD", "A_NEED", "it is not good"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not contain %s", err, want)
		}
	}
	for _, value := range []string{"bad", "worse"} {
		if strings.Contains(err.Error(), value) {
			t.Errorf("%q contains the value %s", err, value)
		}
	}
}
