// Package securefile says who may read and who may change the files and folders that the programs use, and judges or
// mends them by that: one row per kind of file. Configurations are judged by it wherever they are read, so a check says
// what the program at the table says.
//
// A lock lets one holder at a time have a file, on every system that has flock. It is the open file's: two parts of one
// program exclude each other, too. The kernel ends it with the process, however that ends.
//
// A key's private half is in a file that only its owner may read, as PEM, PKCS #8, which openssl also reads and makes;
// the public half of an Ed25519 key is a line of text.
package securefile
