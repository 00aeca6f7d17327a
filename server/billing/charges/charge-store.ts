import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import {
  type AppliedCharge,
  type changeCharge as changeContract,
  type Charge,
  ChargeFields,
  type createCharge as createContract,
} from '#contract/charges.ts'
import { isAmount } from '#contract/money.ts'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import { findAccount } from '#server/curb/revenue/curb-accounts.ts'
import { Problem } from '#server/http/problem.ts'
import type { WriteCall } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { findBillingSettings, requireCity } from '../invoices/billing-settings.ts'
import { findWithdrawn } from '../invoices/earlier-invoices.ts'
import { findBalances } from '../invoices/invoice-store.ts'
import type { ChargeTerms } from './charge-lines.ts'

type ChargeRow = Selectable<StateTables['billing_charge']>

interface ChargeParams {
  region_id: string
  charge_id: string
}

const makeProblem = (field: string, message: string, code: 'validation_error' | 'conflict' = 'conflict') =>
  new Problem(code, message, [{ path: `body.${field}`, message }])

export interface IssuedPeriod {
  operator: string
  number: string
  start_date: LocalDay
  end_date: LocalDay
}

/** Lists the service periods of a region's issued invoices that were not credited or adjusted to zero. */
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
  const withdrawn = await findWithdrawn(store, regionId, rows, balances)
  return rows.flatMap(({ invoice_id: id, total, number, operator, start_date, end_date }) => {
    const credited = balances.get(id)?.credited ?? 0n
    return (credited > 0n && credited >= BigInt(total)) || withdrawn.has(id)
      ? []
      : [{ operator, start_date, end_date, number: number ?? '' }]
  })
}

type Validity = Pick<ChargeFields, 'operator' | 'start_date' | 'end_date'>

