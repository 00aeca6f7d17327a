import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp, makeScreenEntry } from './test-frame.tsx'
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
  const { search, push, replace } = useSearchState(read)
  const [isMapOpen, setMapOpen] = useState(true)
  return (
    <>
      <output>{JSON.stringify(search)}</output>
      <button type="button" onClick={() => push({ layer: 'wards' })}>
        Change
      </button>
      <button type="button" onClick={() => replace({ page: (search.page ?? 1) + 1 })}>
        Adjust
      </button>
      {isMapOpen ? <MapProbe /> : null}
      <button type="button" onClick={() => setMapOpen(false)}>
        Close the map
      </button>
      <button type="button" onClick={() => push({ layer: undefined, page: 1 })}>
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
const screens: ScreenEntry[] = [makeScreenEntry('/probe', 'shell:pages.home', Probe, 'public')]
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

it('parses the URL, drops invalid values, and omits defaults', async () => {
  const router = await renderApp(screens, '/probe?layer=parks&page=1&other=x')
  expect(await screen.findByText('{"layer":"parks"}')).toBeInTheDocument()
  await press('Adjust')
  expect(await screen.findByText('{"layer":"parks","page":2}')).toBeInTheDocument()
  await press('Clear')
  expect(await screen.findByText('{}')).toBeInTheDocument()
  expect(router.state.location.search).toEqual({})
})

it('goes back over pushed states, not over replaced ones', async () => {
  const router = await renderApp(screens, '/probe')
  await screen.findByText('{}')
  await press('Change')
  await screen.findByText('{"layer":"wards"}')
  await press('Adjust')
  await screen.findByText('{"layer":"wards","page":2}')
  act(() => router.history.back())
  expect(await screen.findByText('{}')).toBeInTheDocument()
})

it('writes the feature under the pointer without a history entry or a new state', async () => {
  const router = await renderApp(screens, '/probe')
  await screen.findByText('{}')
  await press('Change')
  await screen.findByText('{"layer":"wards"}')
  const historyLength = router.history.length
  await press('Hover')
  await expect.poll(() => router.state.location.search).toEqual({ layer: 'wards', hover: 'shape-1' })
  expect(screen.getByText('{"layer":"wards"}')).toBeInTheDocument()
  await press('Leave')
  await expect.poll(() => router.state.location.search).toEqual({ layer: 'wards' })
  expect(router.history.length).toBe(historyLength)
})

it('removes the hover parameter of a shared URL, and retains the rest', async () => {
  const router = await renderApp(screens, '/probe?layer=wards&hover=shape-9')
  await screen.findByText('{"layer":"wards"}')
  await expect.poll(() => router.state.location.search).toEqual({ layer: 'wards' })
  expect(router.history.length).toBe(1)
})

it('removes the hover parameter when the map closes', async () => {
  const router = await renderApp(screens, '/probe')
  await screen.findByText('{}')
  await press('Hover over 311')
  await expect.poll(() => router.state.location.href).toContain('hover=')
  await press('Close the map')
  await expect.poll(() => router.state.location.search).toEqual({})
  expect(router.history.length).toBe(1)
})
