import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { OperatorsScreen } from './operators-screen.tsx'
import { createTestFeed, testOperator, testPullWindow } from './test-feeds.ts'

const screens: ScreenEntry[] = [
  {
    path: '/admin/operators',
    title: 'shell:pages.operators',
    permission: 'is_admin',
    Screen: OperatorsScreen,
  },
]
const listFeedsCall = 'GET /v2/regions/port-meridian/feeds'
const oneFeed = '/v2/regions/port-meridian/feeds/f1'

beforeEach(() => {
  localStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

async function renderScreen(responses: Responses = {}, address = '/admin/operators') {
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/managed_operators': () => [testOperator()],
    [listFeedsCall]: () => [createTestFeed()],
    ...responses,
  })
  await renderApp(screens, address)
  return () =>
    server.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => [method, path, body])
}
const findDialog = async () => within(await screen.findByRole('dialog', { hidden: true }))
const fill = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}
const chooseAction = async (name: string, action: string) => {
  await userEvent.click(await screen.findByLabelText(`Actions for ${name}`))
  await userEvent.click(await screen.findByText(action))
}

describe('the page', () => {
  it('shows operators with their feeds and their status in words', async () => {
    await renderScreen({
      'GET /v2/managed_operators': () => [
        testOperator(),
        testOperator({ slug: 'rides', name: 'Rides', isNamed: false, feeds: 0 }),
      ],
      [listFeedsCall]: () => [
        createTestFeed({
          problem: 'events of May 1, 2026, 6:00 AM EDT: The operator’s server failed (500).',
          problemSince: '2026-05-01T10:00:00Z',
        }),
        createTestFeed({
          feedId: 'f2',
          name: 'City requests',
          operator: null,
          kind: 'open311',
          version: 'v2',
          enabled: false,
        }),
      ],
    })
    const swift = within(await screen.findByRole('region', { name: 'Swift' }))
    expect(await swift.findByText('Swift provider')).toBeInTheDocument()
    expect(swift.getByText(/server failed \(500\)/)).toBeInTheDocument()
    expect(swift.getByText(/^Failing since May 1/)).toBeInTheDocument()
    expect(swift.getByText(/^Last success May 1, 2026, 7:59.AM · next/)).toBeInTheDocument()
    expect(swift.getByText('30 hours fetched, 3 remaining')).toBeInTheDocument()
    expect(
      within(screen.getByRole('region', { name: 'Rides' })).getByText(/Known only from trips/),
    ).toBeInTheDocument()
    expect(within(screen.getByRole('region', { name: 'City feeds' })).getByText('Off')).toBeInTheDocument()
  })

  it('explains what to do without operators, and shows a failure', async () => {
    await renderScreen({
      'GET /v2/managed_operators': () => [],
      [listFeedsCall]: () => new ErrorResponse(500, 'Something went wrong'),
    })
    expect(await screen.findByText('No operators yet')).toBeInTheDocument()
    expect(await screen.findByText('The feeds could not be loaded')).toBeInTheDocument()
  })
})

describe('an operator', () => {
  it('an operator is created with a slug that follows its name and a color of its own', async () => {
    const changes = await renderScreen({
      'POST /v2/operators': () =>
        new ErrorResponse(409, 'There is an operator', 'conflict', {
          issues: { 'body.slug': 'This short name is taken' },
        }),
    })
    await userEvent.click(await screen.findByText('Add an operator'))
    const form = await findDialog()
    await fill(form.getByLabelText(/^Name/), 'Glide Moto')
    await userEvent.click(form.getByText('Add operator'))
    expect(await form.findByText('This short name is taken')).toBeInTheDocument()
    expect(changes()).toEqual([
      [
        'POST',
        '/v2/operators',
        { slug: 'glide-moto', name: 'Glide Moto', colorHex: '#D55E00', providerId: null },
      ],
    ])
  })

  it('an operator is removed only if nothing of it is stored', async () => {
    const changes = await renderScreen({
      'GET /v2/managed_operators': () => [
        testOperator(),
        testOperator({ slug: 'gone', name: 'Gone', feeds: 0, hasTrips: false }),
      ],
      'DELETE /v2/operators/gone': () => ({ deleted: true }),
    })
    await userEvent.click(await screen.findByLabelText('Actions for Swift'))
    expect(await screen.findByText('Edit operator')).toBeInTheDocument()
    expect(screen.queryByText('Remove')).toBeNull()
    await userEvent.keyboard('{Escape}')
    await chooseAction('Gone', 'Remove')
    await userEvent.click((await findDialog()).getByText('Remove'))
    await waitFor(() => expect(changes()).toEqual([['DELETE', '/v2/operators/gone', null]]))
  })
})

