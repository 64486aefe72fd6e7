//go:build packages

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
)

// downloads is where a technician keeps what was downloaded.
const downloads = "/root/downloads"

// TestPackageUpdate: sabot update installs a signed package between two rounds, goes back by itself from one whose
// daemon is never ready or ends at once, and refuses what nobody signed, what was changed, and what is older. All of it
// is on record.
func TestPackageUpdate(t *testing.T) {
	p := newInstalled(t)
	p.begins(older)
	r := p.newRelease()
	was, next := r.sign(p.given(older)), r.sign(p.given(newer))

	d := p.deal(1)
	d.stop(4)
	p.Run("sabot", "update", "--no-wait", "--previous", was, next)
	p.logs("sabot-update", "waits for the end of the round")
	p.isInstalled(older)
	d.goOn(nil)
	d.finish()
	p.rounds++
	p.Await("sh", "-c", "sabot update --status | grep '^version "+newer+" is installed in place of "+older+"'")
	p.isInstalled(newer)
	p.deals(newer, 1)

	for _, fault := range []struct{ version, daemon string }{{"1.2.5", "exec sleep infinity"}, {"1.2.6", "exit 1"}} {
		bad := r.sign(p.brokenBy(fault.daemon, fault.version))
		said, err := p.Try("sabot", "update", bad)
		if err == nil || !strings.Contains(said, "version "+newer+" is installed again, and the table is ready") {
			t.Errorf("a daemon that does %q: %v\n%s", fault.daemon, err, said)
		}
		p.isInstalled(newer)
		p.deals(newer, 1)
	}

	p.refuses(p.given(newer), "is not signed: its signature")
	changed := r.sign(p.given(newer))
	p.Run("sh", "-c", "printf changed >> "+changed)
	p.refuses(changed, "is not signed by any key of the releases")
	p.refuses(r.sign(p.given(older)), "version "+older+" is not newer than "+newer)
	p.forces(changed, "is not signed by any key of the releases")
	p.isInstalled(newer)
	p.deals(newer, 1)
	for _, note := range []string{
		"update-installed 1.2.3 1.2.4", "update-went-back 1.2.4 1.2.5",
		"update-went-back 1.2.4 1.2.6", "update-refused",
	} {
		p.Await("grep", "--recursive", "--quiet", `"code":"`+note+`","by":"`, "/var/lib/sabot/journal")
	}
}

// release is whoever makes releases for a computer.
type release struct {
	p   *installed
	key minisign.PrivateKey
}

// newRelease has a new key, which the computer is told of.
func (p *installed) newRelease() release {
	p.t.Helper()
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	write(p.t, p.Path("/etc/sabot-release.pub"), public.String()+"\n")
	p.Run("chmod", "0644", "/etc/sabot-release.pub")
	p.Run("mkdir", "--parents", downloads)
	return release{p, private}
}

// given is a package of a version where a technician keeps it, without a signature.
func (p *installed) given(version string) string {
	p.t.Helper()
	to := downloads + "/sabot_" + version + "_amd64.deb"
	p.Run("cp", "/given/sabot_"+version+"_amd64.deb", to)
	p.Run("rm", "--force", to+".minisig")
	return to
}

// sign puts a signature beside a file.
func (r release) sign(file string) string {
	r.p.t.Helper()
	f, err := os.Open(r.p.Path(file))
	if err != nil {
		r.p.t.Fatal(err)
	}
	defer f.Close()
	reader := minisign.NewReader(f)
	if _, err := io.Copy(io.Discard, reader); err != nil {
		r.p.t.Fatal(err)
	}
	write(r.p.t, r.p.Path(file+".minisig"), string(reader.Sign(r.key)))
	return file
}

// brokenBy makes a package of a version whose daemon does something else.
func (p *installed) brokenBy(daemon, version string) string {
	p.t.Helper()
	tree, file := filepath.Join(p.t.TempDir(), "tree"), downloads+"/sabot_"+version+"_amd64.deb"
	if out, err := exec.Command("dpkg-deb", "--raw-extract", filepath.Join(*packages, "sabot_"+newer+"_amd64.deb"),
		tree).CombinedOutput(); err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
	control, err := os.ReadFile(filepath.Join(tree, "DEBIAN/control"))
	if err != nil {
		p.t.Fatal(err)
	}
	write(p.t, filepath.Join(tree, "DEBIAN/control"),
		strings.Replace(string(control), "Version: "+newer, "Version: "+version, 1))
	write(p.t, filepath.Join(tree, "usr/bin/sabotd"), "#!/bin/sh\n"+daemon+"\n")
	if out, err := exec.Command("dpkg-deb", "-Zgzip", "-z1", "--build", tree,
		p.Path(file)).CombinedOutput(); err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// isInstalled: dpkg has this version of sabot, whole.
func (p *installed) isInstalled(version string) {
	p.t.Helper()
	if got := p.Run("dpkg-query", "--show", "--showformat=${db:Status-Abbrev}|${Version}", "sabot"); got != "ii |"+
		version {
		p.t.Errorf("dpkg has %q, not %s", got, version)
	}
}

// refuses: an update is refused, and why.
func (p *installed) refuses(file, why string) {
	p.t.Helper()
	if said, err := p.Try("sabot", "update", file); err == nil || !strings.Contains(said, why) {
		p.t.Errorf("update %s is not refused because it %s: %v\n%s", file, why, err, said)
	}
}

// forces asks root's part past the command, as whoever controls the daemon can, and finds it refused.
func (p *installed) forces(file, why string) {
	p.t.Helper()
	const requests = "/var/lib/sabot/update"
	for from, to := range map[string]string{file: "package.deb", file + ".minisig": "package.deb.minisig"} {
		p.Run("install", "--owner=sabot", "--mode=0600", from, requests+"/"+to)
	}
	p.Run("runuser", "-u", "sabot", "--", "sh", "-c", `echo '{"id":"forced","who":"nobody"}' > `+requests+
		"/request.json")
	p.Await("sh", "-c", "! test -e "+requests+"/request.json")
	p.Await("sh", "-c", "sabot update --status 2>&1 | grep '"+why+"'")
}
