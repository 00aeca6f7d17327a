import Papa from 'papaparse'
import type * as contract from '#contract/charges.ts'
import { ChargeFields, maxQuantityRows, QuantityEntry, type ReportedQuantity } from '#contract/charges.ts'
import { type LocalDay, startOfMonth, startOfNextMonth } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { listOperators } from '#server/operators/list-operators.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import { canReadOperator } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { getActorEmail } from '../invoices/invoice-store.ts'
import { type IssuedPeriod, listIssuedPeriods } from './charge-store.ts'

interface Stores {
  state: State
  facts: Facts
}

/** Longer ranges of months are cut off. */
const maxMonths = 36
const maxReportedProblems = 100

function listMonths(first: LocalDay, last: LocalDay): LocalDay[] {
  const months: LocalDay[] = []
  for (let month = first; month <= last && months.length < maxMonths; month = startOfNextMonth(month))
    months.push(month)
  return months
}

interface ChargedQuantities {
  operators: readonly string[]
  /** The names of quantities that charges use. */
  names: readonly string[]
  /** Whether a charge uses a quantity of an operator in a month. */
  isCharged: (operator: string, quantity: string, month: LocalDay) => boolean
}

const toKey = ({
  operator,
  quantity,
  month,
}: Pick<QuantityEntry, 'operator' | 'quantity' | 'month'>): string => `${operator}\t${quantity}\t${month}`

/** Reads which quantities operators report for charges, and in which months. */
async function listChargedQuantities(
  { state, facts }: Stores,
  { scope }: Viewer,
  regionId: string,
): Promise<ChargedQuantities> {
  await findRegion(state, scope, regionId)
  const rows = await state
    .as(scope)
    .selectFrom('billing_charge')
    .select('fields')
    .where('region_id', '=', regionId)
    .execute()
  const charges = rows
    .map(({ fields }) => ChargeFields.parse(fields))
    .filter(
      ({ kind, permitted_quantity: permitted }) =>
        kind === 'revenue' || (kind === 'device' && permitted === null),
    )
  const { items } = await listOperators(state, facts, scope, {
    region_id: regionId,
    orderBy: 'name',
    page: 1,
    size: 1000,
  })
  const operators = items.map(({ slug }) => slug).filter((slug) => canReadOperator(scope, slug))
  const isCharged = (operator: string, quantity: string, month: LocalDay): boolean =>
    charges.some(
      (charge) =>
        charge.quantity === quantity &&
        (charge.operator === null || charge.operator === operator) &&
        startOfMonth(charge.start_date) <= month &&
        (charge.end_date === null || month <= charge.end_date) &&
        (charge.kind === 'revenue' ||
          charge.frequency === 'monthly' ||
          (charge.frequency === 'once'
            ? startOfMonth(charge.start_date) === month
            : charge.start_date.slice(5, 7) === month.slice(5, 7))),
    )
  const names = [...new Set(charges.map(({ quantity }) => quantity ?? ''))].toSorted()
  return { operators, names, isCharged }
}

/** Lists quantities that are reported or charged in the months, by month, operator and name. */
export async function listReportedQuantities(
  stores: Stores,
  {
    viewer,
    params,
    query,
  }: Pick<Call<typeof contract.listReportedQuantities>, 'viewer' | 'params' | 'query'>,
): Promise<{ items: ReportedQuantity[] }> {
  const regionId = params.region_id
  const { start_month: first, end_month: last } = query
  const { operators, names, isCharged } = await listChargedQuantities(stores, viewer, regionId)
  const rows = await stores.state
    .as(viewer.scope)
    .selectFrom('billing_quantity')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('month', '>=', first)
    .where('month', '<=', last)
    .execute()
  const rowsByKey = new Map(rows.map((row) => [toKey(row), row]))
  const isCity = viewer.scope.operators === null
  return {
    items: listMonths(first, last).flatMap((month) =>
      operators.flatMap((operator) =>
        names.flatMap((quantity): ReportedQuantity[] => {
          const row = rowsByKey.get(toKey({ operator, quantity, month }))
          if (!row && !isCharged(operator, quantity, month)) return []
          return [
            {
              operator,
              quantity,
              month,
              value: row?.value ?? null,
              is_estimate: row?.is_estimate ?? false,
              // Operators do not see names of the city's staff.
              reported_by: isCity ? (row?.reported_by ?? null) : null,
              reported_time: row?.reported_time.toISOString() ?? null,
            },
          ]
        }),
      ),
    ),
  }
}

interface FieldProblem {
  path: string
  message: string
}

