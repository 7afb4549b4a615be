// Package plot lays out the console's charts: stacked columns over time, with limits as lines.
// The template "plot" draws them as SVG, so that html/template escapes every text.
//
// Charts work without scripts (behaviour: console#plots). Each is one image with a
// title and a description for screen readers. Its columns are radio buttons over the image,
// which show their values on hover, by touch and by keyboard.
//
// Chart libraries (gonum/plot, go-analyze/charts, margaid) draw images of a fixed size and
// color, without columns that the keyboard can reach.
package plot
