import type {
  AccountReconciliation,
  RevenueFilter,
  RevenueKind,
  RevenueRow,
  RevenueTotals,
} from '#contract/curb-revenue.ts'
import { localDay, splitByMonth } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { readAccounts } from '#server/curb/revenue/curb-accounts.ts'
import {
  readCitations,
  readMeterRevenue,
  readReceived,
  type ZoneMonth,
} from '#server/curb/revenue/other-revenue.ts'
import {
  policyName,
  type SessionFeeCache,
  type SessionFeeSums,
  zoneName,
} from '#server/curb/revenue/session-fees.ts'
import type { CurbIndex } from '#server/curb/store/curb-index.ts'
import { curbHours } from '#server/curb/sessions/open-curb-sessions.ts'
import { refuseOperators } from '#server/curb/sessions/query-curb-metrics.ts'
import { spanVersions } from '#server/derived/dirty-spans.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import { chargeLines } from '../charges/charge-lines.ts'
import { readCharges } from '../charges/charge-store.ts'
import { linesOf, visibleInvoices } from '../invoices/invoice-store.ts'
import { amountText, sumMinor, toMinorUnits } from '../invoices/taxes.ts'
import type { CurbFeeSources } from './curb-fees.ts'
import { sumStays } from './curb-fees.ts'
import { stayLines } from './stay-lines.ts'

export interface RevenueSources extends CurbFeeSources {
  sessionFees: SessionFeeCache
}

type Days = Pick<RevenueFilter, 'start_date' | 'end_date'>

/** A row with its amount in minor units. */
type Row = Omit<RevenueRow, 'amount'> & { amount: bigint | null }

/** All that a period brought, before filters. */
interface Revenue {
  region: Region
  index: CurbIndex
  rows: Row[]
  stays: SessionFeeSums
  accounts: ReadonlyMap<string, string>
}

const noPlace = { curb_zone_id: null, zone_name: '', curb_policy_id: null, policy_name: '' }
const nobody = { payer: null, payer_name: '' }

const stayRows = (index: CurbIndex, { sums }: SessionFeeSums, names: ReadonlyMap<string, string>): Row[] =>
  sums.map(({ month, accountId, zoneId, policyId, rule, stays, amount }) => ({
    kind: 'session_fees',
    month,
    curb_zone_id: zoneId,
    zone_name: zoneName(index, zoneId),
    curb_policy_id: policyId,
    policy_name: policyName(index, policyId, rule),
    payer: accountId,
    payer_name: names.get(accountId) ?? accountId,
    quantity: stays,
    amount,
  }))

/** Charges of accounts by month, as an invoice of the month has them; not of days to come. */
async function permitRows(
  { state }: CurbFeeSources,
  scope: Scope,
  { regionId, currencyCode: currency, timezone }: Region,
  { index, stays, accounts }: Pick<Revenue, 'index' | 'stays' | 'accounts'>,
  days: Days,
  at: Date,
): Promise<Row[]> {
  const charges = await readCharges(state.as(scope), regionId, { currency, period: days }, false)
  const today = localDay(at, timezone)
  const rows: Row[] = []
  for (const [payer, payerName] of accounts)
    for (const { month, ...period } of splitByMonth(days)) {
      if (period.start_date > today) continue
      const terms = {
        currency,
        period: { ...period, end_date: period.end_date < today ? period.end_date : today },
      }
      const own = stays.sums.filter((sum) => sum.accountId === payer && sum.month === month)
      const applied = charges.of(payer, terms.period).filter(({ operator }) => operator !== null)
      const fees = stayLines(sumStays(index, own), terms)
      for (const line of chargeLines(fees, applied, terms))
        rows.push({
          kind: 'permits',
          month,
          ...noPlace,
          policy_name: line.description,
          payer,
          payer_name: payerName,
          quantity: 1,
          amount: toMinorUnits(line.amount, currency) ?? 0n,
        })
    }
  return rows
}

const zoneRows = (kind: RevenueKind, found: readonly ZoneMonth[], index: CurbIndex): Row[] =>
  found.map(({ month, zoneId, quantity, amount }) => ({
    kind,
    month,
    ...noPlace,
    ...(zoneId ? { curb_zone_id: zoneId, zone_name: zoneName(index, zoneId) } : {}),
    ...nobody,
    quantity,
    amount,
  }))

async function readRevenue(
  sources: RevenueSources,
  scope: Scope,
  regionId: string,
  days: Days,
  at: Date,
): Promise<Revenue> {
  refuseOperators(scope)
  const { state, facts, indexes, sessionFees } = sources
  const region = await findRegion(state, scope, regionId)
  const place = { scope, regionId, timezone: region.timezone }
  const index = await indexes.get(scope, regionId)
  const payers = await readAccounts(state, scope, regionId)
  const accounts = new Map(payers.map(({ accountId, name }) => [accountId, name]))
  // Read before the sessions: a change in between makes the sums outdated.
  const hours = { product: curbHours, regionId }
  const changes = await spanVersions(state, scope, hours, days.start_date, days.end_date)
  const [stays, citations, meters] = await Promise.all([
    sessionFees.read(facts, index, place, days, payers, changes),
    readCitations(facts, place, days),
    readMeterRevenue(facts, place, days),
  ])
  const rows = [
    ...stayRows(index, stays, accounts),
    ...(await permitRows(sources, scope, region, { index, stays, accounts }, days, at)),
    ...zoneRows('meters', meters, index),
    ...zoneRows('citations', citations, index),
  ]
  return { region, index, rows, stays, accounts }
}

