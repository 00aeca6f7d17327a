import type { SpatialAggregation } from '#contract/spatial.ts'
import { Problem } from '#server/http/problem.ts'
import { tripsByShape, groupByColumn, type ByShape, tripsWithShapes } from '../queries/trips-by-shape.ts'
import { type Mode, type SumRow, sumOf } from './mode.ts'
import { bind, latest, type Sql, sql, joinSql } from '#server/stores/sql.ts'
import { tripFilterSql } from '#server/mobility/trip-filter-sql.ts'
import { allShapes } from '#server/mobility/cubes/cube-columns.ts'

/** Trips by the shapes that they touch. */
interface IntersectionFilters extends ByShape {
  /** The list in `way_shapes` that knows the ways of the asked days. */
  listId: string
}

/**
 * Trips by shape that they touch: by their ways, and by both of their ends where no way is known. A trip counts once in each shape, under 0 where it touches
 * none, and once under ALL_SHAPES_ID; with a selected shape only those that touch it. `with_way`: of them those with a way.
 */
export function tripsByIntersectedShape({
  listId,
  filters,
  indexes,
  selected,
  ...by
}: IntersectionFilters): Sql {
  const groupBy = groupByColumn(by)
  const routes = sql`from ${latest('way_shapes')} where list_id = ${bind('UUID', listId)} and ${tripFilterSql(filters)}`
  const keys = joinSql([...(groupBy ? [groupBy.name] : []), sql`shapes`], ', ')
  const known = sql`select ${joinSql([...(groupBy ? [sql`${groupBy.column} as ${groupBy.name}`] : []), sql`shapes`, sql`count() as n`, sql`1 as has_way`], ', ')} ${routes} group by ${keys}`
  const ends = tripsWithShapes({
    filters,
    indexes,
    ...by,
    only: sql`(local_date, operator, trip_id) not in (select local_date, operator, trip_id ${routes})`,
  })
  const unknown = sql`select ${keys}, n, 0 as has_way from (select *, arraySort(arrayFilter(shape -> shape > 0, arrayDistinct(arrayConcat(os, ds)))) as shapes from (${ends}))`
  const outputColumns = joinSql([...(groupBy ? [groupBy.name] : []), sql`shape`], ', ')
  return sql`
  select ${outputColumns}, sum(trips.n) as passing, sum(trips.n * trips.has_way) as with_way
  from (
    select *, arrayJoin(arrayPushBack(if(empty(shapes), [toUInt32(0)], shapes), ${bind('UInt32', allShapes)})) as shape
    from (${known} union all ${unknown})
    ${selected === null ? sql`` : sql`where has(shapes, ${bind('UInt32', selected)})`}
  ) as trips
  group by ${outputColumns} order by ${outputColumns}`
}

/** As the extents of the other maps; the local days of trips are stored. */
const tripsExtentIn = (regionId: string): Sql =>
  sql`select count() as facts, toString(min(local_date)) as first_day, toString(max(local_date)) as last_day, arraySort(groupUniqArray(operator)) as operators, arraySort(groupUniqArray(vehicle_type)) as vehicle_types
from ${latest('trips')} where region_id = ${bind('String', regionId)}`

const mean = (rows: readonly SumRow[], side: 'orig' | 'dest'): { value: number | null; n: number } => {
  const n = sumOf(rows, `${side}_measured`)
  return { value: n ? sumOf(rows, `${side}_metres`) / n : null, n }
}

const counted = (n: number, days = 1): { value: number | null; n: number } => ({
  value: days ? n / days : null,
  n,
})

/** Trips that touch, `n` of them; with a known way, and without, which count by their ends. */
const intersectingFigures = (rows: readonly SumRow[]) => {
  const [passing, withWay] = [sumOf(rows, 'passing'), sumOf(rows, 'with_way')]
  return { value: passing, n: passing, counts: { with_way: withWay, without_way: passing - withWay } }
}

/**
 * Trips by where they start and end, or by the shapes that they touch. A trip counts in the day and hour in which it starts. `n`: trips; of distances
 * those that were measured.
 */
export const trips: Mode = {
  name: 'trips',
  check(aggregation, layer) {
    if (aggregation === 'intersect' && !layer.intersect_route)
      throw new Problem(
        'validation_error',
        'This layer is not set up for routes: switch on trips that pass through in its settings.',
      )
  },
  unitOf: (aggregation) =>
    aggregation.startsWith('daily')
      ? 'trips_per_day'
      : aggregation.startsWith('average')
        ? 'metres'
        : 'trips',
  isMean: (aggregation) => aggregation.startsWith('average'),
  // The same rows hold all aggregations but this one.
  basis: ({ aggregation }) => (aggregation === 'intersect' ? aggregation : null),
  needsRoutes: (aggregation) => aggregation === 'intersect',
  query({ aggregation, filters, bucket }, { listId, ...placing }) {
    const asked = { filters, ...placing, byDay: bucket === 'day', byHour: bucket === 'hour_of_day' }
    if (aggregation !== 'intersect') return tripsByShape(asked)
    if (listId === undefined) throw new Error('The ways are not known')
    return tripsByIntersectedShape({ ...asked, listId })
  },
  routeCounts(aggregation, whole) {
    if (aggregation !== 'intersect') return null
    const { with_way, without_way } = intersectingFigures(whole).counts
    return { trips_with_way: with_way, trips_without_way: without_way }
  },
  figures(aggregation, { rows, span }) {
    if (aggregation === 'intersect') return intersectingFigures(rows)
    const [orig, dest, count] = [sumOf(rows, 'orig'), sumOf(rows, 'dest'), sumOf(rows, 'either')]
    const values: Partial<Record<SpatialAggregation, { value: number | null; n: number }>> = {
      origins: counted(orig),
      destinations: counted(dest),
      daily_origins: counted(orig, span.days),
      daily_destinations: counted(dest, span.days),
      orig_or_dest: counted(count),
      average_origin_distance: mean(rows, 'orig'),
      average_destination_distance: mean(rows, 'dest'),
    }
    return { ...(values[aggregation] ?? { value: null, n: 0 }), counts: { orig, dest, count } }
  },
  extent: tripsExtentIn,
}
