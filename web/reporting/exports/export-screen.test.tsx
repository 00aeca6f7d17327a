import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { getExportColumns, exportTableNames, exportTables } from '#contract/export-tables.ts'
import type { Export } from '#contract/exports.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import english from '../exports.en.json'
import { ExportScreen } from './export-screen.tsx'
import { getFormat, toRequest, readExportSearch } from './export-search.ts'

const makeId = (n: number): string => `aaaaaaaa-0000-4000-8000-00000000000${n}`
const file = (n: number, some: Partial<Export> = {}): Export => ({
  export_id: makeId(n),
  status: 'ready',
  rows: 12_345,
  total_rows: 12_345,
  bytes: 2_000_000,
  sha256: 'ab'.repeat(32),
  problem: null,
  file_name: `trips-${n}.csv.gz`,
  url: `/v2/public/exports/${makeId(n)}?expires=1&signature=x`,
  created_time: '2026-05-05T16:00:00.000Z',
  finished_time: null,
  expires_time: '2026-05-12T16:00:00.000Z',
  table: 'trips',
  format: 'csv',
  question: {
    start_date: '2026-04-01',
    end_date: '2026-04-30',
    operators: [],
    vehicle_types: [],
    shape_layer_uuid: null,
    columns: [],
  },
  is_exact: true,
  ...some,
})
const running = {
  status: 'running',
  rows: 500,
  total_rows: 1000,
  url: null,
  bytes: null,
  sha256: null,
} as const

let exports: Export[]
let sent: { path: string; body: unknown }[]
let rows: number | null
let operatorZips: object[]

beforeEach(() => {
  exports = []
  operatorZips = []
  sent = []
  rows = 5000
  const region = '/v2/regions/port-meridian'
  const list = () => ({ items: exports, total: exports.length, page: 1, size: 50 })
  fakeServer({
    ...signedIn(),
    'GET /v2/operators': () => ({
      items: [{ slug: 'lark', name: 'Lark', colorHex: '#112233' }],
      page: 1,
      size: 50,
      total: 1,
    }),
    [`GET ${region}/reports/raw_data`]: () => ({
      is_exact: true,
      definitions_version: 1,
      tables: exportTableNames.map((table) => ({
        table,
        description: exportTables[table].description,
        formats: ['csv', 'parquet'],
        filters: [...exportTables[table].filters],
        has_period: exportTables[table].time !== null,
        columns: getExportColumns(table, true).map((name) => ({
          name,
          ...exportTables[table].columns[name],
        })),
        days: table === 'trips' ? 31 : 0,
        first_day: table === 'trips' ? '2026-04-01' : null,
        last_day: table === 'trips' ? '2026-05-01' : null,
      })),
    }),
    ...Object.fromEntries(
      exportTableNames.map((table) => [
        `GET ${region}/reports/raw_data/${table}`,
        () => ({ rows, days: rows === null ? null : 30, first_day: null, last_day: null }),
      ]),
    ),
    [`POST ${region}/reports/raw_data/trips`]: ({ body }) => {
      sent.push({ path: 'start', body })
      exports = [file(exports.length + 1, running), ...exports]
      return exports[0]
    },
    [`GET ${region}/reports/exports`]: list,
    [`POST ${region}/reports/exports/${makeId(1)}/cancel`]: () => {
      sent.push({ path: 'cancel', body: null })
      exports = [file(1, { ...running, status: 'canceled' })]
      return exports[0]
    },
    [`GET ${region}/reports/monthly_zips`]: () => ({ items: [] }),
    [`GET ${region}/reports/operator_zips`]: () => ({ items: operatorZips }),
    [`POST ${region}/reports/operator_zips`]: ({ body }) => {
      sent.push({ path: 'operator zip', body })
      operatorZips = [{ ...file(3), file_name: 'port-meridian_lark.zip', operator: 'lark' }]
      return operatorZips[0]
    },
    [`GET ${region}/retention/limits`]: () => ({
      removed_before: { trips: '2026-03-09', payments: '2026-05-01' },
    }),
  })
})

const renderScreen = (search = '') =>
  renderApp(
    [makeScreenEntry('/$regionId/export', 'reporting:pages.export', ExportScreen)],
    `/port-meridian/export${search}`,
  )

