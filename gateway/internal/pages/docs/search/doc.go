// Package search finds pages for partners by the words of a query, in an index that is made
// when the gateway starts (behaviour: pages#search). It asks no other part, and must never
// hold a text that not everybody may read.
package search
