package record_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"syscall"
	"testing"
	"time"

	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
)

// number returns a function that appends a number.
func number(n int) func([]byte) ([]byte, error) {
	return func(b []byte) ([]byte, error) { return append(b, byte(n)), nil }
}

// script writes a study of numbers to disk.
type script struct {
	content string // contents of the files
	now     time.Time
	done    []time.Time // times at which records were appended
}

const batches = 9

var began = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// manifest returns the manifest of the study with nothing done.
func (s *script) manifest() record.Manifest {
	return record.Manifest{Program: "veilpath", Verb: "study", Config: []byte(fmt.Sprintf("{\"content\": %q}", s.content))}
}

// fly begins or continues the study, with a batch every 2 s, and finishes it.
func (s *script) fly(disk record.FileSystem) (err error) {
	m := s.manifest()
	if now, err := record.ReadManifest(disk, "a/out"); err == nil && now.Complete && now.Identity() == m.Identity() {
		if !record.Unfinished(disk, "a/out") {
			return nil
		}
		folder, err := record.ReopenFolder(disk, "a/out", "study")
		if err != nil {
			return err
		}
		return errors.Join(folder.Restart(), folder.Close())
	}
	folder, err := s.open(disk)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	folder.Supersede("")
	journal, err := folder.OpenJournal(m.Identity(), func() time.Time { return s.now })
	if err != nil {
		return err
	}
	var numbers []byte
	for kept := true; kept && err == nil; {
		kept, err = journal.Kept(func(b []byte) error {
			numbers = append(numbers, b...)
			return nil
		})
	}
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	if err := folder.Plan(m); err != nil {
		return errors.Join(err, journal.Close())
	}
	for i := range numbers {
		s.done = append(s.done[:i], time.Time{})
	}
	for i := len(numbers); i < batches; i++ {
		s.now = s.now.Add(2 * time.Second)
		if err := journal.Keep(number(i)); err != nil {
			return errors.Join(err, journal.Close())
		}
		numbers = append(numbers, byte(i))
		s.done = append(s.done, s.now)
	}
	err = folder.Write("runs", func(w io.Writer) error {
		_, err := fmt.Fprintln(w, s.content, numbers)
		return err
	})
	if err == nil {
		err = folder.Write("summary", text(s.content))
	}
	m.Complete = true
	if err == nil {
		err = folder.Finish(m)
	}
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	return journal.Remove()
}

// open opens the folder to continue the study there, or to replace another study.
func (s *script) open(disk record.FileSystem) (*record.Folder, error) {
	now, err := record.ReadStudy(disk, "a/out")
	if err != nil && !errors.Is(err, record.ErrNoManifest) {
		return nil, err
	}
	if m := s.manifest(); err != nil || now.Identity() == m.Identity() {
		return record.ReopenFolder(disk, "a/out", "study")
	}
	folder, err := record.OpenFolder(disk, "a/out", "study", true)
	if err == nil {
		err = folder.Restart()
	}
	return folder, err
}

// intact checks what holds after a stop at any time: if there is a manifest, its files are complete.
func intact(t *testing.T, disk *recordtest.Disk, after string) {
	t.Helper()
	m, err := record.ReadManifest(disk, "a/out")
	if err == nil {
		err = record.CheckFiles(context.Background(), disk, "a/out", m)
	}
	if err != nil && !errors.Is(err, record.ErrNoManifest) {
		t.Fatalf("%s: %v", after, err)
	}
}

// lossless checks that the folder holds the complete earlier answer or the complete new one.
func lossless(t *testing.T, disk *recordtest.Disk, want map[string]map[string]string, before, after string) {
	t.Helper()
	files := disk.Files("a/out")
	holds := func(answer map[string]string, same func(name, text string) bool) bool {
		for name, text := range answer {
			if !same(name, text) {
				return false
			}
		}
		return true
	}
	earlier := holds(want[before], func(name, text string) bool { return files[name] == text })
	whole := slices.Collect(maps.Values(files))
	later := holds(want["new"], func(_, text string) bool { return slices.Contains(whole, text) })
	if !earlier && !later {
		t.Fatalf("%s: the folder holds %q, neither answer", after, files)
	}
}

