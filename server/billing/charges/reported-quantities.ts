import Papa from 'papaparse'
import {
  ChargeFields,
  maxQuantityRows,
  QuantityEntry,
  type QuantityEntry as Entry,
  type ReportedQuantity,
} from '#contract/charges.ts'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { listOperators } from '#server/operators/list-operators.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import { canReadOperator } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { actorEmail } from '../invoices/invoice-store.ts'
import { issuedPeriods } from './charge-store.ts'

interface Stores {
  state: State
  facts: Facts
}

/** Longer ranges of months are cut off. */
const maxMonths = 36

function monthsBetween(first: LocalDay, last: LocalDay): LocalDay[] {
  const months: LocalDay[] = []
  for (let month = first; month <= last && months.length < maxMonths; month = startOfMonth(month, -1))
    months.push(month)
  return months
}

/** The names of quantities that charges use, the operators, and whether a quantity is charged in a month. */
async function chargedQuantities({ state, facts }: Stores, { scope }: Viewer, regionId: string) {
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

/** Quantities charged in the months, by month, operator and name. Those not reported yet have no value. */
export async function listQuantities(
  stores: Stores,
  viewer: Viewer,
  regionId: string,
  { start_month: first, end_month: last }: { start_month: LocalDay; end_month: LocalDay },
): Promise<{ items: ReportedQuantity[] }> {
  const { operators, names, isCharged } = await chargedQuantities(stores, viewer, regionId)
  const rows = await stores.state
    .as(viewer.scope)
    .selectFrom('billing_quantity')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('month', '>=', first)
    .where('month', '<=', last)
    .execute()
  const rowsByKey = new Map(rows.map((row) => [`${row.month}\t${row.operator}\t${row.quantity}`, row]))
  const isCity = viewer.scope.operators === null
  return {
    items: monthsBetween(first, last).flatMap((month) =>
      operators.flatMap((operator) =>
        names.flatMap((quantity): ReportedQuantity[] => {
          const row = rowsByKey.get(`${month}\t${operator}\t${quantity}`)
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

const issueAt = (index: number, field: string, message: string) => ({
  path: `body.items.${index}.${field}`,
  message,
})

/** Stores monthly quantities, either all or none. */
export async function reportQuantities(
  stores: Stores,
  viewer: Viewer,
  regionId: string,
  items: readonly Entry[],
  at: Date,
): Promise<{ items: ReportedQuantity[] }> {
  const { scope, permissions } = viewer
  const isOperator = scope.operators !== null
  if (!isOperator && !permissions.includes('draft_invoices'))
    throw new Problem('forbidden', 'This needs the permission draft_invoices.')
  const { operators, isCharged } = await chargedQuantities(stores, viewer, regionId)
  const store = stores.state.as(scope)
  const periods = await issuedPeriods(store, regionId)
  const issues: { path: string; message: string }[] = []
  const seen = new Set<string>()
  for (const [index, { operator, quantity, month, is_estimate }] of items.entries()) {
    const key = `${operator}\t${quantity}\t${month}`
    if (!operators.includes(operator))
      issues.push(issueAt(index, 'operator', `There is no operator '${operator}' in this region.`))
    else if (!isCharged(operator, quantity, month))
      issues.push(
        issueAt(index, 'quantity', `No charge of ${operator} uses '${quantity}' in ${month.slice(0, 7)}.`),
      )
    else if (seen.has(key)) issues.push(issueAt(index, 'month', 'This quantity and month occurs twice.'))
    else if (isOperator && is_estimate)
      issues.push(issueAt(index, 'is_estimate', 'Only the city estimates quantities.'))
    else if (month > at.toISOString().slice(0, 10))
      issues.push(issueAt(index, 'month', 'The month has not begun.'))
    else if (isOperator) {
      const invoice = periods.find(
        (each) =>
          each.operator === operator && each.start_date < startOfMonth(month, -1) && each.end_date >= month,
      )
      if (invoice)
        issues.push(
          issueAt(
            index,
            'month',
            `This month is on invoice ${invoice.number}. Dispute the line, or ask the city.`,
          ),
        )
    }
    seen.add(key)
  }
  const [first] = issues
  if (first) throw new Problem('validation_error', first.message, issues.slice(0, 100))
  await store.transaction().execute(async (transaction) => {
    for (const { value, is_estimate, ...key } of items) {
      const columns = { value, is_estimate, reported_by: actorEmail(viewer), reported_time: at }
      await transaction
        .insertInto('billing_quantity')
        .values({ region_id: regionId, ...key, ...columns })
        .onConflict((conflict) =>
          conflict.columns(['region_id', 'operator', 'quantity', 'month']).doUpdateSet(columns),
        )
        .execute()
    }
  })
  const months = items.map(({ month }) => month).toSorted()
  const keys = new Set(items.map(({ operator, quantity, month }) => `${operator}\t${quantity}\t${month}`))
  const { items: listed } = await listQuantities(stores, viewer, regionId, {
    start_month: months[0]!,
    end_month: months.at(-1)!,
  })
  return { items: listed.filter((each) => keys.has(`${each.operator}\t${each.quantity}\t${each.month}`)) }
}

const columns = ['operator', 'quantity', 'month', 'value'] as const

/** Parses a CSV file of quantities. Throws a Problem that names the invalid row and column. */
export function readQuantityFile(text: string): Entry[] {
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
    const cell = (name: string): string => (row[names.indexOf(name)] ?? '').trim()
    const month = cell('month')
    const parsed = QuantityEntry.safeParse({
      operator: cell('operator'),
      quantity: cell('quantity'),
      month: /^\d{4}-\d\d$/.test(month) ? `${month}-01` : month,
      value: cell('value'),
    })
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    return refuse(`Row ${index + 2}, ${issue?.path.join('.')}: ${issue?.message}.`)
  })
}
