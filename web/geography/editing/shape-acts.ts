import { isArea, type Area, type Geometry, type Position } from '#contract/place.ts'
import { nextNewId, putShape, type Draft, type ShapeForm, type StoredForm } from '../draft/draft.ts'
import { cutArea } from '../shaping/cut-area.ts'
import { fillHoles } from '../shaping/fill-holes.ts'
import { mendArea } from '../shaping/mend-area.ts'
import { mergeAreas } from '../shaping/merge-areas.ts'
import { splitArea } from '../shaping/split-area.ts'

/** A shape as it is now: as stored or as the draft has it. */
export interface Subject {
  id: string
  base: StoredForm | null
  form: ShapeForm
}

/** Why nothing was done. */
export type Refused = 'notCut' | 'nothingLeft' | 'notAreas' | 'wrongFirst' | 'failed'
export type Outcome = { draft: Draft; selected: string | null } | { refused: Refused }

/** Names are at most so long. */
const longest = 200

const withGeom = (draft: Draft, { id, base, form }: Subject, geom: Geometry): Outcome => ({
  draft: putShape(draft, id, base, { ...form, geom }),
  selected: id,
})

/** JTS gives up on some geometries that are not valid: then nothing is done, and that is said. */
function attempt(act: () => Outcome): Outcome {
  try {
    return act()
  } catch {
    return { refused: 'failed' }
  }
}

export function drawShape(draft: Draft, geom: Geometry, name: string): Outcome {
  const id = nextNewId(draft)
  return { draft: putShape(draft, id, null, { name, description: null, geom }), selected: id }
}

/** The largest piece stays the shape; each of the others is a new one, numbered after it. */
export function splitShape(draft: Draft, subject: Subject, line: readonly Position[]): Outcome {
  const { geom, name, description } = subject.form
  if (!isArea(geom)) return { refused: 'notAreas' }
  return attempt(() => {
    const [first, ...others] = splitArea(geom, line)
    if (!first || others.length === 0) return { refused: 'notCut' }
    const kept = putShape(draft, subject.id, subject.base, { ...subject.form, geom: first })
    const all = others.reduce(
      (so, piece, at) =>
        putShape(so, nextNewId(so), null, {
          name: `${name.slice(0, longest - 6)} (${at + 2})`,
          description,
          geom: piece,
        }),
      kept,
    )
    return { draft: all, selected: subject.id }
  })
}

/** The other shape becomes part of this one, and is deleted. */
export function mergeShapes(draft: Draft, subject: Subject, other: Subject): Outcome {
  const [a, b] = [subject.form.geom, other.form.geom]
  if (!isArea(a) || !isArea(b) || subject.id === other.id) return { refused: 'notAreas' }
  return attempt(() => {
    const merged = putShape(draft, subject.id, subject.base, { ...subject.form, geom: mergeAreas(a, b) })
    return { draft: putShape(merged, other.id, other.base, null), selected: subject.id }
  })
}

export function cutShape(draft: Draft, subject: Subject, taken: Area): Outcome {
  const { geom } = subject.form
  if (!isArea(geom)) return { refused: 'notAreas' }
  return attempt(() => {
    const left = cutArea(geom, mendArea(taken) ?? taken)
    return left === null ? { refused: 'nothingLeft' } : withGeom(draft, subject, left)
  })
}

/** Fills all holes, or the one that is part `polygon:ring`. */
export function fillShape(draft: Draft, subject: Subject, part: string | null): Outcome {
  const { geom } = subject.form
  if (!isArea(geom)) return { refused: 'notAreas' }
  const [polygon = 0, ring = 0] = (part ?? '').split(':').map(Number)
  return withGeom(draft, subject, fillHoles(geom, ring > 0 ? { polygon, ring } : undefined))
}

export function mendShape(draft: Draft, subject: Subject): Outcome {
  const { geom } = subject.form
  if (!isArea(geom)) return { refused: 'notAreas' }
  return attempt(() => {
    const mended = mendArea(geom)
    return mended === null ? { refused: 'nothingLeft' } : withGeom(draft, subject, mended)
  })
}
