import type { Selectable } from 'kysely'
import { CurbFinding, type CurbImport, type CurbImportRow, type CurbOutcome } from '#contract/curb-imports.ts'
import { Problem } from '#server/http/problem.ts'
import { toLikePattern, countTotal } from '#server/stores/list-query.ts'
import type { Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { StagedZone } from '../store/staged.ts'

export type ImportRow = Selectable<StateTables['curb_import']>

/** Counts of the rows of an import (`curb_import.counts`). */
export interface ImportCounts {
  rows: number
  outcomes: Record<CurbOutcome, number>
  kinds: Partial<Record<string, number>>
  codes: Partial<Record<string, number>>
  file_findings: CurbFinding[]
}
export const makeEmptyCounts = (): ImportCounts => ({
  rows: 0,
  outcomes: { accepted: 0, repaired: 0, refused: 0 },
  kinds: {},
  codes: {},
  file_findings: [],
})

/** Reads a stored finding. Findings that publication adds only have a code and a message. */
const toFinding = (raw: unknown): CurbFinding => {
  const parsed = CurbFinding.safeParse({ field: null, effect: 'refuse', ...(raw as object) })
  return parsed.success
    ? parsed.data
    : { code: 'bad_value', message: JSON.stringify(raw).slice(0, 500), field: null, effect: 'note' }
}

/** Returns an import as the API returns it. `sameAs`: the id of an earlier import of the same file. */
export function toImport(
  row: ImportRow & { inventory_name: string },
  sameAs: string | null = null,
): CurbImport {
  const counts = { ...makeEmptyCounts(), ...(row.counts as Partial<ImportCounts>) }
  return {
    import_id: row.import_id,
    inventory_id: row.inventory_id,
    inventory_name: row.inventory_name,
    file_name: row.file_name,
    status: row.status as CurbImport['status'],
    problem: row.problem,
    rows: counts.rows,
    outcomes: counts.outcomes,
    kinds: counts.kinds,
    codes: counts.codes,
    file_findings: counts.file_findings.map(toFinding),
    created_time: row.created_time.toISOString(),
    published_time: row.published_time?.toISOString() ?? null,
    undone_time: row.undone_time?.toISOString() ?? null,
    effective_time: row.effective_time?.toISOString() ?? null,
    same_as: sameAs,
  }
}

const selectImports = (store: Store, regionId: string) =>
  store
    .selectFrom('curb_import')
    .innerJoin('curb_inventory', 'curb_inventory.inventory_id', 'curb_import.inventory_id')
    .selectAll('curb_import')
    .select('curb_inventory.name as inventory_name')
    .where('curb_import.region_id', '=', regionId)

/** Finds an import of a region. @throws Problem if there is none. */
export async function findImport(store: Store, regionId: string, importId: string) {
  const row = await selectImports(store, regionId)
    .where('curb_import.import_id', '=', importId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such import of curb data.')
  return row
}

/** Reads an import in the form of the API, with the id of the first earlier import of the same file. */
export async function readImport(store: Store, regionId: string, importId: string): Promise<CurbImport> {
  const row = await findImport(store, regionId, importId)
  const earlierImport = await store
    .selectFrom('curb_import')
    .select('import_id')
    .where('inventory_id', '=', row.inventory_id)
    .where('file_hash', '=', row.file_hash)
    .where('created_time', '<', row.created_time)
    .orderBy('created_time')
    .limit(1)
    .executeTakeFirst()
  return toImport(row, earlierImport?.import_id ?? null)
}

/** Lists one page of a region's imports, optionally of one inventory. */
export async function listImports(
  store: Store,
  regionId: string,
  {
    page,
    size,
    inventory_id: inventoryId,
  }: { page: number; size: number; inventory_id?: string | undefined },
) {
  let imports = selectImports(store, regionId)
  if (inventoryId !== undefined) imports = imports.where('curb_import.inventory_id', '=', inventoryId)
  const total = await countTotal(imports.clearSelect())
  const rows = await imports
    .orderBy('curb_import.created_time', 'desc')
    .orderBy('curb_import.import_id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { items: rows.map((row) => toImport(row)), total, page, size }
}

export interface ImportRowFilter {
  outcome?: string | undefined
  code?: string | undefined
  kind?: string | undefined
  search?: string | undefined
}

/** Builds a query for the rows of an import that match a filter. */
export function selectRows(store: Store, importId: string, { outcome, code, kind, search }: ImportRowFilter) {
  let rows = store.selectFrom('curb_import_row').where('import_id', '=', importId)
  if (outcome !== undefined) rows = rows.where('outcome', '=', outcome)
  if (kind !== undefined) rows = rows.where('kind', '=', kind)
  if (code !== undefined)
    rows = rows.where((eb) =>
      eb('findings', '@>', eb.cast<unknown>(eb.val(JSON.stringify([{ code }])), 'jsonb')),
    )
  if (search !== undefined && search !== '') rows = rows.where('record_id', 'ilike', toLikePattern(search))
  return rows
}

export const toImportRow = (row: Selectable<StateTables['curb_import_row']>): CurbImportRow => ({
  row: row.row,
  kind: row.kind as CurbImportRow['kind'],
  record_id: row.record_id,
  outcome: row.outcome as CurbOutcome,
  findings: (row.findings as unknown[]).map(toFinding),
  confidence: row.confidence,
  source: row.source,
  staged: row.staged,
})

/** Maximum number of zones of an import that a map shows. */
const maxMapZones = 20_000

/** Reads the zones of an import for a map, in file order: at most `maxMapZones`, and their total number. */
export async function readImportMap(store: Store, importId: string) {
  const zones = selectRows(store, importId, { kind: 'zone' }).where('staged', 'is not', null)
  const total = await countTotal(zones)
  const rows = await zones.select(['row', 'outcome', 'staged']).orderBy('row').limit(maxMapZones).execute()
  return {
    total,
    zones: rows.map(({ row, outcome, staged }) => ({
      row,
      outcome: outcome as CurbOutcome,
      geometry: (staged as StagedZone).zone.geometry,
    })),
  }
}

/** Lists one page of the rows of an import that pass a filter. */
export async function listRows(
  store: Store,
  importId: string,
  { page, size, ...filter }: ImportRowFilter & { page: number; size: number },
) {
  const matching = selectRows(store, importId, filter)
  const total = await countTotal(matching)
  const rows = await matching
    .selectAll()
    .orderBy('row')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { items: rows.map(toImportRow), total, page, size }
}
