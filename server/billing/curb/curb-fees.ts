import type { Fees } from '#contract/fees.ts'
import { findAccount, type PayingAccount } from '#server/curb/revenue/curb-accounts.ts'
import { type StayFeeSum, sumFees } from '#server/curb/revenue/session-fee-cache.ts'
import {
  getPolicyName,
  readSessionFees,
  getSpanOfDays,
  type StayFee,
  getZoneName,
} from '#server/curb/revenue/session-fees.ts'
import { areSessionsPending } from '#server/curb/sessions/pending-sessions.ts'
import type { CurbIndex, CurbIndexes } from '#server/curb/store/curb-index.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import { formatTimeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { ChargingSource, FeeQuestion, FeeSource, InvoicedPeriod, StoredFacts } from '../fee-source.ts'
import { formatTotal } from '../fee-days/fee-lines.ts'
import {
  hashInvoiceFacts,
  insertFacts,
  type InvoiceFact,
  sumInvoiceFacts,
  removeInvoiceFacts,
} from '../fee-days/invoice-facts.ts'
import { curbMethodVersion, noPolicyId, type StaySum, makeStayLines } from './stay-lines.ts'

/** What the fees of stays at the curb are computed from. */
export interface CurbFeeSources {
  state: State
  facts: Facts
  indexes: CurbIndexes
}

/** Describes fees of a zone and rule. Stored with an invoice's facts, so recomputed lines are the same. */
export const describeStays = (
  index: CurbIndex,
  { zoneId, policyId, rule }: Pick<StayFee, 'zoneId' | 'policyId' | 'rule'>,
): string => `${getZoneName(index, zoneId)}: ${getPolicyName(index, policyId, rule)}`

/** Sums stays by the description of their line. */
export function sumStays(index: CurbIndex, fees: readonly StayFeeSum[]): StaySum[] {
  const sums = new Map<string, StaySum>()
  for (const fee of fees) {
    const description = describeStays(index, fee)
    const sum = sums.get(description)
    if (sum) {
      sum.stays += fee.stays
      sum.amount += fee.amount
    } else sums.set(description, { description, stays: fee.stays, amount: fee.amount })
  }
  return [...sums.values()]
}

/** Fees of accounts for their stays in smart zones. */
export class CurbFees implements ChargingSource {
  readonly #sources: CurbFeeSources

  constructor(sources: CurbFeeSources) {
    this.#sources = sources
  }

  /** Returns the account with this id; null for operators, or if the viewer is limited to operators. */
  findAccount(scope: Scope, regionId: string, accountId: string): Promise<PayingAccount | null> {
    return scope.operators
      ? Promise.resolve(null)
      : findAccount(this.#sources.state, scope, regionId, accountId)
  }

  /** Reads the session fees of an account. `isPrepared`: whether all of its sessions have been derived. */
  async #readStays(scope: Scope, { regionId, operator, period }: FeeQuestion, signal?: AbortSignal) {
    const { state, facts, indexes } = this.#sources
    const region = await findRegion(state, scope, regionId)
    const account = await this.findAccount(scope, regionId, operator)
    if (!account) throw new Problem('not_found', `There is no account '${operator}'.`)
    const index = await indexes.get(scope, regionId)
    const place = { scope, regionId, timezone: region.timezone }
    const isPrepared = !(await areSessionsPending(state, place, getSpanOfDays(period, region.timezone)))
    const { fees } = await readSessionFees(facts, index, { place, days: period, accounts: [account], signal })
    return { region, index, fees, isPrepared }
  }

  #toFees(question: FeeQuestion, currency: string, sums: readonly StaySum[]): Fees {
    const { operator, period, now } = question
    const lines = makeStayLines(sums, { currency, period })
    return {
      operator,
      ...period,
      currency,
      lines,
      total: formatTotal(lines, currency),
      method_version: curbMethodVersion,
      as_of: new Date(now).toISOString(),
    }
  }

  async computeFees(scope: Scope, question: FeeQuestion): Promise<Fees> {
    const { region, index, fees: stayFees, isPrepared } = await this.#readStays(scope, question)
    const fees = this.#toFees(question, region.currencyCode, sumStays(index, sumFees(stayFees)))
    return isPrepared ? fees : { ...fees, as_of: null }
  }

  async computeEarlierFees(
    scope: Scope,
    question: Omit<FeeQuestion, 'period'>,
    invoices: readonly InvoicedPeriod[],
  ): ReturnType<FeeSource['computeEarlierFees']> {
    const feesByInvoice: Pick<Fees, 'currency' | 'lines' | 'total' | 'as_of'>[] = []
    for (const { invoiceId, period } of invoices) {
      const currentFees = await this.computeFees(scope, { ...question, period })
      // Sessions may be removed before their invoices. Their fees are then computed from the stored facts.
      const areSessionsRemoved = !currentFees.lines.length
      feesByInvoice.push(
        areSessionsRemoved ? await this.recompute(scope, invoiceId, { ...question, period }) : currentFees,
      )
    }
    return feesByInvoice
  }

  async storeFacts(
    scope: Scope,
    invoiceId: string,
    question: FeeQuestion,
    signal?: AbortSignal,
  ): Promise<StoredFacts> {
    const { regionId, operator } = question
    const invoice = { facts: this.#sources.facts, scope, regionId, invoiceId }
    const { index, fees } = await this.#readStays(scope, question, signal)
    await removeInvoiceFacts(invoice)
    const stays = fees.map((fee): InvoiceFact => ({
      policyId: noPolicyId,
      operator,
      kind: 'curb_stay',
      day: fee.day,
      factId: `${fee.sessionId} ${fee.policyId} ${fee.rule} ${fee.from}`,
      vehicleId: '',
      vehicleType: fee.vehicleType,
      from: formatTimeField(fee.from),
      to: formatTimeField(fee.until),
      charge: describeStays(index, fee),
      unit: 'stays',
      price: '',
      numerator: fee.amount,
      denominator: 1,
    }))
    await insertFacts(invoice, stays)
    return hashInvoiceFacts(invoice)
  }

  async recompute(scope: Scope, invoiceId: string, question: FeeQuestion): Promise<Fees> {
    const { state, facts } = this.#sources
    const { regionId, currency } = question
    const region = await findRegion(state, scope, regionId)
    const sums = await sumInvoiceFacts({ facts, scope, regionId, invoiceId })
    const staySums = new Map<string, StaySum>()
    for (const { charge: description, numerator, facts: stays } of sums) {
      const sum = staySums.get(description)
      staySums.set(description, {
        description,
        stays: stays + (sum?.stays ?? 0),
        amount: numerator + (sum?.amount ?? 0n),
      })
    }
    return this.#toFees(question, currency ?? region.currencyCode, [...staySums.values()])
  }
}
