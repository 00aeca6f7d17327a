// An in-memory fee source for invoices, with facts that a test can change.
import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FeeLine, Fees } from '#contract/fees.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import type { FeeQuestion, FeeSource, InvoicedPeriod, InvoiceKey } from '#server/billing/fee-source.ts'

const policy = {
  policy_uuid: randomUUID(),
  constant_policy_uuid: randomUUID(),
  policy_name: 'Trip fee',
  policy_type: 'trip_fees',
}

const formatAmount = (amount: number): string => (amount / 100).toFixed(2)

/** Each trip costs 25 cents. A day that nobody set has no data. */
export class MemoryFees implements FeeSource {
  currency = 'USD'
  isPrepared = true
  readonly #trips = new Map<string, number>()
  readonly #stored = new Map<string, { question: FeeQuestion; csv: string }>()

  set(operator: string, first: LocalDay, last: LocalDay, trips: number): void {
    for (let day = dayNumber(first); day <= dayNumber(last); day++)
      this.#trips.set(`${operator} ${dayFromNumber(day)}`, trips)
  }

  remove(operator: string, day: LocalDay): void {
    this.#trips.delete(`${operator} ${day}`)
  }

  /** Alters the facts of an issued invoice. */
  alter(invoiceId: string, csv: string): void {
    const stored = this.#stored.get(invoiceId)
    if (stored) this.#stored.set(invoiceId, { ...stored, csv })
  }

  #csvOf({ operator, period }: FeeQuestion): string {
    const rows = ['day,trips']
    for (let day = dayNumber(period.start_date); day <= dayNumber(period.end_date); day++) {
      const trips = this.#trips.get(`${operator} ${dayFromNumber(day)}`)
      rows.push(`${dayFromNumber(day)},${trips ?? ''}`)
    }
    return `${rows.join('\r\n')}\r\n`
  }

  #feesOf({ operator, period }: FeeQuestion, csv: string): Fees {
    const days = csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(',') as [string, string])
    const trips = days.reduce((sum, [, count]) => sum + Number(count), 0)
    const feeLine: FeeLine = {
      ...policy,
      description: 'Trips that start in the period',
      ...period,
      quantity: String(trips),
      unit: 'trip',
      unit_price: '0.25',
      amount: formatAmount(trips * 25),
      days_without_data: days.flatMap(([day, count]) => (count === '' ? [day] : [])),
    }
    return {
      operator,
      ...period,
      currency: this.currency,
      lines: [feeLine],
      total: feeLine.amount,
      method_version: 1,
      as_of: this.isPrepared ? '2026-04-01T00:00:00.000Z' : null,
    }
  }

  async computeFees(_scope: unknown, question: FeeQuestion): Promise<Fees> {
    return this.#feesOf(question, this.#csvOf(question))
  }

  async computeEarlierFees(
    _scope: unknown,
    question: Omit<FeeQuestion, 'period'>,
    invoices: readonly InvoicedPeriod[],
  ): Promise<Fees[]> {
    return Promise.all(invoices.map(({ period }) => this.computeFees(_scope, { ...question, period })))
  }

  async storeFacts(_scope: unknown, invoiceId: string, question: FeeQuestion) {
    const csv = this.#csvOf(question)
    this.#stored.set(invoiceId, { question, csv })
    return { rows: csv.split('\r\n').length - 2, sha256: createHash('sha256').update(csv).digest('hex') }
  }

  #found(invoiceId: string): { question: FeeQuestion; csv: string } {
    const stored = this.#stored.get(invoiceId)
    if (!stored) throw new Error(`There are no facts of ${invoiceId}`)
    return stored
  }

  async readFacts(_scope: unknown, { invoiceId }: InvoiceKey) {
    return Readable.from([Buffer.from(this.#found(invoiceId).csv)])
  }

  async writeFacts(_scope: unknown, { invoiceId }: InvoiceKey, path: string) {
    const { csv } = this.#found(invoiceId)
    await fs.writeFile(path, csv)
    return csv.split('\r\n').length - 2
  }

  async recompute(_scope: unknown, invoiceId: string): Promise<Fees> {
    const { question, csv } = this.#found(invoiceId)
    return this.#feesOf(question, csv)
  }
}
