package draw

// Cut gives the triangles of the batch as they are within its clip, cut at its edges, to draw, as often as 16-bit
// indices make necessary; the storage is reused. It is for targets that cannot clip.
func (b *Batch) Cut(storage *Batch, draw func(vertices []Vertex, indices []uint16)) {
	if b.within() {
		draw(b.Vertices, b.Indices)
		return
	}
	flush := func() {
		if len(storage.Indices) > 0 {
			draw(storage.Vertices, storage.Indices)
		}
		storage.Vertices, storage.Indices = storage.Vertices[:0], storage.Indices[:0]
	}
	storage.Vertices, storage.Indices = storage.Vertices[:0], storage.Indices[:0]
	var room [2][mostCorners]Vertex
	for i := 0; i+2 < len(b.Indices); i += 3 {
		corners := append(room[0][:0], b.Vertices[b.Indices[i]], b.Vertices[b.Indices[i+1]], b.Vertices[b.Indices[i+2]])
		corners = b.cut(corners, room[1][:0])
		if len(corners) < 3 {
			continue
		}
		if len(storage.Vertices)+len(corners) > MaxBatchVertices {
			flush()
		}
		storage.reserve(len(corners))
		first := uint16(len(storage.Vertices))
		storage.Vertices = append(storage.Vertices, corners...)
		for k := range uint16(len(corners) - 2) {
			storage.Indices = append(storage.Indices, first, first+k+1, first+k+2)
		}
	}
	flush()
}

// mostCorners is how many corners a triangle has at most that is cut at four lines.
const mostCorners = 3 + 4

// within reports whether nothing of the batch lies outside its clip.
func (b *Batch) within() bool {
	for i := range b.Vertices {
		v := &b.Vertices[i]
		if float64(v.DstX) < b.Clip.X || float64(v.DstX) > b.Clip.Right() || float64(v.DstY) < b.Clip.Y ||
			float64(v.DstY) > b.Clip.Bottom() {
			return false
		}
	}
	return true
}

// cut cuts a convex polygon at the edges of the clip, one after the other (Sutherland and Hodgman, 1974).
func (b *Batch) cut(corners, other []Vertex) []Vertex {
	for _, inside := range [4]func(*Vertex) float32{
		func(v *Vertex) float32 { return v.DstX - float32(b.Clip.X) },
		func(v *Vertex) float32 { return float32(b.Clip.Right()) - v.DstX },
		func(v *Vertex) float32 { return v.DstY - float32(b.Clip.Y) },
		func(v *Vertex) float32 { return float32(b.Clip.Bottom()) - v.DstY },
	} {
		other = other[:0]
		for i := range corners {
			from, to := &corners[i], &corners[(i+1)%len(corners)]
			d0, d1 := inside(from), inside(to)
			if d0 >= 0 {
				other = append(other, *from)
			}
			if d0 >= 0 != (d1 >= 0) {
				other = append(other, from.toward(to, d0/(d0-d1)))
			}
		}
		corners, other = other, corners
	}
	return corners
}

// toward is the vertex that lies so much of the way to another.
func (v *Vertex) toward(to *Vertex, share float32) Vertex {
	at := func(a, b float32) float32 { return a + share*(b-a) }
	return Vertex{
		DstX: at(v.DstX, to.DstX), DstY: at(v.DstY, to.DstY), SrcX: at(v.SrcX, to.SrcX), SrcY: at(v.SrcY, to.SrcY),
		ColorR: at(v.ColorR, to.ColorR), ColorG: at(v.ColorG, to.ColorG), ColorB: at(v.ColorB, to.ColorB),
		ColorA:  at(v.ColorA, to.ColorA),
		Custom0: at(v.Custom0, to.Custom0), Custom1: at(v.Custom1, to.Custom1), Custom2: at(v.Custom2, to.Custom2),
		Custom3: v.Custom3,
	}
}
