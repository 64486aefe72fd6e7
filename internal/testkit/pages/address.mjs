// Addresses for programs that a test starts, as internal/testkit/system gives them to tests in Go.

const { pid } = process;
// Linux answers on all of 127.0.0.0/8, and gives a process a number below 2^22.
const host = `127.${64 | (pid >> 16)}.${(pid >> 8) & 0xff}.${pid & 0xff}`;
let given = 0;

/**
 * An address on which nothing listens, on a host of this process's own: a program that is started for it, or started again,
 * finds it free. The kernel gives the ports below 32768 to nobody by chance, and tests in Go have those below 30000.
 */
export function address() {
  given += 1;
  return `${host}:${30_000 + given}`;
}
