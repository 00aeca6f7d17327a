import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { civilClock } from '#contract/civil-clock.ts'
import { formulaStart, negativeNumber } from '#contract/csv.ts'
import type { LocalDay } from '#contract/period.ts'
import { daysBetween } from '#server/health/local-hours.ts'
import type { Facts } from '#server/stores/facts.ts'
import { msOf } from '#server/stores/instant.ts'
import { escapeField, timeText } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'
import { bind, facts as rawTable, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import { ParkingSums, createShareCalculator } from '../charge-parking.ts'
import type { StoredFacts } from '../fee-source.ts'
import { countFees, isInWindows } from './count-fees.ts'
import { chunks, type FeeEngine, factQuestion, feeLimits } from './fact-question.ts'
import { discountIndex, withDiscount } from './discount-place.ts'
import { discountCharge, excessCharge, type FeeRevision } from './fee-revision.ts'
import { chargedParking, chargedTrips, parkingColumns, tripColumns } from './queries.ts'
import { rateFactId, findRateCharges, findRate } from './rate-charges.ts'
import type { FeePeriod, PeriodSum } from './fee-lines.ts'

const columns = [
  'region_id',
  'invoice_id',
  'policy_id',
  'operator',
  'kind',
  'day',
  'fact_id',
  'vehicle_id',
  'vehicle_type',
  'from_time',
  'to_time',
  'charge',
  'unit',
  'price',
  'numerator',
  'denominator',
] as const

/** Number of days of parking events or rates read by one query. */
const daysPerQuery = 7
/** Number of facts inserted by one statement. */
const rowsPerInsert = 50_000
/** Number of parking events charged between two checks whether to yield to other work. */
const eventsPerSlice = 100
/** Stored for facts without times. */
const noTime = '1970-01-01 00:00:00'

interface ParkingRow {
  operator: string
  vehicle_type: string
  day: LocalDay
  fact_id: string
  vehicle_id: string
  begins: number
  ends: number
  is_discounted: boolean
}

/** The invoice of one operator and period with stored facts. */
export interface InvoiceFacts {
  engine: FeeEngine
  invoiceId: string
  period: FeePeriod
}

const encodeRow = (values: readonly (string | bigint | number)[]): string => `${values.join('\t')}\n`

async function storeTrips({ engine, invoiceId, period }: InvoiceFacts, revision: FeeRevision): Promise<void> {
  const question = factQuestion(engine, revision, daysBetween(period.start_date, period.end_date))
  if (!question || revision.part.kind !== 'trips') return
  const { facts, scope, region } = engine
  const place = await discountIndex(engine, revision)
  const trips = withDiscount(chargedTrips(question, revision.part), tripColumns, msOf(sql`from_time`), place)
  const add = (charge: string, condition: Sql) =>
    facts.add(scope, 'invoice_facts', {
      columns,
      rows: sql`
      select
        ${bind('String', region.regionId)}, ${bind('UUID', invoiceId)}, ${bind('UUID', revision.policyId)},
        operator, 'trip', day, fact_id, vehicle_id, vehicle_type, from_time, to_time,
        ${bind('String', charge)}, 'trips', '', toInt64(1), toUInt64(1)
      from (${trips}) where ${condition}`,
      ...feeLimits,
      areDistinct: true,
    })
  await add('', sql`true`)
  if (place) await add(discountCharge, sql`is_discounted`)
}

async function storeVehicles(
  { engine, invoiceId, period }: InvoiceFacts,
  revision: FeeRevision,
): Promise<void> {
  const sums = await countFees(engine, revision, daysBetween(period.start_date, period.end_date))
  const { regionId } = engine.region
  const lines = sums.map(({ operator, day, unit, price, numerator, denominator }) =>
    encodeRow([
      regionId,
      invoiceId,
      revision.policyId,
      operator,
      'vehicle_day',
      day,
      day,
      '',
      '',
      noTime,
      noTime,
      '',
      unit,
      price,
      numerator,
      denominator,
    ]),
  )
  if (lines.length)
    await engine.facts.insert(engine.scope, 'invoice_facts', {
      columns,
      regionId,
      lines: Buffer.from(lines.join('')),
      areDistinct: true,
    })
}

async function storeParking(
  { engine, invoiceId, period }: InvoiceFacts,
  revision: FeeRevision,
): Promise<void> {
  const { part, place, policyId } = revision
  if (part.kind !== 'parking') return
  const { facts, scope, region } = engine
  const { regionId, timezone } = region
  const indexes = place && (await engine.membership.forAreas(scope, place.content, place.areas))
  const discount = await discountIndex(engine, revision)
  const clock = civilClock(timezone)
  const computeShares = createShareCalculator(part, clock)
  const endSlice = createTimeSlicer()
  for (const days of chunks(daysBetween(period.start_date, period.end_date), daysPerQuery)) {
    const question = factQuestion(engine, revision, days)
    if (!question) continue
    const isCharged = isInWindows(revision, question)
    const events = withDiscount(
      chargedParking(question, indexes, part.structure.by === 'event'),
      parkingColumns,
      sql`begins`,
      discount,
    )
    const rows = await facts.rows<ParkingRow>(
      scope,
      sql`
        select
          operator, vehicle_type, toString(day) as day, fact_id, vehicle_id, toFloat64(begins) as begins,
          toFloat64(ends) as ends, is_discounted
        from (${events})
        where is_charged`,
      feeLimits,
    )
    const sumsByDay = new Map<LocalDay, ParkingSums>()
    let lines: string[] = []
    const store = async (): Promise<void> => {
      if (lines.length)
        await facts.insert(scope, 'invoice_facts', {
          columns,
          regionId,
          lines: Buffer.from(lines.join('')),
          areDistinct: true,
        })
      lines = []
    }
    for (const [index, row] of rows.entries()) {
      if (index % eventsPerSlice === 0) {
        engine.signal?.throwIfAborted()
        await endSlice()
        if (lines.length >= rowsPerInsert) await store()
      }
      if (!isCharged(row.begins)) continue
      const event = {
        vehicleId: row.vehicle_id,
        vehicleType: row.vehicle_type,
        from: row.begins,
        to: Math.max(row.begins, row.ends),
      }
      const fact = [
        regionId,
        invoiceId,
        policyId,
        row.operator,
        'parking_event',
        row.day,
        row.fact_id,
        row.vehicle_id,
        row.vehicle_type,
        timeText(event.from),
        timeText(event.to),
      ]
      for (const share of computeShares(event)) {
        // Hours are stored as a fraction: milliseconds of an hour.
        const denominator = share.unit === 'hours' ? 3_600_000 : 1
        const priced = [share.unit, share.price.text(), share.amount, denominator]
        lines.push(encodeRow([...fact, '', ...priced]))
        if (row.is_discounted) lines.push(encodeRow([...fact, discountCharge, ...priced]))
      }
      if (!part.maximum_per_vehicle_day) continue
      let sums = sumsByDay.get(row.day)
      if (!sums) sumsByDay.set(row.day, (sums = new ParkingSums(part, clock)))
      sums.add(event, row.is_discounted)
    }
    const operator = rows[0]?.operator ?? ''
    for (const [day, sums] of sumsByDay) {
      const [numerator, denominator] = sums.excess().fraction
      if (numerator !== 0n)
        lines.push(
          encodeRow([
            regionId,
            invoiceId,
            policyId,
            operator,
            'reduction',
            day,
            day,
            '',
            '',
            noTime,
            noTime,
            excessCharge,
            '',
            '',
            numerator,
            denominator,
          ]),
        )
    }
    await store()
  }
}

async function storeRates({ engine, invoiceId, period }: InvoiceFacts, revision: FeeRevision): Promise<void> {
  const { policyId, part } = revision
  if (part.kind !== 'rates') return
  const { facts, scope, region } = engine
  for (const days of chunks(daysBetween(period.start_date, period.end_date), daysPerQuery)) {
    const charges = await findRateCharges(engine, revision, days)
    const lines = charges.map(({ key, charge, ...fact }) => {
      const { unit, amount } = findRate(part, key)
      return encodeRow([
        region.regionId,
        invoiceId,
        policyId,
        fact.operator,
        'rate_match',
        fact.day,
        rateFactId({ key, charge, ...fact }),
        fact.deviceId,
        fact.vehicleType,
        timeText(charge.from),
        timeText(charge.until),
        key,
        unit,
        amount.text(),
        charge.quantity,
        1,
      ])
    })
    if (lines.length)
      await facts.insert(scope, 'invoice_facts', {
        columns,
        regionId: region.regionId,
        lines: Buffer.from(lines.join('')),
        areDistinct: true,
      })
  }
}

const whereInvoice = (regionId: string, invoiceId: string) =>
  sql`region_id = ${bind('String', regionId)} and invoice_id = ${bind('UUID', invoiceId)}`

/** Stores the facts of an invoice, replacing those of an earlier attempt. */
export async function storeInvoiceFacts(
  invoice: InvoiceFacts,
  revisions: readonly FeeRevision[],
): Promise<StoredFacts> {
  const { engine, invoiceId } = invoice
  const { facts, scope, region } = engine
  await removeInvoiceFacts(facts, scope, region.regionId, invoiceId)
  for (const revision of revisions) {
    engine.signal?.throwIfAborted()
    if (revision.part.kind === 'trips') await storeTrips(invoice, revision)
    else if (revision.part.kind === 'vehicles') await storeVehicles(invoice, revision)
    else if (revision.part.kind === 'rates') await storeRates(invoice, revision)
    else await storeParking(invoice, revision)
  }
  return hashInvoiceFacts(facts, scope, region.regionId, invoiceId)
}

/** Removes the facts that an earlier attempt to issue an invoice stored. */
export const removeInvoiceFacts = (
  facts: Facts,
  scope: Scope,
  regionId: string,
  invoiceId: string,
): Promise<void> => facts.remove(scope, 'invoice_facts', whereInvoice(regionId, invoiceId))

/** Values of a fact in the order of `columns`, not escaped. */
export type InvoiceFactRow = readonly (string | number | bigint)[]

/** Stores facts of an invoice that were computed outside of the fact store. */
export async function storeFactRows(
  facts: Facts,
  scope: Scope,
  regionId: string,
  rows: readonly InvoiceFactRow[],
): Promise<void> {
  for (const chunk of chunks(rows, rowsPerInsert)) {
    const lines = chunk.map((row) => encodeRow(row.map((value) => escapeField(String(value)))))
    await facts.insert(scope, 'invoice_facts', {
      columns,
      regionId,
      lines: Buffer.from(lines.join('')),
      areDistinct: true,
    })
  }
}

/** The number of the stored facts of an invoice, and the SHA-256 of their CSV. */
export async function hashInvoiceFacts(
  facts: Facts,
  scope: Scope,
  regionId: string,
  invoiceId: string,
): Promise<StoredFacts> {
  const hash = createHash('sha256')
  let rows = -1
  for await (const text of factLines(facts, scope, regionId, invoiceId)) {
    hash.update(text)
    for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) rows++
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Columns of the CSV file of facts. */
export const factColumns = [
  'policy_uuid',
  'operator',
  'kind',
  'date',
  'fact_id',
  'vehicle_id',
  'vehicle_type',
  'start_time',
  'end_time',
  'charge',
  'unit',
  'unit_price',
  'numerator',
  'denominator',
] as const

/**
 * SQL that writes a text as a CSV cell, equal to `csvCell` but faster. An invoice may have millions of facts,
 * and writing cells takes most of the time.
 */
const csvCellSql = (text: Sql): Sql => {
  const isFormula = sql`match(${text}, ${bind('String', formulaStart.source)})`
  const isNumber = sql`match(${text}, ${bind('String', negativeNumber.source)})`
  const safe = sql`if(${isFormula} and not ${isNumber}, concat('\\'', ${text}), ${text})`
  return sql`if(match(${safe}, '[",\\r\\n]'), concat('"', replaceAll(${safe}, '"', '""'), '"'), ${safe})`
}
const timeSql = (column: Sql): Sql => sql`formatDateTime(${column}, '%FT%T.%fZ')`
/** SQL of the CSV fields, in the order of `factColumns`. */
const csvFields: readonly Sql[] = [
  sql`toString(policy_id)`,
  csvCellSql(sql`operator`),
  sql`kind`,
  sql`toString(day)`,
  csvCellSql(sql`fact_id`),
  csvCellSql(sql`vehicle_id`),
  csvCellSql(sql`vehicle_type`),
  timeSql(sql`from_time`),
  timeSql(sql`to_time`),
  csvCellSql(sql`charge`),
  csvCellSql(sql`unit`),
  csvCellSql(sql`price`),
  sql`toString(numerator)`,
  sql`toString(denominator)`,
]

/**
 * SQL of the stored facts of an invoice as typed values, with the rows and columns of its CSV in the same
 * order.
 */
export const invoiceFactRows = (regionId: string, invoiceId: string) => sql`
  select
    toString(policy_id) as policy_uuid, operator, kind, day, fact_id, vehicle_id, vehicle_type,
    from_time as start_time, to_time as end_time, charge, unit, price as unit_price, numerator, denominator
  from ${rawTable('invoice_facts')} where ${whereInvoice(regionId, invoiceId)}
  order by policy_uuid, day, start_time, fact_id, unit, unit_price, numerator, denominator, charge`

/** The facts of an invoice as CSV lines in a fixed order, one string per policy and day. */
async function* factLines(
  facts: Facts,
  scope: Scope,
  regionId: string,
  invoiceId: string,
): AsyncGenerator<string> {
  yield `${factColumns.join(',')}\r\n`
  const isOfInvoice = whereInvoice(regionId, invoiceId)
  const groups = await facts.rows<{ policy_id: string; day: LocalDay }>(
    scope,
    sql`
      select distinct toString(policy_id) as policy_id, toString(day) as day
      from ${rawTable('invoice_facts')}
      where ${isOfInvoice}
      order by policy_id, day`,
    feeLimits,
  )
  for (const { policy_id: policyId, day } of groups) {
    const rows = await facts.rows<{ line: string }>(
      scope,
      sql`
      select arrayStringConcat([${joinSql(csvFields, ', ')}], ',') as line
      from ${rawTable('invoice_facts')}
      where ${isOfInvoice} and policy_id = ${bind('UUID', policyId)} and day = ${bind('Date', day)}
      order by from_time, fact_id, unit, price, numerator, denominator, charge`,
      feeLimits,
    )
    yield rows.map(({ line }) => `${line}\r\n`).join('')
  }
}

export const readInvoiceFacts = (
  facts: Facts,
  scope: Scope,
  regionId: string,
  invoiceId: string,
): NodeJS.ReadableStream => Readable.from(factLines(facts, scope, regionId, invoiceId))

/**
 * Sums of the stored facts of an invoice by price; with `only`, those of one policy on some days, by day and
 * price.
 */
export async function invoiceSums(
  facts: Facts,
  scope: Scope,
  regionId: string,
  invoiceId: string,
  only?: { policyId: string; days: readonly LocalDay[] },
): Promise<PeriodSum[]> {
  const condition = only
    ? sql`policy_id = ${bind('UUID', only.policyId)} and day in ${bind('Array(Date)', only.days)}`
    : sql`true`
  const rows = await facts.rows<{
    policy_id: string
    operator: string
    vehicle_type: string
    charge: string
    unit: string
    price: string
    denominator: string
    numerator: string
    n: string
    first: LocalDay
    last: LocalDay
  }>(
    scope,
    sql`
    select
      toString(policy_id) as policy_id, operator, vehicle_type, charge, unit, price,
      toString(denominator) as denominator, toString(sum(toInt128(numerator))) as numerator,
      toString(count()) as n, toString(min(day)) as first, toString(max(day)) as last
    from (select * from ${rawTable('invoice_facts')} where ${whereInvoice(regionId, invoiceId)} and ${condition})
    group by policy_id, operator, vehicle_type, charge, unit, price, denominator${only ? sql`, day` : sql``}`,
    feeLimits,
  )
  return rows.map((row) => ({
    policyId: row.policy_id,
    operator: row.operator,
    vehicleType: row.vehicle_type,
    charge: row.charge,
    unit: row.unit,
    price: row.price,
    numerator: BigInt(row.numerator),
    denominator: BigInt(row.denominator),
    facts: Number(row.n),
    open: 0,
    first: row.first,
    last: row.last,
  }))
}
