import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PaymentImport } from '#contract/curb-payment-imports.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { geographyResponses } from '#web/map-page/test-geography.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { ParkingRevenueScreen } from './revenue/revenue-screen.tsx'
import { PaymentImportScreen } from './transactions/payment-import-screen.tsx'
import { PaymentImportsScreen } from './transactions/payment-imports-screen.tsx'
import { TransactionsScreen } from './transactions/transactions-screen.tsx'

vi.mock('#web/map/map-view.tsx', async () => ({
  MapView: (await import('#web/map/test-map-view.tsx')).TestMapView,
}))

const region = '/v2/regions/port-meridian'
const insights = '/port-meridian/curb/parking-insights'
const makeEntry = (path: string, Screen: ScreenEntry['Screen']): ScreenEntry => ({
  path: `/$regionId/curb/parking-insights/${path}`,
  title: 'shell:pages.transactions',
  permission: 'signed_in',
  Screen,
})
const screens = [
  makeEntry('transactions', TransactionsScreen),
  makeEntry('transactions/imports', PaymentImportsScreen),
  makeEntry('transactions/imports/$importId', PaymentImportScreen),
  makeEntry('revenue', ParkingRevenueScreen),
]
const importId = '11111111-ceea-467f-a0e6-7a1d2b3c4d5e'

const staged: PaymentImport = {
  import_id: importId,
  vendor: 'Meters Inc',
  file_name: 'june.csv',
  status: 'staged',
  problem: null,
  rows: 12,
  codes: { duplicate: 1, bad_amount: 1 },
  reconciliation: {
    file: { rows: 12, amount: 2150 },
    kinds: { counted: { rows: 9, amount: 1800 }, refund: { rows: 1, amount: -150 } },
    rejected: { rows: 1, amount: 0 },
    duplicates: { rows: 1, amount: 500 },
    stored: null,
    is_reconciled: true,
  },
  locations: 3,
  unlinked_locations: 1,
  first_day: '2026-06-01',
  last_day: '2026-06-30',
  created_by: 'planner@portmeridian.example',
  created_time: '2026-07-01T12:00:00.000Z',
  published_time: null,
  undone_time: null,
  same_as: null,
}

const payment = {
  transaction_id: 'Meters Inc:t1',
  vendor: 'Meters Inc',
  kind: 'counted',
  paid_time: '2026-06-30T14:00:00.000Z',
  start_time: '2026-06-30T14:00:00.000Z',
  end_time: '2026-06-30T15:00:00.000Z',
  purchased_seconds: 3600,
  location_id: 'meter:M1',
  location_name: 'M1',
  curb_zone_id: 'z1',
  payment_type: 'Card',
  amount: 250,
  rate: 250,
  session_id: 'Meters Inc:t1',
}
const location = {
  location_id: 'meter:M1',
  kind: 'meter',
  name: 'M1',
  lon: -75.2,
  lat: 37,
  spaces: null,
  curb_zone_id: 'z1',
  is_linked_by_hand: false,
}
const responses = {
  ...signedIn(),
  ...geographyResponses(),
  [`GET ${region}/insights/transactions/date_range`]: () => ({
    start_date: '2026-01-01',
    end_date: '2026-06-30',
  }),
  [`GET ${region}/insights/operators`]: () => ({ vendors: ['Meters Inc'], payment_types: ['Card', 'Coin'] }),
  [`GET ${region}/curb_parking_insights/location_layers`]: () => ({
    locations: [location],
    zones: [
      {
        curb_zone_id: 'z1',
        name: '1st Street',
        geometry: {
          type: 'LineString',
          coordinates: [
            [-75.2, 37],
            [-75.19, 37],
          ],
        },
      },
    ],
  }),
  [`GET ${region}/curb_parking_insights/transactions`]: () => ({
    items: [payment],
    total: 75,
    page: 1,
    size: 50,
  }),
  [`GET ${region}/curb_parking_insights/transactions/statistics`]: () => ({
    payments: 70,
    received: 20_000,
    refunded: -500,
    revenue: 19_500,
    sessions: 60,
    purchased_seconds: 252_000,
    kinds: [
      { kind: 'counted', rows: 70, amount: 20_000 },
      { kind: 'declined', rows: 4, amount: 800 },
    ],
    unlinked: 2,
    pending_days: 0,
  }),
  [`GET ${region}/curb_parking_insights/transactions/shape_lookup`]: () => ({
    locations: [{ ...location, payments: 70, revenue: 19_500 }],
  }),
  [`POST ${region}/curb_parking_insights/aggregated_counts`]: ({ body }: { body: unknown }) => {
    const { measures, dimensions, basis } = body as {
      measures: string[]
      dimensions: string[]
      basis: string
    }
    const values = measures.map((_, index) => 19_500 - index)
    const key = { zone: 'z1', payment_type: 'Card', vendor: 'Meters Inc', hour_of_day: '9', day_of_week: '1' }
    return {
      period: {
        start_date: '2026-06-01',
        end_date: '2026-06-30',
        rows: [
          { keys: dimensions.map((dimension) => key[dimension as keyof typeof key] ?? '2026-06-30'), values },
        ],
        totals: values,
      },
      comparison: null,
      basis,
      newest_payment: '2026-06-30T14:00:00.000Z',
      unlinked_revenue: 1200,
      pending_days: 0,
    }
  },
  [`GET ${region}/curb/payments/imports`]: () => ({ items: [staged], total: 1, page: 1, size: 50 }),
  [`GET ${region}/curb/payments/imports/${importId}`]: () => staged,
  [`GET ${region}/curb/payments/imports/${importId}/rows`]: () => ({
    items: [
      {
        row: 7,
        code: 'bad_amount',
        effect: 'set_aside',
        message: '“Card” is not an amount.',
        source: 'amount: Card',
      },
    ],
    total: 1,
    page: 1,
    size: 50,
  }),
  [`POST ${region}/curb/payments/imports/${importId}/publish`]: () => ({ ...staged, status: 'publishing' }),
}

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(path: string) {
  const server = fakeServer(responses)
  await renderApp(screens, `${insights}/${path}`)
  return server
}

