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
import type { SessionFeeCache, SessionFeeSums } from '#server/curb/revenue/session-fee-cache.ts'
import { getPolicyName, getZoneName } from '#server/curb/revenue/session-fees.ts'
import type { CurbIndex } from '#server/curb/store/curb-index.ts'
import { curbHours } from '#server/curb/product-names.ts'
import { refuseOperators } from '#server/curb/sessions/query-curb-metrics.ts'
import { readSpanVersions } from '#server/derived/dirty-spans.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Store } from '#server/stores/state.ts'
import { makeChargeLines } from '../charges/charge-lines.ts'
import { readCharges } from '../charges/read-charges.ts'
import { parseLines, selectVisibleInvoices } from '../invoices/invoice-store.ts'
import { formatAmount, sumMinor, toMinorUnits } from '../invoices/taxes.ts'
import { type CurbFeeSources, sumStays } from './curb-fees.ts'
import { makeStayLines } from './stay-lines.ts'

/** What the revenue of a region is computed from. */
export interface RevenueSources extends CurbFeeSources {
  sessionFees: SessionFeeCache
}

/** A question about a region's revenue. */
interface RevenueCall {
  viewer: Pick<Viewer, 'scope'>
  params: { region_id: string }
  query: RevenueFilter
  at: Date
}

type Days = Pick<RevenueFilter, 'start_date' | 'end_date'>

/** A row with its amount in minor units. */
type ExactRevenueRow = Omit<RevenueRow, 'amount'> & { amount: bigint | null }

/** The revenue of a period, before filters. */
interface Revenue {
  region: Region
  index: CurbIndex
  rows: ExactRevenueRow[]
  stays: SessionFeeSums
  accounts: ReadonlyMap<string, string>
}

const noZone = { curb_zone_id: null, zone_name: '', curb_policy_id: null, policy_name: '' }
const noPayer = { payer: null, payer_name: '' }

const toStayRows = (
  index: CurbIndex,
  { sums }: SessionFeeSums,
  names: ReadonlyMap<string, string>,
): ExactRevenueRow[] =>
  sums.map(({ month, accountId, zoneId, policyId, rule, stays, amount }) => ({
    kind: 'session_fees',
    month,
    curb_zone_id: zoneId,
    zone_name: getZoneName(index, zoneId),
    curb_policy_id: policyId,
    policy_name: getPolicyName(index, policyId, rule),
    payer: accountId,
    payer_name: names.get(accountId) ?? accountId,
    quantity: stays,
    amount,
  }))

/** Returns the charges of accounts by month, as an invoice of the month would show them, up to today. */
async function makePermitRows(
  store: Store,
  { region, index, stays, accounts }: Omit<Revenue, 'rows'>,
  days: Days,
  at: Date,
): Promise<ExactRevenueRow[]> {
  const { regionId, currencyCode: currency, timezone } = region
  const charges = await readCharges(store, { regionId, currency, period: days, isDraft: false })
  const today = localDay(at, timezone)
  const rows: ExactRevenueRow[] = []
  for (const [payer, payerName] of accounts)
    for (const { month, ...period } of splitByMonth(days)) {
      if (period.start_date > today) continue
      const terms = {
        currency,
        period: { ...period, end_date: period.end_date < today ? period.end_date : today },
      }
      const stayTotals = stays.sums.filter((sum) => sum.accountId === payer && sum.month === month)
      const applied = charges
        .getAppliedCharges(payer, terms.period)
        .filter(({ operator }) => operator !== null)
      const fees = makeStayLines(sumStays(index, stayTotals), terms)
      for (const line of makeChargeLines(fees, applied, terms))
        rows.push({
          kind: 'permits',
          month,
          ...noZone,
          policy_name: line.description,
          payer,
          payer_name: payerName,
          quantity: 1,
          amount: toMinorUnits(line.amount, currency) ?? 0n,
        })
    }
  return rows
}

const toZoneRows = (kind: RevenueKind, months: readonly ZoneMonth[], index: CurbIndex): ExactRevenueRow[] =>
  months.map(({ month, zoneId, quantity, amount }) => ({
    kind,
    month,
    ...noZone,
    ...(zoneId ? { curb_zone_id: zoneId, zone_name: getZoneName(index, zoneId) } : {}),
    ...noPayer,
    quantity,
    amount,
  }))

