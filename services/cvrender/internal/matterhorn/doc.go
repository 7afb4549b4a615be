// Package matterhorn checks files against PDF/UA-1 (ISO 14289-1): the failure conditions of the
// Matterhorn Protocol 1.1 that a program can find and that concern what a CV holds. It reads files
// with another library than the one that package pdf writes them with.
//
// It does not judge what only people can, for example whether a heading is one, and it is no
// certificate. It must never be imported by anything but tests.
package matterhorn