/** Returns why reported quantities are not accepted, at most one reason for each. `today` is a UTC day. */
function findProblems(
  items: readonly QuantityEntry[],
  { operators, isCharged }: ChargedQuantities,
  { isOperator, today, periods }: { isOperator: boolean; today: LocalDay; periods: readonly IssuedPeriod[] },
): FieldProblem[] {
  const seenKeys = new Set<string>()
  return items.flatMap((item, index): FieldProblem[] => {
    const { operator, quantity, month, is_estimate } = item
    const refuse = (field: keyof QuantityEntry, message: string): FieldProblem[] => [
      { path: `body.items.${index}.${field}`, message },
    ]
    const isRepeated = seenKeys.has(toKey(item))
    seenKeys.add(toKey(item))
    if (!operators.includes(operator))
      return refuse('operator', `There is no operator '${operator}' in this region.`)
    if (!isCharged(operator, quantity, month))
      return refuse('quantity', `No charge of ${operator} uses '${quantity}' in ${month.slice(0, 7)}.`)
    if (isRepeated) return refuse('month', 'This quantity and month occurs twice.')
    if (isOperator && is_estimate) return refuse('is_estimate', 'Only the city estimates quantities.')
    if (month > today) return refuse('month', 'The month has not begun.')
    const invoice = periods.find(
      (period) =>
        period.operator === operator &&
        period.start_date < startOfNextMonth(month) &&
        period.end_date >= month,
    )
    return isOperator && invoice
      ? refuse('month', `This month is on invoice ${invoice.number}. Dispute the line, or ask the city.`)
      : []
  })
}

/** Stores monthly quantities, either all or none. */
export async function reportQuantities(
  stores: Stores,
  { viewer, params, at }: { viewer: Viewer; params: { region_id: string }; at: Date },
  items: readonly QuantityEntry[],
): Promise<{ items: ReportedQuantity[] }> {
  const { scope, permissions } = viewer
  const isOperator = scope.operators !== null
  if (!isOperator && !permissions.includes('draft_invoices'))
    throw new Problem('forbidden', 'This needs the permission draft_invoices.')
  const regionId = params.region_id
  const charged = await listChargedQuantities(stores, viewer, regionId)
  const store = stores.state.as(scope)
  const periods = await listIssuedPeriods(store, regionId)
  const problems = findProblems(items, charged, { isOperator, today: at.toISOString().slice(0, 10), periods })
  const [first] = problems
  if (first) throw new Problem('validation_error', first.message, problems.slice(0, maxReportedProblems))
  await store.transaction().execute(async (transaction) => {
    for (const { value, is_estimate, ...key } of items) {
      const reported = { value, is_estimate, reported_by: getActorEmail(viewer), reported_time: at }
      await transaction
        .insertInto('billing_quantity')
        .values({ region_id: regionId, ...key, ...reported })
        .onConflict((conflict) =>
          conflict.columns(['region_id', 'operator', 'quantity', 'month']).doUpdateSet(reported),
        )
        .execute()
    }
  })
  const months = items.map(({ month }) => month).toSorted()
  const keys = new Set(items.map(toKey))
  const { items: listed } = await listReportedQuantities(stores, {
    viewer,
    params,
    query: { start_month: months[0]!, end_month: months.at(-1)! },
  })
  return { items: listed.filter((item) => keys.has(toKey(item))) }
}

const columns = ['operator', 'quantity', 'month', 'value'] as const
const yearMonthPattern = /^\d{4}-\d\d$/

/** Parses a CSV file of quantities. @throws Problem that names the invalid row and column. */
export function readQuantityFile(text: string): QuantityEntry[] {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' })
  const [header = [], ...rows] = data
  const names = header.map((name) => name.trim().toLowerCase())
  const refuse = (message: string): never => {
    throw new Problem('validation_error', message, [{ path: 'body.csv', message }])
  }
  const missing = columns.filter((name) => !names.includes(name))
  if (missing.length) refuse(`The file has no column ${missing.join(', ')}. It needs ${columns.join(', ')}.`)
  if (!rows.length) refuse('The file has no rows.')
  if (rows.length > maxQuantityRows) refuse(`A file has at most ${maxQuantityRows} rows.`)
  return rows.map((row, index) => {
    const getCell = (name: string): string => (row[names.indexOf(name)] ?? '').trim()
    const month = getCell('month')
    const parsed = QuantityEntry.safeParse({
      operator: getCell('operator'),
      quantity: getCell('quantity'),
      month: yearMonthPattern.test(month) ? `${month}-01` : month,
      value: getCell('value'),
    })
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    // Row 1 is the header.
    return refuse(`Row ${index + 2}, ${issue?.path.join('.')}: ${issue?.message}.`)
  })
}
