import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { listShapes, type Layer, type Shape } from '#contract/geography.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'

const pageSize = 5000

/** Query of all shapes of a layer, page by page; cached until the content of the layer changes. */
export const shapesQuery = (layer: Layer | null) => ({
  queryKey: [...endpointQueryKey(listShapes), 'all', layer?.shape_layer_uuid ?? '', layer?.content_hash],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Shape[]> => {
    const shapes: Shape[] = []
    for (let page = 1, total = 1; shapes.length < total; page++) {
      const response = await call(
        listShapes,
        {
          params: { region_id: layer?.region_id ?? '' },
          query: { shape_layer_uuid: layer?.shape_layer_uuid ?? '', page, size: pageSize },
        },
        { signal },
      )
      shapes.push(...response.items)
      // An empty page ends the loop, even if the total is higher: shapes may have been deleted meanwhile.
      total = response.items.length === 0 ? 0 : response.total
    }
    return shapes
  },
})

/** Loads the shapes of a layer; nothing for null. */
export const useShapes = (layer: Layer | null): UseQueryResult<Shape[], ApiError> =>
  useQuery<Shape[], ApiError>({ enabled: layer !== null, ...shapesQuery(layer) })
