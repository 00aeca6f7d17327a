import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Layer } from '#contract/geography.ts'
import { listShapeRows, type shapeOrders, type ShapeRow } from '#contract/geography-use.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'

export type ShapeOrder = (typeof shapeOrders)[number]

const pageSize = 200

interface ShapeRows {
  /** The number of shapes; null until the first page is loaded. */
  total: number | null
  at: (index: number) => ShapeRow | undefined
  error: ApiError | null
  isFetching: boolean
  refetch: () => void
  /** Reports the range of visible rows; other pages are not requested. */
  show: (from: number, to: number) => void
}

/** The rows of a layer's table. Only visible pages are loaded, so 50,000 shapes cost no more than 500. */
export function useShapeRows(layer: Layer, text: string, order: ShapeOrder): ShapeRows {
  const [visiblePages, setVisiblePages] = useState<[number, number]>([0, 0])
  // The first page is always loaded, because it has the total while other pages are loading.
  const pages = [
    ...new Set([
      0,
      ...Array.from({ length: visiblePages[1] - visiblePages[0] + 1 }, (_, index) => visiblePages[0] + index),
    ]),
  ]
  const params = { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid }
  const responses = useQueries({
    queries: pages.map((page) => {
      const input = {
        params,
        query: { order_by: order, page: page + 1, size: pageSize, ...(text ? { text } : {}) },
      }
      return {
        queryKey: [...endpointQueryKey(listShapeRows, input), layer.content_hash],
        queryFn: ({ signal }: { signal: AbortSignal }) => call(listShapeRows, input, { signal }),
        placeholderData: keepPreviousData,
      }
    }),
  })
  return {
    total: responses[0]?.data?.total ?? null,
    at: (index) => {
      const response = responses[pages.indexOf(Math.floor(index / pageSize))]
      return response && !response.isPlaceholderData ? response.data?.items[index % pageSize] : undefined
    },
    error: (responses.find(({ error }) => error !== null)?.error ?? null) as ApiError | null,
    isFetching: responses.some(({ isFetching }) => isFetching),
    refetch: () => responses.forEach(({ refetch }) => void refetch()),
    show: (from, to) => {
      const next: [number, number] = [Math.floor(from / pageSize), Math.floor(Math.max(from, to) / pageSize)]
      if (next[0] !== visiblePages[0] || next[1] !== visiblePages[1]) setVisiblePages(next)
    },
  }
}
