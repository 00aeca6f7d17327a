import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { getShape, type Shape } from '#contract/geography.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'
import { type EditAct, type EditState, subjectOf } from './edit-state.ts'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import type { Draft } from '../draft/draft.ts'
import type { Subject } from '../geometry/area-operations.ts'

/** Longer lists contain only shapes that touch the selected one. */
const most = 200

/** Shapes that can be merged into the selected one by name. */
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

/** Merges a shape into the selected one. A shape of a large layer is first loaded if necessary. */
export function useMergeWith(
  regionId: string,
  state: EditState,
  act: (act: EditAct) => void,
): (id: string) => void {
  const client = useQueryClient()
  const isKnown = useCallback(
    (id: string) => subjectOf(state, id) !== null || state.history.now.has(id),
    [state],
  )
  return useCallback(
    (id: string) => {
      const merge = () => act({ type: 'merge', id })
      if (isKnown(id)) return merge()
      const input = { params: { region_id: regionId, shape_uuid: id } }
      client
        .fetchQuery({
          queryKey: endpointQueryKey(getShape, input),
          queryFn: ({ signal }) => call(getShape, input, { signal }),
        })
        .then(
          (shape) => act({ type: 'known', shapes: [shape] }),
          () => undefined,
        )
        // If the shape no longer exists, the merge reports that it cannot be joined.
        .finally(merge)
    },
    [client, isKnown, regionId, act],
  )
}
