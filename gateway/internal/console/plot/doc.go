// Package plot lays out the console's charts: stacked columns over time, with limits as
// lines. It computes where everything stands; the template "plot" of the console draws it
// as SVG, so that html/template escapes every text.
//
// The drawing works without scripts. It is one image with a title and a description for a
// screen reader. Its columns are links that stand over the image: they tell their values
// on hover and by keyboard, and lead to what a column counts.
//
// Scales and ticks are written here: of the libraries that have them, gonum.org/v1/plot and
// github.com/go-analyze/charts bring fonts and raster images along, and
// github.com/aclements/go-moremath has had no release since 2021.
package plot
