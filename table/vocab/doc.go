// Package vocab is the vocabulary of a table: what can be put in, what can follow from
// it, and the names of all that these speak of. It is a leaf: the engine decides in these
// words, transcripts write them, displays and the pit read them. It decides nothing.
package vocab
