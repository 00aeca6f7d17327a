import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRegion, getRegion, listRegions } from '#contract/regions.ts'
import { useEndpointMutation } from './use-endpoint-mutation.ts'
import { fakeServer, ErrorResponse } from './test-server.ts'
import { usePagedQuery } from './paged-query.ts'
import { endpointQueryKey, createQueryClient, useEndpointQuery } from './query.ts'

afterEach(() => vi.unstubAllGlobals())

function createWrapper() {
  const client = createQueryClient()
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
}
const makePage = (page: number) => ({ items: [{ regionId: `r${page}` }], total: 25, page, size: 10 })

describe('queries', () => {
  it('queries are sent once and cached', async () => {
    const { requests } = fakeServer({ 'GET /v2/regions/a': () => ({ text: 'A' }) })
    const wrapper = createWrapper()
    const first = renderHook(() => useEndpointQuery(getRegion, { params: { region_id: 'a' } }), { wrapper })
    await waitFor(() => expect(first.result.current.data).toEqual({ text: 'A' }))
    const second = renderHook(() => useEndpointQuery(getRegion, { params: { region_id: 'a' } }), { wrapper })
    expect(second.result.current.data).toEqual({ text: 'A' })
    expect(requests).toHaveLength(1)
  })

  it('queries are not retried when they fail', async () => {
    const { requests } = fakeServer({ 'GET /v2/regions/a': () => new ErrorResponse(503, 'Away') })
    const { result } = renderHook(() => useEndpointQuery(getRegion, { params: { region_id: 'a' } }), {
      wrapper: createWrapper(),
    })
    await waitFor(() => expect(result.current.error?.message).toBe('Away'))
    expect(requests).toHaveLength(1)
  })

  it('queries are retried while data is being prepared, and report the progress', async () => {
    let attempts = 0
    const { requests } = fakeServer({
      'GET /v2/regions/a': () =>
        ++attempts < 3 ? new ErrorResponse(503, `${attempts} of 3`, 'being_prepared') : { text: 'A' },
    })
    const { result } = renderHook(() => useEndpointQuery(getRegion, { params: { region_id: 'a' } }), {
      wrapper: createWrapper(),
    })
    await waitFor(() => expect(result.current.failureReason?.message).toBe('1 of 3'))
    expect(result.current).toMatchObject({ isFetching: true, error: null })
    await waitFor(() => expect(result.current.data).toEqual({ text: 'A' }), { timeout: 5000 })
    expect(requests).toHaveLength(3)
  })

  it('queries are retried once if a busy server requests it', async () => {
    const { requests } = fakeServer({
      'GET /v2/regions/a': () => new ErrorResponse(503, 'Busy', 'service_unavailable', { retryAfter: 0 }),
    })
    const { result } = renderHook(() => useEndpointQuery(getRegion, { params: { region_id: 'a' } }), {
      wrapper: createWrapper(),
    })
    await waitFor(() => expect(result.current.error?.retryAfter).toBe(0))
    expect(requests).toHaveLength(2)
  })

  it('queries stay fresh for 10 minutes and are cached for 30', () => {
    expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
      refetchOnWindowFocus: false,
      staleTime: 600_000,
      gcTime: 1_800_000,
    })
  })

  it('queries have one key per request', () => {
    expect(endpointQueryKey(listRegions, { query: { page: 2 } })).toEqual([
      'GET',
      '/regions',
      { query: { page: 2 } },
    ])
    expect(endpointQueryKey(listRegions)).toEqual(['GET', '/regions'])
  })
})

