import { createHash } from 'node:crypto'
import { type Area, type Geometry, isArea } from '#contract/place.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { inAreas, type StoredIndex } from '#server/geography/membership/face-sql.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { Store } from '#server/stores/state.ts'

/**
 * Areas of all versions of the discounted shapes: area number n applies from `from[n - 1]` until `until[n -
 * 1]`, ms.
 */
export interface DiscountPlace {
  areas: Area[]
  from: number[]
  until: number[]
  /** The cache key of the spatial index. */
  content: string
}

/** Bounds that include the times of all facts, ms. */
const [beginning, end] = [0, Date.UTC(9999, 0, 1)]

/**
 * Reads the areas of all versions of shapes. The first version also applies to the time before it; a deleted
 * shape has no area.
 */
async function readVersions(store: Store, shapeIds: readonly string[]): Promise<DiscountPlace> {
  const rows = await store
    .selectFrom('shape_version')
    .select(['shape_uuid', 'version', 'act', 'geometry', 'valid_from'])
    .where('shape_uuid', 'in', [...shapeIds])
    .orderBy('shape_uuid')
    .orderBy('version')
    .execute()
  const [areas, from, until]: [Area[], number[], number[]] = [[], [], []]
  let current: Geometry | null = null
  for (const [index, row] of rows.entries()) {
    const isFirst = rows[index - 1]?.shape_uuid !== row.shape_uuid
    const next = rows[index + 1]
    current = (row.geometry as Geometry | null) ?? (isFirst ? null : current)
    if (!current || !isArea(current) || row.act === 'deleted') continue
    areas.push(current)
    from.push(isFirst ? beginning : row.valid_from.getTime())
    until.push(next?.shape_uuid === row.shape_uuid ? next.valid_from.getTime() : end)
  }
  const versions = rows.map(({ shape_uuid: id, version }) => `${id} ${version}`).join('\n')
  return { areas, from, until, content: `discount ${createHash('sha256').update(versions).digest('hex')}` }
}

/** Returns a function that reads, on first use, where a policy grants a discount; null if nowhere. */
export function createLazyDiscountPlace(
  store: Store,
  { fee_properties: { options } }: PolicyFields,
): (() => Promise<DiscountPlace>) | null {
  const { discount_percent: percent, discount_shape_uuids: shapes } = options
  if (!percent || !shapes.length) return null
  let place: Promise<DiscountPlace> | null = null
  return () => (place ??= readVersions(store, shapes))
}

/** The discounted areas with their spatial indexes. */
export interface DiscountIndex extends DiscountPlace {
  indexes: StoredIndex[]
}

/** Returns the index of the shapes in which a revision grants a discount; null if it grants none. */
export async function buildDiscountIndex(
  { membership, scope }: { membership: LayerMembership; scope: Scope },
  { discount }: { discount: (() => Promise<DiscountPlace>) | null },
): Promise<DiscountIndex | null> {
  if (!discount) return null
  const place = await discount()
  return { ...place, indexes: await membership.forAreas(scope, place.content, place.areas) }
}

const int64s = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`

/** Builds SQL of the `columns` of rows and `is_discounted`. Rows need `lon` and `lat`; `moment` is in ms. */
export function withDiscount(
  rows: Sql,
  columns: readonly Sql[],
  moment: Sql,
  place: DiscountIndex | null,
): Sql {
  const named = joinSql(columns, ', ')
  if (!place?.areas.length) return sql`select ${named}, false as is_discounted from (${rows})`
  const { from, until, indexes } = place
  // Whether one of the areas that contain the place applied at that moment.
  const isDiscounted = sql`
    arrayExists(
      area ->
        ${moment} >= arrayElement(${int64s(from)}, area)
        and ${moment} < arrayElement(${int64s(until)}, area),
      areas
    )`
  const rowsInAreas = inAreas(sql`select ${named} from (${rows})`, indexes)
  return sql`
    select
      ${named},
      ${isDiscounted} as is_discounted
    from (${rowsInAreas})`
}
