import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CdsPolicyContent, CdsRate } from '#contract/cds.ts'
import { createCharge } from '#contract/charges.ts'
import * as revenue from '#contract/curb-revenue.ts'
import { getFees, getFeeSummary } from '#contract/fees.ts'
import * as disputes from '#contract/invoice-disputes.ts'
import * as contract from '#contract/invoices.ts'
import { createOperator } from '#contract/managed-operators.ts'
import { recomputeInvoice } from '#server/billing/recompute-invoice.ts'
import { curbHours } from '#server/curb/product-names.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { bind, sql } from '#server/stores/sql.ts'
import { call, openTestApp, readProblem, send, type SignedIn, type TestApp } from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'
import { addRules } from '../curb/add-rules.ts'
import { makeZones, type MadeZone } from '../curb/make-zones.ts'
import { addOperatorUser } from '../operators/two-operators.ts'

let app: TestApp
let city: TestCity
let lark: SignedIn
let zones: MadeZone[]
const region_id = 'alder'
const params = { region_id }
const june = { start_date: '2026-06-01', end_date: '2026-06-30' }
const toParams = ({ invoice_id }: { invoice_id: string }) => ({ params: { region_id, invoice_id } })
const getZoneId = (number: number): string => zones[number - 1]?.zoneId ?? ''

/** A stay from a local time for some minutes, or without an end. */
type Stay = [zone: number, start: string, minutes: number | null, operator: string]

/** Stores stays with the events that begin them, and marks their days dirty as the derivation does. */
async function addStays(stays: readonly Stay[]): Promise<void> {
  const scope = regionScope(city.organizations.alder, region_id)
  const bindText = (value: string) => sql`${bind('String', value)}`
  for (const [zone, time, minutes, operator] of stays) {
    const start = sql`fromUnixTimestamp64Milli(${bind('Int64', String(Date.parse(`${time}:00-04:00`)))}, 'UTC')`
    const [id, lane, place] = [bindText(randomUUID()), bindText(randomUUID()), bindText(getZoneId(zone))]
    await app.facts.add(scope, 'curb_events', {
      columns: ['region_id', 'lane', 'event_time', 'event_id', 'event_type', 'zone_id', 'operator_name'],
      rows: sql`select ${bindText(region_id)}, ${lane}, ${start}, ${id}, 'park_start', ${place}, ${bindText(operator)}`,
    })
    const end = minutes === null ? sql`null` : sql`${start} + toIntervalMinute(${bind('UInt32', minutes)})`
    await app.facts.add(scope, 'curb_sessions', {
      columns: [
        'region_id',
        'lane',
        'from_time',
        'session_id',
        'type',
        'start_event',
        'start_time',
        'end_time',
        'zone_id',
        'source_kind',
        'version',
      ],
      rows: sql`select ${bindText(region_id)}, ${lane}, ${start}, ${id}, 'parking', ${id}, ${start}, ${end}, ${place}, 'data_feed', toUInt64(1)`,
    })
  }
  const days = stays.map(([, time]) => time.slice(0, 10))
  await markDirty(
    app.state,
    scope,
    { product: curbHours, regionId: region_id },
    { spans: days, time: new Date() },
  )
}

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  await call(app, city.admin, createOperator, { body: { slug: 'lark', name: 'Lark', colorHex: '#123456' } })
  lark = (await addOperatorUser(app, city, 'lark', ['lark'])).as
  await app.state
    .as(systemScope)
    .updateTable('region')
    .set({ timezone: 'America/New_York' })
    .where('region_id', '=', region_id)
    .execute()
  ;({ zones } = await makeZones(app.state, region_id, { lon: -72, lat: 41, capacities: [2, 4, 5] }))
  const minute = { rate_unit: 'minute' as const }
  // By day 15 minutes are free, then each costs 5 cents, and after half an hour 10; at night 1 cent.
  const day = [
    { ...minute, rate: 0, start_duration: 0, end_duration: 15 },
    { ...minute, rate: 5, start_duration: 15, end_duration: 30 },
    { ...minute, rate: 10, start_duration: 30 },
  ]
  const makeContent = (name: string, priority: number, rate: CdsRate[]): CdsPolicyContent => ({
    priority,
    rules: [{ activity: 'parking', name: `Loading by ${name}`, rate }],
  })
  await addRules(app.state, region_id, getZoneId(1), [
    { ...makeContent('day', 1, day), time_spans: [{ time_of_day_start: '08:00', time_of_day_end: '18:00' }] },
    makeContent('night', 2, [{ ...minute, rate: 1 }]),
  ])
  await addRules(app.state, region_id, getZoneId(2), [makeContent('free', 1, [])])
  await addStays([
    [1, '2026-06-02T10:00', 20, 'Acme Parcel'],
    [1, '2026-06-03T17:30', 60, 'Acme Parcel'],
    [2, '2026-06-03T10:00', 30, 'Acme Parcel'],
    [3, '2026-06-04T10:00', 30, 'Acme Parcel'],
    [1, '2026-06-05T10:00', null, 'Acme Parcel'],
    [1, '2026-06-05T12:00', 45, 'Bolt Freight'],
    [1, '2026-06-06T12:00', 45, 'Nobody'],
  ])
})
afterAll(() => app.close())

