// Package notationtest reads what package notation writes, for tests: inputs, and a table's position. It shares no code
// with the writer, so a test that writes and reads again holds both against docs/notation.md.
package notationtest
