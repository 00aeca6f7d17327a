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
import { timeText } from '#server/stores/row-text.ts'
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

export interface CurbFeeSources {
  state: State
  facts: Facts
  indexes: CurbIndexes
}

/**
 * Returns the description of the fees of a zone and rule. It is stored with the facts of an invoice, so that
 * recomputed lines are the same.
 */
export const describeStays = (
  index: CurbIndex,
  { zoneId, policyId, rule }: Pick<StayFee, 'zoneId' | 'policyId' | 'rule'>,
): string => `${getZoneName(index, zoneId)}: ${getPolicyName(index, policyId, rule)}`

/** Sums stays by the description of their line. */
export function sumStays(index: CurbIndex, fees: readonly StayFeeSum[]): StaySum[] {
  const sums = new Map<string, StaySum>()
  for (const fee of fees) {
    const text = describeStays(index, fee)
    const sum = sums.get(text)
    if (sum) {
      sum.stays += fee.stays
      sum.amount += fee.amount
    } else sums.set(text, { text, stays: fee.stays, amount: fee.amount })
  }
  return [...sums.values()]
}

/** Fees of accounts for their stays in smart zones. */
export class CurbFees implements ChargingSource {
  readonly #sources: CurbFeeSources

  constructor(sources: CurbFeeSources) {
    this.#sources = sources
  }

  /** Returns the account with this id; null if the id is an operator's. */
  account(scope: Scope, regionId: string, accountId: string): Promise<PayingAccount | null> {
    return scope.operators
      ? Promise.resolve(null)
      : findAccount(this.#sources.state, scope, regionId, accountId)
  }

  async #stays(scope: Scope, { regionId, operator, period }: FeeQuestion, signal?: AbortSignal) {
    const { state, facts, indexes } = this.#sources
    const region = await findRegion(state, scope, regionId)
    const account = await this.account(scope, regionId, operator)
    if (!account) throw new Problem('not_found', `There is no account '${operator}'.`)
    const index = await indexes.get(scope, regionId)
    const place = { scope, regionId, timezone: region.timezone }
    const isPrepared = !(await areSessionsPending(state, place, getSpanOfDays(period, region.timezone)))
    const found = await readSessionFees(facts, index, { place, days: period, accounts: [account], signal })
    return { region, index, found, isPrepared }
  }

  #fees(question: FeeQuestion, currency: string, sums: readonly StaySum[]): Fees {
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

  async fees(scope: Scope, question: FeeQuestion): Promise<Fees> {
    const { region, index, found, isPrepared } = await this.#stays(scope, question)
    const fees = this.#fees(question, region.currencyCode, sumStays(index, sumFees(found.fees)))
    return isPrepared ? fees : { ...fees, as_of: null }
  }

  async earlierFees(
    scope: Scope,
    question: Omit<FeeQuestion, 'period'>,
    invoices: readonly InvoicedPeriod[],
  ): ReturnType<FeeSource['earlierFees']> {
    const presentFees: Pick<Fees, 'currency' | 'lines' | 'total' | 'as_of'>[] = []
    for (const { invoiceId, period } of invoices) {
      const now = await this.fees(scope, { ...question, period })
      // Sessions may be removed before their invoices. Their fees are then computed from the stored facts.
      const isGone = !now.lines.length
      presentFees.push(isGone ? await this.recompute(scope, invoiceId, { ...question, period }) : now)
    }
    return presentFees
  }

  async storeFacts(
    scope: Scope,
    invoiceId: string,
    question: FeeQuestion,
    signal?: AbortSignal,
  ): Promise<StoredFacts> {
    const { regionId, operator } = question
    const invoice = { facts: this.#sources.facts, scope, regionId, invoiceId }
    const { index, found } = await this.#stays(scope, question, signal)
    await removeInvoiceFacts(invoice)
    const stays = found.fees.map((fee): InvoiceFact => ({
      policyId: noPolicyId,
      operator,
      kind: 'curb_stay',
      day: fee.day,
      factId: `${fee.sessionId} ${fee.policyId} ${fee.rule} ${fee.from}`,
      vehicleId: '',
      vehicleType: fee.vehicleType,
      from: timeText(fee.from),
      to: timeText(fee.until),
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
    const byText = new Map<string, StaySum>()
    for (const { charge: text, numerator, facts: stays } of sums) {
      const sum = byText.get(text)
      byText.set(text, { text, stays: stays + (sum?.stays ?? 0), amount: numerator + (sum?.amount ?? 0n) })
    }
    return this.#fees(question, currency ?? region.currencyCode, [...byText.values()])
  }
}
