import { polygonsOf, type Area, type Position } from '#contract/place.ts'
import { facesOf } from './faces-of.ts'
import { fromJts } from './from-jts.ts'
import { isInside } from '#web/map/drawing/is-inside.ts'

/**
 * The pieces that a line cuts an area into, the largest first; one piece where the line does not go through it.
 * Parts of the area that the line leaves alone stay with the largest piece: that one keeps the shape's name and id.
 */
export function splitArea(area: Area, line: readonly Position[]): Area[] {
  const polygons = polygonsOf(area)
  const pieces: { of: number; faces: ReturnType<typeof facesOf> }[] = polygons.map((rings, of) => ({
    of,
    faces: facesOf([...rings, line]).filter(({ inside }) => isInside(inside, rings)),
  }))
  const cut = pieces.filter(({ faces }) => faces.length > 1)
  if (cut.length === 0) return [area]

  const faces = cut.flatMap((piece) => piece.faces).toSorted((a, b) => b.area.getArea() - a.area.getArea())
  const whole = pieces.filter((piece) => piece.faces.length <= 1).map(({ of }) => polygons[of]!)
  return faces.map(({ area: face }, at) => {
    const piece = fromJts(face)!
    return at === 0 && whole.length > 0
      ? { type: 'MultiPolygon', coordinates: [...polygonsOf(piece), ...whole] }
      : piece
  })
}