test('accounts pay for the sessions of their operators, and no session belongs to two accounts', async () => {
  const acme = {
    account_id: 'acme',
    name: 'Acme Parcel Inc.',
    kind: 'fleet' as const,
    operator_names: ['Acme Parcel'],
    vehicles: null,
  }
  const create = (body: object) =>
    send(app, city.admin, revenue.createCurbAccount, { params, body: body as never })
  expect((await create(acme)).json()).toMatchObject({ account_id: 'acme', vehicles: 0 })
  expect(readProblem(await create({ ...acme, account_id: 'lark' })).issues?.[0]?.path).toBe('body.account_id')
  expect(readProblem(await create({ ...acme, account_id: 'other' })).issues?.[0]?.path).toBe(
    'body.operator_names',
  )
  const bolt = {
    account_id: 'bolt',
    name: 'Bolt',
    operator_names: ['Bolt Freight'],
    vehicles: [{ kind: 'plate', value: 'ab-12 NY' }],
  }
  expect((await create(bolt)).json()).toMatchObject({ vehicles: 1 })
  const twin = {
    ...bolt,
    account_id: 'twin',
    operator_names: [],
    vehicles: [
      { kind: 'plate', value: 'AB 12' },
      { kind: 'plate', value: 'AB12 NY' },
    ],
  }
  expect(readProblem(await create(twin)).issues?.[0]?.path).toBe('body.vehicles')
  expect((await call(app, lark, revenue.listCurbAccounts, { params })).items).toEqual([])
  const operator = await send(app, city.admin, createOperator, {
    body: { slug: 'acme', name: 'Acme', colorHex: '#123456' },
  })
  expect(readProblem(operator).issues?.[0]?.path).toBe('body.slug')
})

test('stays are charged by the rules of their zone, and permits by charges', async () => {
  await call(app, city.admin, createCharge, {
    params,
    body: {
      name: 'Vehicle permit',
      operator: 'acme',
      kind: 'device',
      frequency: 'yearly',
      amount: 3,
      permitted_quantity: 25,
      start_date: '2026-06-01',
    } as never,
  })
  // Charges of all operators do not apply to accounts.
  await call(app, city.admin, createCharge, {
    params,
    body: { name: 'Minimum', kind: 'minimum', amount: 500, start_date: '2026-06-01' } as never,
  })
  const { lines, total } = await call(app, city.admin, getFees, {
    params,
    query: { operator: 'acme', ...june },
  })
  expect(
    lines.map(({ description, quantity, unit, amount }) => [description, quantity, unit, amount]),
  ).toEqual([
    // 5 minutes at 5 cents, and 15 of 30; then 30 at night.
    ['Zone 1: Loading by day', '2', 'stays', '1.00'],
    ['Zone 1: Loading by night', '1', 'stays', '0.30'],
    ['Vehicle permit', '25', 'devices', '75.00'],
  ])
  expect(total).toBe('76.30')
  const { months } = await call(app, city.admin, getFeeSummary, { params, query: june })
  expect(months.filter(({ operator }) => operator === 'acme')).toEqual([])
})

