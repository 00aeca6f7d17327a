import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type * as contract from '#contract/charges.ts'
import { type Charge, ChargeFields } from '#contract/charges.ts'
import { isAmount } from '#contract/money.ts'
import type { LocalDay } from '#contract/period.ts'
import { findAccount } from '#server/curb/revenue/curb-accounts.ts'
import { Problem } from '#server/http/problem.ts'
import type { WriteCall } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { findBillingSettings, requireCity } from '../invoices/billing-settings.ts'
import { findWithdrawnInvoices } from '../invoices/earlier-invoices.ts'
import { findBalances } from '../invoices/invoice-store.ts'

type ChargeRow = Selectable<StateTables['billing_charge']>

/** The end of a charge without end. */
const endOfTime: LocalDay = '9999-12-31'

interface ChargeParams {
  region_id: string
  charge_id: string
}

/** Makes a problem with a field of the request body. */
export const makeFieldProblem = (
  field: string,
  message: string,
  code: 'validation_error' | 'conflict' = 'conflict',
) => new Problem(code, message, [{ path: `body.${field}`, message }])

/** The local days and the payer of an issued invoice. */
export interface IssuedPeriod {
  operator: string
  number: string
  start_date: LocalDay
  end_date: LocalDay
}

/** Lists the periods of issued invoices, except those that were credited or adjusted in full. */
export async function listIssuedPeriods(store: Store, regionId: string): Promise<IssuedPeriod[]> {
  const rows = await store
    .selectFrom('invoice')
    .select([
      'invoice_id',
      'kind',
      'status',
      'operator',
      'currency',
      'number',
      'start_date',
      'end_date',
      'total',
    ])
    .where('region_id', '=', regionId)
    .where('kind', '=', 'invoice')
    .where('status', '=', 'issued')
    .execute()
  const balances = await findBalances(store, regionId)
  const withdrawn = await findWithdrawnInvoices(store, regionId, rows, balances)
  return rows.flatMap(({ invoice_id: id, total, number, operator, start_date, end_date }) => {
    const credited = balances.get(id)?.credited ?? 0n
    const isFullyCredited = credited > 0n && credited >= BigInt(total)
    return isFullyCredited || withdrawn.has(id)
      ? []
      : [{ operator, start_date, end_date, number: number ?? '' }]
  })
}

/** The payer and the local days of a charge. Null means all operators, or no end. */
type ChargedDays = Pick<ChargeFields, 'operator' | 'start_date' | 'end_date'>

/** Finds the latest issued invoice that shares a day with a charge. */
const findLastInvoice = (
  { operator, start_date: start, end_date: end }: ChargedDays,
  periods: readonly IssuedPeriod[],
): IssuedPeriod | undefined =>
  periods
    .filter(
      (period) =>
        (operator === null || period.operator === operator) &&
        period.end_date >= start &&
        (end === null || period.start_date <= end),
    )
    .toSorted((a, b) => (a.end_date < b.end_date ? -1 : 1))
    .at(-1)

const toCharge = (row: ChargeRow, periods: readonly IssuedPeriod[]): Charge => ({
  ...ChargeFields.parse(row.fields),
  charge_id: row.charge_id,
  currency: row.currency,
  invoiced_until: findLastInvoice(ChargeFields.parse(row.fields), periods)?.end_date ?? null,
})

/** Selects the charges of a region by their first day. */
export const selectCharges = (store: Store, regionId: string) =>
  store
    .selectFrom('billing_charge')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('start_date')
    .orderBy('charge_id')

export async function listCharges(
  state: State,
  { viewer, params: { region_id: regionId } }: { viewer: Viewer; params: { region_id: string } },
): Promise<{ items: Charge[] }> {
  requireCity(viewer)
  await findRegion(state, viewer.scope, regionId)
  const store = state.as(viewer.scope)
  const periods = await listIssuedPeriods(store, regionId)
  return { items: (await selectCharges(store, regionId).execute()).map((row) => toCharge(row, periods)) }
}

/** Checks the decimals of an amount. Prices of devices may have more, as they are multiplied first. */
function checkAmount({ kind, amount }: ChargeFields, currency: string): void {
  if (amount !== null && kind !== 'device' && !isAmount(amount, currency))
    throw makeFieldProblem('amount', `${currency} has no such amount.`, 'validation_error')
}

async function checkTaxRate(
  state: State,
  scope: Scope,
  regionId: string,
  { tax_code: code }: ChargeFields,
): Promise<void> {
  if (code === null) return
  const { tax_rates: rates } = await findBillingSettings(state, scope, regionId)
  if (!rates.some((rate) => rate.code === code))
    throw makeFieldProblem('tax_code', `There is no tax rate '${code}'.`, 'validation_error')
}

