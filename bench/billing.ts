import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { InvoiceSummary } from '#contract/invoices.ts'
import { dayNumber, type LocalDay, startOfMonth, addDays, daysBetween } from '#contract/period.ts'
import { emptyPolicy, FeeProperties, type PolicyFields } from '#contract/policy.ts'
import { countFees } from '#server/billing/fee-days/count-fees.ts'
import { listFeeRevisions } from '#server/billing/fee-days/fee-revision.ts'
import { getDayStart } from '#server/regions/local-hours.ts'
import { feeDays, markFeeDaysDirty } from '#server/fleet/fact-changes.ts'
import { publishPolicy } from '#server/policies/publish-policy.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { type BilledMonth, billedOperators, lastMonth, storeMonth } from './billing-facts.ts'
import { getOrigin, signIn } from './client.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs, measureRuns } from './table.ts'

const runs = 3
const callRuns = 7
/** Invoiced months before the measured one. Each draft compares all of them with their current fees. */
const earlierMonths = 12

const fee = (fields: object): Pick<PolicyFields, 'fee_properties'> => ({
  fee_properties: FeeProperties.parse(fields),
})

/** Returns five fee policies, two of them with tariff tables. Parking fees apply in all neighborhoods. */
const makePolicies = (layerId: string): Partial<PolicyFields>[] => {
  const parking = { policy_type: 'parking_fees', shape_layer_uuid: layerId }
  return [
    {
      policy_type: 'vehicle_fees',
      policy_name: 'vehicle fee',
      value: 0.35,
      ...fee({ vehicle_count_method: 'avg' }),
    },
    {
      policy_type: 'trip_fees',
      policy_name: 'trip fee',
      value: 0.15,
      ...fee({ options: { minimum_trip_duration: 360 } }),
    },
    {
      ...parking,
      policy_name: 'parking fee by event',
      value: 0.05,
      ...fee({ parking_fee_type: 'fixed_price_per_event' }),
    },
    {
      ...parking,
      policy_name: 'parking fee by schedule',
      ...fee({
        parking_fee_type: 'variable_price_schedule',
        prices: {
          weekday: [
            { start_time: '08:00:00', end_time: '18:00:00', price: 0.12 },
            { start_time: '18:00:00', end_time: '08:00:00', price: 0.03 },
          ],
          all: [{ start_time: '08:00:00', end_time: null, price: 0.02 }],
        },
      }),
    },
    {
      ...parking,
      policy_name: 'parking fee by duration',
      ...fee({
        parking_fee_type: 'variable_price_parking_duration',
        prices_by_duration: [
          { start_duration: 0, end_duration: 30, price: 0 },
          { start_duration: 31, end_duration: 90, price: 0.02 },
          { start_duration: 91, end_duration: null, price: 0.04 },
        ],
      }),
    },
  ]
}

/** Resets the peak of the process' resident memory. Returns a function that reads the peak, MB. */
function watchPeak(): () => number {
  fs.writeFileSync('/proc/self/clear_refs', '5')
  return () => Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
}

/** Reports time, CPU time and peak memory of some work. Server and engine are one process here. */
async function addWithPeak(report: Report, what: string, work: () => Promise<unknown>): Promise<void> {
  const peak = watchPeak()
  const before = process.cpuUsage()
  report.add(what, 's', [(await measureMs(work)) / 1000])
  const { user, system } = process.cpuUsage(before)
  report.add(`${what}: CPU time`, 's', [(user + system) / 1e6])
  report.add(`${what}: largest memory of server and engine`, 'MB', [peak()])
}

/** Calls the API as a signed-in user. Returns the parsed JSON, or the number of bytes of another response. */
type Call = <Result>(path: string, method?: 'GET' | 'POST', body?: object) => Promise<Result>

