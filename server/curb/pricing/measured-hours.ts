import type { BandOccupancyRow } from '#contract/curb-pricing.ts'
import { dayNumber } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { cellsOf } from './zone-rates.ts'
import type { ReadBandOccupancy } from './propose-rates.ts'

interface ZoneSums {
  zone_id: string
  occupied: number
  space: number
  known: number
  days: number
}

/**
 * Measured occupancy of time bands from the hourly sums of sessions. Coverage is the share of the hours of the band, as
 * the sums do not know when zones are open. There is no paid or estimated occupancy here.
 */
export const readMeasuredHours =
  (facts: Facts): ReadBandOccupancy =>
  async (scope, question, signal) => {
    const { regionId, zoneIds, bands, dayTypes, from, until, excludedDays, kind } = question
    if (kind !== 'measured') return []
    const rows: BandOccupancyRow[] = []
    for (const { band, dayType } of cellsOf(
      bands.map((each) => ({ ...each, day_types: [] })),
      dayTypes,
    )) {
      const hours = Array.from({ length: 24 }, (_, hour) => hour)
      const weights = hours.map(
        (hour) => Math.max(0, Math.min(band.until, (hour + 1) * 60) - Math.max(band.from, hour * 60)) / 60,
      )
      const possible =
        countDays(from, until, dayType.weekdays, excludedDays) * weights.reduce((sum, each) => sum + each, 0)
      const found = await facts.rows<ZoneSums>(
        scope,
        sql`
          select
            zone_id,
            sum(occupied_hours * weight) as occupied,
            sum(space_hours * weight) as space,
            sumIf(weight, space_hours > 0) as known,
            uniqExactIf(day, space_hours > 0) as days
          from (
            select
              toString(zone_id) as zone_id,
              day,
              toFloat64(sum(occupied_ms)) as occupied_hours,
              toFloat64(sum(space_ms)) as space_hours,
              arrayElement(${bind('Array(Float64)', weights)}, toUInt32(hour_of_day) + 1) as weight
            from ${latest('curb_hours')}
            where region_id = ${bind('String', regionId)}
              and is_measured = 1
              and day between ${bind('Date', from)} and ${bind('Date', until)}
              and toString(day) not in ${bind('Array(String)', excludedDays)}
              and has(${bind('Array(UInt8)', dayType.weekdays)}, toDayOfWeek(day))
              and (${bind('UInt8', zoneIds === null ? 1 : 0)} = 1 or toString(zone_id) in ${bind('Array(String)', zoneIds ?? [])})
            group by zone_id, day, hour_of_day
          )
          where weight > 0
          group by zone_id`,
        { signal },
      )
      for (const { zone_id: zone, occupied, space, known, days } of found)
        rows.push({
          zone_id: zone,
          band: band.key,
          day_type: dayType.key,
          occupancy: Number(space) > 0 ? Number(occupied) / Number(space) : null,
          days: Number(days),
          coverage: possible > 0 ? Math.min(1, Number(known) / possible) : 0,
          capacity: Number(known) > 0 ? Number(space) / (Number(known) * 3_600_000) : null,
          kind,
          interval: null,
        })
    }
    return rows
  }

function countDays(
  from: string,
  until: string,
  weekdays: readonly number[],
  excluded: readonly string[],
): number {
  const without = new Set(excluded.map(dayNumber))
  let count = 0
  for (let day = dayNumber(from); day <= dayNumber(until); day++) {
    const weekday = ((((day + 3) % 7) + 7) % 7) + 1
    if (weekdays.includes(weekday) && !without.has(day)) count++
  }
  return count
}
