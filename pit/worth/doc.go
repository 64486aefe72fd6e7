// Package worth works out in the background what the rules of the floor's tables are worth, and the best play: one
// house at a time, once, for pages that are asked for again and again. It keeps the answers by the rules' fingerprint.
// What nobody looks at any more is not worked out to its end.
package worth
