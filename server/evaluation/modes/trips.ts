import type { SpatialAggregation } from '#contract/spatial.ts'
import { Problem } from '#server/http/problem.ts'
import { ALL_SHAPES_ID, NO_SHAPE_ID, tripCounts, tripSums } from '#server/fleet/cubes/cube-columns.ts'
import { tripFilterCondition } from '#server/fleet/trip-filter-sql.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import {
  groupByColumns,
  tripsByShapeSql,
  type TripsByShapeQuery,
  tripsWithShapesSql,
} from '#server/fleet/trips-by-shape.ts'
import { type Mode, type SumRow, sumRows } from './mode.ts'

interface IntersectionQuery extends TripsByShapeQuery {
  /** The list in `way_shapes` with the routes of the period. */
  listId: string
}

/**
 * Builds SQL for the trips by intersected shape: by their routes or, if the route is unknown, by their two ends. A
 * trip counts once in each shape, under NO_SHAPE_ID if it intersects none, and once under ALL_SHAPES_ID. With
 * a selected shape, only trips that intersect it are counted. `passing`: all trips; `with_route`: those with
 * a known route.
 */
export function tripsByIntersectedShapeSql({
  listId,
  filters,
  indexes,
  selected,
  ...groupBy
}: IntersectionQuery): Sql {
  const groups = groupByColumns(groupBy)
  const [bucket] = groups
  const group = bucket ? sql`${bucket.name}, ` : sql``
  const groupColumn = bucket ? sql`${bucket.column} as ${bucket.name}, ` : sql``
  const routes = sql`from ${latest('way_shapes')} where list_id = ${bind('UUID', listId)} and ${tripFilterCondition(filters)}`
  const withRoute = sql`
      select ${groupColumn}shapes, count() as n, 1 as has_route ${routes}
      group by ${group}shapes`
  const ends = tripsWithShapesSql({
    conditions: sql`${tripFilterCondition(filters)} and (local_date, operator, trip_id) not in (select local_date, operator, trip_id ${routes})`,
    indexes,
    groups,
  })
  const withoutRoute = sql`
      select ${group}shapes, n, 0 as has_route
      from (
        select *, arraySort(arrayFilter(shape -> shape > 0, arrayDistinct(arrayConcat(origin_shapes, destination_shapes)))) as shapes
        from (${ends})
      )`
  return sql`
select ${group}shape, sum(trips.n) as passing, sum(trips.n * trips.has_route) as with_route
from (
  select *, arrayJoin(arrayPushBack(if(empty(shapes), [${bind('UInt32', NO_SHAPE_ID)}], shapes), ${bind('UInt32', ALL_SHAPES_ID)})) as shape
  from (${withRoute}
      union all ${withoutRoute}
  )
  ${selected === null ? sql`` : sql`where has(shapes, ${bind('UInt32', selected)})`}
) as trips
group by ${group}shape
order by ${group}shape`
}

/** Returns the extent of trips. Their local days are stored, so `extentSql` is not needed. */
const tripsExtentSql = (regionId: string): Sql => sql`
  select
    count() as facts,
    toString(min(local_date)) as first_day,
    toString(max(local_date)) as last_day,
    arraySort(groupUniqArray(operator)) as operators,
    arraySort(groupUniqArray(vehicle_type)) as vehicle_types
  from ${latest('trips')}
  where region_id = ${bind('String', regionId)}`

const computeMeanDistance = (
  rows: readonly SumRow[],
  side: 'orig' | 'dest',
): { value: number | null; n: number } => {
  const n = sumRows(rows, `${side}_measured`)
  return { value: n ? sumRows(rows, `${side}_mm`) / 1000 / n : null, n }
}

const countPerDay = (n: number, days = 1): { value: number | null; n: number } => ({
  value: days ? n / days : null,
  n,
})

/** Computes figures of `intersect`: all trips, those with a route, and those without, counted by ends. */
const computeIntersectFigures = (rows: readonly SumRow[]) => {
  const passing = sumRows(rows, 'passing')
  const withRoute = sumRows(rows, 'with_route')
  return { value: passing, n: passing, counts: { with_way: withRoute, without_way: passing - withRoute } }
}

/**
 * Trips by origin and destination, or by the shapes that they intersect. A trip counts in the day and hour in
 * which it starts. `n`: trips; for mean distances, trips with a plausible distance.
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
  getUnit(aggregation) {
    if (aggregation.startsWith('daily')) return 'trips_per_day'
    return aggregation.startsWith('average') ? 'meters' : 'trips'
  },
  isMean: (aggregation) => aggregation.startsWith('average'),
  // Only `intersect` has its own query. The other aggregations use different sums of the same rows.
  basis: ({ aggregation }) => (aggregation === 'intersect' ? aggregation : null),
  needsRoutes: (aggregation) => aggregation === 'intersect',
  query({ aggregation, filters, bucket }, { listId, ...lookup }) {
    const query = { filters, ...lookup, byDay: bucket === 'day', byHour: bucket === 'hour_of_day' }
    if (aggregation !== 'intersect') return tripsByShapeSql(query)
    if (listId === undefined) throw new Error('The routes of the period are not indexed')
    return tripsByIntersectedShapeSql({ ...query, listId })
  },
  cubed: ({ aggregation }) =>
    aggregation === 'intersect'
      ? null
      : {
          sums: Object.fromEntries(
            (aggregation.startsWith('average') ? tripSums : tripCounts).map((name) => [name, name]),
          ),
          byOperator: false,
        },
  routeCounts(aggregation, regionRows) {
    if (aggregation !== 'intersect') return null
    const { with_way, without_way } = computeIntersectFigures(regionRows).counts
    return { trips_with_way: with_way, trips_without_way: without_way }
  },
  figures(aggregation, { rows, span }) {
    if (aggregation === 'intersect') return computeIntersectFigures(rows)
    const orig = sumRows(rows, 'orig')
    const dest = sumRows(rows, 'dest')
    const either = sumRows(rows, 'either')
    const values: Partial<Record<SpatialAggregation, { value: number | null; n: number }>> = {
      origins: countPerDay(orig),
      destinations: countPerDay(dest),
      daily_origins: countPerDay(orig, span.days),
      daily_destinations: countPerDay(dest, span.days),
      orig_or_dest: countPerDay(either),
      average_origin_distance: computeMeanDistance(rows, 'orig'),
      average_destination_distance: computeMeanDistance(rows, 'dest'),
    }
    return { ...(values[aggregation] ?? { value: null, n: 0 }), counts: { orig, dest, count: either } }
  },
  extent: tripsExtentSql,
}
