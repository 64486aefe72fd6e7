package board

import (
	"slices"
	"strings"
	"testing"
)

const listedFiles = `'http://deb.debian.org/debian-security/pool/updates/main/l/linux-signed-arm64/linux-image-6.1.0-56-arm64_6.1.192-2_arm64.deb' linux-image-6.1.0-56-arm64_6.1.192-2_arm64.deb 59812568 SHA256:7d00
'http://deb.debian.org/debian/pool/main/b/busybox/busybox-static_1.35.0-4%2bdeb12u1%2bb1_amd64.deb' busybox-static_1%3a1.35.0-4+deb12u1+b1_amd64.deb 928188 SHA256:3d3f
'http://deb.debian.org/debian-security/pool/updates/main/l/linux/linux-source-6.1_6.1.192-2_all.deb' linux-source-6.1_6.1.192-2_all.deb 139331676 SHA256:ae95
`

func TestParseFiles(t *testing.T) {
	files, err := parseFiles(listedFiles)
	want := []file{
		{name: "busybox-static_1%3a1.35.0-4+deb12u1+b1_amd64.deb", hash: "SHA256:3d3f"},
		{name: "linux-image-6.1.0-56-arm64_6.1.192-2_arm64.deb", hash: "SHA256:7d00"},
		{name: "linux-source-6.1_6.1.192-2_all.deb", hash: "SHA256:ae95"},
	}
	if !slices.Equal(files, want) || err != nil {
		t.Errorf("the files are %+v, %v", files, err)
	}
	for i, asked := range []string{
		"busybox-static:amd64=1:1.35.0-4+deb12u1+b1",
		"linux-image-6.1.0-56-arm64:arm64=6.1.192-2", "linux-source-6.1=6.1.192-2",
	} {
		if got, err := files[i].asked(); got != asked || err != nil {
			t.Errorf("%s is asked for as %s, %v", files[i].name, got, err)
		}
	}
	if err := sameVersion(files); err != nil {
		t.Error(err)
	}
	if _, err := parseFiles("E: Unable to locate package\n"); err == nil {
		t.Error("an error was taken for a package")
	}
	if name, err := (file{name: "linux.deb"}).asked(); err == nil {
		t.Errorf("linux.deb is asked for as %s", name)
	}
}

// A half-updated mirror gives a kernel and headers that do not match.
func TestSameVersion(t *testing.T) {
	err := sameVersion([]file{
		{name: "linux-image-6.1.0-56-amd64_6.1.192-2_amd64.deb"},
		{name: "linux-headers-6.1.0-56-common_6.1.190-1_all.deb"},
	})
	if err == nil || !strings.Contains(err.Error(), "try again in an hour") {
		t.Errorf("two versions: %v", err)
	}
}
