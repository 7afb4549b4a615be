// Package i18n loads the messages of a site in all its languages, and selects the language that the browser
// prefers.
//
// Messages are in messages/<tag>.json and may contain placeholders such as {name}. A message with plural forms
// has one entry for each plural category of its language (CLDR), for example "wait.seconds.one". The package
// must never know what the pages of a site do.
package i18n
