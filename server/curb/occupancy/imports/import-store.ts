import type { Selectable } from 'kysely'
import { type CountImport, type CountLayout, CountOptions, type CountPlace } from '#contract/curb-counts.ts'
import type { OccupancySource } from '#contract/curb-occupancy.ts'
import type { LocalDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import { toLikePattern, countTotal } from '#server/stores/list-query.ts'
import type { Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { StoredFile } from '../../imports/curb-files.ts'

export type CountImportRow = Selectable<StateTables['curb_count_import']>

/** `curb_count_import.report`: the result of reading the file, before places are matched. */
export interface CountReport {
  rows: number
  accepted: number
  set_aside: number
  codes: Partial<Record<string, number>>
  first_day: LocalDay | null
  last_day: LocalDay | null
  /** Days with counts. */
  days: LocalDay[]
  sources: OccupancySource[]
  profile: CountImport['profile']
  needs: CountImport['needs']
}
/** Returns the report of an import that was not read yet. */
export const createEmptyReport = (): CountReport => ({
  rows: 0,
  accepted: 0,
  set_aside: 0,
  codes: {},
  first_day: null,
  last_day: null,
  days: [],
  sources: [],
  profile: [],
  needs: [],
})

export const readReport = (row: Pick<CountImportRow, 'report'>): CountReport => ({
  ...createEmptyReport(),
  ...(row.report as Partial<CountReport>),
})
export const getFiles = (row: Pick<CountImportRow, 'files'>): StoredFile[] => row.files as StoredFile[]
export const readOptions = (row: Pick<CountImportRow, 'options'>): CountOptions =>
  CountOptions.parse(row.options)

/** Finds the row of an import. @throws Problem `not_found`. */
export async function findCountImport(
  store: Store,
  regionId: string,
  importId: string,
): Promise<CountImportRow> {
  const row = await store
    .selectFrom('curb_count_import')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('import_id', '=', importId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such import of counts.')
  return row
}

/** Numbers of places and rows of an import, in total and matched with zones. */
interface PlaceCounts {
  places: number
  matched: number
  rows: number
  matchedRows: number
}
const noPlaces: PlaceCounts = { places: 0, matched: 0, rows: 0, matchedRows: 0 }

/** Counts the places and rows of imports. */
async function countPlaces(store: Store, importIds: readonly string[]): Promise<Map<string, PlaceCounts>> {
  if (!importIds.length) return new Map()
  const rows = await store
    .selectFrom('curb_count_place')
    .select(['import_id', 'match'])
    .select((eb) => [eb.fn.countAll<string>().as('places'), eb.fn.sum<string>('rows').as('row_count')])
    .where('import_id', 'in', importIds)
    .groupBy(['import_id', 'match'])
    .execute()
  const counts = new Map<string, PlaceCounts>()
  for (const row of rows) {
    const sum = counts.get(row.import_id) ?? { ...noPlaces }
    const places = Number(row.places)
    const rowCount = Number(row.row_count)
    sum.places += places
    sum.rows += rowCount
    if (row.match !== 'none') {
      sum.matched += places
      sum.matchedRows += rowCount
    }
    counts.set(row.import_id, sum)
  }
  return counts
}

function toImport(row: CountImportRow, counts: PlaceCounts, sameAs: string | null): CountImport {
  const { days: _, sources: __, set_aside: rejected, ...report } = readReport(row)
  const unmatchedRows = counts.rows - counts.matchedRows
  return {
    ...report,
    import_id: row.import_id,
    file_name: row.file_name,
    status: row.status as CountImport['status'],
    problem: row.problem,
    layout: row.layout as CountLayout | null,
    options: readOptions(row),
    accepted: report.accepted - unmatchedRows,
    rejected: rejected + unmatchedRows,
    codes: {
      ...report.codes,
      ...(unmatchedRows ? { unknown_place: unmatchedRows } : {}),
    } as CountImport['codes'],
    places: counts.places,
    matched_places: counts.matched,
    matched_share: counts.rows ? counts.matchedRows / counts.rows : null,
    created_by: row.created_by,
    created_time: row.created_time.toISOString(),
    published_time: row.published_time?.toISOString() ?? null,
    undone_time: row.undone_time?.toISOString() ?? null,
    same_as: sameAs,
  }
}

/** Reads an import for the API, with any earlier import of the same file. @throws Problem `not_found`. */
export async function readCountImport(
  store: Store,
  regionId: string,
  importId: string,
): Promise<CountImport> {
  const row = await findCountImport(store, regionId, importId)
  const earlierImport = await store
    .selectFrom('curb_count_import')
    .select('import_id')
    .where('region_id', '=', regionId)
    .where('file_hash', '=', row.file_hash)
    .where('created_time', '<', row.created_time)
    .orderBy('created_time')
    .limit(1)
    .executeTakeFirst()
  const counts = await countPlaces(store, [importId])
  return toImport(row, counts.get(importId) ?? noPlaces, earlierImport?.import_id ?? null)
}

/** Lists one page of the imports of a region, newest first. */
export async function listCountImports(
  store: Store,
  regionId: string,
  { page, size }: { page: number; size: number },
) {
  const imports = store.selectFrom('curb_count_import').where('region_id', '=', regionId)
  const total = await countTotal(imports)
  const rows = await imports
    .selectAll()
    .orderBy('created_time', 'desc')
    .orderBy('import_id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const counts = await countPlaces(
    store,
    rows.map((row) => row.import_id),
  )
  return {
    items: rows.map((row) => toImport(row, counts.get(row.import_id) ?? noPlaces, null)),
    total,
    page,
    size,
  }
}

/** Lists one page of the findings of an import, sorted by row. */
export async function listFindings(
  store: Store,
  importId: string,
  { page, size, code }: { page: number; size: number; code?: string | undefined },
) {
  let findings = store.selectFrom('curb_count_finding').where('import_id', '=', importId)
  if (code !== undefined) findings = findings.where('code', '=', code)
  const total = await countTotal(findings)
  const items = await findings
    .select(['row', 'code', 'is_set_aside as is_rejected', 'message', 'source'])
    .orderBy('row')
    .orderBy('code')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { items, total, page, size }
}

/** Lists one page of the places of an import: those without zones first, then those with the most rows. */
export async function listPlaces(
  store: Store,
  importId: string,
  {
    page,
    size,
    match,
    search,
  }: { page: number; size: number; match?: string | undefined; search?: string | undefined },
) {
  let places = store.selectFrom('curb_count_place').where('import_id', '=', importId)
  if (match !== undefined) places = places.where('match', '=', match)
  if (search) places = places.where('label', 'ilike', toLikePattern(search))
  const total = await countTotal(places)
  const rows = await places
    .selectAll()
    .orderBy((eb) => eb.case().when('match', '=', 'none').then(0).else(1).end())
    .orderBy('rows', 'desc')
    .orderBy('place')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const items = rows.map((row): CountPlace => ({
    place: row.place,
    label: row.label,
    rows: row.rows,
    spaces: row.spaces,
    match: row.match as CountPlace['match'],
    zone_ids: row.zone_ids as string[],
    distance_m: row.distance_m,
  }))
  return { items, total, page, size }
}
