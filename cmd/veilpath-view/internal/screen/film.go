package screen

import "veilpath/cmd/veilpath-view/internal/picture"

// filming is a moving picture that is being made.
type filming struct {
	film     *picture.Film
	encoding bool
}

// beginGIF begins a moving picture.
func (s *Screen) beginGIF() { s.filming = &filming{film: s.Pictures.NewFilm()} }

// goOnFilming draws the next frame of the moving picture, and saves it after the last.
func (s *Screen) goOnFilming() {
	f := s.filming
	switch {
	case f == nil:
		return
	case f.encoding:
		s.Model.Say(false, "Encoding the moving picture …")
		return
	}
	if frames, of := s.Pictures.DrawFrame(f.film); frames < of {
		s.Model.Say(false, "Drawing the moving picture: %d of %d", frames, of)
		return
	}
	f.encoding = true
	about := s.Pictures.About()
	go func() {
		data, err := f.film.Encode(about)
		s.arrived <- func() {
			s.filming = nil
			s.keep("veilpath.gif", func() ([]byte, error) { return data, err })
		}
	}()
}