describe('a feed', () => {
  const streamTest = {
    stream: 'events',
    status: 200,
    milliseconds: 41,
    bytes: 2048,
    read: 7,
    setAside: 2,
    reasons: [{ reason: 'events[].id: It is missing.', count: 2 }],
    lists: [{ name: 'events', count: 7, first: [{ eventId: 'e1', time: 1_780_000_000_000, battery: null }] }],
    hasMore: true,
    problem: null,
    note: null,
  }

  it('a feed is tested before it is saved, and shows the first records as they were read', async () => {
    const changes = await renderScreen({
      'POST /v2/regions/port-meridian/feeds/test': () => [
        streamTest,
        {
          ...streamTest,
          stream: 'trips',
          status: 403,
          problem: 'The operator’s server refused the request (403): check the credentials.',
          lists: [],
          reasons: [],
          read: 0,
          setAside: 0,
          hasMore: false,
        },
      ],
      'POST /v2/regions/port-meridian/feeds': () => createTestFeed(),
    })
    await userEvent.click(await screen.findByLabelText('Add a feed to Swift'))
    const form = await findDialog()
    await fill(form.getByLabelText(/^URL/), 'https://mds.swift.example/2')
    await fill(form.getByLabelText(/^Token/), 'tell-no-one')
    await userEvent.click(form.getByText('Test this feed now'))
    const results = within(await form.findByRole('region', { name: 'Results', hidden: true }))
    expect(
      results.getByText('answered 200 · 41 ms · 2 kB · 7 read · 2 rejected · more pages available'),
    ).toBeInTheDocument()
    expect(results.getByText('2 × events[].id: It is missing.')).toBeInTheDocument()
    expect(
      within(results.getByRole('table', { name: 'First records: events', hidden: true }))
        .getAllByRole('cell', { hidden: true })
        .map((cell) => cell.textContent),
    ).toEqual(['e1', 'May 28, 2026, 4:26:40 PM EDT', ''])
    expect(
      results.getByText('The operator’s server refused the request (403): check the credentials.'),
    ).toBeInTheDocument()
    await userEvent.click(form.getByText('Save feed'))
    await waitFor(() => expect(changes()).toHaveLength(2))
    const feed = {
      kind: 'mds_provider',
      version: '2.0',
      name: 'Swift',
      operator: 'swift',
      url: 'https://mds.swift.example/2',
      auth: { kind: 'bearer', token: 'tell-no-one' },
      settings: { backfillHours: 24 },
      intervalSeconds: 60,
      promisedMinutes: 120,
      enabled: true,
    }
    expect(changes()).toEqual([
      ['POST', '/v2/regions/port-meridian/feeds/test', { feed_id: null, feed }],
      ['POST', '/v2/regions/port-meridian/feeds', feed],
    ])
  })

  it('keeps its secret if none is entered', async () => {
    const changes = await renderScreen({
      [`PATCH ${oneFeed}`]: () =>
        new ErrorResponse(422, 'Give the secrets again', 'validation_error', {
          issues: { 'body.auth.token': 'Give the secrets again: the stored ones belong to another server.' },
        }),
    })
    await chooseAction('Swift provider', 'Edit feed')
    const form = await findDialog()
    expect(form.getByText('A value is stored. Leave this empty to keep it.')).toBeInTheDocument()
    await userEvent.click(form.getByText('Save'))
    expect(await form.findByText(/belong to another server/)).toBeInTheDocument()
    expect(changes()[0]?.[2]).toMatchObject({ auth: { kind: 'bearer' }, version: '2.0' })
    expect(changes()[0]?.[2]).not.toHaveProperty('kind')
  })

  it('a feed is pulled, switched off and removed', async () => {
    const changes = await renderScreen({
      [`POST ${oneFeed}/pull`]: () => ({ requests: 3 }),
      [`PATCH ${oneFeed}`]: () => createTestFeed({ enabled: false }),
      [`DELETE ${oneFeed}`]: () => ({ deleted: true }),
    })
    await chooseAction('Swift provider', 'Fetch now')
    await chooseAction('Swift provider', 'Turn off')
    await userEvent.click((await findDialog()).getByText('Turn off'))
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull())
    await chooseAction('Swift provider', 'Remove')
    await userEvent.click((await findDialog()).getByText('Remove'))
    await waitFor(() =>
      expect(changes()).toEqual([
        ['POST', `${oneFeed}/pull`, null],
        ['PATCH', oneFeed, { enabled: false }],
        ['DELETE', oneFeed, null],
      ]),
    )
  })

  it('a feed is backfilled for days, and shows its hours', async () => {
    const pullWindows = [
      testPullWindow('2026-05-01T10:00:00.000Z'),
      testPullWindow('2026-05-01T09:00:00.000Z', 'failed'),
    ]
    const changes = await renderScreen({
      [`GET ${oneFeed}/pull-windows`]: () => ({
        items: pullWindows,
        streams: ['events'],
        total: 2,
        page: 1,
        size: 50,
      }),
      [`POST ${oneFeed}/back_fill`]: () => ({ wanted: 24 }),
    })
    await chooseAction('Swift provider', 'Backfill')
    const form = await findDialog()
    await userEvent.click(form.getByText('Fetch'))
    expect(await form.findByText('24 hours will be fetched.')).toBeInTheDocument()
    expect(changes()[0]?.[2]).toMatchObject({
      streams: [],
      again: false,
      from: expect.stringMatching(/T0[45]:00:00.000Z$/),
    })
    await userEvent.keyboard('{Escape}')
    await chooseAction('Swift provider', 'Hours fetched')
    const shown = await findDialog()
    const grid = await shown.findByRole('table', { name: 'Hours of events by day', hidden: true })
    expect(within(grid).getByLabelText('5:00 AM Failed')).toBeInTheDocument()
    expect(within(grid).getByLabelText('7:00 AM not requested')).toBeInTheDocument()
    expect(shown.getByText('It broke.')).toBeInTheDocument()
  })
})