describe('a mutation', () => {
  it('refetches the queries that it invalidates', async () => {
    let count = 0
    const { requests } = fakeServer({
      'GET /v2/regions': () => ({ items: [], total: (count += 1), page: 1, size: 10 }),
      'POST /v2/regions': () => ({}),
    })
    const { result } = renderHook(
      () => ({
        list: useEndpointQuery(listRegions, { query: {} }),
        create: useEndpointMutation(createRegion, [listRegions]),
      }),
      { wrapper: createWrapper() },
    )
    await waitFor(() => expect(result.current.list.data?.total).toBe(1))
    act(() =>
      result.current.create.mutate({ body: { regionId: 'a', text: 'A', lat: 0, lon: 0, timezone: 'UTC' } }),
    )
    await waitFor(() => expect(result.current.list.data?.total).toBe(2))
    expect(requests.map((request) => request.method)).toEqual(['GET', 'POST', 'GET'])
  })
})

describe('pages', () => {
  it('pages load one after the other until the last', async () => {
    const { requests } = fakeServer({ 'GET /v2/regions': ({ query }) => makePage(Number(query.get('page'))) })
    const { result } = renderHook(() => usePagedQuery(listRegions, { query: { text: 'x' } }), {
      wrapper: createWrapper(),
    })
    await waitFor(() => expect(result.current.items).toHaveLength(1))
    for (const count of [2, 3]) {
      act(() => result.current.fetchMore())
      await waitFor(() => expect(result.current.items).toHaveLength(count))
    }
    act(() => result.current.fetchMore())
    expect(result.current.items?.map((region) => region.regionId)).toEqual(['r1', 'r2', 'r3'])
    expect(requests.map((request) => request.query.toString())).toEqual([
      'text=x&page=1',
      'text=x&page=2',
      'text=x&page=3',
    ])
    expect(result.current.total).toBe(25)
  })

  it('pages leave the old list visible while another is loading', async () => {
    let finish: () => void = () => undefined
    fakeServer({
      'GET /v2/regions': async ({ query }) => {
        if (query.get('text')) await new Promise<void>((resolve) => (finish = resolve))
        return { items: [{ regionId: query.get('text') ?? 'all' }], total: 1, page: 1, size: 10 }
      },
    })
    const { result, rerender } = renderHook(
      ({ text }) => usePagedQuery(listRegions, { query: text ? { text } : {} }),
      { wrapper: createWrapper(), initialProps: { text: '' } },
    )
    await waitFor(() => expect(result.current.items).toEqual([{ regionId: 'all' }]))
    rerender({ text: 'ash' })
    await waitFor(() => expect(result.current.isFetching).toBe(true))
    expect(result.current.items).toEqual([{ regionId: 'all' }])
    act(() => finish())
    await waitFor(() => expect(result.current.items).toEqual([{ regionId: 'ash' }]))
  })
})

describe('failed pages', () => {
  it('failed pages leave the loaded ones, and can be retried', async () => {
    const responses: unknown[] = [makePage(1), new ErrorResponse(503, 'Away')]
    fakeServer({ 'GET /v2/regions': ({ query }) => responses.shift() ?? makePage(Number(query.get('page'))) })
    const { result } = renderHook(() => usePagedQuery(listRegions, { query: {} }), {
      wrapper: createWrapper(),
    })
    await waitFor(() => expect(result.current.items).toHaveLength(1))
    act(() => result.current.fetchMore())
    await waitFor(() => expect(result.current.error?.message).toBe('Away'))
    expect(result.current.items?.map((region) => region.regionId)).toEqual(['r1'])
    act(() => result.current.fetchMore())
    await waitFor(() => expect(result.current.items?.map((region) => region.regionId)).toEqual(['r1', 'r2']))
    expect(result.current.error).toBeNull()
  })
})

describe('an unmounted query', () => {
  it('an unmounted query is aborted', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    vi.stubGlobal(
      'fetch',
      (_: string, init: RequestInit) => new Promise(() => void signals.push(init.signal)),
    )
    const { unmount } = renderHook(() => useEndpointQuery(getRegion, { params: { region_id: 'a' } }), {
      wrapper: createWrapper(),
    })
    await waitFor(() => expect(signals).toHaveLength(1))
    expect(signals[0]?.aborted).toBe(false)
    unmount()
    expect(signals[0]?.aborted).toBe(true)
  })
})
