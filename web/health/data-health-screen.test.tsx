import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OperatorHealth } from '#contract/health.ts'
import type { Incident } from '#contract/incidents.ts'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { DataHealthScreen } from './data-health-screen.tsx'
import { aDay, aFeed, anIncident, anOperator } from './test-health.ts'
import { UnsubscribeScreen } from './unsubscribe-screen.tsx'

const screens: readonly ScreenEntry[] = [
  {
    path: '/$regionId/mobility/data-health',
    title: 'shell:pages.dataHealth',
    permission: 'signed_in',
    page: 'dataHealth',
    Screen: DataHealthScreen,
  },
  {
    path: '/unsubscribe/$token',
    title: 'health:unsubscribe.page',
    permission: 'public',
    Screen: UnsubscribeScreen,
  },
]
const address = '/port-meridian/mobility/data-health'
const api = '/v2/regions/port-meridian'
const failing = aFeed({
  operator: 'ember',
  feed_id: 'aaaaaaaa-0000-4000-8000-000000000002',
  name: 'Ember feed',
  state: 'failing',
  problem: "The operator's server failed (500).",
})

const responses = (operators: OperatorHealth[], feeds = [aFeed(), failing], incidents: Incident[] = []) => ({
  [`GET ${api}/mds_status`]: () => ({ as_of: '2026-03-18T12:00:00Z', items: feeds }),
  [`GET ${api}/data_health`]: () => ({
    start_date: '2026-03-12',
    end_date: '2026-03-18',
    today: '2026-03-18',
    timezone: 'America/New_York',
    lost_after_hours: 48,
    as_of: '2026-03-18T12:00:00Z',
    operators,
  }),
  [`GET ${api}/incidents`]: () => ({ items: incidents, total: incidents.length, page: 1, size: 50 }),
  [`GET ${api}/incident_recipients`]: () => ({
    items: [{ name: 'Grace', email: 'grace@city.example' }],
    total: 3,
  }),
  'GET /v2/incident_subscriptions': () => ({
    items: [
      {
        subscription_id: 'cccccccc-0000-4000-8000-000000000001',
        region_id: 'port-meridian',
        operator: null,
        cadence: 'daily',
      },
    ],
  }),
})
const two = [anOperator('ember', { open_incidents: 1 }), anOperator('swift')]

afterEach(() => vi.unstubAllGlobals())

