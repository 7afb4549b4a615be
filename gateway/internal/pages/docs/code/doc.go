// Package code renders source code blocks for the documentation, with highlighted words and a
// button that copies the code (behaviour: pages#code).
//
// It highlights what readers look for (comments, strings, numbers, keywords, variables), but does
// not parse the language. It must never change the code: without the spans, a block contains the
// source character by character.
package code
