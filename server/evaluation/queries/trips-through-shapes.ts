import { tripFilterSql } from '#server/mobility/trip-filter-sql.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { apartOf, type ByShape, tripsWithEnds } from './trips-by-shape.ts'
import { allShapes } from '#server/mobility/cubes/cube-columns.ts'

/** Trips by the shapes that they touch. */
export interface ThroughShapes extends ByShape {
  /** The list in `way_shapes` that knows the ways of the asked days. */
  listId: string
}

/**
 * Trips by shape that they touch: by their ways, and by both of their ends where no way is known. A trip counts once in each shape, under 0 where it touches
 * none, and once under allShapes; with a selected shape only those that touch it. `with_way`: of them those with a way.
 */
export function tripsThroughShapes({ listId, filters, indexes, selected, ...by }: ThroughShapes): Sql {
  const apart = apartOf(by)
  const ways = sql`from ${latest('way_shapes')} where list_id = ${bind('UUID', listId)} and ${tripFilterSql(filters)}`
  const keys = joinSql([...(apart ? [apart.name] : []), sql`shapes`], ', ')
  const known = sql`select ${joinSql([...(apart ? [sql`${apart.of} as ${apart.name}`] : []), sql`shapes`, sql`count() as n`, sql`1 as has_way`], ', ')} ${ways} group by ${keys}`
  const ends = tripsWithEnds({
    filters,
    indexes,
    ...by,
    only: sql`(local_date, operator, trip_id) not in (select local_date, operator, trip_id ${ways})`,
  })
  const unknown = sql`select ${keys}, n, 0 as has_way from (select *, arraySort(arrayFilter(shape -> shape > 0, arrayDistinct(arrayConcat(os, ds)))) as shapes from (${ends}))`
  const told = joinSql([...(apart ? [apart.name] : []), sql`shape`], ', ')
  return sql`
  select ${told}, sum(trips.n) as passing, sum(trips.n * trips.has_way) as with_way
  from (
    select *, arrayJoin(arrayPushBack(if(empty(shapes), [toUInt32(0)], shapes), ${bind('UInt32', allShapes)})) as shape
    from (${known} union all ${unknown})
    ${selected === null ? sql`` : sql`where has(shapes, ${bind('UInt32', selected)})`}
  ) as trips
  group by ${told} order by ${told}`
}
