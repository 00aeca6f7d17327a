import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { getShape, type Shape } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import { type EditAction, type EditState, findSubject } from './edit-state.ts'
import type { Draft } from '../draft/draft.ts'
import type { Subject } from '../geometry/area-operations.ts'

/** Longer lists contain only shapes that touch the selected one. */
const maxChoices = 200

const boxesTouch = ([west, south, east, north]: Box, other: Box): boolean =>
  other[0] <= east && other[2] >= west && other[1] <= north && other[3] >= south

/** Shapes that can be merged into the selected one by name. */
export function listMergeChoices(
  shapes: readonly Shape[],
  draft: Draft,
  { id, form }: Subject,
): { id: string; name: string }[] {
  const others = shapes.filter(({ shape_uuid }) => shape_uuid !== id && draft.get(shape_uuid)?.now !== null)
  const box = others.length > maxChoices ? boundingBox(form.geom) : null
  const neighbors = box
    ? others.filter(({ geom }) => {
        const other = boundingBox(geom)
        return other !== null && boxesTouch(box, other)
      })
    : others
  return neighbors.map(({ shape_uuid, shape_name }) => ({ id: shape_uuid, name: shape_name }))
}

/** Merges a shape into the selected one. A shape of a large layer is first loaded if necessary. */
export function useMergeWith(
  regionId: string,
  state: EditState,
  dispatch: (action: EditAction) => void,
): (id: string) => void {
  const client = useQueryClient()
  const isKnown = useCallback(
    (id: string) => findSubject(state, id) !== null || state.history.now.has(id),
    [state],
  )
  return useCallback(
    (id: string) => {
      const merge = () => dispatch({ type: 'merge', id })
      if (isKnown(id)) return merge()
      const input = { params: { region_id: regionId, shape_uuid: id } }
      client
        .fetchQuery({
          queryKey: endpointQueryKey(getShape, input),
          queryFn: ({ signal }) => call(getShape, input, { signal }),
        })
        .then(
          (shape) => dispatch({ type: 'known', shapes: [shape] }),
          () => undefined,
        )
        // If the shape no longer exists, the merge reports that it cannot be joined.
        .finally(merge)
    },
    [client, isKnown, regionId, dispatch],
  )
}
