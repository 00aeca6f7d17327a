// Payment files are staged, published and undone. Pushes and CDS events add to the same table.
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeCdsToken } from '#contract/cds-tokens.ts'
import {
  deletePaymentImport,
  downloadPaymentImportRows,
  getPaymentImport,
  listPaymentImportRows,
  type PaymentImport,
  previewPaymentImport,
  publishPaymentImport,
  startPaymentImport,
  undoPaymentImport,
  uploadPaymentFile,
} from '#contract/curb-payment-imports.ts'
import { linkPaymentLocations, listPaymentLocationLinks } from '#contract/curb-payment-links.ts'
import {
  downloadTransactions,
  getAggregatedCounts,
  getTransactionStatistics,
  linkPaymentLocation,
  listPaymentLocationLayers,
  listPaymentOperators,
  listTransactions,
  lookUpTransactionShapes,
} from '#contract/curb-payments.ts'
import { queryCurbMetrics } from '#contract/curb-sessions.ts'
import { createFeed, makeAgencyToken } from '#contract/feeds.ts'
import { dayMs, hourMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { facts, latest, sql } from '#server/stores/sql.ts'
import { insertRegion } from '../store-region.ts'
import { call, openTestApp, request, send, type TestApp } from '../app.ts'
import { whenCurbIsDerived } from '../curb-zones.ts'
import { makePeople, type TestCity } from '../city.ts'
import { addRules } from '../curb/add-rules.ts'
import { type MadeZone, makeZones } from '../curb/make-zones.ts'

const region_id = 'paid'
const params = { region_id }
const days = { start_date: '2024-06-01', end_date: '2024-06-30' }

let app: TestApp
let city: TestCity
let zones: MadeZone[]

const header =
  'Transaction ID,Meter ID,Latitude,Longitude,Payment Date,Start Time,End Time,Duration (min),Amount,Payment Type,Status,License Plate'
const makeRow = (
  id: string,
  meter: string,
  from: string,
  to: string,
  minutes: number | string,
  amount: string,
  changes: { type?: string; status?: string; plate?: string } = {},
): string => {
  const [lat, lon] =
    meter === 'M1' ? ['41.00001', '-71.9996'] : meter === 'M2' ? ['41.00001', '-71.9986'] : ['', '']
  return [
    id,
    meter,
    lat,
    lon,
    from,
    from,
    to,
    String(minutes),
    amount,
    changes.type ?? 'Card',
    changes.status ?? 'Approved',
    changes.plate ?? '',
  ].join(',')
}
/** Formats a time of 3 June 2024. */
const atTime = (time: string): string => `06/03/2024 ${time}`
const validRows = [
  // One stay of a car: 60 minutes, then an extension to 90 whose row has all of its minutes.
  makeRow('t1', 'M1', atTime('10:00:00'), atTime('11:00:00'), 60, '$2.00', { plate: 'ABC 123' }),
  makeRow('t2', 'M1', atTime('10:00:00'), atTime('11:30:00'), 90, '$1.00', { plate: 'abc123' }).replace(
    atTime('10:00:00'),
    atTime('10:50:00'),
  ),
  makeRow('t3', 'M1', atTime('13:00:00'), atTime('14:00:00'), 60, '2.00', { plate: 'ABC 123' }),
  makeRow('t4', 'M2', atTime('10:30:00'), atTime('11:00:00'), 30, '1.25', { type: 'Coin' }).replace(
    atTime('10:30:00'),
    atTime('09:58:00'),
  ),
  // Other cars with extensions, from which the import detects how minutes are counted.
  makeRow('t5', 'M2', '06/04/2024 09:00:00', '06/04/2024 09:30:00', 30, '1.00', { plate: 'XYZ 9' }),
  makeRow('t6', 'M2', '06/04/2024 09:00:00', '06/04/2024 10:00:00', 60, '1.00', { plate: 'XYZ 9' }).replace(
    '06/04/2024 09:00:00',
    '06/04/2024 09:25:00',
  ),
  makeRow('t7', 'M9', '06/05/2024 23:50:00', '06/06/2024 00:20:00', 30, '1.00'),
  makeRow('t8', 'M1', '06/06/2024 12:00:00', '06/06/2024 13:00:00', 60, '-2.00', { status: 'Refund' }),
]
const setAsideRows = [
  makeRow('d1', 'M1', atTime('15:00:00'), atTime('15:30:00'), 30, '3.00', { status: 'Declined' }),
  makeRow('d2', 'M1', atTime('15:01:00'), atTime('15:30:00'), 30, '0.00'),
  makeRow('d3', 'M1', atTime('15:02:00'), atTime('15:30:00'), 30, '5.00', { type: 'Test card' }),
]
const invalidRows = [
  makeRow('t1', 'M1', atTime('10:00:00'), atTime('11:00:00'), 60, '$2.00', { plate: 'ABC 123' }),
  makeRow('b1', 'M1', 'Card', atTime('11:00:00'), 60, '4.00', { plate: 'SECRET1' }),
  makeRow('b2', 'M1', atTime('10:00:00'), atTime('11:00:00'), 60, 'Approved'),
  `${makeRow('b3', 'M1', atTime('10:00:00'), atTime('11:00:00'), 60, '1.00')},extra`,
]
const unusualRows = [
  makeRow('o1', 'M1', '06/10/2024 10:00:00', '07/25/2024 10:00:00', 60, '1.50'),
  makeRow('o2', 'M1', '06/10/2024 12:00:00', '06/10/2024 11:00:00', -60, '0.50'),
]
const file = [header, ...validRows, ...setAsideRows, ...invalidRows, ...unusualRows].join('\n')

const upload = (vendor: string, body: string | Buffer): Promise<PaymentImport> =>
  call(app, city.admin, uploadPaymentFile, {
    params,
    query: { vendor, file_name: 'payments.csv' },
    body: typeof body === 'string' ? gzipSync(body) : body,
  })
const toParams = (import_id: string) => ({ params: { region_id, import_id } })
const waitForStatus = (importId: string, status: PaymentImport['status']): Promise<PaymentImport> =>
  vi.waitFor(
    async () => {
      const found = await call(app, city.admin, getPaymentImport, toParams(importId))
      expect(found).toMatchObject({ status })
      return found
    },
    { timeout: 20_000, interval: 100 },
  )
const readStatistics = () => call(app, city.admin, getTransactionStatistics, { params, query: days })
const readDerivedStatistics = async () => {
  await whenCurbIsDerived(app)
  const found = await readStatistics()
  expect(found.pending_days).toBe(0)
  return found
}
const readSessions = () =>
  app.facts.rows<{ id: string; zone: string; minutes: number; amount: string }>(
    systemScope,
    sql`select session_id as id, zone_id as zone, toUInt32(dateDiff('minute', assumeNotNull(start_time), assumeNotNull(end_time))) as minutes, toString(amount) as amount
      from ${latest('curb_sessions')} where source_kind = 'payment' and startsWith(lane, 'paid:') order by id`,
  )

beforeAll(async () => {
  app = await openTestApp()
  city = await makePeople(app)
  const organization_id = city.organizations.alder
  await insertRegion(app.state, {
    organization_id,
    region_id,
    lat: 41,
    lon: -72,
    timezone: 'America/New_York',
  })
  ;({ zones } = await makeZones(app.state, region_id, { lon: -72, lat: 41, capacities: [2, 4] }))
  await addRules(app.state, region_id, zones[0]?.zoneId ?? '', [
    {
      priority: 9,
      rules: [{ activity: 'parking', rate: [{ rate: 200, rate_unit: 'hour' }] }],
      time_spans: [
        {
          days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
          time_of_day_start: '08:00',
          time_of_day_end: '18:00',
        },
      ],
    },
  ])
  await addRules(app.state, region_id, zones[1]?.zoneId ?? '', [
    { priority: 9, rules: [{ activity: 'parking', max_stay: 2, max_stay_unit: 'hour' }] },
  ])
})
afterAll(() => app.close())

let first: PaymentImport

test('a payment file waits for its mapping, which is suggested from its columns', async () => {
  first = await upload('Meters Inc', file)
  expect(first.status).toBe('waiting')
  const preview = await call(app, city.admin, previewPaymentImport, {
    ...toParams(first.import_id),
    body: {},
  })
  expect(preview.mapping).toMatchObject({
    columns: {
      row_id: 'Transaction ID',
      location: 'Meter ID',
      paid_time: 'Payment Date',
      start_time: 'Start Time',
      end_time: 'End Time',
      duration: 'Duration (min)',
      amount: 'Amount',
      payment_type: 'Payment Type',
      status: 'Status',
      plate: 'License Plate',
    },
    date_order: 'mdy',
    extensions: 'cumulative',
    duration_unit: 'minute',
  })
  expect(preview.mapping.words).toEqual(
    expect.arrayContaining([
      { column: 'status', value: 'Declined', meaning: 'declined' },
      { column: 'payment_type', value: 'Test card', meaning: 'test' },
    ]),
  )
  expect(preview.samples['License Plate']).toEqual([])
  expect(preview.rows[0]).toMatchObject({
    kind: 'counted',
    amount: 200,
    paid_time: '2024-06-03T14:00:00.000Z',
  })
})

test('staging reports every row that is set aside, and reconciles the totals to the cent', async () => {
  await call(app, city.admin, startPaymentImport, { ...toParams(first.import_id), body: {} })
  const staged = await waitForStatus(first.import_id, 'staged')
  expect(staged.reconciliation).toEqual({
    // 2 + 1 + 2 + 1.25 + 1 + 1 + 1 - 2, then 3 + 0 + 5, then 2 + 4 (b2 has no amount, b3 no fields), then 1.50 + 0.50
    file: { rows: 17, amount: 725 + 800 + 600 + 200 },
    kinds: {
      counted: { rows: 9, amount: 925 + 200 },
      refund: { rows: 1, amount: -200 },
      declined: { rows: 1, amount: 300 },
      zero: { rows: 1, amount: 0 },
      test: { rows: 1, amount: 500 },
    },
    rejected: { rows: 3, amount: 400 },
    duplicates: { rows: 1, amount: 200 },
    stored: null,
    is_reconciled: true,
  })
  expect(staged.codes).toMatchObject({
    duplicate: 1,
    bad_time: 1,
    bad_amount: 1,
    not_a_record: 1,
    too_long: 1,
    negative_duration: 1,
    unknown_location: 1,
  })
  expect(staged).toMatchObject({ locations: 3, unlinked_locations: 1, first_day: '2024-06-03' })
  const rows = await call(app, city.admin, listPaymentImportRows, {
    ...toParams(first.import_id),
    query: { effect: 'set_aside' },
  })
  expect(rows.items.map(({ row: number, code }) => [number, code])).toEqual([
    [12, 'duplicate'],
    [13, 'bad_time'],
    [14, 'bad_amount'],
    [15, 'not_a_record'],
  ])
  const csv = (await send(app, city.admin, downloadPaymentImportRows, toParams(first.import_id))).body
  expect(csv).toContain('bad_time,set_aside')
  expect(csv).not.toContain('SECRET1')
  // Nothing is stored before publication.
  expect(await readStatistics()).toMatchObject({ payments: 0, revenue: 0 })
})

test('publication stores payments and their sessions without plates', async () => {
  await call(app, city.admin, publishPaymentImport, toParams(first.import_id))
  const published = await waitForStatus(first.import_id, 'published')
  expect(published.reconciliation).toMatchObject({
    stored: { rows: 13, amount: 725 + 800 + 200 },
    is_reconciled: true,
  })
  expect(await readDerivedStatistics()).toMatchObject({
    payments: 9,
    received: 1125,
    refunded: -200,
    revenue: 925,
    unlinked: 1,
  })
  await whenCurbIsDerived(app)
  expect(await readSessions()).toEqual([
    { id: 'Meters Inc:t1', zone: zones[0]?.zoneId, minutes: 90, amount: '300' },
    { id: 'Meters Inc:t3', zone: zones[0]?.zoneId, minutes: 60, amount: '200' },
    { id: 'Meters Inc:t4', zone: zones[1]?.zoneId, minutes: 30, amount: '125' },
    { id: 'Meters Inc:t5', zone: zones[1]?.zoneId, minutes: 60, amount: '200' },
    { id: 'Meters Inc:t7', zone: '', minutes: 30, amount: '100' },
  ])
  expect(await readDerivedStatistics()).toMatchObject({
    sessions: 5,
    purchased_seconds: (60 + 30 + 60 + 30 + 30 + 30 + 30) * 60,
  })
  const lanes = await app.facts.rows<{ lane: string }>(
    systemScope,
    sql`select distinct lane from ${facts('curb_payment_lanes')}`,
  )
  expect(lanes).toHaveLength(2)
  expect(JSON.stringify(lanes)).not.toMatch(/ABC|XYZ/)
  const stored = await app.facts.rows(systemScope, sql`select * from ${latest('curb_payments')}`)
  for (const { lane } of lanes) expect(JSON.stringify(stored)).not.toContain(lane)
})

test('payment sessions are in the metrics of the curb', async () => {
  await whenCurbIsDerived(app)
  const response = await call(app, city.admin, queryCurbMetrics, {
    params,
    body: { measures: ['sessions', 'revenue'], source: 'payment', ...days },
  })
  expect(response.pending_days).toBe(0)
  expect(response.period.totals).toEqual([5, 925])
})

test('transactions are listed by page, filtered, sorted, summed up, mapped and downloaded', async () => {
  const list = (query: object) =>
    call(app, city.admin, listTransactions, { params, query: { ...days, ...query } })
  const all = await list({ size: 4 })
  expect(all).toMatchObject({ total: 10, page: 1, size: 4 })
  const pages = [all, await list({ size: 4, page: 2 }), await list({ size: 4, page: 3 })]
  const ids = pages.flatMap(({ items }) => items.map(({ transaction_id: id }) => id))
  expect(ids).toEqual(
    ['o2', 'o1', 't8', 't7', 't6', 't5', 't3', 't2', 't1', 't4'].map((id) => `Meters Inc:${id}`),
  )
  expect(pages[2]?.items.at(-1)).toMatchObject({
    paid_time: '2024-06-03T13:58:00.000Z',
    start_time: '2024-06-03T14:30:00.000Z',
    location_id: 'meter:M2',
    curb_zone_id: zones[1]?.zoneId,
    amount: 125,
    rate: 250,
    session_id: 'Meters Inc:t4',
  })
  expect((await list({ order_by: 'amount' })).items[0]).toMatchObject({ amount: -200 })
  const listNames = async (query: object) =>
    (await list(query)).items.map(({ transaction_id: id }) => id.split(':')[1]).toSorted()
  expect(await listNames({ payment_types: 'Coin' })).toEqual(['t4'])
  expect(await listNames({ zones: zones[1]?.zoneId })).toEqual(['t4', 't5', 't6'])
  expect(await listNames({ start_time_hour: 9, end_time_hour: 9 })).toEqual(['t4', 't5', 't6'])
  expect(await listNames({ days: '3' })).toEqual(['t7'])
  expect(await listNames({ min_amount: 150, max_amount: 200 })).toEqual(['o1', 't1', 't3'])
  expect(await listNames({ min_minutes: 60, end_date: '2024-06-05' })).toEqual(['t1', 't3'])
  expect(await listNames({ max_rate: 150 })).toEqual([])
  expect(await listNames({ kinds: 'declined,test' })).toEqual(['d1', 'd3'])
  const csv = (await send(app, city.admin, downloadTransactions, { params, query: days })).body
    .trim()
    .split('\r\n')
  expect(csv).toHaveLength(11)
  expect(csv[1]).toContain('Meters Inc:t4,Meters Inc,counted,2024-06-03T13:58:00.000Z')
  const { locations } = await call(app, city.admin, lookUpTransactionShapes, { params, query: days })
  expect(locations.map(({ location_id: id, payments, revenue }) => [id, payments, revenue])).toEqual([
    ['meter:M1', 5, 500],
    ['meter:M2', 3, 325],
    ['meter:M9', 1, 100],
  ])
  expect(await call(app, city.admin, listPaymentOperators, { params })).toEqual({
    vendors: ['Meters Inc'],
    payment_types: ['Card', 'Coin', 'Test card'],
  })
})

test('revenue is money after refunds, by payment or parking time, for a space and hour where spaces are known', async () => {
  const query = (body: object) =>
    call(app, city.admin, getAggregatedCounts, { params, body: { ...days, ...body } as never })
  const byZone = await query({
    measures: ['revenue', 'sessions', 'revenue_per_space_hour'],
    dimensions: ['zone'],
  })
  // Rules require payment from Monday to Saturday from 8 to 18; zone 2 has a maximum stay and no price.
  const hours = 25 * 10
  expect(Object.fromEntries(byZone.period.rows.map(({ keys, values }) => [keys[0], values]))).toEqual({
    '': [100, 1, null],
    [zones[0]?.zoneId ?? '']: [500, 2, 500 / (2 * hours)],
    [zones[1]?.zoneId ?? '']: [325, 2, null],
  })
  expect(byZone.period.totals).toEqual([925, 5, 500 / (2 * hours)])
  expect(byZone).toMatchObject({ unlinked_revenue: 100, newest_payment: '2024-06-10T16:00:00.000Z' })
  // t4 was paid at 9:58 for parking from 10:30 on.
  const readByHour = async (basis: string) =>
    (await query({ measures: ['revenue'], dimensions: ['hour_of_day'], basis })).period.rows.map(
      ({ keys, values }) => [keys[0], values[0]],
    )
  expect(await readByHour('paid')).toEqual([
    ['9', 325],
    ['10', 450],
    ['12', -150],
    ['13', 200],
    ['23', 100],
  ])
  expect(await readByHour('parked')).toEqual([
    ['9', 200],
    ['10', 575],
    ['12', -150],
    ['13', 200],
    ['23', 100],
  ])
  const compared = await query({
    measures: ['revenue'],
    dimensions: ['day'],
    start_date: '2024-06-04',
    end_date: '2024-06-04',
    compare_start_date: '2024-06-03',
    compare_end_date: '2024-06-03',
  })
  expect([compared.period.totals, compared.comparison?.totals]).toEqual([[200], [625]])
})

test('a location is linked by hand, and its payments follow', async () => {
  await call(app, city.admin, linkPaymentLocation, {
    params: { region_id, location_id: 'meter:M9' },
    body: { curb_zone_id: zones[1]?.zoneId ?? '' },
  })
  expect(await readDerivedStatistics()).toMatchObject({ unlinked: 0, revenue: 925 })
  await whenCurbIsDerived(app)
  expect((await readSessions()).find(({ id }) => id.endsWith('t7'))?.zone).toBe(zones[1]?.zoneId)
  const layers = await call(app, city.admin, listPaymentLocationLayers, { params })
  expect(layers.zones.map(({ curb_zone_id: id }) => id).toSorted()).toEqual(
    zones.map(({ zoneId }) => zoneId).toSorted(),
  )
})

test('zones are suggested for locations, and several are linked at once', async () => {
  const mapLinksByLocation = async () => {
    const { items } = await call(app, city.admin, listPaymentLocationLinks, { params })
    return new Map(items.map((item) => [item.location_id, item]))
  }
  const [first, second] = zones
  expect((await mapLinksByLocation()).get('meter:M1')).toMatchObject({
    curb_zone_id: first?.zoneId,
    zone_name: 'Zone 1',
    meters: 1.1,
    suggestions: [
      { curb_zone_id: first?.zoneId, reason: 'near', is_clear: true },
      { curb_zone_id: second?.zoneId, is_clear: false },
    ],
  })
  expect((await mapLinksByLocation()).get('meter:M9')?.suggestions).toEqual([])
  const makeLinks = (meter: string | undefined, other: string | undefined) => [
    { location_id: 'meter:M1', curb_zone_id: meter ?? null },
    { location_id: 'meter:M2', curb_zone_id: other ?? null },
  ]
  const link = (list: ReturnType<typeof makeLinks>) =>
    send(app, city.admin, linkPaymentLocations, { params, body: { links: list } })
  expect((await link(makeLinks(first?.zoneId, randomUUID()))).statusCode).toBe(422)
  expect((await link([{ location_id: 'meter:M0', curb_zone_id: null }])).statusCode).toBe(404)
  expect((await link(makeLinks(undefined, first?.zoneId))).json()).toEqual({ linked: 2 })
  await readDerivedStatistics()
  const byZone = await call(app, city.admin, getAggregatedCounts, {
    params,
    body: { ...days, measures: ['revenue'], dimensions: ['zone'] } as never,
  })
  expect(Object.fromEntries(byZone.period.rows.map(({ keys, values }) => [keys[0], values[0]]))).toEqual({
    '': 500,
    [first?.zoneId ?? '']: 325,
    [second?.zoneId ?? '']: 100,
  })
  await link(makeLinks(first?.zoneId, second?.zoneId))
  await readDerivedStatistics()
})

test('a late payment derives only its own lane, a repeated file changes nothing, and an import is undone as a whole', async () => {
  // The same vendor and columns need no mapping. t9 continues the stay of t3.
  const late = makeRow('t9', 'M1', atTime('13:00:00'), atTime('15:00:00'), 120, '2.00', {
    plate: 'ABC 123',
  }).replace(atTime('13:00:00'), atTime('13:55:00'))
  const second = await upload('Meters Inc', [header, ...validRows, late].join('\n'))
  const staged = await waitForStatus(second.import_id, 'staged')
  expect(staged.reconciliation).toMatchObject({
    kinds: { counted: { rows: 1, amount: 200 } },
    duplicates: { rows: 8, amount: 725 },
    is_reconciled: true,
  })
  await call(app, city.admin, publishPaymentImport, toParams(second.import_id))
  await waitForStatus(second.import_id, 'published')
  const stay = async () => (await readSessions()).filter(({ id }) => id.endsWith(':t3') || id.endsWith(':t9'))
  await whenCurbIsDerived(app)
  expect(await stay()).toEqual([{ id: 'Meters Inc:t3', zone: zones[0]?.zoneId, minutes: 120, amount: '400' }])
  expect(await readDerivedStatistics()).toMatchObject({ payments: 10, revenue: 1125, sessions: 5 })
  const refused = await send(app, city.admin, undoPaymentImport, toParams(first.import_id))
  expect(refused.statusCode).toBe(409)
  await call(app, city.admin, undoPaymentImport, toParams(second.import_id))
  await waitForStatus(second.import_id, 'undone')
  await whenCurbIsDerived(app)
  expect(await stay()).toEqual([{ id: 'Meters Inc:t3', zone: zones[0]?.zoneId, minutes: 60, amount: '200' }])
  expect(await readDerivedStatistics()).toMatchObject({ payments: 9, revenue: 925, sessions: 5 })
})

test('sums of every kind equal a plain count of generated payments, also over partial months', async () => {
  let seed = 7
  const drawInteger = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  const padTwo = (number: number): string => String(number).padStart(2, '0')
  const made = Array.from({ length: 400 }, (_, index) => {
    const [month, day, hour] = [1 + drawInteger(3), 1 + drawInteger(28), drawInteger(24)]
    return {
      at: index,
      paid: `2023-${padTwo(month)}-${padTwo(day)}`,
      hour,
      // Some payments are made an hour before parking begins.
      ahead: hour < 23 ? drawInteger(2) : 0,
      meter: `M${1 + drawInteger(3)}`,
      type: ['Card', 'Coin', 'App'][drawInteger(3)] ?? '',
      cents: drawInteger(10) === 0 ? -drawInteger(500) - 1 : drawInteger(900) + 1,
    }
  })
  const lines = made.map(({ at: id, paid, hour, ahead, meter, type, cents }) =>
    [
      `r${id}`,
      meter,
      '',
      '',
      `${paid} ${padTwo(hour)}:05:00`,
      `${paid} ${padTwo(hour + ahead)}:05:00`,
      `${paid} ${padTwo(hour + ahead)}:45:00`,
      40,
      (cents / 100).toFixed(2),
      type,
      'Approved',
      '',
    ].join(','),
  )
  const sent = await upload('Random', [header, ...lines].join('\n'))
  await call(app, city.admin, startPaymentImport, { ...toParams(sent.import_id), body: {} })
  await waitForStatus(sent.import_id, 'staged')
  await call(app, city.admin, publishPaymentImport, toParams(sent.import_id))
  await waitForStatus(sent.import_id, 'published')
  await whenCurbIsDerived(app)
  const period = { start_date: '2023-01-10', end_date: '2023-03-20' }
  const getZone = (meter: string): string =>
    meter === 'M1' ? (zones[0]?.zoneId ?? '') : meter === 'M2' ? (zones[1]?.zoneId ?? '') : ''
  const keyFunctions = {
    month: ({ paid }: (typeof made)[number]) => `${paid.slice(0, 7)}-01`,
    day: ({ paid }: (typeof made)[number]) => paid,
    zone: ({ meter }: (typeof made)[number]) => getZone(meter),
    payment_type: ({ type }: (typeof made)[number]) => type,
  }
  const counted = made.filter(({ paid }) => paid >= period.start_date && paid <= period.end_date)
  const plain = (
    rows: typeof made,
    getKey: (row: (typeof made)[number]) => string,
  ): Record<string, number[]> => {
    const sums: Record<string, number[]> = {}
    for (const payment of rows) {
      const sum = (sums[getKey(payment)] ??= [0, 0])
      sum[0] = (sum[0] ?? 0) + payment.cents
      sum[1] = (sum[1] ?? 0) + (payment.cents > 0 ? 1 : 0)
    }
    return sums
  }
  const query = async (body: object) => {
    const { period: counts } = await call(app, city.admin, getAggregatedCounts, {
      params,
      body: { measures: ['revenue', 'payments'], vendors: ['Random'], ...period, ...body } as never,
    })
    return Object.fromEntries(counts.rows.map(({ keys, values }) => [keys.join(' '), values]))
  }
  for (const [dimension, getKey] of Object.entries(keyFunctions))
    expect(await query({ dimensions: [dimension] })).toEqual(plain(counted, getKey))
  expect(await query({ dimensions: ['zone', 'month'] })).toEqual(
    plain(counted, (payment) => `${keyFunctions.zone(payment)} ${keyFunctions.month(payment)}`),
  )
  const getParkedHour = (payment: (typeof made)[number]): number => payment.hour + payment.ahead
  expect(await query({ dimensions: ['hour_of_day'], basis: 'parked' })).toEqual(
    plain(counted, (payment) => String(getParkedHour(payment))),
  )
  expect(await query({ dimensions: ['zone'], basis: 'parked', hour_filters: [9, 16] })).toEqual(
    plain(
      counted.filter((payment) => getParkedHour(payment) >= 9 && getParkedHour(payment) <= 16),
      keyFunctions.zone,
    ),
  )
})

test('a payment that another vendor reports again is flagged, not dropped', async () => {
  const other = await upload(
    'Phones Ltd',
    [header, makeRow('p1', 'M2', atTime('09:58:20'), atTime('11:00:00'), 30, '1.25')].join('\n'),
  )
  await call(app, city.admin, startPaymentImport, { ...toParams(other.import_id), body: {} })
  const staged = await waitForStatus(other.import_id, 'staged')
  expect(staged.codes).toEqual({ other_vendor: 1 })
  expect(staged.reconciliation.kinds).toEqual({ counted: { rows: 1, amount: 125 } })
  await call(app, city.admin, deletePaymentImport, toParams(other.import_id))
})

test('a truncated payment file fails as a whole', async () => {
  const packed = gzipSync(
    [
      header,
      ...Array.from({ length: 30_000 }, (_, n) =>
        makeRow(`c${n}`, 'M1', atTime('10:00:00'), atTime('11:00:00'), 60, `${n % 7}.00`),
      ),
    ].join('\n'),
  )
  const broken = await upload('Meters Inc', packed.subarray(0, Math.floor(packed.length * 0.8)))
  const failed = await waitForStatus(broken.import_id, 'failed')
  expect(failed.problem).toContain('cut off')
  expect(await readDerivedStatistics()).toMatchObject({ payments: 9, revenue: 925 })
})

test('vendors push payments with their own token; repeated ones change nothing, corrections replace', async () => {
  const { token } = await call(app, city.admin, makeCdsToken, {
    params,
    body: { name: 'Pushers', access: 'payments' },
  })
  const push = (payments: object[], bearer = token) =>
    request(app, {
      method: 'POST',
      url: `/cds/payments/${region_id}/payments`,
      headers: { authorization: `Bearer ${bearer}` },
      body: { payments },
    })
  const pay = {
    payment_id: '1',
    location_id: 'M1',
    payment_time: '2024-06-20T14:00:00Z',
    purchased_minutes: 30,
    amount: 1.5,
  }
  expect((await push([pay], 'cdsr_unknown-token-of-nobody')).statusCode).toBe(401)
  const { token: reader } = await call(app, city.admin, makeCdsToken, {
    params,
    body: { name: 'Reader', access: 'events' },
  })
  expect((await push([pay], reader)).statusCode).toBe(403)
  const response = await push([pay, { ...pay, payment_id: '2', amount: 'much' }])
  expect(response.statusCode).toBe(201)
  expect(response.json()).toMatchObject({
    accepted: 1,
    repeated: 0,
    failures: [{ index: 1, payment_id: '2' }],
  })
  expect((await push([pay])).json()).toMatchObject({ accepted: 0, repeated: 1 })
  expect(await readDerivedStatistics()).toMatchObject({ payments: 10, revenue: 1075, sessions: 6 })
  // A correction with another amount and time.
  expect((await push([{ ...pay, amount: 2, payment_time: '2024-06-21T14:00:00Z' }])).json()).toMatchObject({
    accepted: 1,
  })
  expect(await readDerivedStatistics()).toMatchObject({ payments: 10, revenue: 1125, sessions: 6 })
  await whenCurbIsDerived(app)
  expect((await readSessions()).filter(({ id }) => id.startsWith('Pushers'))).toEqual([
    { id: 'Pushers:1', zone: zones[0]?.zoneId, minutes: 30, amount: '200' },
  ])
})

test('CDS events with payments count as one payment for each session', async () => {
  const feed = await call(app, city.admin, createFeed, {
    params,
    body: { kind: 'cds_push', version: '1.1', name: 'Zone' },
  })
  const { token } = await call(app, city.admin, makeAgencyToken, {
    params: { region_id, feed_id: feed.feedId },
  })
  const start = Date.now() - 3 * hourMs
  const session = randomUUID()
  const makeEvent = (type: string, time: number, overrides: object) => ({
    event_id: randomUUID(),
    event_type: type,
    event_time: time,
    event_publication_time: time + 1000,
    event_session_id: session,
    data_source_type: 'payment',
    data_source_device_id: randomUUID(),
    curb_zone_id: zones[0]?.zoneId,
    ...overrides,
  })
  const pushed = await request(app, {
    method: 'POST',
    url: `/cds/events/${region_id}/events/event`,
    headers: { authorization: `Bearer ${token}` },
    body: [
      makeEvent('park_start', start, { actual_cost: 300 }),
      makeEvent('park_end', start + hourMs, { actual_cost: 450 }),
    ],
  })
  expect(pushed.statusCode).toBe(201)
  const today = new Date().toISOString().slice(0, 10)
  const before = new Date(Date.now() - dayMs).toISOString().slice(0, 10)
  await whenCurbIsDerived(app)
  const found = await call(app, city.admin, getTransactionStatistics, {
    params,
    query: { start_date: before, end_date: today, vendors: 'CDS' },
  })
  expect(found).toMatchObject({ payments: 1, revenue: 450, sessions: 1, pending_days: 0 })
})
