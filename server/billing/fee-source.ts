import type { Fees } from '#contract/fees.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Scope } from '#server/stores/scope.ts'

/** Who pays, and for which local days (both included). */
export interface FeeQuestion {
  regionId: string
  operator: string
  period: { start_date: LocalDay; end_date: LocalDay }
  /** The moment of the question, ms. */
  now: number
  /** Of an issued invoice; by default that of the region. */
  currency?: string
}

/** An invoice that was issued. */
export interface InvoicedPeriod {
  invoiceId: string
  period: FeeQuestion['period']
}

/** The stored facts of an invoice: their number, and the SHA-256 of the CSV that `readFacts` sends. */
export interface StoredFacts {
  rows: number
  sha256: string
}

/** What differs by the kind of payer: its fees now, and as they were when an invoice was issued. */
export type ChargingSource = Pick<FeeSource, 'fees' | 'earlierFees' | 'storeFacts' | 'recompute'>

/** Where invoices have their lines and facts from. `scope` must hold all requested operators. */
export interface FeeSource {
  fees(scope: Scope, question: FeeQuestion): Promise<Fees>
  /**
   * The fees of earlier invoices of an operator as they are now, in the order of the invoices. Their lines do not say which days have no
   * data. Where all facts of a day were deleted since, its fees are those of the invoice.
   */
  earlierFees(
    scope: Scope,
    question: Omit<FeeQuestion, 'period'>,
    invoices: readonly InvoicedPeriod[],
  ): Promise<Pick<Fees, 'currency' | 'lines' | 'total' | 'as_of'>[]>
  /** Stores the facts behind the fees of a question for an invoice. Repeatable: facts of an earlier attempt are replaced. */
  storeFacts(
    scope: Scope,
    invoiceId: string,
    question: FeeQuestion,
    signal?: AbortSignal,
  ): Promise<StoredFacts>
  /** The stored facts of an invoice as CSV (RFC 4180) with a header, in one order. */
  readFacts(scope: Scope, invoiceId: string, regionId: string): Promise<NodeJS.ReadableStream>
  /** Writes the stored facts of an invoice to a new Parquet file: the rows of the CSV, in its order. Returns their number. */
  writeFacts(
    scope: Scope,
    invoiceId: string,
    regionId: string,
    path: string,
    signal?: AbortSignal,
  ): Promise<number>
  /** The fees of the question of an invoice, computed again from its stored facts. */
  recompute(scope: Scope, invoiceId: string, question: FeeQuestion): Promise<Fees>
}