describe('Transactions', () => {
  it('shows payments and totals, with money that is not revenue listed separately', async () => {
    const server = await renderScreen(
      'transactions?vendors=["Meters Inc"]&min_amount=1.5&hours=[8,18]&sort=-amount',
    )
    const row = (await screen.findByRole('cell', { name: 'M1' })).closest('tr')
    expect(row).toHaveTextContent('$2.50')
    expect(row).toHaveTextContent('1st Street')
    expect(await screen.findByText(/70 payments · \$195\.00 revenue/)).toHaveTextContent(
      '60 sessions · 70 hours',
    )
    expect(screen.getByText(/Not counted as revenue/)).toHaveTextContent('Declined 4 ($8.00)')
    const requests = server.requests.findLast(({ path }) =>
      path.endsWith('/curb_parking_insights/transactions'),
    )?.query
    expect(Object.fromEntries(requests ?? [])).toMatchObject({
      vendors: 'Meters Inc',
      min_amount: '150',
      start_time_hour: '8',
      end_time_hour: '17',
      start_date: '2026-06-01',
      end_date: '2026-06-30',
      order_by: '-amount',
    })
    expect(screen.getByRole('link', { name: 'Import' })).toHaveAttribute(
      'href',
      `${insights}/transactions/imports`,
    )
  })
})

describe('Revenue', () => {
  it('states by which time amounts count, and groups by the URL', async () => {
    await renderScreen('revenue?basis=parked&group=vendor')
    const table = await screen.findByRole('table', { name: 'Revenue by group' })
    expect(within(table).getByRole('row', { name: /Meters Inc/ })).toHaveTextContent('$195.00')
    expect(screen.getByText(/by the time at which the parking begins · newest payment/)).toHaveTextContent(
      '$12.00 at locations without a curb zone',
    )
  })
})

describe('an import of payments', () => {
  it('an import of payments is listed with its revenue and its rejected rows', async () => {
    await renderScreen('transactions/imports')
    const row = (await screen.findByRole('link', { name: 'june.csv' })).closest('tr')
    expect(row).toHaveTextContent('Ready to publish12$16.502')
  })

  it('accounts for every cent, shows why rows were rejected, and is published', async () => {
    const server = await renderScreen(`transactions/imports/${importId}`)
    const totals = await screen.findByRole('table', { name: 'Totals' })
    expect(within(totals).getByRole('row', { name: /The file as it was read/ })).toHaveTextContent('12$21.50')
    expect(screen.getByText(/Every row and every cent/)).toBeVisible()
    expect(await screen.findByText('“Card” is not an amount.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Publish' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/10 payments of Meters Inc with \$16\.50/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }))
    await vi.waitFor(() =>
      expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toContain(
        `POST ${region}/curb/payments/imports/${importId}/publish`,
      ),
    )
  })
})
