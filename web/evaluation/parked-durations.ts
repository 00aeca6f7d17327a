import type { TFunction } from 'i18next'
import { formatNumber } from '#web/kit/format.ts'

/** Minutes that layers without filters of their own offer (2-map-and-data, section 9). */
const usual: readonly number[] = [1440, 2880, 4320, 14_400]
/** The longest that is said in hours. */
const longestInHours = 4320

/** The lengths that a layer offers, and the one that was chosen. */
export const parkedDurations = (offered: readonly number[], chosen: number | undefined): number[] =>
  [
    ...new Set([...(offered.length > 0 ? offered : usual), ...(chosen === undefined ? [] : [chosen])]),
  ].toSorted((a, b) => a - b)

/** Minutes in hours up to three days, in days above. */
export function durationText(t: TFunction, minutes: number): string {
  const isHours = minutes <= longestInHours
  const count = minutes / (isHours ? 60 : 1440)
  return t(`evaluation:parked.${isHours ? 'hours' : 'days'}`, { count, shown: formatNumber(count) })
}
