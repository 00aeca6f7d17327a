import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { listShapes, type Layer, type Shape } from '#contract/geography.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'

const size = 5000

/** The query of all shapes of a layer by name, page after page; cached until the layer's content changes. */
export const shapesQuery = (layer: Layer | null) => ({
  queryKey: [...endpointQueryKey(listShapes), 'all', layer?.shape_layer_uuid ?? '', layer?.content_hash],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Shape[]> => {
    const shapes: Shape[] = []
    for (let page = 1, total = 1; shapes.length < total; page++) {
      const answer = await call(
        listShapes,
        {
          params: { region_id: layer?.region_id ?? '' },
          query: { shape_layer_uuid: layer?.shape_layer_uuid ?? '', page, size },
        },
        { signal },
      )
      shapes.push(...answer.items)
      // A page without items ends it, whatever the total says.
      total = answer.items.length === 0 ? 0 : answer.total
    }
    return shapes
  },
})

export const useShapes = (layer: Layer | null): UseQueryResult<Shape[], ApiError> =>
  useQuery<Shape[], ApiError>({ enabled: layer !== null, ...shapesQuery(layer) })