describe('data health', () => {
  it('explains what to do without feeds, to users who may do it', async () => {
    fakeServer({ ...signedIn(), ...responses([], []) })
    await renderApp(screens, address)
    expect(await screen.findByText('No feeds yet')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: "Add an operator's feed" })).toHaveAttribute(
      'href',
      '/admin/operators',
    )
  })

  it('data health does not link to pages that the user cannot open', async () => {
    fakeServer({ ...signedIn([]), ...responses([], []) })
    await renderApp(screens, address)
    expect(await screen.findByText(/An administrator of your organization adds feeds/)).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: "Add an operator's feed" })).not.toBeInTheDocument()
  })

  it('describes each operator in words: feeds, newest record, days, incidents', async () => {
    fakeServer({ ...signedIn(), ...responses(two) })
    await renderApp(screens, address)
    const list = await screen.findByRole('list', { name: 'Operators' })
    const ember = within(list).getByRole('button', { name: 'Show Ember' })
    // The operator with an open incident is selected first.
    expect(ember).toHaveAttribute('aria-current', 'true')
    expect(within(list).getByText('Failing')).toBeInTheDocument()
    expect(within(list).getByText("The operator's server failed (500).")).toBeInTheDocument()
    expect(within(list).getByText('On time')).toBeInTheDocument()
    expect(within(list).getByText('30 mins old, limit 2 hrs')).toBeInTheDocument()
    expect(within(list).getByText('1 open incident')).toBeInTheDocument()
    expect(
      within(list).getAllByRole('img', {
        name: 'Records by day: Tue, Mar 17 110, typically 120; Wed, Mar 18 60, typically 120',
      }),
    ).toHaveLength(2)
  })

  it('says that there are no records where the bars would be', async () => {
    const days = [aDay('2026-03-17', { count: 0, usual: null })]
    fakeServer({ ...signedIn(), ...responses([anOperator('swift', { days })]) })
    await renderApp(screens, address)
    const list = await screen.findByRole('list', { name: 'Operators' })
    expect(within(list).getByText('No records in this period')).toBeInTheDocument()
    expect(within(list).queryByRole('img', { name: /^Records by day/ })).toBeNull()
  })

  it.each([
    [{ open_incidents: 1 }, '1 open incident', '30 mins old, limit 2 hrs'],
    [
      { newest_record: '2026-03-18T09:00:00Z', open_incidents: 1 },
      'Late since 7:00 AM',
      '3 hrs old, limit 2 hrs',
    ],
    [{ newest_record: '2026-03-17T09:00:00Z' }, 'Late since Mar 17, 7:00 AM', '1 day 3 hrs old, limit 2 hrs'],
  ])('data health has one verdict on a feed with %j: %s', async (some, verdict, reason) => {
    fakeServer({ ...signedIn(), ...responses([anOperator('swift')], [aFeed(some)]) })
    await renderApp(screens, address)
    const list = await screen.findByRole('list', { name: 'Operators' })
    expect(within(list).getByText(verdict)).toBeInTheDocument()
    expect(within(list).getByText(reason)).toBeInTheDocument()
    expect(within(list).queryByText('On time')).toBeNull()
  })

  it('opens an operator by its name, which is in the URL', async () => {
    fakeServer({ ...signedIn(), ...responses(two) })
    const router = await renderApp(screens, address)
    await userEvent.click(await screen.findByRole('button', { name: 'Show Swift' }))
    expect(await screen.findByRole('heading', { name: 'Data health of Swift' })).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ operator: 'swift' })
  })

  it('requests the days of the URL', async () => {
    const { requests } = fakeServer({ ...signedIn(), ...responses(two) })
    await renderApp(screens, `${address}?start_date=2026-03-01&end_date=2026-03-10&operator=swift`)
    await screen.findByRole('heading', { name: 'Data health of Swift' })
    expect(requests.find(({ path }) => path === `${api}/data_health`)?.query.toString()).toBe(
      'start_date=2026-03-01&end_date=2026-03-10',
    )
    expect(requests.find(({ path }) => path === `${api}/incidents`)?.query.get('operator')).toBe('swift')
  })

  it('explains a figure when it is pressed', async () => {
    fakeServer({ ...signedIn(), ...responses(two) })
    await renderApp(screens, address)
    const table = await screen.findByRole('table', { name: 'Figures' })
    const row = within(table).getByRole('row', { name: /Illegal transitions/ })
    expect(within(row).getByText('5.2%')).toBeInTheDocument()
    await userEvent.click(within(row).getByRole('button', { name: 'Illegal transitions' }))
    const about = await screen.findByRole('dialog', { name: 'Illegal transitions', hidden: true })
    expect(about).toHaveTextContent('according to the MDS state machine of its mode')
    expect(about).toHaveTextContent('(version 1)')
    expect(about).toHaveTextContent('52 of 1,000')
  })

  it('opens the rows behind a figure with their records, and restores the focus', async () => {
    const row = {
      time: '2026-03-18T11:00:00Z',
      operator: 'ember',
      feed_id: failing.feed_id,
      id: 'e-7',
      device_id: null,
      vehicle_id: null,
      trip_id: null,
      part: 'schema',
      reason: 'location.lat: It lies outside of the earth.',
      value: null,
      raw: '{"lat":123}',
    }
    const { requests } = fakeServer({
      ...signedIn(),
      ...responses(two),
      [`GET ${api}/data_health/schema_violations/rows`]: () => ({
        items: [row],
        total: 120,
        page: 1,
        size: 50,
      }),
    })
    const router = await renderApp(screens, address)
    const button = await screen.findByRole('button', { name: 'See records of Schema violations' })
    await userEvent.click(button)
    const rows = await screen.findByRole('region', { name: 'Records: Schema violations' })
    expect(within(rows).getByRole('heading', { name: 'Records: Schema violations' })).toHaveFocus()
    expect(await within(rows).findByText('location.lat: It lies outside of the earth.')).toBeInTheDocument()
    expect(within(rows).getByRole('link', { name: 'Download all as CSV' })).toHaveAttribute(
      'href',
      `${api}/data_health/schema_violations/rows?operator=ember&format=csv`,
    )
    await userEvent.click(within(rows).getByRole('button', { name: 'Show the record of e-7' }))
    expect(await screen.findByRole('dialog', { name: 'Original record' })).toHaveTextContent('"lat": 123')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await userEvent.click(within(rows).getByRole('button', { name: 'Next' }))
    expect(router.state.location.search).toEqual({ figure: 'schema_violations', page: 2 })
    await waitFor(() => expect(requests.at(-1)?.query.get('page')).toBe('2'))
    await userEvent.click(within(rows).getByRole('button', { name: 'Close records' }))
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Records: Schema violations' })).not.toBeInTheDocument(),
    )
    expect(router.state.location.search).toEqual({})
    expect(button).toHaveFocus()
  })

  it('requests hours and days, which are not records of vehicles', async () => {
    fakeServer({
      ...signedIn(),
      ...responses(two),
      [`GET ${api}/data_health/gaps/spans`]: () => ({ items: [], total: 0, page: 1, size: 50 }),
    })
    await renderApp(screens, `${address}?figure=gaps`)
    expect(await screen.findByText('There are no records for this figure on these days.')).toBeInTheDocument()
  })

  it('shows hours that can be navigated by keyboard, and their numbers', async () => {
    fakeServer({ ...signedIn(), ...responses(two) })
    await renderApp(screens, address)
    const calendar = await screen.findByRole('table', { name: 'Hours with data' })
    const first = within(calendar).getByRole('button', { name: 'Wed, Mar 18, 12:00 AM: 10 records' })
    first.focus()
    await userEvent.keyboard('{ArrowUp}{End}{Home}')
    expect(within(calendar).getByRole('button', { name: 'Tue, Mar 17, 12:00 AM: 10 records' })).toHaveFocus()
    for (let step = 0; step < 10; step++) await userEvent.keyboard('{ArrowRight}')
    const gap = within(calendar).getByRole('button', {
      name: 'Tue, Mar 17, 10:00 AM: no data (typically has some)',
    })
    expect(gap).toHaveFocus()
    expect(
      within(calendar)
        .getAllByRole('button')
        .filter((cell) => cell.tabIndex === 0),
    ).toEqual([gap])
    await userEvent.keyboard('{Enter}')
    expect(screen.getByText('Tue, Mar 17, 10:00 AM: no data (typically has some)')).toBeInTheDocument()
    expect(first).toHaveTextContent('')
    await userEvent.click(screen.getByRole('switch', { name: 'Show numbers' }))
    expect(first).toHaveTextContent('10')
  })

  it('shows a message for an unknown operator', async () => {
    fakeServer({ ...signedIn(), ...responses(two) })
    await renderApp(screens, `${address}?operator=nobody`)
    expect(await screen.findByText('There is no operator nobody here.')).toBeInTheDocument()
  })

  it('shows a failure, and retries', async () => {
    let fails = true
    fakeServer({
      ...signedIn(),
      ...responses(two),
      [`GET ${api}/mds_status`]: () =>
        fails ? new ErrorResponse(500, 'The store is away.') : { as_of: '', items: [aFeed()] },
    })
    await renderApp(screens, address)
    expect(await screen.findByText('The store is away.')).toBeInTheDocument()
    fails = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('list', { name: 'Operators' })).toBeInTheDocument()
  })
})

