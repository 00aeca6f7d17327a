import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { formulaStart, negativeNumber } from '#contract/csv.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { escapeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as rawTable, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { InvoiceKey, StoredFacts } from '../fee-source.ts'
import { toChunks, feeQueryOptions } from './fact-question.ts'
import type { PeriodSum } from './fee-lines.ts'
import { type PriceSumRow, toPeriodSum } from './read-sums.ts'

/** An invoice and where its facts are stored. */
export interface StoredInvoice extends InvoiceKey {
  facts: Facts
  scope: Scope
}

/** Columns of the table `invoice_facts`, in the order of inserted values. */
export const columns = [
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

/** Number of facts inserted by one statement. */
export const rowsPerInsert = 50_000

/** A fact behind the fees of an invoice. Its exact quantity, in `unit`, is numerator / denominator. */
export interface InvoiceFact {
  policyId: string
  operator: string
  kind: 'vehicle_day' | 'parking_event' | 'reduction' | 'rate_match' | 'curb_stay'
  day: LocalDay
  factId: string
  vehicleId: string
  vehicleType: string
  /** Times as texts of the fact store. */
  from: string
  to: string
  charge: string
  unit: string
  price: string
  numerator: bigint | number
  denominator: bigint | number
}

/** Returns the values of a fact in the order of `columns`. */
const toValues = (
  { regionId, invoiceId }: InvoiceKey,
  fact: InvoiceFact,
): readonly (string | number | bigint)[] => [
  regionId,
  invoiceId,
  fact.policyId,
  fact.operator,
  fact.kind,
  fact.day,
  fact.factId,
  fact.vehicleId,
  fact.vehicleType,
  fact.from,
  fact.to,
  fact.charge,
  fact.unit,
  fact.price,
  fact.numerator,
  fact.denominator,
]

/** Encodes a fact as a tab-separated line. Its texts must not need escaping; `insertFacts` escapes them. */
export const encodeFact = (invoice: InvoiceKey, fact: InvoiceFact): string =>
  `${toValues(invoice, fact).join('\t')}\n`

export async function insertLines(
  { facts, scope, regionId }: StoredInvoice,
  lines: readonly string[],
): Promise<void> {
  if (lines.length)
    await facts.insert(scope, 'invoice_facts', {
      columns,
      regionId,
      lines: Buffer.from(lines.join('')),
      areDistinct: true,
    })
}

/** Stores facts with texts that may need escaping. */
export async function insertFacts(invoice: StoredInvoice, rows: readonly InvoiceFact[]): Promise<void> {
  for (const chunk of toChunks(rows, rowsPerInsert))
    await insertLines(
      invoice,
      chunk.map((fact) => {
        const values = toValues(invoice, fact).map((value) => escapeField(String(value)))
        return `${values.join('\t')}\n`
      }),
    )
}

const whereInvoice = ({ regionId, invoiceId }: InvoiceKey): Sql =>
  sql`region_id = ${bind('String', regionId)} and invoice_id = ${bind('UUID', invoiceId)}`

/** Removes the facts that an earlier attempt to issue an invoice stored. */
export const removeInvoiceFacts = ({ facts, scope, ...invoice }: StoredInvoice): Promise<void> =>
  facts.remove(scope, 'invoice_facts', whereInvoice(invoice))

/** Returns the number of the stored facts of an invoice, and the SHA-256 of their CSV. */
export async function hashInvoiceFacts(invoice: StoredInvoice): Promise<StoredFacts> {
  const hash = createHash('sha256')
  // The header is no fact.
  let rows = -1
  for await (const text of streamCsvLines(invoice)) {
    hash.update(text)
    for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) rows++
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Reads the stored facts of an invoice as CSV. */
export const readInvoiceFacts = (invoice: StoredInvoice): NodeJS.ReadableStream =>
  Readable.from(streamCsvLines(invoice))

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
 * Builds SQL that writes a text as a CSV cell, equal to `csvCell` but faster. An invoice may have millions of
 * facts, and writing cells takes most of the time.
 */
const csvCellSql = (text: Sql): Sql => {
  const isFormula = sql`match(${text}, ${bind('String', formulaStart.source)})`
  const isNumber = sql`match(${text}, ${bind('String', negativeNumber.source)})`
  const safe = sql`if(${isFormula} and not ${isNumber}, concat('\\'', ${text}), ${text})`
  return sql`if(match(${safe}, '[",\\r\\n]'), concat('"', replaceAll(${safe}, '"', '""'), '"'), ${safe})`
}
const timeSql = (column: Sql): Sql => sql`formatDateTime(${column}, '%FT%T.%fZ')`
/** SQL of the CSV cells, in the order of `factColumns`. */
const csvCells: readonly Sql[] = [
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

/** Builds SQL for an invoice's stored facts as typed values, in the order of rows and columns of its CSV. */
export const invoiceFactsSql = (invoice: InvoiceKey) => sql`
  select
    toString(policy_id) as policy_uuid,
    operator,
    kind,
    day,
    fact_id,
    vehicle_id,
    vehicle_type,
    from_time as start_time,
    to_time as end_time,
    charge,
    unit,
    price as unit_price,
    numerator,
    denominator
  from ${rawTable('invoice_facts')}
  where ${whereInvoice(invoice)}
  order by policy_uuid, day, start_time, fact_id, unit, unit_price, numerator, denominator, charge`

/** Most rows that one query reads as CSV lines, unless a single day has more. */
const maxRowsPerQuery = 20_000

/** The number of facts of one policy on one day. */
export interface DayCount {
  policyId: string
  day: LocalDay
  rows: number
}

/** Days of one policy, from `first` to `last`, and their number of facts. */
interface DayRun {
  policyId: string
  first: LocalDay
  last: LocalDay
  rows: number
}

/** Joins days in their order into runs of one policy, each with at most `maxRows` facts unless it is one day. */
export function joinDays(counts: readonly DayCount[], maxRows: number): DayRun[] {
  const runs: DayRun[] = []
  for (const { policyId, day, rows } of counts) {
    const run = runs.at(-1)
    if (run?.policyId === policyId && run.rows + rows <= maxRows) {
      run.last = day
      run.rows += rows
    } else runs.push({ policyId, first: day, last: day, rows })
  }
  return runs
}

/** Counts the facts of an invoice by policy and day, in the order of its CSV. */
async function countFactsByDay({ facts, scope, ...invoice }: StoredInvoice): Promise<DayCount[]> {
  const rows = await facts.rows<{ policy_id: string; day: LocalDay; n: string }>(
    scope,
    sql`
      select
        toString(policy_id) as policy_id,
        toString(day) as day,
        toString(count()) as n
      from ${rawTable('invoice_facts')}
      where ${whereInvoice(invoice)}
      group by policy_id, day
      order by policy_id, day`,
    feeQueryOptions,
  )
  return rows.map(({ policy_id: policyId, day, n }) => ({ policyId, day, rows: Number(n) }))
}

/** Returns the facts of an invoice as CSV lines in a fixed order: by policy, day and time. */
async function* streamCsvLines(storedInvoice: StoredInvoice): AsyncGenerator<string> {
  yield `${factColumns.join(',')}\r\n`
  const { facts, scope, ...invoice } = storedInvoice
  const runs = joinDays(await countFactsByDay(storedInvoice), maxRowsPerQuery)
  for (const { policyId, first, last } of runs) {
    const rows = await facts.rows<{ line: string }>(
      scope,
      sql`
      select arrayStringConcat([${joinSql(csvCells, ', ')}], ',') as line
      from ${rawTable('invoice_facts')}
      where ${whereInvoice(invoice)}
        and policy_id = ${bind('UUID', policyId)}
        and day between ${bind('Date', first)} and ${bind('Date', last)}
      order by day, from_time, fact_id, unit, price, numerator, denominator, charge`,
      feeQueryOptions,
    )
    yield rows.map(({ line }) => `${line}\r\n`).join('')
  }
}

/** Sums stored facts by price. @param only Limits them to a policy and days, and groups by day too. */
export async function sumInvoiceFacts(
  { facts, scope, ...invoice }: StoredInvoice,
  only?: { policyId: string; days: readonly LocalDay[] },
): Promise<PeriodSum[]> {
  const condition = only
    ? sql`policy_id = ${bind('UUID', only.policyId)} and day in ${bind('Array(Date)', only.days)}`
    : sql`true`
  const rows = await facts.rows<PriceSumRow>(
    scope,
    sql`
    with
      rows_of_invoice as (
        select *
        from ${rawTable('invoice_facts')}
        where ${whereInvoice(invoice)} and ${condition}
      )
    select
      toString(policy_id) as policy_id,
      operator,
      vehicle_type,
      charge,
      unit,
      price,
      toString(denominator) as denominator,
      toString(sum(toInt128(numerator))) as numerator,
      toString(count()) as facts,
      toString(min(day)) as first,
      toString(max(day)) as last
    from rows_of_invoice
    group by policy_id, operator, vehicle_type, charge, unit, price, denominator${only ? sql`, day` : sql``}`,
    feeQueryOptions,
  )
  return rows.map((row) => toPeriodSum(row, 0))
}
