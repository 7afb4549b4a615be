// Package code draws source code for the pages for partners: a block with its words
// marked for the style, and a button that copies it (behaviour: pages#code).
//
// It marks what a reader looks for (comments, texts, numbers, keywords, variables) and
// knows no grammar. It must never change a text: without the marks, a block holds its
// source letter by letter.
package code
