// Package i18n reads the texts of a site in each language that the site has, and
// picks the language that a browser asks for.
//
// A text stands in messages/<tag>.json. A placeholder is {name}. A text that counts
// has one entry per plural category of its language (CLDR), for example
// "wait.seconds.one". The package holds no text of its own and must never know what
// the pages of a site do.
package i18n
