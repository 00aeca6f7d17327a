import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { RegulationCreateScreen, RegulationEditScreen } from './regulation-edit-screen.tsx'
import { RegulationScreen } from './regulation-screen.tsx'
import { curbPath, regulationId, regulationsResponses, testRegulation } from './test-regulations.ts'
import { RegulationsScreen } from './regulations-screen.tsx'

const address = '/port-meridian/curb/regulations/library'
const makeEntry = (path: string, Screen: ScreenEntry['Screen']): ScreenEntry => ({
  path: `/$regionId/curb/regulations/library${path}`,
  title: 'shell:pages.regulationsLibrary',
  permission: 'signed_in',
  Screen,
})
const screens = [
  makeEntry('', RegulationsScreen),
  makeEntry('/create', RegulationCreateScreen),
  makeEntry('/$regulationId', RegulationScreen),
  makeEntry('/$regulationId/edit', RegulationEditScreen),
]

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(path = '', responses: Responses = {}, regulations = [testRegulation()]) {
  const server = fakeServer({ ...regulationsResponses(regulations), ...responses })
  const router = await renderApp(screens, `${address}${path}`)
  return {
    router,
    requests: server.requests,
    last: (call: string) =>
      server.requests.findLast((request) => request.path === `${curbPath}/policies/${call}`)?.body as
        | Record<string, unknown>
        | undefined,
  }
}

const makeOtherPolicy = (name: string, priority: number) => ({ curb_policy_id: name, name, priority })
const checkWithPrecedences = {
  is_complete: true,
  findings: [],
  other_count: 2,
  precedences: [
    {
      other: makeOtherPolicy('Street cleaning', 35),
      is_other_first: true,
      times: [{ days: [1, 3], from: '08:00', until: '10:00' }],
      is_every_week: false,
      users: [],
      zone_count: 1,
    },
    {
      other: makeOtherPolicy('Free parking', 90),
      is_other_first: false,
      times: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', until: '24:00' }],
      is_every_week: true,
      users: ['truck', 'delivery'],
      zone_count: 2,
    },
  ],
}

describe('the library', () => {
  it('shows the rules in words, when they apply, and the status', async () => {
    await renderScreen('', {}, [testRegulation({ published_policy_id: 'p0' })])
    const row = (await screen.findByRole('link', { name: 'Paid parking' })).closest('tr')
    expect(row).toHaveTextContent('Parking · at most 2 h · $1.50 per hour up to 2 h')
    expect(row).toHaveTextContent('Mon–Fri · 8:00 AM–6:00 PM')
    expect(row).toHaveTextContent('SavedPublished version in force')
  })

  it('sends the filters of the URL', async () => {
    const { last } = await renderScreen('?search=park&activities=["loading"]&paid=yes&sort=-priority')
    await screen.findByRole('link', { name: 'Paid parking' })
    expect(last('filter')).toMatchObject({
      text: 'park',
      activities: ['loading'],
      is_paid: true,
      sort: '-priority',
      size: 300,
    })
  })

  it('publishes the version that the user saw, optionally at a later time', async () => {
    const { last } = await renderScreen('', {
      [`POST ${curbPath}/policies/publish`]: () => testRegulation({ status: 'published', published: true }),
    })
    await userEvent.click(await screen.findByLabelText('Actions for Paid parking'))
    const menu = within(await screen.findByRole('menu', { hidden: true }))
    await userEvent.click(menu.getByRole('menuitem', { hidden: true, name: 'Publish' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('radio', { name: 'At a later time' }))
    await userEvent.clear(dialog.getByLabelText('Day'))
    await userEvent.type(dialog.getByLabelText('Day'), '2099-01-02')
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }))
    await waitFor(() =>
      expect(last('publish')).toMatchObject({
        curb_policy_id: 'p1',
        published: true,
        if_modified_time: '2026-06-01T12:00:00.000Z',
        effective_time: expect.stringMatching(/^2099-01-02T\d\d:00:00.000Z$/),
      }),
    )
  })
})

