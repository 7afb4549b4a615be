// Package search finds documentation pages by the words of a query. Its index is built when the
// gateway starts (behaviour: pages#search). It calls no other service, and must never contain text
// that is not public.
package search
