// Package plot lays out the console's charts: stacked columns over time, with limits as
// lines. It computes where everything stands; the template "plot" of the console draws it
// as SVG, so that html/template escapes every text.
//
// The drawing works without scripts (behaviour: console#plots). It is one image with a title
// and a description for a screen reader. Its columns are radio buttons that stand over the
// image: they tell their values on hover, by touch and by keyboard, and lead to what a column
// counts.
//
// Chart libraries (gonum/plot, go-analyze/charts, margaid) draw images of a fixed size and
// color, without columns that the keyboard can reach, so scales and ticks are computed here.
package plot
