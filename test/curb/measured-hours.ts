// Measured occupancy of zones by day, put into the fact store.
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'

export interface MeasuredHours {
  zoneId: string
  from: string
  until: string
  /** Share by hour of the day; the zone is open in these hours, and they are known. */
  shares: Readonly<Record<number, number>>
  capacity: number
}

/** Adds days with a measured occupancy, from one to another. */
export async function addMeasuredHours(
  facts: Facts,
  regionId: string,
  zones: readonly MeasuredHours[],
): Promise<void> {
  const list = (valueOf: (hour: number) => number): string =>
    `[${Array.from({ length: 24 }, (_, hour) => Math.round(valueOf(hour))).join(',')}]`
  const lines = zones.flatMap(({ zoneId, from, until, shares, capacity }) => {
    const space = capacity * 3600
    const seconds = [
      list(() => space),
      list((hour) => (shares[hour] === undefined ? 0 : space)),
      list((hour) => (shares[hour] ?? 0) * space),
    ]
    return Array.from({ length: dayNumber(until) - dayNumber(from) + 1 }, (_, at) =>
      [
        regionId,
        'measured',
        dayFromNumber(dayNumber(from) + at),
        zoneId,
        'sensor',
        'marked',
        capacity,
        ...seconds,
        0,
        1,
      ].join('\t'),
    )
  })
  await facts.insert(systemScope, 'curb_occupancy_days', {
    columns: [
      'region_id',
      'kind',
      'day',
      'zone_id',
      'source',
      'basis',
      'capacity',
      'open_s',
      'known_s',
      'occupied_s',
      'is_deleted',
      'version',
    ],
    regionId,
    lines: Buffer.from(`${lines.join('\n')}\n`),
  })
}
