// Package shoetest has shoes for tests: the C shoe of firmware-protocol/c, compiled and run (CShoe), and what decoders
// of shoes without acknowledgements make of bytes, as text, for test files that can be read without knowing Go
// (UnackedBench, UnackedLine).
package shoetest
