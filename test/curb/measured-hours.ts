import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'

export interface MeasuredHours {
  zoneId: string
  from: string
  until: string
  /** Occupied share by hour. The zone is open and measured in these hours. */
  shares: Readonly<Record<number, number>>
  capacity: number
}

/** Stores days with measured occupancy. */
export async function addMeasuredHours(
  facts: Facts,
  regionId: string,
  zones: readonly MeasuredHours[],
): Promise<void> {
  const list = (getValue: (hour: number) => number): string =>
    `[${Array.from({ length: 24 }, (_, hour) => Math.round(getValue(hour))).join(',')}]`
  const lines = zones.flatMap(({ zoneId, from, until, shares, capacity }) => {
    const space = capacity * 3600
    const seconds = [
      list(() => space),
      list((hour) => (shares[hour] === undefined ? 0 : space)),
      list((hour) => (shares[hour] ?? 0) * space),
    ]
    return Array.from({ length: dayNumber(until) - dayNumber(from) + 1 }, (_, index) =>
      [
        regionId,
        'measured',
        dayFromNumber(dayNumber(from) + index),
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
