import { type MdsDay, mdsDays } from '../mds-policy.ts'
import type { FeeProperties, PriceBand, PriceDay } from '../policy.ts'

const daysOfWeek = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

const keyOf = (prices: FeeProperties['prices'], at: number): PriceDay | null => {
  const candidates: readonly (PriceDay | undefined)[] = [
    daysOfWeek[at],
    at >= 1 && at <= 5 ? 'weekday' : undefined,
    'all',
  ]
  return candidates.find((key) => key !== undefined && prices[key]?.length) ?? null
}

/** Which bands hold on which days of the week, each day in one list: its own table before that of the weekdays, that before the one for all. */
export function bandsByDays(
  prices: FeeProperties['prices'],
): { days: MdsDay[]; bands: readonly PriceBand[] }[] {
  const lists = new Map<PriceDay, MdsDay[]>()
  mdsDays.forEach((day, at) => {
    const key = keyOf(prices, at)
    if (key) lists.set(key, [...(lists.get(key) ?? []), day])
  })
  return [...lists].map(([key, days]) => ({ days, bands: prices[key] ?? [] }))
}

/** The bands of a local day by its ISO weekday, Monday 1 to Sunday 7. */
export const bandsOfDay = (prices: FeeProperties['prices'], weekday: number): readonly PriceBand[] => {
  const key = keyOf(prices, weekday % 7)
  return key ? (prices[key] ?? []) : []
}
