import type { Fees } from '#contract/fees.ts'
import type { Scope } from '#server/stores/scope.ts'
import type {
  ChargingSource,
  FeeQuestion,
  FeeSource,
  InvoicedPeriod,
  InvoiceKey,
  StoredFacts,
} from '../fee-source.ts'
import type { CurbFees } from './curb-fees.ts'

/** Fees of operators under policies, and of accounts for stays at the curb. One table stores their facts. */
export class PayerFees implements FeeSource {
  readonly #policies: FeeSource
  readonly #curb: CurbFees

  constructor(policies: FeeSource, curb: CurbFees) {
    this.#policies = policies
    this.#curb = curb
  }

  async #findSource(
    scope: Scope,
    { regionId, operator }: Pick<FeeQuestion, 'regionId' | 'operator'>,
  ): Promise<ChargingSource> {
    return (await this.#curb.findAccount(scope, regionId, operator)) ? this.#curb : this.#policies
  }

  async computeFees(scope: Scope, question: FeeQuestion): Promise<Fees> {
    return (await this.#findSource(scope, question)).computeFees(scope, question)
  }

  async computeEarlierFees(
    scope: Scope,
    question: Omit<FeeQuestion, 'period'>,
    invoices: readonly InvoicedPeriod[],
  ): ReturnType<FeeSource['computeEarlierFees']> {
    return (await this.#findSource(scope, question)).computeEarlierFees(scope, question, invoices)
  }

  async storeFacts(
    scope: Scope,
    invoiceId: string,
    question: FeeQuestion,
    signal?: AbortSignal,
  ): Promise<StoredFacts> {
    return (await this.#findSource(scope, question)).storeFacts(scope, invoiceId, question, signal)
  }

  async recompute(scope: Scope, invoiceId: string, question: FeeQuestion): Promise<Fees> {
    return (await this.#findSource(scope, question)).recompute(scope, invoiceId, question)
  }

  readFacts(scope: Scope, invoice: InvoiceKey): Promise<NodeJS.ReadableStream> {
    return this.#policies.readFacts(scope, invoice)
  }

  writeFacts(scope: Scope, invoice: InvoiceKey, path: string, signal?: AbortSignal): Promise<number> {
    return this.#policies.writeFacts(scope, invoice, path, signal)
  }
}
