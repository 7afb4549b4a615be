// Package cv is a CV as the renderer knows it: everything that is shown, and nothing about
// who may see it. An empty string stands for none.
//
// It must never hold anything that the privacy projection of service candidate has left
// out.
package cv