describe('a regulation', () => {
  it('a regulation is not requested by its previous id once it is published', async () => {
    const merged = '22222222-ceea-467f-a0e6-7a1d2b3c4d5e'
    const published = testRegulation({ regulation_id: merged, status: 'published', published: true })
    const { router, requests } = await renderScreen(`/${regulationId}`, {
      [`POST ${curbPath}/policies/publish`]: () => published,
      [`GET ${curbPath}/policies/${merged}`]: () => published,
      [`GET ${curbPath}/policies/${merged}/revisions`]: () => ({ items: [] }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`${address}/${merged}`))
    expect(await screen.findByRole('button', { name: 'Unpublish' })).toBeInTheDocument()
    const after = requests.slice(requests.findIndex(({ path }) => path === `${curbPath}/policies/publish`))
    expect(after.map(({ path }) => path).filter((path) => path.includes(regulationId))).toEqual([])
    expect(requests.map(({ path }) => path)).not.toContain(`${curbPath}/policies/p1`)
  })
})

describe('the editor', () => {
  it('saves a new regulation with its rules, times and zones, and opens it', async () => {
    const { last, router } = await renderScreen('/create', {
      [`POST ${curbPath}/policies/save`]: () => testRegulation(),
    })
    await userEvent.type(await screen.findByLabelText(/^Name/), 'New rule')
    await userEvent.click(screen.getByRole('button', { name: 'Add a time span' }))
    await userEvent.click(await screen.findByLabelText('1st Street, north side, Avenue 1 – Avenue 2'))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`${address}/${regulationId}`))
    expect(last('save')).toEqual({
      policy: {
        name: 'New rule',
        priority: 90,
        rules: [{ activity: 'parking' }],
        time_spans: [
          {
            days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri'],
            time_of_day_start: '08:00',
            time_of_day_end: '18:00',
          },
        ],
      },
      curb_zone_ids: ['z1'],
    })
  })

  it('requires a name', async () => {
    const { last } = await renderScreen('/create')
    await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Please enter a value')).toBeInTheDocument()
    expect(screen.getByLabelText(/^Name/)).toHaveFocus()
    expect(last('save')).toBeUndefined()
  })

  it('names regulations that take precedence, and when', async () => {
    await renderScreen(`/${regulationId}/edit`, {
      [`POST ${curbPath}/policies/lint`]: () => checkWithPrecedences,
    })
    const group = await screen.findByRole('group', { name: 'Other regulations here' })
    expect(group).toHaveTextContent(
      '“Street cleaning” (priority 35): Mon, Wed, 8:00 AM–10:00 AM (on some dates only) · in 1 of 2 zones',
    )
    expect(group).toHaveTextContent(
      'This regulation takes precedence over these: at the times below, it applies instead of them.“Free parking” (priority 90): at all times · only trucks, delivery · in all 2 zones',
    )
  })

  it('says if no other regulation applies, or if zones must be selected first', async () => {
    await renderScreen(`/${regulationId}/edit`)
    expect(await screen.findByText('No other regulation applies here.')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Remove all' }))
    expect(
      screen.getByText('Choose zones below to see which other regulations apply there.'),
    ).toBeInTheDocument()
  })

  it('shows findings at their rule while typing', async () => {
    await renderScreen(`/${regulationId}/edit`, {
      [`POST ${curbPath}/policies/lint`]: () => ({
        is_complete: true,
        other_count: 1,
        precedences: [],
        findings: [
          {
            code: 'rate_too_short',
            severity: 'error',
            path: 'rules.0.rate.0.end_duration',
            message: 'Short',
            other: null,
            is_about_other: false,
            zone_count: null,
          },
          {
            code: 'equal_priority',
            severity: 'warning',
            path: 'rules.0',
            message: 'Equal',
            other: { curb_policy_id: 'p9', name: 'Loading' },
            is_about_other: false,
            zone_count: 2,
          },
        ],
      }),
    })
    expect(await screen.findByRole('heading', { name: '2 problems' })).toBeInTheDocument()
    expect(
      within(screen.getByRole('region', { name: 'Rule 1' })).getByText(/^Rule 1: The rates end/),
    ).toBeInTheDocument()
    expect(screen.getAllByText(/\(with “Loading”, in 2 zones\)$/)).toHaveLength(2)
  })

  it('resolves a conflict of two editors part by part', async () => {
    const theirs = testRegulation({
      modified_time: '2026-06-02T12:00:00.000Z',
      policy: { ...testRegulation().policy, priority: 33 },
    })
    let attempts = 0
    const { last } = await renderScreen(`/${regulationId}/edit`, {
      [`POST ${curbPath}/policies/save`]: () => {
        attempts += 1
        if (attempts > 1) return testRegulation()
        return new ErrorResponse(409, 'Changed', 'conflict', { current: theirs })
      },
    })
    const name = await screen.findByLabelText(/^Name/)
    await userEvent.type(name, ' 2')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/33 · Ban at certain times/)).toBeInTheDocument()
    await userEvent.click(dialog.getByRole('button', { name: 'Save my choice' }))
    await waitFor(() =>
      expect(last('save')).toMatchObject({
        policy: { name: 'Paid parking 2', priority: 33 },
        if_modified_time: '2026-06-02T12:00:00.000Z',
      }),
    )
  })
})

it('shows a regulation with its weekly schedule in words and as a picture', async () => {
  await renderScreen(`/${regulationId}`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Paid parking' })).toBeInTheDocument()
  const week = screen.getByRole('table', { name: 'Hours of the week in which the regulation applies' })
  expect(within(week).getByLabelText('Monday, 8:00 AM to 9:00 AM: Applies')).toBeInTheDocument()
  expect(within(week).getByLabelText('Saturday, 8:00 AM to 9:00 AM: Does not apply')).toBeInTheDocument()
  expect(screen.getByText('80 · General rule at certain times')).toBeInTheDocument()
})

it('names regulations that take precedence over a regulation, and marks their hours', async () => {
  await renderScreen(`/${regulationId}`, { [`POST ${curbPath}/policies/lint`]: () => checkWithPrecedences })
  expect(await screen.findByRole('group', { name: 'Other regulations here' })).toHaveTextContent(
    'they apply instead of it.“Street cleaning” (priority 35): Mon, Wed, 8:00 AM–10:00 AM',
  )
  const week = within(
    screen.getByRole('table', { name: 'Hours of the week in which the regulation applies' }),
  )
  const overridden = 'Another regulation takes precedence, at least in part'
  expect(week.getByLabelText(`Wednesday, 9:00 AM to 10:00 AM: ${overridden}`)).toBeInTheDocument()
  expect(week.getByLabelText('Wednesday, 10:00 AM to 11:00 AM: Applies')).toBeInTheDocument()
  expect(within(screen.getByRole('list', { name: 'Key' })).getByText(overridden)).toBeInTheDocument()
})

it('shows a message for an unknown regulation, and links to the library', async () => {
  await renderScreen('/none')
  expect(
    await screen.findByRole('heading', { name: "The policy you selected can't be found" }),
  ).toBeInTheDocument()
})
