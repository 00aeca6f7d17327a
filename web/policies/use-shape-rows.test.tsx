import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#web/data/test-server.ts'
import { createQueryClient } from '#web/data/query.ts'
import { layerId, testLayer } from '#web/map-page/test-geography.ts'
import { useShapeRows } from './use-shape-rows.ts'

afterEach(() => vi.unstubAllGlobals())

const makeRow = (index: number) => ({
  shape_uuid: `${index}`,
  shape_id: `${index}`,
  shape_name: `Block ${index}`,
  shape_description: null,
  geometry_type: 'Polygon',
  bbox: [0, 0, 1, 1],
  modified_time: '2026-11-20T15:00:00Z',
  modified_by: null,
})

function makeRowsOf(total: number) {
  const { requests } = fakeServer({
    [`GET /v2/regions/port-meridian/layers/${layerId}/shapes`]: ({ query }) => {
      const page = Number(query.get('page') ?? 1)
      return {
        items: Array.from({ length: 200 }, (_, index) => makeRow((page - 1) * 200 + index)),
        total,
        page,
        size: 200,
      }
    },
  })
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return { requests, result: renderHook(() => useShapeRows(testLayer, '', 'shape_name'), { wrapper }).result }
}

it('the total is known while further rows are loading, so that the table height is constant', async () => {
  const { requests, result } = makeRowsOf(50_176)
  await waitFor(() => expect(result.current.total).toBe(50_176))
  act(() => result.current.show(25_000, 25_020))
  expect(result.current.total).toBe(50_176)
  expect(result.current.at(25_000)).toBeUndefined()
  await waitFor(() => expect(result.current.at(25_000)?.shape_name).toBe('Block 25000'))
  expect(result.current.at(0)?.shape_name).toBe('Block 0')
  expect(requests.map(({ query }) => query.get('page'))).toEqual(['1', '126'])
})

it('rows of two pages are shown if both are visible', async () => {
  const { result } = makeRowsOf(50_176)
  act(() => result.current.show(395, 410))
  await waitFor(() => expect(result.current.at(410)?.shape_name).toBe('Block 410'))
  expect(result.current.at(395)?.shape_name).toBe('Block 395')
  expect(result.current.at(1000)).toBeUndefined()
})
