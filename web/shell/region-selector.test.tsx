import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { useRegion } from './region.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp, makeScreenEntry } from './test-frame.tsx'
import { signedIn, testRegion } from './test-responses.ts'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/mobility/maps/trips', 'evaluation:maps.trips', () => (
    <h1>In {useRegion().text}</h1>
  )),
]
const redirects = { '/': '/$regionId/mobility/maps/trips' }
const allTowns = Array.from({ length: 25 }, (_, index) =>
  testRegion(`town-${index + 1}`, `Town ${index + 1}`),
)
const listResponse = ({ query }: { query: URLSearchParams }) => {
  const matching = allTowns.filter((region) =>
    region.text.toLowerCase().includes((query.get('text') ?? '').toLowerCase()),
  )
  const page = Number(query.get('page'))
  return { items: matching.slice((page - 1) * 10, page * 10), total: matching.length, page, size: 10 }
}

/** Observed elements with the callbacks of their observers; `setVisible` triggers them. */
const observed = new Map<Element, (entries: { isIntersecting: boolean }[]) => void>()
class FakeObserver {
  readonly #onChange: (entries: { isIntersecting: boolean }[]) => void
  #element: Element | undefined
  constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
    this.#onChange = onChange
  }
  observe(element: Element) {
    this.#element = element
    observed.set(element, this.#onChange)
  }
  disconnect() {
    if (this.#element && observed.get(this.#element) === this.#onChange) observed.delete(this.#element)
  }
}
const setVisible = (isIntersecting: boolean) =>
  act(async () => [...observed.values()].forEach((onChange) => onChange([{ isIntersecting }])))
const getListedTowns = () => screen.getAllByRole('link', { name: /^Town/ }).map((link) => link.textContent)

beforeEach(() => {
  observed.clear()
  vi.stubGlobal('IntersectionObserver', FakeObserver)
})
afterEach(() => vi.unstubAllGlobals())

async function renderSelector(responses: Responses = {}) {
  const server = fakeServer({ ...signedIn(), 'GET /v2/regions': listResponse, ...responses })
  const router = await renderApp(screens, '/port-meridian/mobility/maps/trips', redirects)
  await userEvent.click(await screen.findByRole('button', { name: 'Region: Port Meridian' }))
  await screen.findByLabelText('Search regions')
  return {
    ...server,
    router,
    lists: () =>
      server.requests
        .filter((request) => request.path === '/v2/regions')
        .map((request) => request.query.toString()),
  }
}

describe('the region selector', () => {
  it('loads the next page when the third item from the end becomes visible, up to the last page', async () => {
    const { lists } = await renderSelector()
    await screen.findByRole('link', { name: 'Town 10' })
    expect([...observed.keys()].map((element) => element.textContent)).toEqual(['Town 8'])
    await setVisible(false)
    expect(lists()).toEqual(['page=1'])
    await setVisible(true)
    await screen.findByRole('link', { name: 'Town 20' })
    await waitFor(() =>
      expect([...observed.keys()].map((element) => element.textContent)).toEqual(['Town 18']),
    )
    await setVisible(true)
    await screen.findByRole('link', { name: 'Town 25' })
    await setVisible(true)
    expect(lists()).toEqual(['page=1', 'page=2', 'page=3'])
    expect(getListedTowns()).toEqual(allTowns.map((region) => region.text))
  })

  it('sends one request after continuous typing, and pages through the result', async () => {
    const { lists } = await renderSelector()
    await screen.findByRole('link', { name: 'Town 10' })
    await userEvent.type(screen.getByLabelText('Search regions'), 'town 2')
    await waitFor(() =>
      expect(getListedTowns()).toEqual([
        'Town 2',
        'Town 20',
        'Town 21',
        'Town 22',
        'Town 23',
        'Town 24',
        'Town 25',
      ]),
    )
    expect(lists()).toEqual(['page=1', 'text=town+2&page=1'])
  })

  it('shows that no region matches', async () => {
    await renderSelector()
    await userEvent.type(screen.getByLabelText('Search regions'), 'village')
    expect(await screen.findByText('No region with that name')).toBeInTheDocument()
  })

  it('shows that there are no regions', async () => {
    await renderSelector({ 'GET /v2/regions': () => ({ items: [], total: 0, page: 1, size: 10 }) })
    expect(await screen.findByText('You do not have access to any Regions')).toBeInTheDocument()
    expect(screen.queryByText('No region with that name')).not.toBeInTheDocument()
  })

  it('shows an error with the id to quote, and retries', async () => {
    const responses: unknown[] = [new ErrorResponse(503, 'The store is away')]
    await renderSelector({ 'GET /v2/regions': (request) => responses.shift() ?? listResponse(request) })
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('The store is awayError id, for support: quote-me')
    await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('link', { name: 'Town 1' })).toBeInTheDocument()
  })

  it('opens the region selected with the keyboard, and closes', async () => {
    const { router } = await renderSelector({ 'GET /v2/regions/town-3': () => allTowns[2] })
    await screen.findByRole('link', { name: 'Town 3' })
    expect(screen.getByLabelText('Search regions')).toHaveFocus()
    await userEvent.tab()
    await userEvent.tab()
    await userEvent.tab()
    expect(screen.getByRole('link', { name: 'Town 3' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole('heading', { name: 'In Town 3' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/town-3/mobility/maps/trips')
    await waitFor(() => expect(screen.queryByLabelText('Search regions')).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: 'Region: Town 3' })).toBeInTheDocument()
  })

  it('marks the current region', async () => {
    await renderSelector({
      'GET /v2/regions': () => ({
        items: [testRegion('port-meridian', 'Port Meridian'), allTowns[0]],
        total: 2,
        page: 1,
        size: 10,
      }),
    })
    expect(await screen.findByRole('link', { name: 'Port Meridian' })).toHaveAttribute('aria-current')
    expect(screen.getByRole('link', { name: 'Town 1' })).not.toHaveAttribute('aria-current')
  })

  it('closes with Esc, restores the focus, and clears the search', async () => {
    await renderSelector()
    await userEvent.type(screen.getByLabelText('Search regions'), 'vil')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByLabelText('Search regions')).not.toBeInTheDocument())
    const button = screen.getByRole('button', { name: 'Region: Port Meridian' })
    await waitFor(() => expect(button).toHaveFocus())
    await userEvent.click(button)
    expect(await screen.findByLabelText('Search regions')).toHaveValue('')
    expect(await screen.findByRole('link', { name: 'Town 1' })).toBeInTheDocument()
  })
})
