// Package i18n loads the texts of a site in all its languages, and matches the language
// to the browser's.
//
// Texts are in messages/<tag>.json, with placeholders {name}. A text with plural forms has
// one entry for each plural category of its language (CLDR), for example
// "wait.seconds.one". The package must never know what the pages of a site do.
package i18n