async function checkOperator(
  state: State,
  scope: Scope,
  regionId: string,
  { operator }: ChargeFields,
): Promise<void> {
  if (operator === null) return
  const operatorRow = await state
    .as(scope)
    .selectFrom('operator')
    .select('slug')
    .where('slug', '=', operator)
    .executeTakeFirst()
  if (!operatorRow && !(await findAccount(state, scope, regionId, operator)))
    throw makeFieldProblem('operator', `There is no operator '${operator}'.`, 'validation_error')
}

/** Checks that a charge starts after all invoiced days, because these no longer change. */
function checkNotInvoiced(charge: ChargeFields, periods: readonly IssuedPeriod[]): void {
  const invoice = findLastInvoice(charge, periods)
  if (invoice)
    throw makeFieldProblem(
      'start_date',
      `Days until ${invoice.end_date} are on invoice ${invoice.number}. Start after them, or credit the invoice first.`,
    )
}

const toColumns = (charge: ChargeFields) => ({
  operator: charge.operator,
  start_date: charge.start_date,
  end_date: charge.end_date,
  fields: JSON.stringify(charge),
})

export async function createCharge(
  state: State,
  { viewer, params: { region_id: regionId }, body: charge, at }: WriteCall<typeof contract.createCharge>,
): Promise<Charge> {
  const region = await findRegion(state, viewer.scope, regionId)
  const store = state.as(viewer.scope)
  checkAmount(charge, region.currencyCode)
  await checkOperator(state, viewer.scope, regionId, charge)
  await checkTaxRate(state, viewer.scope, regionId, charge)
  const periods = await listIssuedPeriods(store, regionId)
  checkNotInvoiced(charge, periods)
  const row = await store
    .insertInto('billing_charge')
    .values({
      charge_id: randomUUID(),
      region_id: regionId,
      currency: region.currencyCode,
      ...toColumns(charge),
      created_time: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toCharge(row, periods)
}

async function findRow(
  store: Store,
  { region_id: regionId, charge_id: id }: ChargeParams,
): Promise<ChargeRow> {
  return selectCharges(store, regionId)
    .where('charge_id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such charge.'))
}

/** Changes a charge. If it was invoiced, only its end may change, to a day that is not invoiced. */
export async function changeCharge(
  state: State,
  { viewer, params, body: charge }: WriteCall<typeof contract.changeCharge>,
): Promise<Charge> {
  const { region_id: regionId, charge_id: id } = params
  const region = await findRegion(state, viewer.scope, regionId)
  const store = state.as(viewer.scope)
  const previous = ChargeFields.parse((await findRow(store, params)).fields)
  const periods = await listIssuedPeriods(store, regionId)
  const invoice = findLastInvoice(previous, periods)
  if (invoice) {
    const changedField = (Object.keys(previous) as (keyof ChargeFields)[]).find(
      (key) => key !== 'end_date' && previous[key] !== charge[key],
    )
    if (changedField)
      throw makeFieldProblem(
        changedField,
        `This charge is on invoice ${invoice.number}. End it, and add another one for later days.`,
      )
    const oldEnd = previous.end_date ?? endOfTime
    const newEnd = charge.end_date ?? endOfTime
    // The change adds or removes the days between the two ends. None of them may be invoiced.
    const earlierEnd = oldEnd < newEnd ? oldEnd : newEnd
    const laterEnd = oldEnd < newEnd ? newEnd : oldEnd
    const blockingInvoice = periods.find(
      (period) =>
        (previous.operator === null || period.operator === previous.operator) &&
        period.end_date > earlierEnd &&
        period.start_date <= laterEnd,
    )
    if (earlierEnd !== laterEnd && blockingInvoice) {
      const { end_date: until, number } = blockingInvoice
      throw makeFieldProblem('end_date', `Days until ${until} are on invoice ${number}.`)
    }
  } else {
    checkAmount(charge, region.currencyCode)
    await checkOperator(state, viewer.scope, regionId, charge)
    await checkTaxRate(state, viewer.scope, regionId, charge)
    checkNotInvoiced(charge, periods)
  }
  const row = await store
    .updateTable('billing_charge')
    .set({ ...toColumns(charge), ...(invoice ? {} : { currency: region.currencyCode }) })
    .where('charge_id', '=', id)
    .where('region_id', '=', regionId)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toCharge(row, periods)
}

export async function deleteCharge(
  state: State,
  { viewer, params }: { viewer: Viewer; params: ChargeParams },
): Promise<{ deleted: boolean }> {
  const store = state.as(viewer.scope)
  const row = await findRow(store, params)
  const invoice = findLastInvoice(
    ChargeFields.parse(row.fields),
    await listIssuedPeriods(store, params.region_id),
  )
  if (invoice)
    throw new Problem(
      'conflict',
      `This charge is on invoice ${invoice.number}. End it instead of deleting it.`,
    )
  await store.deleteFrom('billing_charge').where('charge_id', '=', row.charge_id).execute()
  return { deleted: true }
}
