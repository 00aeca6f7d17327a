import type { TFunction } from 'i18next'
import { formatNumber } from '#web/kit/format.ts'

/** Durations in minutes for layers that define none. */
const defaultDurations: readonly number[] = [1440, 2880, 4320, 14_400]
/** Longer durations are shown in days. */
const maxMinutesInHours = 4320

/** Returns the durations that a layer offers, and the chosen one. */
export const parkedDurations = (layerDurations: readonly number[], selected: number | undefined): number[] =>
  [
    ...new Set([
      ...(layerDurations.length > 0 ? layerDurations : defaultDurations),
      ...(selected === undefined ? [] : [selected]),
    ]),
  ].toSorted((a, b) => a - b)

/** Formats a duration: in hours up to three days, in days above. */
export function formatParkedDuration(t: TFunction, minutes: number): string {
  const isHours = minutes <= maxMinutesInHours
  const count = minutes / (isHours ? 60 : 1440)
  return t(`evaluation:parked.${isHours ? 'hours' : 'days'}`, { count, shown: formatNumber(count) })
}
