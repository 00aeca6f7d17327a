import type { InvoiceKind } from '#contract/invoices.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Store } from '#server/stores/state.ts'

/** The number series of a region and kind of document. */
export interface Series {
  regionId: string
  kind: InvoiceKind
}

const seqPattern = /\{seq(?::(\d))?\}/

/** Formats a number by a pattern such as `{region}-{year}-{seq}`. `{seq:5}` is padded to five digits. */
export const formatNumber = (
  format: string,
  { region, day, seq }: { region: string; day: LocalDay; seq: bigint },
): string =>
  format
    .replaceAll('{region}', region)
    .replaceAll('{year}', day.slice(0, 4))
    .replaceAll('{month}', day.slice(5, 7))
    .replace(seqPattern, (_, digits: string | undefined) => String(seq).padStart(Number(digits ?? 1), '0'))

/** Returns the next number of a series, which is created if needed. Another request may take it first. */
export async function peekNextNumber(store: Store, { regionId, kind }: Series): Promise<bigint> {
  await store
    .insertInto('invoice_series')
    .values({ region_id: regionId, kind, last: 0n })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { last } = await store
    .selectFrom('invoice_series')
    .select('last')
    .where('region_id', '=', regionId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return BigInt(last) + 1n
}

/** Thrown if another request took the number in the meantime. */
export class NumberTaken extends Error {
  override name = 'NumberTaken'
}

/**
 * Takes the next number of a series. The caller's transaction locks the series until it ends, so a failed one
 * leaves no gap.
 * @throws NumberTaken if the next number is not `seq`.
 */
export async function takeNumber(
  transaction: Store,
  { regionId, kind }: Series,
  { seq, number, invoiceId }: { seq: bigint; number: string; invoiceId: string },
  at: Date,
): Promise<void> {
  const { last } = await transaction
    .updateTable('invoice_series')
    .set((row) => ({ last: row('last', '+', '1') }))
    .where('region_id', '=', regionId)
    .where('kind', '=', kind)
    .returning('last')
    .executeTakeFirstOrThrow()
  if (BigInt(last) !== seq) throw new NumberTaken(number)
  await transaction
    .insertInto('invoice_number')
    .values({ region_id: regionId, kind, seq, number, invoice_id: invoiceId, used_time: at })
    .execute()
}
