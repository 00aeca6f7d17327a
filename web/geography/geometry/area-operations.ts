import OverlayOp from 'jsts/org/locationtech/jts/operation/overlay/OverlayOp.js'
import SnapIfNeededOverlayOp from 'jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js'
import UnaryUnionOp from 'jsts/org/locationtech/jts/operation/union/UnaryUnionOp.js'
import InteriorPointArea from 'jsts/org/locationtech/jts/algorithm/InteriorPointArea.js'
import Arrays from 'jsts/java/util/Arrays.js'
import type JtsGeometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import PrecisionModel from 'jsts/org/locationtech/jts/geom/PrecisionModel.js'
import GeometryNoder from 'jsts/org/locationtech/jts/noding/snapround/GeometryNoder.js'
import Polygonizer from 'jsts/org/locationtech/jts/operation/polygonize/Polygonizer.js'
import { maxShapeNameLength } from '#contract/geography.ts'
import { type Area, type Geometry, isArea, getPolygons, type Position } from '#contract/place.ts'
import { type Draft, nextNewId, putShape, type ShapeForm, type StoredForm } from '../draft/draft.ts'
import { fromJts, toJts } from './jts.ts'
import { isInside } from '#web/map/rendering/inner-point.ts'

/**
 * Returns the parts into which a line cuts an area, the largest first; a single part if the line does not cross it.
 * Polygons that the line does not cross belong to the largest part, which retains the shape's name and id.
 */
export function splitArea(area: Area, line: readonly Position[]): Area[] {
  const polygons = getPolygons(area)
  const polygonsWithFaces: { index: number; faces: ReturnType<typeof findFaces> }[] = polygons.map(
    (rings, index) => ({
      index,
      faces: findFaces([...rings, line]).filter(({ inside }) => isInside(inside, rings)),
    }),
  )
  const cutPolygons = polygonsWithFaces.filter(({ faces }) => faces.length > 1)
  if (cutPolygons.length === 0) return [area]
  const faces = cutPolygons
    .flatMap((piece) => piece.faces)
    .toSorted((a, b) => b.area.getArea() - a.area.getArea())
  const uncutPolygons = polygonsWithFaces
    .filter((piece) => piece.faces.length <= 1)
    .map(({ index }) => polygons[index]!)
  return faces.map(({ area: face }, index) => {
    const part = fromJts(face)!
    return index === 0 && uncutPolygons.length > 0
      ? { type: 'MultiPolygon', coordinates: [...getPolygons(part), ...uncutPolygons] }
      : part
  })
}

/** Returns the union of two areas, without the border between them; separate ones become a multipolygon. */
export function mergeAreas(a: Area, b: Area): Area {
  const merged = SnapIfNeededOverlayOp.overlayOp(
    UnaryUnionOp.union(toJts.area(a)),
    UnaryUnionOp.union(toJts.area(b)),
    OverlayOp.UNION,
  )
  return fromJts(merged) ?? a
}

/** Repairs an area by cutting crossing outlines; the even-odd rule decides what is inside. Null if empty. */
export function repairArea(area: Area): Area | null {
  const repaired = getPolygons(area).map((rings) =>
    fromJts(
      ...findFaces(rings)
        .filter(({ inside }) => isInside(inside, rings))
        .map((face) => face.area),
    ),
  )
  const parts = repaired
    .filter((part) => part !== null)
    .map((part) => fromJts(UnaryUnionOp.union(toJts.area(part))))
    .filter((part) => part !== null)
  return parts.length === 0 ? null : parts.reduce(mergeAreas)
}

/** Subtracts one area from another, which leaves a hole if it is inside; null if nothing remains. */
export const cutArea = (area: Area, subtracted: Area): Area | null =>
  fromJts(SnapIfNeededOverlayOp.overlayOp(toJts.area(area), toJts.area(subtracted), OverlayOp.DIFFERENCE))

/** A shape in its current form: stored, or changed in the draft. */
export interface Subject {
  id: string
  base: StoredForm | null
  form: ShapeForm
}

/** Why an action was refused. */
export type RefusalReason = 'notCut' | 'nothingLeft' | 'notAreas' | 'failed'
export type EditResult = { draft: Draft; selected: string | null } | { refused: RefusalReason }

/** Room for a part's number, such as ` (12)`. */
const suffixLength = 6

const withGeom = (draft: Draft, { id, base, form }: Subject, geom: Geometry): EditResult => ({
  draft: putShape(draft, id, base, { ...form, geom }),
  selected: id,
})

/** JTS throws for some invalid geometries; the action is then refused. */
function attempt(operation: () => EditResult): EditResult {
  try {
    return operation()
  } catch {
    return { refused: 'failed' }
  }
}