/** Finds the latest issued invoice that shares a day with a charge. */
const findLastInvoice = (
  { operator, start_date: start, end_date: end }: Validity,
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

const selectCharges = (store: Store, regionId: string) =>
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

/**
 * Amounts may have only the decimals of the currency. Prices of devices may have more, because they are
 * multiplied first.
 */
function requirePayable({ kind, amount }: ChargeFields, currency: string): void {
  if (amount !== null && kind !== 'device' && !isAmount(amount, currency))
    throw makeProblem('amount', `${currency} has no such amount.`, 'validation_error')
}

async function requireTaxRate(
  state: State,
  scope: Scope,
  regionId: string,
  { tax_code: code }: ChargeFields,
): Promise<void> {
  if (code === null) return
  const { tax_rates: rates } = await findBillingSettings(state, scope, regionId)
  if (!rates.some((rate) => rate.code === code))
    throw makeProblem('tax_code', `There is no tax rate '${code}'.`, 'validation_error')
}

async function requireOperator(
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
    throw makeProblem('operator', `There is no operator '${operator}'.`, 'validation_error')
}

/** Requires that a charge starts after all invoiced days, because these no longer change. */
function requireFreeDays(charge: ChargeFields, periods: readonly IssuedPeriod[]): void {
  const invoice = findLastInvoice(charge, periods)
  if (invoice)
    throw makeProblem(
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
  { viewer, params: { region_id: regionId }, body: charge, at }: WriteCall<typeof createContract>,
): Promise<Charge> {
  const region = await findRegion(state, viewer.scope, regionId)
  const store = state.as(viewer.scope)
  requirePayable(charge, region.currencyCode)
  await requireOperator(state, viewer.scope, regionId, charge)
  await requireTaxRate(state, viewer.scope, regionId, charge)
  const periods = await listIssuedPeriods(store, regionId)
  requireFreeDays(charge, periods)
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
  { viewer, params, body: charge }: WriteCall<typeof changeContract>,
): Promise<Charge> {
  const { region_id: regionId, charge_id: id } = params
  const region = await findRegion(state, viewer.scope, regionId)
  const store = state.as(viewer.scope)
  const before = ChargeFields.parse((await findRow(store, params)).fields)
  const periods = await listIssuedPeriods(store, regionId)
  const invoice = findLastInvoice(before, periods)
  if (invoice) {
    const changed = (Object.keys(before) as (keyof ChargeFields)[]).find(
      (key) => key !== 'end_date' && before[key] !== charge[key],
    )
    if (changed)
      throw makeProblem(
        changed,
        `This charge is on invoice ${invoice.number}. End it, and add another one for later days.`,
      )
    const [low, high] = [charge.end_date ?? '9999-12-31', before.end_date ?? '9999-12-31'].toSorted()
    const blocked = periods.find(
      (period) =>
        (before.operator === null || period.operator === before.operator) &&
        period.end_date > (low ?? '') &&
        period.start_date <= (high ?? ''),
    )
    if (low !== high && blocked)
      throw makeProblem('end_date', `Days until ${blocked.end_date} are on invoice ${blocked.number}.`)
  } else {
    requirePayable(charge, region.currencyCode)
    await requireOperator(state, viewer.scope, regionId, charge)
    await requireTaxRate(state, viewer.scope, regionId, charge)
    requireFreeDays(charge, periods)
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

/** The charges of all payers within a period. */
export interface PeriodCharges {
  /** Operators with charges for them alone. */
  operators: string[]
  /** The charges that apply to a payer in a part of the period, with their reported quantities. */
  getApplied: (payer: string, part: ChargeTerms['period']) => AppliedCharge[]
}

interface ChargeQuestion extends ChargeTerms {
  regionId: string
  /** A charge in another currency is refused in a draft, and skipped otherwise. */
  isDraft: boolean
  /** By default all payers. */
  operator?: string
}

/** Reads the charges of a period with their reported quantities. */
export async function readCharges(
  store: Store,
  { regionId, currency, period, isDraft, operator }: ChargeQuestion,
): Promise<PeriodCharges> {
  const { start_date: first, end_date: last } = period
  let query = selectCharges(store, regionId)
    .where('start_date', '<=', last)
    .where((where) => where.or([where('end_date', 'is', null), where('end_date', '>=', first)]))
  if (operator !== undefined)
    query = query.where((where) =>
      where.or([where('operator', 'is', null), where('operator', '=', operator)]),
    )
  const rows = await query.execute()
  if (!rows.length) return { operators: [], getApplied: () => [] }
  let quantities = store
    .selectFrom('billing_quantity')
    .select(['operator', 'quantity', 'month', 'value', 'is_estimate'])
    .where('region_id', '=', regionId)
    .where('month', '>=', startOfMonth(first))
    .where('month', '<=', last)
    .orderBy('month')
  if (operator !== undefined) quantities = quantities.where('operator', '=', operator)
  const reported = await quantities.execute()
  const charges = rows.flatMap((row) => {
    const charge = ChargeFields.parse(row.fields)
    if (row.currency !== currency && !isDraft) return []
    if (row.currency !== currency)
      throw makeProblem(
        'currency',
        `The charge “${charge.name}” is in ${row.currency}, but the region has ${currency}. End it, and add one in ${currency}.`,
      )
    return [{ ...charge, charge_id: row.charge_id, currency: row.currency }]
  })
  return {
    operators: [...new Set(charges.flatMap((charge) => charge.operator ?? []))],
    getApplied: (payer, { start_date: start, end_date: end }) =>
      charges
        .filter(
          (charge) =>
            (charge.operator === null || charge.operator === payer) &&
            charge.start_date <= end &&
            (charge.end_date === null || charge.end_date >= start),
        )
        .map((charge) => ({
          ...charge,
          quantities: reported
            .filter(
              ({ operator: reporter, quantity, month }) =>
                reporter === payer &&
                quantity === charge.quantity &&
                month >= startOfMonth(start) &&
                month <= end,
            )
            .map(({ month, value, is_estimate }) => ({ month, value, is_estimate })),
        })),
  }
}

/**
 * Finds the charges of a payer in a period, with their reported quantities. Charges of all operators do not
 * apply to curb accounts.
 */
export async function findApplied(
  store: Store,
  question: ChargeQuestion & { operator: string },
): Promise<AppliedCharge[]> {
  const { regionId, operator, period } = question
  const account = await store
    .selectFrom('curb_account')
    .select('account_id')
    .where('region_id', '=', regionId)
    .where('account_id', '=', operator)
    .executeTakeFirst()
  const isAccount = account !== undefined
  return (await readCharges(store, question))
    .getApplied(operator, period)
    .filter((charge) => charge.operator !== null || !isAccount)
}
