import { qualityFlagNames, qualityFlags } from '#contract/mobility.ts'
import { bind, joinSql, latest, sql } from '#server/stores/sql.ts'
import { type FactSource, numberColumn, type Selection } from './export-source.ts'

/** Builds the SQL conditions for trips of a selection. The period is by local day, as in reports. */
const tripConditions = ({ regionId, period, operators, vehicleTypes }: Selection) =>
  joinSql(
    [
      sql`region_id = ${bind('String', regionId)}`,
      ...(period
        ? [sql`local_date >= ${bind('Date', period.first)}`, sql`local_date <= ${bind('Date', period.last)}`]
        : []),
      ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
      ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
    ],
    ' and ',
  )

const flagNames = bind('Array(String)', qualityFlagNames)
const flagBits = bind(
  'Array(UInt32)',
  qualityFlagNames.map((name) => 1 << qualityFlags[name].bit),
)

export const trips: FactSource = {
  kind: 'facts',
  rows: (selection) => sql`
  select
    toString(trip_id) as trip_id,
    operator,
    vehicle_type,
    vehicle_id,
    start_time,
    end_time,
    local_date,
    local_hour,
    ${numberColumn(sql`start_lon`)} as start_lon,
    ${numberColumn(sql`start_lat`)} as start_lat,
    ${numberColumn(sql`end_lon`)} as end_lon,
    ${numberColumn(sql`end_lat`)} as end_lat,
    ${numberColumn(sql`distance_m`)} as distance_m,
    ${numberColumn(sql`duration_s`)} as duration_s,
    if(quality = 0, '', arrayStringConcat(arrayFilter((name, bit) -> bitAnd(quality, bit) > 0, ${flagNames}, ${flagBits}), ' ')) as quality_flags,
    source
  from ${latest('trips')}
  where ${tripConditions(selection)}`,
}
