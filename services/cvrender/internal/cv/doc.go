// Package cv holds a CV as the renderer knows it: what is to be shown, with
// nothing about who may see it. Empty strings stand for what is not there.
//
// It must never hold anything that the projection left out.
package cv
