import type { Shape } from '#contract/geography.ts'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import type { Draft } from '../draft/draft.ts'
import type { Subject } from '../geometry/area-operations.ts'

/** Of more shapes than can be looked through only those are offered that lie at the chosen one. */
const most = 200

/** Shapes that can be merged into the chosen one by name. */
export function mergeChoices(
  shapes: readonly Shape[],
  draft: Draft,
  { id, form }: Subject,
): { id: string; name: string }[] {
  const others = shapes.filter(({ shape_uuid }) => shape_uuid !== id && draft.get(shape_uuid)?.now !== null)
  const box = others.length > most ? boundingBox(form.geom) : null
  const near = box
    ? others.filter(({ geom }) => {
        const at = boundingBox(geom)
        return at !== null && at[0] <= box[2] && at[2] >= box[0] && at[1] <= box[3] && at[3] >= box[1]
      })
    : others
  return near.map(({ shape_uuid, shape_name }) => ({ id: shape_uuid, name: shape_name }))
}