const matches = (
  row: Row,
  { kinds, curb_zone_ids: zones, policy_ids: policies, payers }: RevenueFilter,
): boolean =>
  (!kinds.length || kinds.includes(row.kind)) &&
  (!zones.length || (row.curb_zone_id !== null && zones.includes(row.curb_zone_id))) &&
  (!policies.length || (row.curb_policy_id !== null && policies.includes(row.curb_policy_id))) &&
  (!payers.length || (row.payer !== null && payers.includes(row.payer)))

const inOrder = (a: Row, b: Row): number =>
  b.month.localeCompare(a.month) ||
  a.kind.localeCompare(b.kind) ||
  a.zone_name.localeCompare(b.zone_name) ||
  a.policy_name.localeCompare(b.policy_name) ||
  a.payer_name.localeCompare(b.payer_name)

const textOf = (row: Row, currency: string): RevenueRow => ({
  ...row,
  amount: row.amount === null ? null : amountText(row.amount, currency),
})

/** The rows of a question, newest month first. */
export async function listRevenue(
  sources: RevenueSources,
  scope: Scope,
  regionId: string,
  filter: RevenueFilter,
  at: Date,
): Promise<{ currency: string; items: RevenueRow[]; index: CurbIndex }> {
  const { region, rows, index } = await readRevenue(sources, scope, regionId, filter, at)
  const currency = region.currencyCode
  const items = rows.filter((row) => matches(row, filter)).toSorted(inOrder)
  return { currency, items: items.map((row) => textOf(row, currency)), index }
}

/** Rows added up by a key; an amount is null only if none of them has one. */
export function groupRows<Key extends object>(
  rows: readonly RevenueRow[],
  currency: string,
  keyOf: (row: RevenueRow) => Key,
): (Key & { quantity: number; amount: string | null })[] {
  const groups = new Map<string, { key: Key; quantity: number; amount: bigint | null }>()
  for (const row of rows) {
    const key = keyOf(row)
    const text = JSON.stringify(key)
    const group = groups.get(text) ?? { key, quantity: 0, amount: null }
    group.quantity += row.quantity
    if (row.amount !== null) group.amount = (group.amount ?? 0n) + (toMinorUnits(row.amount, currency) ?? 0n)
    groups.set(text, group)
  }
  return [...groups.values()].map(({ key, quantity, amount }) => ({
    ...key,
    quantity,
    amount: amount === null ? null : amountText(amount, currency),
  }))
}

/** Lines of issued documents by payer that begin in a period, without taxes, minor units. */
async function readInvoicedLines(
  { state }: CurbFeeSources,
  scope: Scope,
  { regionId, currencyCode: currency }: Region,
  days: Days,
): Promise<Map<string, bigint>> {
  const rows = await visibleInvoices(state.as(scope), scope, regionId)
    .select(['operator', 'lines'])
    .where('status', '=', 'issued')
    .where('currency', '=', currency)
    .where('end_date', '>=', days.start_date)
    .execute()
  const sums = new Map<string, bigint>()
  for (const row of rows)
    for (const { start_date: start, amount } of linesOf(row))
      if (start >= days.start_date && start <= days.end_date)
        sums.set(row.operator, (sums.get(row.operator) ?? 0n) + (toMinorUnits(amount, currency) ?? 0n))
  return sums
}

/** Revenue by kind, and how it agrees with stays, transactions and invoices. Filters do not apply to the latter. */
export async function revenueTotals(
  sources: RevenueSources,
  scope: Scope,
  regionId: string,
  filter: RevenueFilter,
  at: Date,
): Promise<RevenueTotals> {
  const { region, rows, stays, accounts } = await readRevenue(sources, scope, regionId, filter, at)
  const currency = region.currencyCode
  const text = (amount: bigint): string => amountText(amount, currency)
  const amountOf = (some: readonly Row[]): bigint => sumMinor(some.map(({ amount }) => amount ?? 0n))
  const matching = rows.filter((row) => matches(row, filter))
  const sumOf = (kind: RevenueKind) => {
    const own = matching.filter((row) => row.kind === kind)
    return { quantity: own.reduce((sum, { quantity }) => sum + quantity, 0), amount: text(amountOf(own)) }
  }
  const invoiced = await readInvoicedLines(sources, scope, region, filter)
  const reconciled = [...accounts].map(([payer, payerName]): AccountReconciliation => {
    const own = rows.filter((row) => row.payer === payer)
    const [sessions, permits] = (['session_fees', 'permits'] as const).map((kind) =>
      amountOf(own.filter((row) => row.kind === kind)),
    ) as [bigint, bigint]
    const due = invoiced.get(payer) ?? 0n
    return {
      payer,
      payer_name: payerName,
      session_fees: text(sessions),
      permits: text(permits),
      accrued: text(sessions + permits),
      invoiced: text(due),
      open: text(sessions + permits - due),
    }
  })
  const place = { scope, regionId, timezone: region.timezone }
  const received = await readReceived(sources.facts, place, filter)
  const inRows = amountOf(rows.filter(({ kind }) => kind === 'meters'))
  const { all, charged, noAccount, noRule, noRate, noEnd, reportedTwice } = stays
  const citations = matching.filter(({ kind }) => kind === 'citations')
  return {
    currency,
    session_fees: sumOf('session_fees'),
    permits: sumOf('permits'),
    meters: sumOf('meters'),
    citations: {
      ...sumOf('citations'),
      amount: citations.some(({ amount }) => amount !== null) ? text(amountOf(citations)) : null,
    },
    reconciliation: {
      accounts: reconciled,
      stays: {
        all,
        charged,
        uncharged: {
          no_account: noAccount,
          no_rule: noRule,
          no_rate: noRate,
          no_end: noEnd,
          reported_twice: reportedTwice,
        },
      },
      transactions: { received: text(received), in_rows: text(inRows) },
      is_reconciled:
        received === inRows && all === charged + noAccount + noRule + noRate + noEnd + reportedTwice,
    },
  }
}