it('starts an export with the selected columns, shows its progress and cancels it', async () => {
  const user = userEvent.setup()
  renderScreen('?start_date=2026-04-01&end_date=2026-04-30&operators=%5B%22lark%22%5D')
  expect(await screen.findByText('5,000 rows on 30 days')).toBeVisible()
  expect(screen.getByText(/Data on 31 days: Apr 1 – May 1, 2026/)).toBeVisible()
  expect(screen.getByText('No exports yet')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Columns: 16 of 16' }))
  await user.click(await screen.findByRole('checkbox', { name: 'trip_id' }))
  expect(screen.getByText('Trip, by the id of its operator or file')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Export' }))
  const table = await screen.findByRole('table', { name: 'Your exports' })
  expect(sent).toEqual([
    {
      path: 'start',
      body: {
        ...file(1).question,
        operators: ['lark'],
        columns: getExportColumns('trips', true).filter((name) => name !== 'trip_id'),
        format: 'csv',
      },
    },
  ])
  expect(within(table).getByText('500 / 1,000')).toBeVisible()
  expect(within(table).getByRole('progressbar', { name: 'Progress of trips-1.csv.gz' })).toHaveAttribute(
    'aria-valuenow',
    '50',
  )
  await user.click(within(table).getByRole('button', { name: 'Cancel' }))
  expect(await within(table).findByText('Canceled')).toBeVisible()
})

it('offers completed files, explains failures, and runs exports again', async () => {
  exports = [file(2), file(1, { ...running, status: 'failed', problem: 'The disk of the server is full.' })]
  const user = userEvent.setup()
  renderScreen()
  const table = await screen.findByRole('table', { name: 'Your exports' })
  expect(within(table).getByRole('link', { name: 'Download' })).toHaveAttribute('href', exports[0]?.url)
  expect(within(table).getByText('12,345')).toBeVisible()
  expect(within(table).getByText('The disk of the server is full.')).toBeVisible()
  expect(within(table).getByRole('button', { name: 'Copy the checksum of trips-2.csv.gz' })).toBeVisible()
  await user.click(within(table).getAllByRole('button', { name: 'Run again' })[1] as HTMLElement)
  await waitFor(() => expect(sent).toEqual([{ path: 'start', body: { ...file(1).question, format: 'csv' } }]))
})

it('says if single records of the first days have been removed', async () => {
  renderScreen('?start_date=2026-03-08&end_date=2026-04-30')
  expect(await screen.findByText(/^Individual records before Mar 9, 2026 were removed/)).toBeVisible()
})

it('the screen does not mention removed days outside of the period', async () => {
  renderScreen('?start_date=2026-03-09&end_date=2026-04-30')
  expect(await screen.findByText('5,000 rows on 30 days')).toBeVisible()
  expect(screen.queryByText(/were removed/)).not.toBeInTheDocument()
})

it('builds a zip of all data stored about an operator', async () => {
  const user = userEvent.setup()
  renderScreen()
  const build = await screen.findByRole('button', { name: 'Build zip' })
  expect(build).toBeDisabled()
  await user.click(screen.getByRole('combobox', { name: 'Operator' }))
  await user.click(await screen.findByRole('option', { name: 'Lark' }))
  await user.click(build)
  const table = await screen.findByRole('table', { name: 'All data of an operator' })
  expect(sent).toEqual([{ path: 'operator zip', body: { operator: 'lark' } }])
  expect(within(table).getByText('Lark')).toBeVisible()
  expect(within(table).getByRole('link', { name: 'Download' })).toHaveAttribute(
    'download',
    'port-meridian_lark.zip',
  )
})

it('explains what is missing: rows, data or columns', async () => {
  rows = 0
  renderScreen(`?table=events&without=${JSON.stringify(getExportColumns('events', true))}`)
  expect(await screen.findByText('No rows for these filters')).toBeVisible()
  expect(screen.getByText(/There is no data in this table yet/)).toBeVisible()
  expect(screen.getByText('Choose at least one column.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Export' })).toBeDisabled()
})

describe('the state of the page', () => {
  const today = '2026-05-05'
  it('defaults to last month, and has only filters of the table', () => {
    expect(toRequest(readExportSearch({}), ['a'], today)).toMatchObject({
      start_date: '2026-04-01',
      end_date: '2026-04-30',
      columns: [],
    })
    const search = readExportSearch({
      table: 'shapes',
      operators: ['lark'],
      layer: makeId(1),
      without: ['a'],
      format: 'geojson',
    })
    expect(toRequest(search, ['a', 'b'], today)).toEqual({
      start_date: null,
      end_date: null,
      operators: [],
      vehicle_types: [],
      shape_layer_uuid: makeId(1),
      columns: ['b'],
    })
    expect(getFormat(search)).toBe('geojson')
    expect(getFormat(readExportSearch({ table: 'policies', format: 'geojson' }))).toBe('csv')
  })
  it('shows the descriptions of the API', () => {
    const described = Object.fromEntries(
      exportTableNames.map((table) => [
        table,
        Object.fromEntries(
          Object.entries(exportTables[table].columns).map(([name, { description }]) => [name, description]),
        ),
      ]),
    )
    expect(english.column).toEqual(described)
  })
})
