import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { dayMs } from '#contract/period.ts'
import { emptyPolicy } from '#contract/policy.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { lastMap } from '#web/map/test-map-view.tsx'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { publicResponses, testPublicRegion } from '#web/shell/test-responses.ts'
import { PublicPoliciesScreen } from './public-policies-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/public/policies', 'shell:pages.publicPolicies', PublicPoliciesScreen, 'public'),
]
const formatInstant = (fromNow: number): string => new Date(Date.now() + fromNow).toISOString()
/** A UUID that ends in the characters of an id. */
const getUuidOf = (id: string): string =>
  `00000000-0000-4000-8000-${Buffer.from(id).toString('hex').padStart(12, '0').slice(-12)}`
const makePolicy = (id: string, name: string, places: string[], some: object = {}) => ({
  ...emptyPolicy(),
  policy_type: 'no_ride',
  policy_name: name,
  policy_uuid: getUuidOf(id),
  constant_policy_uuid: getUuidOf(`${id}c`),
  operators: [],
  published_time: formatInstant(-9 * dayMs),
  effective_from: formatInstant(-9 * dayMs),
  effective_until: null,
  geography_ids: places,
  is_region_wide: false,
  mds: null,
  ...some,
})
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
}
const geographies = ['North', 'South', 'East'].map((name, index) => ({
  geography_id: `g${index + 1}`,
  name,
  geometries: [square],
}))
const testResponse = (policies: unknown[]) => ({
  ...publicResponses(),
  'GET /v2/public/regions/port-meridian/policies': () => ({
    text: 'Port Meridian',
    lat: 32,
    lon: -79,
    mapZoom: 12,
    isMetric: false,
    currencyCode: 'USD',
    timezone: 'America/New_York',
    last_updated: formatInstant(-dayMs),
    policies,
    geographies,
  }),
})
const renderPublicPolicies = async (responses: Responses, search = '') => {
  const server = fakeServer(responses)
  await renderApp(screens, `/port-meridian/public/policies${search}`)
  return server
}
const listDrawn = () =>
  (lastMap()?.scene.layers[0]?.sources['outlines'] as { data: { features: unknown[] } } | undefined)?.data
    .features.length
const group = (name: RegExp) => screen.getByRole('region', { name })

it('shows the current, future and recent policies of the city in plain words, each on the map', async () => {
  const { requests } = await renderPublicPolicies(
    testResponse([
      makePolicy('a', 'Quiet north', ['g1'], { operators: [{ slug: 'swift', name: 'Swift Scooters' }] }),
      makePolicy('b', 'Quiet south', ['g2'], { effective_from: formatInstant(2 * dayMs) }),
      makePolicy('c', 'Festival', ['g3'], { effective_until: formatInstant(-dayMs) }),
      makePolicy('d', 'Imported', ['g1'], {
        policy_type: '',
        mds: {
          rules: [
            {
              rule_id: 'r',
              name: 'Slow',
              rule_type: 'speed',
              rule_units: 'kph',
              maximum: 10,
              geographies: ['g1'],
            },
          ],
          currency: null,
          provider_ids: [],
        },
      }),
    ]),
  )
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Public policies of Port Meridian' }),
  ).toBeInTheDocument()
  expect(within(group(/^In effect now/)).getByText('No riding in North.')).toBeInTheDocument()
  expect(within(group(/^In effect now/)).getByText('Only for Swift Scooters.')).toBeInTheDocument()
  expect(
    within(group(/^In effect now/)).getByText('Speed: at most 10 km/h. Where: North.'),
  ).toBeInTheDocument()
  expect(within(group(/^Upcoming/)).getByText(/^Starts /)).toBeInTheDocument()
  expect(within(group(/^Ended in the last 30 days/)).getByText(/^Until /)).toBeInTheDocument()
  // Ended policies are on the map only on request.
  await waitFor(() => expect(listDrawn()).toBe(2))
  await userEvent.click(screen.getByRole('button', { name: 'Show on the map: Festival' }))
  await waitFor(() => expect(listDrawn()).toBe(1))
  await userEvent.click(screen.getByText('Show all on the map'))
  await waitFor(() => expect(listDrawn()).toBe(2))
  expect(screen.getByRole('link', { name: 'Policies (MDS 2.0)', hidden: true })).toHaveAttribute(
    'href',
    '/mds/policy/port-meridian/policies',
  )
  expect(requests.some(({ path }) => path.includes('/users/'))).toBe(false)
})