// survives checks that the journal keeps all records except those of the last 5 s.
func (s *script) survives(t *testing.T, disk *recordtest.Disk, after string) {
	t.Helper()
	if m, err := record.ReadManifest(disk, "a/out"); err == nil && m.Complete {
		return
	}
	var safe int
	for _, at := range s.done {
		if s.done[len(s.done)-1].Sub(at) >= 5*time.Second {
			safe++
		}
	}
	if safe == 0 {
		return
	}
	folder, err := record.ReopenFolder(disk, "a/out", "study")
	must(t, err)
	journal, err := folder.OpenJournal(s.manifest().Identity(), time.Now)
	if err != nil || journal.Len() < safe {
		t.Fatalf("%s: the journal keeps %d records of %d, want at least %d (%v)", after, journal.Len(), len(s.done),
			safe, err)
	}
	must(t, journal.Close(), folder.Close())
}

// The process is killed at any operation, or the power fails and loses all unsynced changes, or all except one.
// Then the files of a manifest are complete, the journal keeps all but the last 5 s, and the same command ends
// with the same bytes and no other file.
func TestStudyStoppedAtAnyOperation(t *testing.T) {
	want := map[string]map[string]string{}
	for _, content := range []string{"new", "old"} {
		disk := &recordtest.Disk{}
		must(t, (&script{content: content, now: began}).fly(disk))
		want[content] = disk.Files("a/out")
		if got := disk.PowerFailure(-1).Files("a/out"); !maps.Equal(got, want[content]) {
			t.Errorf("a power failure after the end leaves %q", got)
		}
	}
	for name, before := range map[string]string{"empty": "", "after another study": "old"} {
		worlds := 0
		for n := 1; ; n++ {
			disk := &recordtest.Disk{}
			if before != "" {
				must(t, (&script{content: before, now: began}).fly(disk))
				disk = disk.Killed()
			}
			stopped := disk.StopAt(n)
			s := &script{content: "new", now: began}
			err := s.fly(disk)
			if !stopped() {
				must(t, err)
				break
			}
			disks := map[string]*recordtest.Disk{"killed": disk.Killed()}
			for i := -1; i < disk.Unsynced(); i++ {
				disks[fmt.Sprintf("power failure, change %d survives", i)] = disk.PowerFailure(i)
			}
			for how, disk := range disks {
				after := fmt.Sprintf("%s, stopped at operation %d, %s", name, n, how)
				worlds++
				intact(t, disk, after)
				lossless(t, disk, want, before, after)
				s.survives(t, disk.Killed(), after)
				again := *s
				if err := again.fly(disk); err != nil {
					t.Fatalf("%s: repeated: %v", after, err)
				}
				if got := disk.Files("a/out"); !maps.Equal(got, want["new"]) {
					t.Fatalf("%s: repeated, the folder holds %q", after, got)
				}
			}
		}
		if worlds < 300 {
			t.Errorf("%s: only %d states are tested", name, worlds)
		}
	}
}

// If any operation fails, the error is reported, existing files are complete, and repeating the command succeeds.
func TestStudyWithAnyOperationFailing(t *testing.T) {
	whole := &recordtest.Disk{}
	must(t, (&script{content: "new", now: began}).fly(whole))
	want := whole.Files("a/out")
	for n := 1; ; n++ {
		disk := &recordtest.Disk{}
		var failing recordtest.Operation
		operations := 0
		disk.Before = func(o recordtest.Operation) error {
			if operations++; operations == n {
				failing = o
				return syscall.EIO
			}
			return nil
		}
		s := &script{content: "new", now: began}
		err := s.fly(disk)
		if operations < n {
			break
		}
		disk.Before = nil
		after := fmt.Sprintf("operation %d, %s, failed", n, failing)
		if err == nil && !maps.Equal(disk.Files("a/out"), want) {
			t.Fatalf("%s without an error, and the folder holds %q", after, disk.Files("a/out"))
		}
		for _, disk := range []*recordtest.Disk{disk.Killed(), disk.PowerFailure(-1)} {
			intact(t, disk, after)
			s.survives(t, disk.Killed(), after)
			again := *s
			if err := again.fly(disk); err != nil {
				t.Fatalf("%s: repeated: %v", after, err)
			}
			if got := disk.Files("a/out"); !maps.Equal(got, want) {
				t.Fatalf("%s: repeated, the folder holds %q", after, got)
			}
		}
	}
}