it('shows a new token once, and revokes it', async () => {
  const token = {
    tokenId: 't1',
    hint: 'wxyz',
    createdBy: 'ada@city.example',
    createdTime: '2026-05-01T00:00:00Z',
    lastUsedTime: null,
    revokedTime: null,
  }
  const changes = await renderScreen({
    [listFeedsCall]: () => [
      createTestFeed({ kind: 'mds_agency', url: null, auth: { kind: 'none' }, nextTime: null }),
    ],
    [`GET ${oneFeed}/tokens`]: () => [token],
    [`POST ${oneFeed}/tokens`]: () => ({ token: 'mds_once' }),
    [`DELETE ${oneFeed}/tokens/t1`]: () => ({ revoked: true }),
  })
  await userEvent.click(await screen.findByLabelText('Tokens of Swift provider'))
  const shown = await findDialog()
  await userEvent.click(await shown.findByText('Create token'))
  expect(await shown.findByLabelText('New token')).toHaveValue('mds_once')
  expect(shown.getByText(/shown only once/)).toBeInTheDocument()
  await userEvent.click(shown.getByLabelText('Revoke the token that ends in wxyz'))
  await waitFor(() => expect(changes().map(([method]) => method)).toEqual(['POST', 'DELETE']))
})

describe('the Metrics API', () => {
  it('shows its address, creates tokens for all operators or one, and revokes them', async () => {
    const path = '/v2/regions/port-meridian/metrics/tokens'
    const changes = await renderScreen({
      [`GET ${path}`]: () => ({
        url: 'https://city.example/mds/metrics/port-meridian/metrics',
        items: [
          {
            tokenId: 't1',
            name: 'Dashboard',
            scope: 'metrics:read:provider',
            operator: 'swift',
            hint: 'abcd',
            createdBy: 'admin@city.example',
            createdTime: '2026-05-01T10:00:00Z',
            lastUsedTime: null,
            revokedTime: null,
          },
        ],
      }),
      [`POST ${path}`]: () => ({ token: 'mdsm_new' }),
      [`DELETE ${path}/t1`]: () => ({ revoked: true }),
    })
    await userEvent.click(await screen.findByText('MDS Metrics API'))
    const form = await findDialog()
    expect(await form.findByDisplayValue(/mds\/metrics\/port-meridian/)).toBeInTheDocument()
    await fill(form.getByLabelText(/^Name/), 'University')
    await userEvent.click(form.getByText('Create token'))
    expect(await form.findByDisplayValue('mdsm_new')).toBeInTheDocument()
    await userEvent.click(form.getByLabelText('Revoke the token that ends in abcd'))
    await waitFor(() =>
      expect(changes()).toEqual([
        ['POST', path, { name: 'University', operator: null }],
        ['DELETE', `${path}/t1`, null],
      ]),
    )
  })
})