describe('incidents', () => {
  const closed = anIncident({
    incident_id: 'bbbbbbbb-0000-4000-8000-000000000002',
    rule: 'gap',
    closed_time: '2026-03-18T11:00:00Z',
    feed_name: null,
    value: 0,
    worst: 3,
  })

  it('incidents show the rule, the start and the severity, with their timeline', async () => {
    fakeServer({ ...signedIn(), ...responses(two, undefined, [anIncident(), closed]) })
    await renderApp(screens, address)
    const open = await screen.findByRole('article', { name: 'Feed fails' })
    expect(open).toHaveTextContent('Critical')
    expect(open).toHaveTextContent(
      'Swift feed · since Mar 18, 2026, 6:00 AM · Now: 45 minutes since the first failure · Peak: 60 minutes since the first failure',
    )
    expect(open).toHaveTextContent('Opened · 31 minutes since the first failure')
    expect(screen.getByRole('article', { name: 'Hours without data' })).toHaveTextContent(
      'Mar 18, 2026, 6:00 AM to Mar 18, 2026, 7:00 AM · Peak: 3 hours since the last record',
    )
  })

  it('incidents can be acknowledged and commented on', async () => {
    let now = anIncident()
    const addStep = (step: 'acknowledged' | 'commented', text: string | null) => [
      ...now.steps,
      { at: '2026-03-18T12:00:00Z', step, value: null, by: 'ada@city.example', text },
    ]
    const { requests } = fakeServer({
      ...signedIn(),
      ...responses(two),
      [`GET ${api}/incidents`]: () => ({ items: [now], total: 1, page: 1, size: 50 }),
      [`POST ${api}/incidents/${now.incident_id}/acknowledge`]: () =>
        (now = { ...now, acknowledged_by: 'ada@city.example', steps: addStep('acknowledged', null) }),
      [`POST ${api}/incidents/${now.incident_id}/comments`]: ({ body }) =>
        (now = { ...now, steps: addStep('commented', (body as { text: string }).text) }),
    })
    await renderApp(screens, address)
    await userEvent.click(await screen.findByRole('button', { name: 'Assign to me' }))
    expect(await screen.findByText('Assigned to ada@city.example')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Add comment' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Comment' }), 'They know.')
    await userEvent.click(screen.getByRole('button', { name: 'Add comment' }))
    expect(await screen.findByText('They know.')).toBeInTheDocument()
    expect(requests.find(({ path }) => path.endsWith('/comments'))?.body).toEqual({ text: 'They know.' })
  })

  it('incidents are read-only for users of an operator', async () => {
    const me = signedIn([])
    fakeServer({
      ...me,
      'GET /v2/users/me': () => ({ ...me['GET /v2/users/me'](), operators: ['swift'] }),
      ...responses(two, undefined, [anIncident()]),
    })
    await renderApp(screens, address)
    expect(await screen.findByRole('article', { name: 'Feed fails' })).toHaveTextContent(
      'Opened · 31 minutes',
    )
    for (const name of ['Assign to me', 'Add comment'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
  })

  it('incidents name nobody else to accounts of operators, and say so if nobody else is subscribed', async () => {
    const nobody = { ...responses(two), [`GET ${api}/incident_recipients`]: () => ({ items: [], total: 0 }) }
    fakeServer({ ...signedIn(), ...nobody })
    await renderApp(screens, address)
    expect(await screen.findByText('Nobody else gets these alerts.')).toBeInTheDocument()
    cleanup()
    const me = signedIn()
    const { requests } = fakeServer({
      ...me,
      'GET /v2/users/me': () => ({ ...me['GET /v2/users/me'](), operators: ['ember'] }),
      ...responses(two),
    })
    await renderApp(screens, address)
    expect(await screen.findByText('Sent to ada@city.example')).toBeInTheDocument()
    expect(requests.filter(({ path }) => path.includes('incident_recipients'))).toEqual([])
  })

  it('incidents are sent by email as selected', async () => {
    const { requests } = fakeServer({
      ...signedIn(),
      ...responses(two),
      'POST /v2/incident_subscriptions': ({ body }) => ({
        items: [{ subscription_id: 'cccccccc-0000-4000-8000-000000000002', ...(body as object) }],
      }),
    })
    await renderApp(screens, address)
    const region = await screen.findByRole('radiogroup', { name: 'All operators in Port Meridian' })
    expect(within(region).getByRole('radio', { name: 'Daily' })).toBeChecked()
    expect(screen.getByText('Sent to ada@city.example')).toBeInTheDocument()
    expect(await screen.findByText(/^These alerts also go to:/)).toHaveTextContent('Grace and 2 others')
    expect(screen.getByRole('link', { name: 'Grace' })).toHaveAttribute('href', 'mailto:grace@city.example')
    expect(screen.getAllByText('Covered by “All operators in Port Meridian”')).toHaveLength(1)
    const own = screen.getByRole('radiogroup', { name: 'Ember in Port Meridian' })
    await userEvent.click(within(own).getByRole('radio', { name: 'Immediately' }))
    await waitFor(() => expect(within(own).getByRole('radio', { name: 'Immediately' })).toBeChecked())
    expect(screen.queryByText(/^Covered by/)).toBeNull()
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
      region_id: 'port-meridian',
      operator: 'ember',
      cadence: 'immediate',
    })
    await userEvent.click(within(own).getByRole('radio', { name: 'Off' }))
    await waitFor(() =>
      expect(requests.findLast(({ method }) => method === 'POST')?.body).toEqual({
        region_id: 'port-meridian',
        operator: 'ember',
        cadence: null,
      }),
    )
  })
})

describe('the link in an email', () => {
  it('ends the subscription on click, not on load', async () => {
    const { requests } = fakeServer({
      'POST /v2/incident_subscriptions/unsubscribe': () => ({ ended: true }),
    })
    await renderApp(screens, '/unsubscribe/cccccccc-0000-4000-8000-000000000001')
    const button = await screen.findByRole('button', { name: 'Stop these e-mails' })
    expect(requests).toEqual([])
    await userEvent.click(button)
    expect(await screen.findByText('E-mails stopped')).toBeInTheDocument()
    expect(requests[0]?.body).toEqual({ token: 'cccccccc-0000-4000-8000-000000000001' })
  })
})