async function readRevenue(
  sources: RevenueSources,
  { viewer: { scope }, params: { region_id: regionId }, query: days, at }: RevenueCall,
): Promise<Revenue> {
  refuseOperators(scope)
  const { state, facts, indexes, sessionFees } = sources
  const region = await findRegion(state, scope, regionId)
  const place = { scope, regionId, timezone: region.timezone }
  const index = await indexes.get(scope, regionId)
  const payers = await readAccounts(state, scope, regionId)
  const accounts = new Map(payers.map(({ accountId, name }) => [accountId, name]))
  // Versions are read before the sessions, so that a change in between invalidates the cached sums.
  const hours = { product: curbHours, regionId }
  const changes = await readSpanVersions(state, scope, hours, { first: days.start_date, last: days.end_date })
  const [stays, citations, meters] = await Promise.all([
    sessionFees.read(facts, index, { place, days, accounts: payers, changes }),
    readCitations(facts, place, days),
    readMeterRevenue(facts, place, days),
  ])
  const revenue = { region, index, stays, accounts }
  const rows = [
    ...toStayRows(index, stays, accounts),
    ...(await makePermitRows(state.as(scope), revenue, days, at)),
    ...toZoneRows('meters', meters, index),
    ...toZoneRows('citations', citations, index),
  ]
  return { ...revenue, rows }
}

const matchesFilter = (
  row: ExactRevenueRow,
  { kinds, curb_zone_ids: zones, policy_ids: policies, payers }: RevenueFilter,
): boolean =>
  (!kinds.length || kinds.includes(row.kind)) &&
  (!zones.length || (row.curb_zone_id !== null && zones.includes(row.curb_zone_id))) &&
  (!policies.length || (row.curb_policy_id !== null && policies.includes(row.curb_policy_id))) &&
  (!payers.length || (row.payer !== null && payers.includes(row.payer)))

const compareRows = (a: ExactRevenueRow, b: ExactRevenueRow): number =>
  b.month.localeCompare(a.month) ||
  a.kind.localeCompare(b.kind) ||
  a.zone_name.localeCompare(b.zone_name) ||
  a.policy_name.localeCompare(b.policy_name) ||
  a.payer_name.localeCompare(b.payer_name)

const formatRow = (row: ExactRevenueRow, currency: string): RevenueRow => ({
  ...row,
  amount: row.amount === null ? null : formatAmount(row.amount, currency),
})

/** Lists the rows that match a filter, newest month first. */
export async function listRevenue(
  sources: RevenueSources,
  call: RevenueCall,
): Promise<{ currency: string; items: RevenueRow[]; index: CurbIndex }> {
  const { region, rows, index } = await readRevenue(sources, call)
  const currency = region.currencyCode
  const items = rows.filter((row) => matchesFilter(row, call.query)).toSorted(compareRows)
  return { currency, items: items.map((row) => formatRow(row, currency)), index }
}

/** Sums rows by a key. The amount of a group is null only if no row has an amount. */
export function groupRows<Key extends object>(
  rows: readonly RevenueRow[],
  currency: string,
  getKey: (row: RevenueRow) => Key,
): (Key & { quantity: number; amount: string | null })[] {
  const groups = new Map<string, { key: Key; quantity: number; amount: bigint | null }>()
  for (const row of rows) {
    const key = getKey(row)
    const text = JSON.stringify(key)
    const group = groups.get(text) ?? { key, quantity: 0, amount: null }
    group.quantity += row.quantity
    if (row.amount !== null) group.amount = (group.amount ?? 0n) + (toMinorUnits(row.amount, currency) ?? 0n)
    groups.set(text, group)
  }
  return [...groups.values()].map(({ key, quantity, amount }) => ({
    ...key,
    quantity,
    amount: amount === null ? null : formatAmount(amount, currency),
  }))
}

