// Package i18n holds every text of the pages, in each language that they speak,
// and picks the language that a browser asks for.
//
// A text lives in messages/<tag>.json and nowhere else. A placeholder is {name}.
// A text that counts has one entry per plural category of its language (CLDR),
// for example "wait.seconds.one". The package knows nothing of what the pages do.
package i18n