// A journal survives a power failure once it is synced or closed.
func TestSyncedJournalSurvivesPowerFailure(t *testing.T) {
	for name, sync := range map[string]func(*record.Journal) error{"synced": (*record.Journal).Sync,
		"closed": (*record.Journal).Close} {
		disk := &recordtest.Disk{}
		folder := opened(t, disk, false)
		journal, err := folder.OpenJournal([32]byte{1}, time.Now)
		must(t, err, journal.Keep(number(1)), sync(journal))
		disk = disk.PowerFailure(-1)
		folder, err = record.ReopenFolder(disk, "out", "study")
		must(t, err)
		journal, err = folder.OpenJournal([32]byte{1}, time.Now)
		if err != nil || journal.Len() != 1 {
			t.Errorf("%s: after a power failure it has %d results (%v)", name, journal.Len(), err)
		}
	}
}

// A plan survives a power failure with the journal, so that a study can be continued from its folder.
func TestPlanSurvivesPowerFailure(t *testing.T) {
	disk := &recordtest.Disk{}
	folder := opened(t, disk, false)
	m := (&script{content: "new"}).manifest()
	journal, err := folder.OpenJournal(m.Identity(), time.Now)
	must(t, err, journal.Keep(number(1)), folder.Plan(m))
	disk = disk.PowerFailure(-1)
	if _, err := record.ReadStudy(disk, "out"); err != nil {
		t.Error(err)
	}
	if folder, err = record.ReopenFolder(disk, "out", "study"); err == nil {
		journal, err = folder.OpenJournal(m.Identity(), time.Now)
	}
	if err != nil || journal.Len() != 1 {
		t.Errorf("the plan is left without its journal (%v)", err)
	}
}

// If the writer of a second answer is killed at any operation, a third answer leaves no file of the first two and
// keeps files of others.
func TestAnswerRemovesAllEarlierAnswers(t *testing.T) {
	m := record.Manifest{Program: "veilpath", Config: []byte("{}"), Complete: true}
	write := func(disk *recordtest.Disk, names ...string) error {
		folder, err := record.OpenFolder(disk, "out", "test", true)
		if err != nil {
			return err
		}
		defer folder.Close()
		if err := folder.Supersede("out/mine"); err != nil {
			return err
		}
		for _, name := range names {
			if err := folder.Write(name, text(name)); err != nil {
				return err
			}
		}
		return folder.Finish(m)
	}
	first := &recordtest.Disk{}
	first.Put("out/mine", "of others")
	must(t, write(first, "a", "c", "mine"))
	for n := 1; ; n++ {
		disk := first.Killed()
		stopped := disk.StopAt(n)
		write(disk, "a", "b")
		over := !stopped()
		disk = disk.Killed()
		must(t, write(disk, "d"))
		if got := slices.Sorted(maps.Keys(disk.Files("out"))); !slices.Equal(got, []string{"d", "manifest.json", "mine"}) {
			t.Fatalf("killed at operation %d: %q", n, got)
		}
		if over {
			break
		}
	}
}

// New files appear together or not at all, whichever operation fails, and the earlier files stay until then.
func TestAnswerAppearsAsAWholeOrNotAtAll(t *testing.T) {
	m := record.Manifest{Program: "veilpath", Config: []byte("{}"), Complete: true}
	earlier := &recordtest.Disk{}
	folder := opened(t, earlier, false)
	must(t, folder.Write("a", text("old a")), folder.Write("c", text("old c")), folder.Finish(m), folder.Close())
	was := earlier.Files("out")
	kept, gone := 0, 0
	for n := 1; ; n++ {
		disk := earlier.Killed()
		folder := opened(t, disk, true)
		folder.Supersede("")
		failed := disk.FailAt(n, syscall.EIO)
		err := errors.Join(folder.Write("a", text("new a")), folder.Write("b", text("new b")))
		if err == nil {
			err = folder.Finish(m)
		}
		disk.Before = nil
		must(t, folder.Close())
		files := disk.Files("out")
		if !failed() {
			must(t, err)
			break
		}
		_, vouched := files[record.ManifestName]
		switch {
		case maps.Equal(files, was):
			kept++
		case files["a"] == "new a" && files["b"] == "new b" && len(files) == 3 && vouched: // all but the plan's removal
		case vouched || files["a"] == "new a" || files["b"] != "":
			t.Errorf("operation %d failed, and the folder holds %q", n, files)
		default:
			gone++
		}
	}
	if kept < 8 || gone < 8 {
		t.Errorf("only %d failures before and %d after the earlier files are removed", kept, gone)
	}
}

