import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp } from './test-frame.tsx'
import { useHoverParam, useSearchState } from './use-search-state.ts'

interface Search {
  layer?: string | undefined
  page?: number | undefined
}
const read = (search: Record<string, unknown>): Search => ({
  ...(typeof search['layer'] === 'string' ? { layer: search['layer'] } : {}),
  ...(typeof search['page'] === 'number' && search['page'] > 1 ? { page: search['page'] } : {}),
})

function Probe() {
  const { search, push: change, replace: adjust } = useSearchState(read)
  const [isMapOpen, setMapOpen] = useState(true)
  return (
    <>
      <output>{JSON.stringify(search)}</output>
      <button type="button" onClick={() => change({ layer: 'wards' })}>
        Change
      </button>
      <button type="button" onClick={() => adjust({ page: (search.page ?? 1) + 1 })}>
        Adjust
      </button>
      {isMapOpen ? <MapProbe /> : null}
      <button type="button" onClick={() => setMapOpen(false)}>
        Close the map
      </button>
      <button type="button" onClick={() => change({ layer: undefined, page: 1 })}>
        Clear
      </button>
    </>
  )
}
function MapProbe() {
  const hover = useHoverParam()
  return (
    <>
      <button type="button" onClick={() => hover('shape-1')}>
        Hover
      </button>
      <button type="button" onClick={() => hover('311')}>
        Hover over 311
      </button>
      <button type="button" onClick={() => hover(null)}>
        Leave
      </button>
    </>
  )
}
const screens: ScreenEntry[] = [
  { path: '/probe', title: 'shell:pages.home', permission: 'public', Screen: Probe },
]
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

it('reads the address bar, drops what makes no sense, and keeps defaults out of it', async () => {
  const router = await renderApp(screens, '/probe?layer=parks&page=1&other=x')
  expect(await screen.findByText('{"layer":"parks"}')).toBeInTheDocument()
  await press('Adjust')
  expect(await screen.findByText('{"layer":"parks","page":2}')).toBeInTheDocument()
  await press('Clear')
  expect(await screen.findByText('{}')).toBeInTheDocument()
  expect(router.state.location.search).toEqual({})
})

it('steps back over changes, not over adjustments', async () => {
  const router = await renderApp(screens, '/probe')
  await screen.findByText('{}')
  await press('Change')
  await screen.findByText('{"layer":"wards"}')
  await press('Adjust')
  await screen.findByText('{"layer":"wards","page":2}')
  act(() => router.history.back())
  expect(await screen.findByText('{}')).toBeInTheDocument()
})

it('has the feature under the pointer, without a step back and without a new state', async () => {
  const router = await renderApp(screens, '/probe')
  await screen.findByText('{}')
  await press('Change')
  await screen.findByText('{"layer":"wards"}')
  const steps = router.history.length
  await press('Hover')
  await expect.poll(() => router.state.location.search).toEqual({ layer: 'wards', hover: 'shape-1' })
  expect(screen.getByText('{"layer":"wards"}')).toBeInTheDocument()
  await press('Leave')
  await expect.poll(() => router.state.location.search).toEqual({ layer: 'wards' })
  expect(router.history.length).toBe(steps)
})

it('loses a feature that was under the pointer of whoever shared the address, and keeps the rest', async () => {
  const router = await renderApp(screens, '/probe?layer=wards&hover=shape-9')
  await screen.findByText('{"layer":"wards"}')
  await expect.poll(() => router.state.location.search).toEqual({ layer: 'wards' })
  expect(router.history.length).toBe(1)
})

it('loses the feature when the map goes away under the pointer', async () => {
  const router = await renderApp(screens, '/probe')
  await screen.findByText('{}')
  await press('Hover over 311')
  await expect.poll(() => router.state.location.href).toContain('hover=')
  await press('Close the map')
  await expect.poll(() => router.state.location.search).toEqual({})
  expect(router.history.length).toBe(1)
})