/** Sums the lines of issued documents in a period by payer, without taxes, in minor units. */
async function readInvoicedLines(
  store: Store,
  scope: Scope,
  { regionId, currencyCode: currency }: Region,
  days: Days,
): Promise<Map<string, bigint>> {
  const rows = await selectVisibleInvoices(store, scope, regionId)
    .select(['operator', 'lines'])
    .where('status', '=', 'issued')
    .where('currency', '=', currency)
    .where('end_date', '>=', days.start_date)
    .execute()
  const sums = new Map<string, bigint>()
  for (const row of rows)
    for (const { start_date: start, amount } of parseLines(row))
      if (start >= days.start_date && start <= days.end_date)
        sums.set(row.operator, (sums.get(row.operator) ?? 0n) + (toMinorUnits(amount, currency) ?? 0n))
  return sums
}

const sumAmounts = (rows: readonly ExactRevenueRow[]): bigint =>
  sumMinor(rows.map(({ amount }) => amount ?? 0n))

/** Compares the stay fees and permits of each account with its invoices. @param invoiced Amounts by payer. */
const reconcileAccounts = (
  { region, rows, accounts }: Revenue,
  invoiced: ReadonlyMap<string, bigint>,
): AccountReconciliation[] =>
  [...accounts].map(([payer, payerName]): AccountReconciliation => {
    const toText = (amount: bigint): string => formatAmount(amount, region.currencyCode)
    const sumOfKind = (kind: RevenueKind): bigint =>
      sumAmounts(rows.filter((row) => row.payer === payer && row.kind === kind))
    const sessionFees = sumOfKind('session_fees')
    const permits = sumOfKind('permits')
    const invoicedAmount = invoiced.get(payer) ?? 0n
    return {
      payer,
      payer_name: payerName,
      session_fees: toText(sessionFees),
      permits: toText(permits),
      accrued: toText(sessionFees + permits),
      invoiced: toText(invoicedAmount),
      open: toText(sessionFees + permits - invoicedAmount),
    }
  })

/** Compares revenue with stays, transactions and invoices. Ignores filters. */
async function reconcile(
  { state, facts }: RevenueSources,
  revenue: Revenue,
  { viewer: { scope }, query: days }: RevenueCall,
): Promise<RevenueTotals['reconciliation']> {
  const { region, rows, stays } = revenue
  const { regionId, timezone, currencyCode: currency } = region
  const invoiced = await readInvoicedLines(state.as(scope), scope, region, days)
  const received = await readReceived(facts, { scope, regionId, timezone }, days)
  const meterRevenue = sumAmounts(rows.filter(({ kind }) => kind === 'meters'))
  // Each stay is either charged or has one reason why it is not.
  const { all, charged, noAccount, noRule, noRate, noEnd, reportedTwice } = stays
  return {
    accounts: reconcileAccounts(revenue, invoiced),
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
    transactions: {
      received: formatAmount(received, currency),
      in_rows: formatAmount(meterRevenue, currency),
    },
    is_reconciled:
      received === meterRevenue && all === charged + noAccount + noRule + noRate + noEnd + reportedTwice,
  }
}

/** Returns the revenue by kind, and its reconciliation. */
export async function computeRevenueTotals(
  sources: RevenueSources,
  call: RevenueCall,
): Promise<RevenueTotals> {
  const revenue = await readRevenue(sources, call)
  const currency = revenue.region.currencyCode
  const matching = revenue.rows.filter((row) => matchesFilter(row, call.query))
  const sumKind = (kind: RevenueKind) => {
    const matchingKind = matching.filter((row) => row.kind === kind)
    return {
      quantity: matchingKind.reduce((sum, { quantity }) => sum + quantity, 0),
      amount: formatAmount(sumAmounts(matchingKind), currency),
    }
  }
  const citations = sumKind('citations')
  const hasCitationAmounts = matching.some(({ kind, amount }) => kind === 'citations' && amount !== null)
  return {
    currency,
    session_fees: sumKind('session_fees'),
    permits: sumKind('permits'),
    meters: sumKind('meters'),
    citations: { ...citations, amount: hasCitationAmounts ? citations.amount : null },
    reconciliation: await reconcile(sources, revenue, call),
  }
}