async function connect({ app, organizationId }: Bench): Promise<Call> {
  if (!app.http.server.listening) await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const cookie = await signIn({ app, organizationId }, port, [
    'is_admin',
    'draft_invoices',
    'approve_invoices',
    'issue_invoices',
  ])
  return async (path, method = 'GET', body) => {
    const response = await fetch(getOrigin(port) + path, {
      method,
      headers: { cookie, origin: getOrigin(port), ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${path} returned status ${response.status}: ${await response.text()}`)
    if (response.headers.get('content-type')?.includes('json')) return (await response.json()) as never
    // A file can exceed the largest length of a string.
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
    return bytes as never
  }
}

const getMonthBefore = (month: LocalDay, count: number): BilledMonth => ({
  start_date: startOfMonth(month, count),
  end_date: addDays(startOfMonth(month, count - 1), -1),
})

/** Issues invoices of the months before. Their fees are copies of the fees of `month`. */
async function addEarlierInvoices(
  { app: { facts, state }, scope, regionId }: Bench,
  call: Call,
  month: BilledMonth,
): Promise<void> {
  for (let count = earlierMonths; count > 0; count--) {
    const earlier = getMonthBefore(month.start_date, count)
    const days = bind('UInt16', dayNumber(month.start_date) - dayNumber(earlier.start_date))
    await facts.add(scope, 'fee_days', {
      columns: [
        'region_id',
        'policy_id',
        'day',
        'operator',
        'vehicle_type',
        'charge',
        'unit',
        'price',
        'denominator',
        'numerator',
        'facts',
        'open',
        'is_deleted',
        'version',
      ],
      rows: sql`select region_id, policy_id, day - ${days} as earlier_day, operator, vehicle_type, charge, unit, price, denominator, numerator, facts, open, is_deleted, version
      from ${latest('fee_days')} where day between ${bind('Date', month.start_date)} and ${bind('Date', month.end_date)} and earlier_day <= ${bind('Date', earlier.end_date)}`,
    })
    for (const operator of billedOperators) {
      const { invoice_id } = await call<InvoiceSummary>(`/v2/regions/${regionId}/invoices`, 'POST', {
        operator,
        ...earlier,
      })
      await state
        .as(scope)
        .updateTable('invoice')
        .set({
          status: 'issued',
          number: `bench-${earlier.start_date}-${operator}`,
          issue_date: month.start_date,
          due_date: month.end_date,
          retain_until: '2099-12-31',
        })
        .where('invoice_id', '=', invoice_id)
        .execute()
    }
  }
}

/** Measures a month of a large city: fee days, drafts and issues of invoices, and calls of the screens. */
export async function benchBilling(bench: Bench, report: Report): Promise<void> {
  const { app, scope, organizationId, regionId, city, neighborhoods } = bench
  const { state, facts, membership, derivation } = app
  const now = new Date()
  const month = lastMonth(bench, now)
  const days = daysBetween(month.start_date, month.end_date)
  report.log('billing: storing the month of an L city')
  report.add('billing: facts of a month stored', 's', [
    (await measureMs(() => storeMonth(bench, month))) / 1000,
  ])
  await state
    .as(scope)
    .insertInto('operator')
    .values(
      billedOperators.map((slug) => ({
        organization_id: organizationId,
        slug,
        name: slug,
        color_hex: '#336699',
      })),
    )
    .execute()
  const firstDay = getMonthBefore(month.start_date, earlierMonths).start_date
  const createdTime = new Date(getDayStart(firstDay, city.timezone))
  const editor = { scope, email: 'bench@publicway.example' }
  for (const fields of makePolicies(neighborhoods.shape_layer_uuid)) {
    const { policy_uuid: id } = await savePolicy(
      { state, facts },
      { viewer: editor, body: { ...emptyPolicy(), region_id: regionId, ...fields }, at: createdTime },
    )
    await publishPolicy({ state, facts }, { viewer: editor, body: { policy_uuid: id }, at: createdTime })
  }
  const region = await findRegion(state, scope, regionId)
  const engine = { facts, membership, scope, region, now: now.getTime() }
  for (const revision of await listFeeRevisions(state, scope, region, now))
    report.add(
      `billing: a month of one policy, ${revision.policy.policy_name}`,
      's',
      (await measureRuns(runs, () => countFees(engine, revision, days))).map((ms) => ms / 1000),
    )
  await derivation.idle([feeDays])
  for (let run = 0; run < runs; run++) {
    await markFeeDaysDirty(state, scope, { regionId, days, at: new Date(0) })
    await addWithPeak(report, 'billing: fee days of a month derived, five policies', () =>
      derivation.idle([feeDays]),
    )
  }

  const call = await connect(bench)
  report.log('billing: invoices of the months before')
  await addEarlierInvoices(bench, call, month)
  const invoices = `/v2/regions/${regionId}/invoices`
  const drafts: string[] = []
  await addWithPeak(
    report,
    `billing: drafts of ${billedOperators.length} operators, first time`,
    async () => {
      for (const operator of billedOperators)
        drafts.push((await call<InvoiceSummary>(invoices, 'POST', { operator, ...month })).invoice_id)
    },
  )
  for (let run = 0; run < runs; run++)
    await addWithPeak(
      report,
      `billing: drafts of ${billedOperators.length} operators, computed again`,
      async () => {
        for (const id of drafts) await call(`${invoices}/${id}/refresh`, 'POST')
      },
    )
  const [draft = ''] = drafts
  const year = `start_date=${firstDay}&end_date=${month.end_date}`
  const lines = (
    await call<{ lines: { policy_uuid: string; policy_name: string }[] }>(`${invoices}/${draft}`)
  ).lines
  const findPolicyId = (name: string): string =>
    lines.find((line) => line.policy_name === name)?.policy_uuid ?? ''
  const getFactsPath = (name: string): string =>
    `/v2/regions/${regionId}/fees/facts?policy_uuid=${findPolicyId(name)}&operator=op0&start_date=${month.start_date}&end_date=${month.end_date}&size=100`
  const calls: Record<string, string> = {
    'fee summary of 13 months': `/v2/regions/${regionId}/fees/summary?${year}`,
    'fee summary of the month': `/v2/regions/${regionId}/fees/summary?start_date=${month.start_date}&end_date=${month.end_date}`,
    forecast: `/v2/regions/${regionId}/fees/forecast`,
    'list of invoices': invoices,
    'a draft': `${invoices}/${draft}`,
    payments: `/v2/regions/${regionId}/invoice_payments`,
    aging: `/v2/regions/${regionId}/invoice_aging`,
    'facts of a line of trips': getFactsPath('trip fee'),
    'facts of a line of parking': getFactsPath('parking fee by duration'),
    'PDF of a draft': `${invoices}/${draft}/pdf`,
  }
  for (const [what, path] of Object.entries(calls))
    report.add(`billing: ${what}`, 'ms', await measureRuns(callRuns, () => call(path)))

  const { version } = await call<{ version: number }>(`${invoices}/${draft}`)
  await call(`${invoices}/${draft}/approve`, 'POST', { version })
  await addWithPeak(report, 'billing: issuing the invoice of an operator', () =>
    call(`${invoices}/${draft}/issue`, 'POST'),
  )
  const issued = await call<{ facts: { rows: number } | null }>(`${invoices}/${draft}`)
  report.log(`billing: the invoice has ${issued.facts?.rows} facts`)
  await addWithPeak(report, 'billing: facts of an issued invoice as CSV', async () => {
    const bytes = await call<number>(`${invoices}/${draft}/facts.csv`)
    report.log(`billing: ${Math.round(bytes / 1e6)} MB of CSV`)
  })
  report.add(
    'billing: an issued invoice computed again from its facts',
    's',
    (await measureRuns(runs, () => call(`${invoices}/${draft}/recompute`))).map((ms) => ms / 1000),
  )
}
