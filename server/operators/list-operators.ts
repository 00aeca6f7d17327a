import type { z } from 'zod'
import { getDefaultOperatorName, type Operator, type OperatorOrder } from '#contract/operators.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'

/** Default colors of operators, by their position in the result of `findOperatorSlugs`. */
const defaultColors = ['#3366CC', '#D9731A', '#7A3E9D', '#B0A000', '#C2366B', '#2B8C4F', '#6B5B4B', '#4A90A4']

interface OperatorsQuery {
  region_id?: string | undefined
  /** Only operators that have vehicles, as the live map shows them. */
  forLiveMap?: boolean
  orderBy: z.output<typeof OperatorOrder>
  page: number
  size: number
}

/** The query for all operators on one page. */
export const allOperators = { orderBy: 'name', page: 1, size: 1000 } as const

/** Finds the slugs of the operators with rows in a table of the fact store, sorted. */
async function findOperatorsIn(
  facts: Facts,
  scope: Scope,
  table: 'trips' | 'vehicles' | 'vehicle_snapshots',
  regionId: string | undefined,
): Promise<string[]> {
  const regionClause = regionId === undefined ? sql`` : sql`where region_id = ${bind('String', regionId)}`
  const rows = await facts.rows<{ operator: string }>(
    scope,
    sql`select distinct operator from ${factTable(table)} ${regionClause} order by operator`,
  )
  return rows.map(({ operator }) => operator)
}

/**
 * Finds the slugs of the operators that sent vehicles by MDS or in GBFS snapshots (`vehicles`), and of those
 * that sent vehicles or trips (`all`).
 */
export async function findSendingOperators(
  facts: Facts,
  scope: Scope,
  regionId?: string,
): Promise<{ vehicles: string[]; all: string[] }> {
  const [trips, fleets, snapshots] = await Promise.all(
    (['trips', 'vehicles', 'vehicle_snapshots'] as const).map((table) =>
      findOperatorsIn(facts, scope, table, regionId),
    ),
  )
  const vehicles = [...new Set([...(fleets ?? []), ...(snapshots ?? [])])]
  return { vehicles, all: [...new Set([...(trips ?? []), ...vehicles])].toSorted() }
}

/**
 * Finds the slugs of the operators of the viewer's regions, or of one region: those that sent data, then
 * others that users named or that have feeds. `named`: rows of those that users named.
 */
export async function findOperatorSlugs(
  state: State,
  facts: Facts,
  scope: Scope,
  regionId: string | undefined,
) {
  if (regionId !== undefined) await findRegion(state, scope, regionId)
  const storedOperators = await state.as(scope).selectFrom('operator').selectAll().execute()
  let feedQuery = state
    .as(scope)
    .selectFrom('feed')
    .select('operator')
    .distinct()
    .where('operator', 'is not', null)
  if (regionId !== undefined) feedQuery = feedQuery.where('region_id', '=', regionId)
  const [sending, feedRows] = await Promise.all([
    findSendingOperators(facts, scope, regionId),
    feedQuery.execute(),
  ])
  const otherSlugs = [
    ...storedOperators.map(({ slug }) => slug),
    ...feedRows.map(({ operator }) => operator ?? ''),
  ].filter((slug) => canReadOperator(scope, slug))
  return { slugs: [...new Set([...sending.all, ...otherSlugs.toSorted()])], named: storedOperators, sending }
}

/** Returns a page of the operators of one or all of the Scope's regions. Missing names come from slugs. */
export async function listOperators(state: State, facts: Facts, scope: Scope, query: OperatorsQuery) {
  const { slugs, named, sending } = await findOperatorSlugs(state, facts, scope, query.region_id)
  const operators = slugs.map((slug, index): Operator => {
    const row = named.find((operator) => operator.slug === slug)
    return {
      slug,
      name: row?.name ?? getDefaultOperatorName(slug),
      colorHex: row?.color_hex ?? defaultColors[index % defaultColors.length]!,
    }
  })
  const shownOperators = query.forLiveMap
    ? operators.filter(({ slug }) => sending.vehicles.includes(slug))
    : operators
  const key = query.orderBy.endsWith('slug') ? 'slug' : 'name'
  const direction = query.orderBy.startsWith('-') ? -1 : 1
  shownOperators.sort((a, b) => a[key].localeCompare(b[key]) * direction)
  return {
    items: shownOperators.slice((query.page - 1) * query.size, query.page * query.size),
    total: shownOperators.length,
    page: query.page,
    size: query.size,
  }
}
