import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { ServerStatus } from '#contract/server-status.ts'
import type { BackgroundJob, ServerWork } from '#contract/server-work.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { BackgroundWorkScreen } from './background-work-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/admin/work', 'shell:pages.work', BackgroundWorkScreen, 'is_admin'),
]
const makeJob = (name: string, overrides: Partial<BackgroundJob> = {}): BackgroundJob => ({
  name,
  description: `Does ${name}`,
  trigger: 'interval',
  every_seconds: 300,
  is_running: false,
  last_run: '2026-05-01T12:00:00.000Z',
  last_ms: 340,
  next_run: '2026-05-01T12:05:00.000Z',
  runs: 2016,
  failures: 0,
  last_problem: null,
  last_problem_time: null,
  ...overrides,
})
const jobs = [
  makeJob('data-health'),
  makeJob('pull-feeds', { trigger: 'when_due', every_seconds: null, next_run: null, is_running: true }),
  makeJob('import-files', {
    trigger: 'when_sent',
    every_seconds: null,
    next_run: null,
    last_ms: 95_000,
    failures: 2,
    last_problem: 'The disk is full',
    last_problem_time: '2026-05-01T10:00:00.000Z',
  }),
  makeJob('reports', { last_run: null, last_ms: null, runs: 0 }),
]
const work: ServerWork = {
  derived: [
    {
      product: 'shape_sums',
      description: 'Sums',
      regions: [
        {
          region_id: 'alder',
          text: 'Alder',
          dirty: 3,
          dirty_since: '2026-05-01T11:00:00.000Z',
          newest: '2026-05-01T10',
          portions: 10,
          worked_ms: 61_000,
          last_problem: 'The engine is away',
        },
        {
          region_id: 'birch',
          text: 'Birch',
          dirty: 0,
          dirty_since: null,
          newest: null,
          portions: 0,
          worked_ms: 0,
          last_problem: null,
        },
      ],
    },
  ],
  queries: [{ caller: 'getTrips', queries_per_minute: 1.5, ms_per_minute: 2000 }],
}

const status: ServerStatus = {
  status: 'ready',
  version: '1.2.3',
  node_version: 'v20.20.2',
  started: '2026-05-01T08:00:00.000Z',
  memory_bytes: 1_500_000_000,
  time_zone_data: '2025c',
  stores: [
    {
      store: 'state',
      is_embedded: true,
      version: '18.3',
      migrations: 13,
      pending: [],
      bytes: 40_000_000,
      ok: true,
      problem: null,
    },
    {
      store: 'facts',
      is_embedded: false,
      version: '26.7',
      migrations: 6,
      pending: [],
      bytes: 0,
      ok: false,
      problem: 'connection refused',
    },
  ],
  volumes: [
    { volume: 'data', free_bytes: 10e9, total_bytes: 100e9 },
    { volume: 'backups', free_bytes: 90e9, total_bytes: 100e9 },
  ],
  feeds: [
    {
      feed_id: 'f1',
      region_id: 'alder',
      operator: 'zephyr',
      name: 'Vehicles',
      kind: 'mds_provider',
      last_success: '2026-05-01T11:00:00.000Z',
      newest_record: null,
      problem: 'answered 503',
    },
  ],
  backups: {
    scheduled_hour: 3,
    is_encrypted: true,
    last_problem: null,
    items: [
      {
        name: 'publicway-20260501T030000Z',
        started: '2026-05-01T03:00:00.000Z',
        ended: '2026-05-01T03:02:00.000Z',
        bytes: 828_000_000,
        rows: 18_500_680,
        is_encrypted: true,
        app_version: '1.2.3',
        verified: '2026-05-01T04:00:00.000Z',
        verify_problem: null,
      },
      {
        name: 'publicway-20260430T030000Z',
        started: '2026-04-30T03:00:00.000Z',
        ended: '2026-04-30T03:02:00.000Z',
        bytes: 800_000_000,
        rows: 18_000_000,
        is_encrypted: false,
        app_version: '1.2.3',
        verified: null,
        verify_problem: null,
      },
    ],
  },
}

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(responses: Responses = {}) {
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/health/jobs': () => ({ items: jobs }),
    'GET /v2/health/work': () => work,
    'GET /v2/health/server': () => status,
    ...responses,
  })
  await renderApp(screens, '/admin/work')
  await screen.findByRole('heading', { name: 'Background work', hidden: true })
  return server
}
const row = async (text: string): Promise<HTMLElement> =>
  (await screen.findByText(text)).closest('tr') as HTMLElement

