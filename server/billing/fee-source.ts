import type { Fees } from '#contract/fees.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Scope } from '#server/stores/scope.ts'

/** The payer and local days (both included) of the requested fees. */
export interface FeeQuestion {
  regionId: string
  operator: string
  period: { start_date: LocalDay; end_date: LocalDay }
  /** The time of the request, ms since 1970. */
  now: number
  /** The currency of an issued invoice; by default that of the region. */
  currency?: string
}

export interface InvoiceKey {
  regionId: string
  invoiceId: string
}

export interface InvoicedPeriod {
  invoiceId: string
  period: FeeQuestion['period']
}

/** The stored facts of an invoice: their number, and the SHA-256 of the CSV that `readFacts` returns. */
export interface StoredFacts {
  rows: number
  sha256: string
}

/** The functions that depend on the kind of payer. */
export type ChargingSource = Pick<
  FeeSource,
  'computeFees' | 'computeEarlierFees' | 'storeFacts' | 'recompute'
>

/** The source of invoice lines and facts. `scope` must include all requested operators. */
export interface FeeSource {
  /** Computes the fees of a payer. `as_of` is null if some days are still being derived. */
  computeFees(scope: Scope, question: FeeQuestion): Promise<Fees>
  /**
   * Returns the current fees for the periods of earlier invoices, in the order of the invoices. Their lines
   * do not list days without data. If all facts of a day were removed since, the fees stored with the invoice
   * are used. `as_of` is null if some days are still being derived.
   */
  computeEarlierFees(
    scope: Scope,
    question: Omit<FeeQuestion, 'period'>,
    invoices: readonly InvoicedPeriod[],
  ): Promise<Pick<Fees, 'currency' | 'lines' | 'total' | 'as_of'>[]>
  /** Stores the facts behind the fees of an invoice. Idempotent: facts of an earlier attempt are replaced. */
  storeFacts(
    scope: Scope,
    invoiceId: string,
    question: FeeQuestion,
    signal?: AbortSignal,
  ): Promise<StoredFacts>
  /** Returns the stored facts of an invoice as CSV (RFC 4180) with a header, in a fixed order. */
  readFacts(scope: Scope, invoice: InvoiceKey): Promise<NodeJS.ReadableStream>
  /** Writes the rows of that CSV, in its order, to a new Parquet file. Returns their number. */
  writeFacts(scope: Scope, invoice: InvoiceKey, path: string, signal?: AbortSignal): Promise<number>
  /** Computes the fees of an invoice again, from its stored facts. */
  recompute(scope: Scope, invoiceId: string, question: FeeQuestion): Promise<Fees>
}