// Files that are written and not finished are removed with the folder.
func TestUnfinishedFilesAreRemoved(t *testing.T) {
	disk := &recordtest.Disk{}
	folder := opened(t, disk, false)
	must(t, folder.Write("a", text("a")), folder.Close())
	if files := disk.Files("out"); files != nil {
		t.Errorf("it left %q", files)
	}
}

// Numbered folders survive a power failure like named ones.
func TestNumberedFolderSurvivesPowerFailure(t *testing.T) {
	disk := &recordtest.Disk{}
	folder, err := record.NextFolder(disk, "out", "run")
	must(t, err, folder.FinishWith("x", text("x")))
	if got := disk.PowerFailure(-1).Files("out/run-001")["x"]; got != "x" {
		t.Errorf("after a power failure it is %q", got)
	}
}

// Blocks out of order are not read, even if their bytes are intact.
func TestJournalRefusesBlocksOutOfOrder(t *testing.T) {
	disk := &recordtest.Disk{}
	folder := opened(t, disk, false)
	journal, err := folder.OpenJournal([32]byte{1}, time.Now)
	must(t, err, journal.Keep(number(1)), journal.Keep(number(2)), journal.Keep(number(3)), journal.Close())
	whole := disk.Files("out")[record.JournalName]
	const header = 64
	block := (len(whole) - header) / 3
	first, second, third := whole[header:header+block], whole[header+block:header+2*block], whole[header+2*block:]
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"swapped": {second + first + third, 0}, "lost": {first + third, 1}, "twice": {first + first + third, 1},
		"whole": {first + second + third, 3},
	} {
		disk.Put("out/"+record.JournalName, whole[:header]+c.text)
		journal, err := folder.OpenJournal([32]byte{1}, time.Now)
		must(t, err)
		if journal.Len() != c.want {
			t.Errorf("%s: %d results are read, want %d", name, journal.Len(), c.want)
		}
		must(t, journal.Close())
	}
}

// Reading results again reports one that was damaged after the journal was opened.
func TestReplayMissesNoResult(t *testing.T) {
	disk := &recordtest.Disk{}
	folder := opened(t, disk, false)
	journal, err := folder.OpenJournal([32]byte{1}, time.Now)
	must(t, err, journal.Keep(number(1)), journal.Keep(number(2)))
	var read []byte
	next := func() (bool, error) {
		return journal.Kept(func(b []byte) error { read = append(read, b...); return nil })
	}
	for range 2 {
		must(t, journal.Rewind())
		for kept := true; kept; {
			kept, err = next()
			must(t, err)
		}
	}
	if want := []byte{1, 2, 1, 2}; !slices.Equal(read, want) {
		t.Errorf("read %v, want %v", read, want)
	}
	must(t, journal.Keep(number(3)), journal.Rewind())
	_, err = next()
	must(t, err, journal.Rewind())
	if journal.Len() != 1 {
		t.Errorf("%d results are left after reading one, want 1", journal.Len())
	}
	_, err = next()
	must(t, err, journal.Keep(number(2)))
	file, err := disk.OpenFile("out/"+record.JournalName, syscall.O_RDWR, 0)
	must(t, err)
	_, err = file.WriteAt([]byte{0xff}, int64(len(disk.Files("out")[record.JournalName])-1))
	must(t, err)
	must(t, journal.Rewind())
	_, err = next()
	must(t, err)
	if kept, err := next(); kept || !errors.Is(err, record.ErrDamaged) {
		t.Errorf("got %v, %v", kept, err)
	}
}