it('shows the whole region beside other places only on request', async () => {
  const whole = makePolicy('w', 'Fleet', ['g1', 'g2'], { is_region_wide: true })
  await renderPublicPolicies(testResponse([whole, makePolicy('a', 'Quiet east', ['g3'])]))
  await waitFor(() => expect(listDrawn()).toBe(1))
  await userEvent.click(screen.getByRole('button', { name: 'Show on the map: Fleet' }))
  await waitFor(() => expect(listDrawn()).toBe(2))
})

it('shows the whole region if no policy applies elsewhere', async () => {
  await renderPublicPolicies(testResponse([makePolicy('w', 'Fleet', ['g1', 'g2'], { is_region_wide: true })]))
  await waitFor(() => expect(listDrawn()).toBe(2))
})

it('the page has a search field if there are many policies', async () => {
  await renderPublicPolicies(
    testResponse(
      Array.from({ length: 30 }, (_, n) => makePolicy(`p${n}`, `Policy ${n}`, n === 7 ? ['g2'] : ['g1'])),
    ),
  )
  await userEvent.type(await screen.findByLabelText('Search policies'), 'south')
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Policy 7',
  ])
  await userEvent.type(screen.getByLabelText('Search policies'), 'x')
  expect(screen.getByText('No policies match')).toBeInTheDocument()
})

it('lists a few places by name and counts many', async () => {
  await renderPublicPolicies(
    testResponse([
      makePolicy('a', 'Two', ['g1', 'g2']),
      makePolicy(
        'b',
        'Many',
        Array.from({ length: 2000 }, (_, n) => `x${n}`),
      ),
      makePolicy('c', 'Whole', [], { is_region_wide: true }),
    ]),
  )
  expect(await screen.findByText('No riding in North, South.')).toBeInTheDocument()
  expect(screen.getByText('No riding in 2000 places.')).toBeInTheDocument()
  expect(screen.getByText('No riding in the whole region.')).toBeInTheDocument()
})

it('draws the public basemap, and requests no routes', async () => {
  const { requests } = await renderPublicPolicies(testResponse([makePolicy('a', 'Quiet north', ['g1'])]))
  await waitFor(() =>
    expect(lastMap()?.scene.basemap).toMatchObject([{ role: 'street', attribution: '© Street makers' }]),
  )
  const id = testPublicRegion.basemap[0]?.shape_layer_uuid
  const tiles = `${location.origin}/v2/public/regions/port-meridian/basemap/${id}/vector/{z}/{x}/{y}?v=v1`
  expect(lastMap()?.scene.basemap).toMatchObject([{ tiles }])
  expect(requests.map(({ path }) => path)).toEqual([
    '/v2/public/regions',
    '/v2/public/regions/port-meridian/policies',
    '/v2/basemap',
  ])
})

it('shows a failure', async () => {
  await renderPublicPolicies({
    ...testResponse([]),
    'GET /v2/public/regions/port-meridian/policies': () => new ErrorResponse(500, 'No luck today'),
  })
  expect(await screen.findByText('No luck today')).toBeInTheDocument()
})

it.each([
  [
    'none is published',
    testResponse([]),
    'Port Meridian has no published policies. Policies published later appear here.',
  ],
])('says so if %s', async (_, responses, text) => {
  await renderPublicPolicies(responses)
  expect(await screen.findByText('No policies are published')).toBeInTheDocument()
  expect(screen.getByText(text)).toBeInTheDocument()
})

it('opens with the policy of the URL in any revision; ignores an unknown one', async () => {
  const policies = [makePolicy('a', 'Quiet east', ['g3']), makePolicy('b', 'Quiet west', ['g1', 'g2'])]
  const listPressed = () => screen.queryAllByRole('button', { pressed: true })
  await renderPublicPolicies(testResponse(policies), `?policy=${getUuidOf('bc')}`)
  await waitFor(() => expect(listDrawn()).toBe(2))
  expect(listPressed()).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Show on the map: Quiet west' })).toBe(listPressed()[0])
  cleanup()
  await renderPublicPolicies(testResponse(policies), `?policy=${getUuidOf('gone')}`)
  await waitFor(() => expect(listDrawn()).toBe(3))
  expect(listPressed()).toEqual([])
})
