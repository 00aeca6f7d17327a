import { createHash } from 'node:crypto'
import { type Area, type Geometry, isArea } from '#contract/place.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { inAreas, type StoredIndex } from '#server/geography/membership/face-sql.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { Store } from '#server/stores/state.ts'

/** Areas of all versions of discounted shapes. `areas[i]` applies from `from[i]` until `until[i]`, ms. */
export interface DiscountPlace {
  areas: Area[]
  from: number[]
  until: number[]
  /** The cache key of the spatial index. */
  content: string
}

/** Bounds that include the times of all facts, ms. */
const startOfFacts = 0
const endOfFacts = Date.UTC(9999, 0, 1)

/** Reads areas of all versions of shapes. The first also applies to earlier times; deleted: no area. */
async function readVersions(store: Store, shapeIds: readonly string[]): Promise<DiscountPlace> {
  const rows = await store
    .selectFrom('shape_version')
    .select(['shape_uuid', 'version', 'act', 'geometry', 'valid_from'])
    .where('shape_uuid', 'in', [...shapeIds])
    .orderBy('shape_uuid')
    .orderBy('version')
    .execute()
  const areas: Area[] = []
  const from: number[] = []
  const until: number[] = []
  // A version without a geometry retains that of the version before.
  let current: Geometry | null = null
  for (const [index, row] of rows.entries()) {
    const isFirst = rows[index - 1]?.shape_uuid !== row.shape_uuid
    const next = rows[index + 1]
    current = (row.geometry as Geometry | null) ?? (isFirst ? null : current)
    if (!current || !isArea(current) || row.act === 'deleted') continue
    areas.push(current)
    from.push(isFirst ? startOfFacts : row.valid_from.getTime())
    until.push(next?.shape_uuid === row.shape_uuid ? next.valid_from.getTime() : endOfFacts)
  }
  const versions = rows.map(({ shape_uuid: id, version }) => `${id} ${version}`).join('\n')
  return { areas, from, until, content: `discount ${createHash('sha256').update(versions).digest('hex')}` }
}

/** Returns a function that reads where a policy grants a discount, once, on first use; null if nowhere. */
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

const bindInt64s = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`

/** Builds SQL that adds `is_discounted` to rows with `lon` and `lat`; `moment` is an expression in ms. */
export function withDiscount(
  rows: Sql,
  columns: readonly Sql[],
  moment: Sql,
  place: DiscountIndex | null,
): Sql {
  const columnList = joinSql(columns, ', ')
  if (!place?.areas.length) return sql`select ${columnList}, false as is_discounted from (${rows})`
  const { from, until, indexes } = place
  // Whether one of the areas that contain the place applied at that moment. Areas are numbered from 1.
  const isDiscounted = sql`
    arrayExists(
      area ->
        ${moment} >= arrayElement(${bindInt64s(from)}, area)
        and ${moment} < arrayElement(${bindInt64s(until)}, area),
      areas
    )`
  const rowsInAreas = inAreas(sql`select ${columnList} from (${rows})`, indexes)
  return sql`
    select
      ${columnList},
      ${isDiscounted} as is_discounted
    from (${rowsInAreas})`
}
