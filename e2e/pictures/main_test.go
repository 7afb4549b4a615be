// Package pictures_test opens every page for people, and some for partners, in each state
// that they have. In both languages it asserts that the page fits into windows of a desktop and
// of phones, also with a wide font, and that axe-core finds nothing, in light and in dark colours.
//
// `make pictures` has it keep a picture of each, for people to look at
// (docs/contributing/pictures.md). It asserts nothing about what the pictures show.
package pictures_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
