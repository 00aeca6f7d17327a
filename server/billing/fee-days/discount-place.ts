import { createHash } from 'node:crypto'
import { type Area, type Geometry, isArea } from '#contract/place.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { inAreas, type StoredIndex } from '#server/geography/membership/face-sql.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { Store } from '#server/stores/state.ts'

/** The versions of shapes: area number n applies from `from[n - 1]` until `until[n - 1]`, ms. */
export interface DiscountPlace {
  areas: Area[]
  from: number[]
  until: number[]
  /** The key of its index. */
  content: string
}

/** Around all times of facts, ms. */
const [beginning, end] = [0, Date.UTC(9999, 0, 1)]

/** Each version of shapes from one change to the next. Before its first version, a shape is as it was in it; once deleted, it has no area. */
async function readVersions(store: Store, shapeIds: readonly string[]): Promise<DiscountPlace> {
  const rows = await store
    .selectFrom('shape_version')
    .select(['shape_uuid', 'version', 'act', 'geometry', 'valid_from'])
    .where('shape_uuid', 'in', [...shapeIds])
    .orderBy('shape_uuid')
    .orderBy('version')
    .execute()
  const [areas, from, until]: [Area[], number[], number[]] = [[], [], []]
  let known: Geometry | null = null
  for (const [at, row] of rows.entries()) {
    const isFirst = rows[at - 1]?.shape_uuid !== row.shape_uuid
    const next = rows[at + 1]
    known = (row.geometry as Geometry | null) ?? (isFirst ? null : known)
    if (!known || !isArea(known) || row.act === 'deleted') continue
    areas.push(known)
    from.push(isFirst ? beginning : row.valid_from.getTime())
    until.push(next?.shape_uuid === row.shape_uuid ? next.valid_from.getTime() : end)
  }
  const versions = rows.map(({ shape_uuid: id, version }) => `${id} ${version}`).join('\n')
  return { areas, from, until, content: `discount ${createHash('sha256').update(versions).digest('hex')}` }
}

/** Where the trips or parking of a policy have a discount, read once when it is needed; null: nowhere. */
export function discountOf(
  store: Store,
  { fee_properties: { options } }: PolicyFields,
): (() => Promise<DiscountPlace>) | null {
  const { discount_percent: percent, discount_shape_uuids: shapes } = options
  if (!percent || !shapes.length) return null
  let place: Promise<DiscountPlace> | null = null
  return () => (place ??= readVersions(store, shapes))
}

/** Where a discount applies, with its indexes. */
export interface DiscountIndex extends DiscountPlace {
  indexes: StoredIndex[]
}

export async function discountIndex(
  { membership, scope }: { membership: LayerMembership; scope: Scope },
  { discount }: { discount: (() => Promise<DiscountPlace>) | null },
): Promise<DiscountIndex | null> {
  if (!discount) return null
  const place = await discount()
  return { ...place, indexes: await membership.forAreas(scope, place.content, place.areas) }
}

const int64s = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`

/** Rows with `lon`, `lat` and a moment (ms): their `columns`, and whether they are discounted. */
export function withDiscount(
  rows: Sql,
  columns: readonly Sql[],
  moment: Sql,
  place: DiscountIndex | null,
): Sql {
  const named = joinSql(columns, ', ')
  if (!place?.areas.length) return sql`select ${named}, false as is_discounted from (${rows})`
  const { from, until, indexes } = place
  const isDiscounted = sql`arrayExists(area -> ${moment} >= arrayElement(${int64s(from)}, area) and ${moment} < arrayElement(${int64s(until)}, area), areas)`
  return sql`select ${named}, ${isDiscounted} as is_discounted from (${inAreas(sql`select ${named} from (${rows})`, indexes)})`
}