test('the rows of revenue add up to its totals, and agree with stays and invoices', async () => {
  const page = await call(app, city.admin, revenue.listCurbRevenue, { params, query: june })
  expect(
    page.items.map(({ kind, payer, policy_name, quantity, amount }) => [
      kind,
      payer,
      policy_name,
      quantity,
      amount,
    ]),
  ).toEqual([
    ['permits', 'acme', 'Vehicle permit', 1, '75.00'],
    ['session_fees', 'acme', 'Loading by day', 2, '1.00'],
    ['session_fees', 'bolt', 'Loading by day', 1, '2.25'],
    ['session_fees', 'acme', 'Loading by night', 1, '0.30'],
  ])
  const totals = await call(app, city.admin, revenue.getCurbRevenueTotals, { params, query: june })
  expect(totals).toMatchObject({
    session_fees: { quantity: 4, amount: '3.55' },
    permits: { amount: '75.00' },
    citations: { quantity: 0, amount: null },
    reconciliation: {
      stays: {
        all: 7,
        charged: 3,
        uncharged: { no_account: 1, no_rule: 1, no_rate: 1, no_end: 1, reported_twice: 0 },
      },
      transactions: { received: '0.00', in_rows: '0.00' },
      is_reconciled: true,
    },
  })
  const csv = await send(app, city.admin, revenue.getFullCurbRevenue, {
    params,
    query: { ...june, payers: ['bolt'], format: 'csv' },
  })
  expect(csv.payload.trimEnd().split('\r\n')).toHaveLength(2)
  const byTime = await call(app, city.admin, revenue.getCurbRevenueByTime, {
    params,
    query: { ...june, kinds: ['session_fees'] },
  })
  expect(byTime.items).toEqual([{ month: '2026-06-01', kind: 'session_fees', quantity: 4, amount: '3.55' }])
  const byShape = await call(app, city.admin, revenue.getCurbRevenueByShape, { params, query: june })
  expect(byShape.items).toMatchObject([{ curb_zone_id: getZoneId(1), kind: 'session_fees', amount: '3.55' }])
  expect(readProblem(await send(app, lark, revenue.listCurbRevenue, { params, query: june })).code).toBe(
    'forbidden',
  )
})

test('an account is invoiced, disputes a stay and is credited; late stays are an adjustment', async () => {
  const draft = await call(app, city.admin, contract.createInvoice, {
    params,
    body: { operator: 'acme', ...june },
  })
  await call(app, city.admin, contract.approveInvoice, {
    ...toParams(draft),
    body: { version: draft.version },
  })
  const issued = await call(app, city.admin, contract.issueInvoice, toParams(draft))
  expect(issued).toMatchObject({ total: '76.30', buyer: { name: 'Acme Parcel Inc.' }, facts: { rows: 3 } })
  expect(await call(app, city.admin, contract.recomputeInvoice, toParams(issued))).toMatchObject({
    is_equal: true,
    facts_match: true,
  })
  const zip = await send(app, city.admin, contract.exportInvoice, toParams(issued))
  const file = path.join(app.dataDir, 'stays.zip')
  fs.writeFileSync(file, zip.rawPayload)
  expect(await recomputeInvoice(file)).toMatchObject({
    total: '76.30',
    is_equal: true,
    facts_are_unchanged: true,
  })
  const dispute = await call(app, city.admin, disputes.openDispute, {
    ...toParams(issued),
    body: { line: 2, reason: 'The vehicle had left by then', amount: null },
  })
  const accepted = await call(app, city.admin, disputes.decideDispute, {
    params: { ...toParams(issued).params, dispute_id: dispute.dispute_id },
    body: { decision: 'accepted', text: 'Confirmed by the camera', amount: null },
  })
  const note = await call(
    app,
    city.admin,
    contract.getInvoice,
    toParams({ invoice_id: accepted.credit_note_id ?? '' }),
  )
  expect(note).toMatchObject({ kind: 'credit_note', net: '-0.30' })
  await call(app, city.admin, contract.approveInvoice, { ...toParams(note), body: { version: note.version } })
  await call(app, city.admin, contract.issueInvoice, toParams(note))
  const { reconciliation } = await call(app, city.admin, revenue.getCurbRevenueTotals, {
    params,
    query: june,
  })
  expect(reconciliation.accounts).toMatchObject([
    { payer: 'acme', accrued: '76.30', invoiced: '76.00', open: '0.30' },
    { payer: 'bolt', accrued: '2.25', invoiced: '0.00', open: '2.25' },
  ])
  await addStays([[1, '2026-06-20T10:00', 30, 'Acme Parcel']])
  const late = await call(app, city.admin, revenue.getCurbRevenueTotals, { params, query: june })
  expect(late.session_fees).toEqual({ quantity: 5, amount: '4.30' })
  const july = await call(app, city.admin, contract.createInvoice, {
    params,
    body: { operator: 'acme', start_date: '2026-07-01', end_date: '2026-07-31' },
  })
  expect(july.lines.map(({ kind, description, amount }) => [kind, description, amount])).toEqual([
    ['adjustment', 'Zone 1: Loading by day', '0.75'],
  ])
  const removed = await send(app, city.admin, revenue.deleteCurbAccount, {
    params: { region_id, account_id: 'acme' },
  })
  expect(readProblem(removed).code).toBe('conflict')
})
