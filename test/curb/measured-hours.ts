// Measured occupancy by hour, put into the fact store.
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'

export interface MeasuredHours {
  zoneId: string
  from: string
  until: string
  /** Share by hour of the day; hours that are missing are unknown. */
  shares: Readonly<Record<number, number>>
  capacity: number
}

const hourMs = 3_600_000

/** Adds hours with a measured occupancy on all days from one to another. */
export async function addMeasuredHours(
  facts: Facts,
  regionId: string,
  zones: readonly MeasuredHours[],
): Promise<void> {
  const lines = zones.flatMap(({ zoneId, from, until, shares, capacity }) =>
    Array.from({ length: dayNumber(until) - dayNumber(from) + 1 }, (_, at) =>
      dayFromNumber(dayNumber(from) + at),
    ).flatMap((day) =>
      Object.entries(shares).map(([hour, share]) => {
        const instant = new Date(Date.parse(day) + (Number(hour) + 5) * hourMs)
        const time = instant.toISOString().slice(0, 19).replace('T', ' ')
        const space = capacity * hourMs
        return [regionId, day, time, hour, zoneId, 'sensor', 1, Math.round(share * space), space, 0, 1].join(
          '\t',
        )
      }),
    ),
  )
  await facts.insert(
    systemScope,
    'curb_hours',
    [
      'region_id',
      'day',
      'hour',
      'hour_of_day',
      'zone_id',
      'source_kind',
      'is_measured',
      'occupied_ms',
      'space_ms',
      'is_deleted',
      'version',
    ],
    regionId,
    Buffer.from(`${lines.join('\n')}\n`),
  )
}
