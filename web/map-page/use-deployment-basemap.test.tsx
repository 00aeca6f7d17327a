import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import { createQueryClient } from '#web/data/query.ts'
import { maplibregl } from '#web/map/setup.ts'
import { useDeploymentBasemap } from './use-deployment-basemap.ts'

afterEach(() => vi.unstubAllGlobals())

const ownLayers = [{ role: 'street' as const, tiles: '/own/{z}/{x}/{y}' }]

function renderBasemap(basemap: unknown, style?: unknown, scheme: 'light' | 'dark' = 'light') {
  const client = createQueryClient()
  const { requests } = fakeServer({
    'GET /v2/basemap': () => basemap,
    ...(style === undefined ? {} : { [`GET /${scheme}.json`]: () => style }),
  })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MantineProvider forceColorScheme={scheme} env="test">
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MantineProvider>
  )
  return { requests, result: renderHook(() => useDeploymentBasemap(ownLayers), { wrapper }).result }
}

it('the basemap is empty while loading, then the region’s own layers if the deployment has none', async () => {
  const { result } = renderBasemap({ kind: 'embedded' })
  expect(result.current).toEqual([])
  await waitFor(() => expect(result.current).toBe(ownLayers))
})

it('the basemap is the region’s own layers if the request fails', async () => {
  const { result } = renderBasemap(new ErrorResponse(500, 'x'))
  await waitFor(() => expect(result.current).toBe(ownLayers))
})

it('the basemap is the deployment’s file once its protocol is registered', async () => {
  const { result } = renderBasemap({
    kind: 'tiles',
    url: '/basemap/tiles.pmtiles?v=1',
    layers: ['water'],
    attribution: 'A',
    min_zoom: 1,
    max_zoom: 9,
    bounds: [1, 2, 3, 4],
  })
  await waitFor(() =>
    expect(result.current).toEqual({
      kind: 'tiles',
      tiles: `pmtiles://${location.origin}/basemap/tiles.pmtiles?v=1/{z}/{x}/{y}`,
      layers: ['water'],
      attribution: 'A',
      minZoom: 1,
      maxZoom: 9,
      bounds: [1, 2, 3, 4],
    }),
  )
  expect(maplibregl.config.REGISTERED_PROTOCOLS).toHaveProperty('pmtiles')
})

it('the basemap is the style of another server, in the scheme of the page', async () => {
  const { result, requests } = renderBasemap(
    { kind: 'style', url: 'https://maps.example/{scheme}.json' },
    { version: 8, sources: {}, layers: [] },
    'dark',
  )
  await waitFor(() =>
    expect(result.current).toEqual({ kind: 'style', style: { version: 8, sources: {}, layers: [] } }),
  )
  expect(requests.map(({ path }) => path)).toEqual(['/v2/basemap', '/dark.json'])
})

it.each([
  [new ErrorResponse(404, 'x'), 'unreachable'],
  [{ version: 7 }, 'no_style'],
  [{ version: 8, layers: [], sources: { a: { url: 'https://other.example/t' } } }, 'other_host'],
])('the basemap is the region’s own layers with the problem if the style is %j', async (style, reason) => {
  const { result } = renderBasemap({ kind: 'style', url: 'https://maps.example/light.json' }, style)
  await waitFor(() =>
    expect(result.current).toEqual({
      kind: 'own',
      layers: ownLayers,
      problem: { reason, host: reason === 'other_host' ? 'other.example' : 'maps.example' },
    }),
  )
})