/** Adds a new shape. */
export function drawShape(draft: Draft, geom: Geometry, name: string): EditResult {
  const id = nextNewId(draft)
  return { draft: putShape(draft, id, null, { name, description: null, geom }), selected: id }
}

/** Splits a shape. The largest part retains its id; each other part is a new shape with a numbered name. */
export function splitShape(draft: Draft, subject: Subject, line: readonly Position[]): EditResult {
  const { geom, name, description } = subject.form
  if (!isArea(geom)) return { refused: 'notAreas' }
  return attempt(() => {
    const [first, ...others] = splitArea(geom, line)
    if (!first || others.length === 0) return { refused: 'notCut' }
    const withFirst = putShape(draft, subject.id, subject.base, { ...subject.form, geom: first })
    const withParts = others.reduce(
      (next, part, index) =>
        putShape(next, nextNewId(next), null, {
          name: `${name.slice(0, maxShapeNameLength - suffixLength)} (${index + 2})`,
          description,
          geom: part,
        }),
      withFirst,
    )
    return { draft: withParts, selected: subject.id }
  })
}

/** Merges another shape into this one and deletes it. */
export function mergeShapes(draft: Draft, subject: Subject, other: Subject): EditResult {
  const geom = subject.form.geom
  const otherGeom = other.form.geom
  if (!isArea(geom) || !isArea(otherGeom) || subject.id === other.id) return { refused: 'notAreas' }
  return attempt(() => {
    const mergedForm = { ...subject.form, geom: mergeAreas(geom, otherGeom) }
    const merged = putShape(draft, subject.id, subject.base, mergedForm)
    return { draft: putShape(merged, other.id, other.base, null), selected: subject.id }
  })
}

export function cutShape(draft: Draft, subject: Subject, subtracted: Area): EditResult {
  const { geom } = subject.form
  if (!isArea(geom)) return { refused: 'notAreas' }
  return attempt(() => {
    const remaining = cutArea(geom, repairArea(subtracted) ?? subtracted)
    return remaining === null ? { refused: 'nothingLeft' } : withGeom(draft, subject, remaining)
  })
}

/** Fills all holes, or the one identified by the part `polygon:ring`. */
export function fillShape(draft: Draft, subject: Subject, part: string | null): EditResult {
  const { geom } = subject.form
  if (!isArea(geom)) return { refused: 'notAreas' }
  const [polygon = 0, ring = 0] = (part ?? '').split(':').map(Number)
  return withGeom(draft, subject, fillHoles(geom, ring > 0 ? { polygon, ring } : undefined))
}

/** Repairs the crossing outlines of a shape. */
export function repairShape(draft: Draft, subject: Subject): EditResult {
  const { geom } = subject.form
  if (!isArea(geom)) return { refused: 'notAreas' }
  return attempt(() => {
    const repaired = repairArea(geom)
    return repaired === null ? { refused: 'nothingLeft' } : withGeom(draft, subject, repaired)
  })
}

/** Returns an area without its holes, or without the one at the given polygon and ring. */
export function fillHoles(area: Area, hole?: { polygon: number; ring: number }): Area {
  const polygons = getPolygons(area).map((rings, polygon) =>
    rings.filter(
      (_, ring) => ring === 0 || (hole !== undefined && (hole.polygon !== polygon || hole.ring !== ring)),
    ),
  )
  return area.type === 'Polygon'
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons }
}

export const countHoles = (area: Area): number =>
  getPolygons(area).reduce((sum, rings) => sum + rings.length - 1, 0)

interface Face {
  area: JtsGeometry
  /** A position inside the face, away from its edges. */
  inside: Position
}

/**
 * Grid cells per degree; each is a thousandth of a millimeter. Positions are rounded to this grid, because
 * the crossings of two edges with the same third edge could otherwise differ in the last digit.
 */
const cellsPerDegree = 1e11
const grid = new PrecisionModel(cellsPerDegree)
const roundPosition = ([x, y]: Position): Position => [
  Math.round(x * cellsPerDegree) / cellsPerDegree,
  Math.round(y * cellsPerDegree) / cellsPerDegree,
]

/** Finds the faces between crossing lines. */
function findFaces(lines: readonly (readonly Position[])[]): Face[] {
  const polygonizer = new Polygonizer()
  const cut = new GeometryNoder(grid).node(
    Arrays.asList([toJts.lines(lines.map((line) => line.map(roundPosition)))]),
  )
  // The union removes duplicate edges.
  polygonizer.add(UnaryUnionOp.union(toJts.multiLine(cut.toArray())))
  return polygonizer
    .getPolygons()
    .toArray()
    .filter((area) => area.getArea() > 0)
    .map((area) => {
      const { x, y } = InteriorPointArea.getInteriorPoint(area)
      return { area, inside: [x, y] }
    })
}
