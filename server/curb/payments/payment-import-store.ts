import type { Selectable } from 'kysely'
import { countTotal } from '#server/stores/list-query.ts'
import {
  type PaymentFindingCode,
  type PaymentImport,
  type PaymentReconciliation,
} from '#contract/curb-payment-imports.ts'
import { PaymentMapping } from '#contract/curb-payments.ts'
import { Problem } from '#server/http/problem.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'
import type { PaymentPlace } from './payment.ts'
import { makeEmptyReadCounts, type ReadCounts, type Sum } from './read/read-payment-file.ts'

export type PaymentImportRow = Selectable<StateTables['curb_payment_import']>

/** Counts of an import (`curb_payment_import.counts`). */
export interface PaymentCounts extends ReadCounts {
  duplicates: Sum
  /** The stored payments after publication; null before. */
  stored: Sum | null
  unlinkedLocations: number
}
export const makeEmptyCounts = (): PaymentCounts => ({
  ...makeEmptyReadCounts(),
  duplicates: { rows: 0, amount: 0 },
  stored: null,
  unlinkedLocations: 0,
})

export const readCounts = (row: Pick<PaymentImportRow, 'counts'>): PaymentCounts => ({
  ...makeEmptyCounts(),
  ...(row.counts as Partial<PaymentCounts>),
})
export const readPlaces = (row: Pick<PaymentImportRow, 'places'>): PaymentPlace[] =>
  row.places as PaymentPlace[]
export const readMapping = (row: Pick<PaymentImportRow, 'mapping'>): PaymentMapping | null => {
  const parsed = PaymentMapping.safeParse(row.mapping)
  return parsed.success ? parsed.data : null
}

const addUpSums = (sums: readonly Sum[]): Sum => ({
  rows: sums.reduce((total, { rows }) => total + rows, 0),
  amount: sums.reduce((total, { amount }) => total + amount, 0),
})
const areEqual = (a: Sum, b: Sum): boolean => a.rows === b.rows && a.amount === b.amount

/** Returns the sums of an import, and whether they account for every row and cent of its file. */
export function reconcile(counts: PaymentCounts): PaymentReconciliation {
  const { file, kinds, setAside, duplicates, stored } = counts
  const accepted = addUpSums(Object.values(kinds))
  return {
    file,
    kinds,
    rejected: setAside,
    duplicates,
    stored,
    is_reconciled:
      areEqual(file, addUpSums([accepted, setAside, duplicates])) &&
      (stored === null || areEqual(stored, accepted)),
  }
}

/** Returns an import as the API returns it. `sameAs`: the id of an earlier import of the same file. */
export function toPaymentImport(row: PaymentImportRow, sameAs: string | null = null): PaymentImport {
  const counts = readCounts(row)
  return {
    import_id: row.import_id,
    vendor: row.vendor,
    file_name: row.file_name,
    status: row.status as PaymentImport['status'],
    problem: row.problem,
    rows: counts.file.rows,
    codes: counts.codes as Partial<Record<PaymentFindingCode, number>>,
    reconciliation: reconcile(counts),
    locations: readPlaces(row).length,
    unlinked_locations: counts.unlinkedLocations,
    first_day: row.first_day,
    last_day: row.last_day,
    created_by: row.created_by,
    created_time: row.created_time.toISOString(),
    published_time: row.published_time?.toISOString() ?? null,
    undone_time: row.undone_time?.toISOString() ?? null,
    same_as: sameAs,
  }
}

/** Finds an import of payments. @throws Problem if there is none. */
export async function findPaymentImport(
  store: Store,
  regionId: string,
  importId: string,
): Promise<PaymentImportRow> {
  const row = await store
    .selectFrom('curb_payment_import')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('import_id', '=', importId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such import of payments.')
  return row
}

/** Reads an import in the form of the API, with the id of the first earlier import of the same file. */
export async function readPaymentImport(
  store: Store,
  regionId: string,
  importId: string,
): Promise<PaymentImport> {
  const row = await findPaymentImport(store, regionId, importId)
  const earlierImport = await store
    .selectFrom('curb_payment_import')
    .select('import_id')
    .where('region_id', '=', regionId)
    .where('file_hash', '=', row.file_hash)
    .where('created_time', '<', row.created_time)
    .orderBy('created_time')
    .limit(1)
    .executeTakeFirst()
  return toPaymentImport(row, earlierImport?.import_id ?? null)
}

/** Lists one page of a region's imports of payments. */
export async function listPaymentImports(
  store: Store,
  regionId: string,
  { page, size }: { page: number; size: number },
) {
  const imports = store.selectFrom('curb_payment_import').where('region_id', '=', regionId)
  const total = await countTotal(imports)
  const rows = await imports
    .selectAll()
    .orderBy('created_time', 'desc')
    .orderBy('import_id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { items: rows.map((row) => toPaymentImport(row)), total, page, size }
}

/** Finds the saved mapping of a vendor and the header for which it was confirmed. */
export async function findVendorMapping(
  store: Store,
  regionId: string,
  vendor: string,
): Promise<{ mapping: PaymentMapping; header: string[] } | null> {
  const row = await store
    .selectFrom('curb_payment_vendor')
    .select(['mapping', 'header'])
    .where('region_id', '=', regionId)
    .where('vendor', '=', vendor)
    .executeTakeFirst()
  const parsed = PaymentMapping.safeParse(row?.mapping)
  return row && parsed.success ? { mapping: parsed.data, header: row.header as string[] } : null
}
