import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { type Retention, retentionCategories, retentionRules } from '#contract/retention.ts'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { RetentionScreen } from './retention-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/admin/retention', 'shell:pages.retention', RetentionScreen, 'is_admin'),
]
const makeRetention = (overrides: Partial<Retention> = {}): Retention => ({
  categories: retentionCategories.map((category) => ({
    category,
    description: retentionRules[category].description,
    set_in: retentionRules[category].setIn,
    min_days: retentionRules[category].minDays,
    days: category === 'trips' ? 400 : category === 'raw' ? 30 : category === 'invoices' ? 3650 : null,
    removed_before: category === 'trips' ? '2025-04-01' : null,
  })),
  hold: null,
  holds: [],
  runs: [
    {
      run_id: '0f0f6c56-0000-4000-8000-000000000001',
      started_time: '2026-05-06T06:00:00.000Z',
      ended_time: '2026-05-06T06:01:00.000Z',
      started_by: null,
      outcome: 'removed',
      steps: [
        {
          category: 'trips',
          outcome: 'removed',
          before_day: '2025-04-01',
          tables: [{ table: 'trips', rows: 1234 }],
          detail: null,
        },
      ],
    },
  ],
  ...overrides,
})

afterEach(() => vi.unstubAllGlobals())

const renderScreen = async (stored: Retention = makeRetention()) => {
  const base = '/v2/regions/ashford/retention'
  const server = fakeServer({
    ...signedIn(),
    [`GET ${base}`]: () => stored,
    [`PATCH ${base}`]: () => stored,
    [`POST ${base}/preview`]: () => ({
      steps: [
        {
          category: 'events',
          outcome: 'removed',
          before_day: '2026-01-01',
          tables: [{ table: 'vehicle_events', rows: 5000 }],
          detail: null,
        },
      ],
    }),
    [`POST ${base}/hold`]: () => makeRetention(),
    [`DELETE ${base}/hold`]: () => makeRetention(),
  })
  await renderApp(screens, '/admin/retention?region=ashford')
  await screen.findByRole('heading', { name: 'Days' })
  return server
}

it('shows the days of each category, where the others are set, and what was removed', async () => {
  await renderScreen()
  expect(screen.getByLabelText('Days for Trips')).toHaveValue('400')
  expect(screen.getByLabelText('Days for Telemetry')).toHaveValue('')
  expect(screen.queryByLabelText('Days for Invoices')).toBeNull()
  expect(screen.getByText('Set in the billing settings')).toBeInTheDocument()
  expect(screen.getByText('Trips: Removed · trips 1,234')).toBeInTheDocument()
  expect(screen.getByText('Scheduled')).toBeInTheDocument()
})

it('counts the rows that changed days would remove, before they are saved', async () => {
  const { requests } = await renderScreen()
  await userEvent.type(screen.getByLabelText('Days for Vehicle events'), '120')
  await userEvent.click(screen.getByRole('button', { name: 'Count records to remove' }))
  expect(await screen.findByText('5,000 records')).toBeInTheDocument()
  const preview = requests.find(({ path }) => path.endsWith('/preview'))
  expect(preview?.body).toMatchObject({ days: { trips: 400, events: 120, telemetry: null } })
  expect(requests.some(({ method }) => method === 'PATCH')).toBe(false)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual(preview?.body))
})

it('sets a legal hold with a reason', async () => {
  const { requests } = await renderScreen()
  await userEvent.click(screen.getByRole('button', { name: 'Set legal hold' }))
  const dialog = await screen.findByRole('dialog')
  const confirm = within(dialog).getByRole('button', { name: 'Set legal hold' })
  expect(confirm).toBeDisabled()
  await userEvent.type(within(dialog).getByLabelText(/^Reason/), 'Case 26-117')
  await userEvent.click(confirm)
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(requests.find(({ path }) => path.endsWith('/hold'))?.body).toEqual({ reason: 'Case 26-117' })
})

it('shows who set a hold and why, and removes nothing during it', async () => {
  const { requests } = await renderScreen(
    makeRetention({
      hold: {
        reason: 'Case 26-117',
        set_by: 'ada@city.example',
        set_time: '2026-05-01T12:00:00.000Z',
        released_by: null,
        released_time: null,
      },
    }),
  )
  expect(screen.getByText('Case 26-117')).toBeInTheDocument()
  expect(screen.getByText(/Set by ada@city\.example/)).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Remove now' })).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: 'Release hold' }))
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Release hold' }),
  )
  await waitFor(() => expect(requests.some(({ method }) => method === 'DELETE')).toBe(true))
})
