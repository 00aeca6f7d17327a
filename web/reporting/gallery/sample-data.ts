import { dataColors } from '#web/kit/theme.ts'

/** Made-up trips of one operator. */
interface OperatorSample {
  slug: string
  name: string
  color: string
  /** Trips by day; null while the feed failed. */
  trips: (number | null)[]
  /** Trips on the same days of the previous period. */
  before: (number | null)[]
}

export interface Sample {
  days: readonly string[]
  operators: readonly OperatorSample[]
  /** Trips of all operators by day; null if one of them is unknown. */
  totals: readonly (number | null)[]
  /** Trips by weekday and hour. */
  week: readonly (readonly (number | null)[])[]
}

/** Returns a wave around a mean, which resembles a week without randomness. */
const wave = (length: number, mean: number, from: number): number[] =>
  Array.from({ length }, (_, day) => Math.round(mean * (1 + 0.35 * Math.sin((day + from) * 0.9))))

const days = Array.from({ length: 24 }, (_, day) => `Nov ${day + 1}`)
const withGap = (values: number[], from: number, to: number): (number | null)[] =>
  values.map((value, index) => (index >= from && index < to ? null : value))

const operators: readonly OperatorSample[] = [
  {
    slug: 'glide',
    name: 'Glide',
    color: dataColors.light.categorical[0]!,
    trips: withGap(wave(24, 820, 0), 9, 12),
    before: wave(24, 760, 2),
  },
  {
    slug: 'hop',
    name: 'Hop',
    color: dataColors.light.categorical[1]!,
    trips: wave(24, 410, 3),
    before: wave(24, 450, 5),
  },
]

const sumTotals = (selected: readonly OperatorSample[]): (number | null)[] =>
  days.map((_, day) =>
    selected.reduce<number | null>((total, { trips }) => {
      const value = trips[day] ?? null
      return total === null || value === null ? null : total + value
    }, 0),
  )

export const sample: Sample = {
  days,
  operators,
  totals: sumTotals(operators),
  week: Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (__, hour) =>
      day === 6 && hour < 5
        ? null
        : Math.round(
            Math.max(0, 60 * Math.sin(((hour - 5) / 19) * Math.PI) + (day > 4 ? 10 : 25) * Math.sin(hour)),
          ),
    ),
  ),
}

/** Returns the sample, optionally of some operators only. */
export function sampleFor(slugs: readonly string[]): Sample {
  const selected = operators.filter(({ slug }) => slugs.length === 0 || slugs.includes(slug))
  return { ...sample, operators: selected, totals: sumTotals(selected) }
}