it('shows the last and next run of each job, and why it failed', async () => {
  await renderScreen()
  expect(await row('Data health')).toHaveTextContent(/May 1, 2026.*340 ms.*May 1, 2026.*Every 5 mins2,0160–/)
  expect(await row('Fetch feeds')).toHaveTextContent(/Running.*As needed/)
  expect(await row('Import files')).toHaveTextContent(/1 min.*On request.*2The disk is fullMay 1, 2026/)
  // A job of another server version.
  expect(await row('reports')).toHaveTextContent(/Does reportsNot in seven days–/)
})

it('runs a job immediately, and shows if that failed', async () => {
  const { requests } = await renderScreen({
    'POST /v2/health/jobs/data-health/run': () => ({ job: 'data-health' }),
    'POST /v2/health/jobs/reports/run': () => new ErrorResponse(404, 'There is no such job.', 'not_found'),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Run now: Data health' }))
  expect(requests.map(({ path }) => path)).toContain('/v2/health/jobs/data-health/run')
  await userEvent.click(screen.getByRole('button', { name: 'Run now: reports' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The job could not be startedThere is no such job.',
  )
})

it('shows what is waiting to be derived by region, and who queries the fact store', async () => {
  await renderScreen()
  const derived = within(await screen.findByRole('table', { name: 'Derived data' }))
  const [, alder, birch] = derived.getAllByRole('row')
  expect(alder).toHaveTextContent(/Counts by areaAlder3May 1, 2026.*2026-05-01T101 min.*The engine is away/)
  expect(birch).toHaveTextContent(/Counts by areaBirch0––0 ms–/)
  expect(await row('getTrips')).toHaveTextContent('getTrips1.52 secs')
})

it('shows the state of the server, its stores, disks and feeds', async () => {
  await renderScreen()
  expect(await row('State store')).toHaveTextContent(/OKEmbedded, version 18\.3.*13 migrations/)
  expect(await row('Fact store')).toHaveTextContent('Failedconnection refused')
  expect(await row('Data disk')).toHaveTextContent(/Warning.*90.*used/)
  expect(await row('Backup disk')).toHaveTextContent(/OK.*10.*used/)
  const server = within(await screen.findByRole('table', { name: 'Server' }))
  expect(server.getAllByRole('row')).toHaveLength(6)
  expect(server.getByText(/Version 1\.2\.3/)).toHaveTextContent(/time zone data 2025c; 1\.\d GB of memory/)
  const feeds = within(await screen.findByRole('table', { name: 'Feeds' }))
  expect(feeds.getAllByRole('row')[1]).toHaveTextContent(/alderzephyrVehiclesMay 1, 2026.*–answered 503/)
})

it('lists backups, and shows that none are scheduled', async () => {
  await renderScreen()
  expect(await row('publicway-20260501T030000Z')).toHaveTextContent(/18,500,680Yes.*May 1, 2026/)
  expect(await row('publicway-20260430T030000Z')).toHaveTextContent(/NoNot yet/)
  cleanup()
  const none = { ...status, backups: { ...status.backups, scheduled_hour: null, items: [] } }
  await renderScreen({ 'GET /v2/health/server': () => none })
  expect(await screen.findByText(/No backups are scheduled/)).toBeVisible()
})
