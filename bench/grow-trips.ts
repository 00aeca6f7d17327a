import { tripLineColumns } from '#server/ingest/trip-lines.ts'
import { bind, facts, identifier, joinSql, sql } from '#server/stores/sql.ts'
import type { Bench } from './open-bench.ts'

const step = 2_000_000

/** Brings the region's trips to a number: fewer by removal, more by copies whose places are moved by up to some 50 metres. */
export async function growTrips({ app, scope, regionId }: Bench, wanted: number): Promise<void> {
  const count = async (): Promise<number> =>
    Number(
      (
        await app.facts.rows<{ n: string }>(
          scope,
          sql`select count() as n from ${facts('trips')} where region_id = ${bind('String', regionId)}`,
        )
      )[0]?.n,
    )
  let there = await count()
  if (there > wanted) {
    await app.facts.remove(
      scope,
      'trips',
      sql`trip_id not in (select trip_id from ${facts('trips')} order by trip_id limit ${bind('UInt64', wanted)})`,
    )
    return
  }
  while (there < wanted) {
    const moved: Record<string, ReturnType<typeof sql>> = {
      trip_id: sql`generateUUIDv4()`,
      start_lon: sql`start_lon + randUniform(-0.0005, 0.0005, 1)`,
      start_lat: sql`start_lat + randUniform(-0.0005, 0.0005, 2)`,
      end_lon: sql`end_lon + randUniform(-0.0005, 0.0005, 3)`,
      end_lat: sql`end_lat + randUniform(-0.0005, 0.0005, 4)`,
    }
    const columns = tripLineColumns.map((name) => moved[name] ?? identifier(name))
    await app.facts.add(
      scope,
      'trips',
      tripLineColumns,
      sql`select ${joinSql(columns, ', ')} from (select * from ${facts('trips')} limit ${bind('UInt64', Math.min(step, wanted - there))})`,
    )
    there = await count()
  }
}
