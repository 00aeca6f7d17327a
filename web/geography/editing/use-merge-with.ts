import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { getShape } from '#contract/geography.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'
import { subjectOf, type EditAct, type EditState } from './edit-state.ts'

/** Merges a shape into the chosen one; one of a large layer that is not known yet is fetched first. */
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
      const given = { params: { region_id: regionId, shape_uuid: id } }
      client
        .fetchQuery({
          queryKey: endpointQueryKey(getShape, given),
          queryFn: ({ signal }) => call(getShape, given, { signal }),
        })
        .then(
          (shape) => act({ type: 'known', shapes: [shape] }),
          () => undefined,
        )
        // Of a shape that is gone it is said that it cannot be joined.
        .finally(merge)
    },
    [client, isKnown, regionId, act],
  )
}
