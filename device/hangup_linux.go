package device

import (
	"os"

	"golang.org/x/sys/unix"
)

// keepRaised has the kernel leave the modem lines DTR and RTS as they are when the port is closed, instead of lowering
// them: on many boards the next open, which raises DTR again, would restart the microcontroller, and with it the shoe's
// queue. The setting stays with the port until it is unplugged or the machine restarts; the open after that raises DTR
// whatever a program does.
func keepRaised(file *os.File) error {
	return control(file, func(fd int) error {
		settings, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err != nil || settings.Cflag&unix.HUPCL == 0 {
			return err
		}
		settings.Cflag &^= unix.HUPCL
		return unix.IoctlSetTermios(fd, unix.TCSETS, settings)
	})
}
