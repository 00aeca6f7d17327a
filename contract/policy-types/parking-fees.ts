import { isAmount, toMinor } from '../money.ts'
import type { FeeProperties, PriceBand, PriceDay } from '../policy.ts'
import type { PolicyFaults, PolicyType } from './policy-type.ts'
import { parkedStates } from './mds-states.ts'
import { type MdsDay, mdsDays } from '../mds-policy.ts'

const daysOfWeek = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

const priceKey = (prices: FeeProperties['prices'], at: number): PriceDay | null => {
  const candidates: readonly (PriceDay | undefined)[] = [
    daysOfWeek[at],
    at >= 1 && at <= 5 ? 'weekday' : undefined,
    'all',
  ]
  return candidates.find((key) => key !== undefined && prices[key]?.length) ?? null
}

/**
 * Groups weekdays by the table that applies to them: the table of the day, else of Monday to Friday, else of
 * all days.
 */
function bandsByDays(prices: FeeProperties['prices']): { days: MdsDay[]; bands: readonly PriceBand[] }[] {
  const lists = new Map<PriceDay, MdsDay[]>()
  mdsDays.forEach((day, at) => {
    const key = priceKey(prices, at)
    if (key) lists.set(key, [...(lists.get(key) ?? []), day])
  })
  return [...lists].map(([key, days]) => ({ days, bands: prices[key] ?? [] }))
}

/** Price bands of an ISO weekday, Monday 1 to Sunday 7. */
export const bandsOfDay = (prices: FeeProperties['prices'], weekday: number): readonly PriceBand[] => {
  const key = priceKey(prices, weekday % 7)
  return key ? (prices[key] ?? []) : []
}

const startsAt = (time: string | null): string => time ?? '00:00:00'
const endsAt = (time: string | null): string => (time === null || time === '00:00:00' ? '24:00:00' : time)

function scheduleFault({ prices }: FeeProperties, currency: string): PolicyFaults {
  const tables = Object.values(prices).filter((bands) => bands.length)
  if (!tables.length) return { prices: 'one_row' }
  for (const bands of tables) {
    if (bands.some(({ price }) => price === null)) return { prices: 'required' }
    if (bands.some(({ price }) => !isAmount(price ?? 0, currency))) return { prices: 'amount' }
    const sorted = [...bands].sort((a, b) => startsAt(a.start_time).localeCompare(startsAt(b.start_time)))
    if (
      sorted.some(
        (band, at) =>
          startsAt(band.start_time) >= endsAt(band.end_time) ||
          (at > 0 && startsAt(band.start_time) < endsAt(sorted[at - 1]?.end_time ?? null)),
      )
    )
      return { prices: 'times_overlap' }
  }
  return {}
}

function durationFault({ prices_by_duration: rows }: FeeProperties, currency: string): PolicyFaults {
  if (!rows.length) return { prices_by_duration: 'one_row' }
  if (rows.some(({ price }) => price === null)) return { prices_by_duration: 'required' }
  if (rows.some(({ price }) => !isAmount(price ?? 0, currency))) return { prices_by_duration: 'amount' }
  if (rows.some(({ start_duration: from, end_duration: until }) => until !== null && until <= from))
    return { prices_by_duration: 'duration_order' }
  const sorted = [...rows].sort((a, b) => a.start_duration - b.start_duration)
  return sorted.some((row, at) => at > 0 && row.start_duration !== sorted[at - 1]?.end_duration)
    ? { prices_by_duration: 'durations_overlap' }
    : {}
}

/** Fee of the operator for parking: per event, by time of day, or by duration. */
export const parkingFees: PolicyType = {
  name: 'parking_fees',
  group: 'parking',
  countsBased: false,
  timeframeUnit: 'hours',
  isFee: true,
  place: 'shapes',
  units: [],
  offeredFields: ({ fee_properties: { parking_fee_type: type } }) => {
    if (type === 'variable_price_schedule') return ['parking_fee_type', 'prices']
    return [
      'parking_fee_type',
      type === 'variable_price_parking_duration' ? 'prices_by_duration' : 'value',
      'start_time',
      'end_time',
      'days',
    ]
  },
  requiredFields: ({ fee_properties: { parking_fee_type: type } }) => ({
    parking_fee_type: 'required',
    ...(type === 'fixed_price_per_event' ? { value: 'required' } : {}),
  }),
  initialFields: () => ({ parking_fee_type: 'fixed_price_per_event' }),
  faults: ({ fee_properties: fee }, { currency }) =>
    fee.parking_fee_type === 'variable_price_schedule'
      ? scheduleFault(fee, currency)
      : fee.parking_fee_type === 'variable_price_parking_duration'
        ? durationFault(fee, currency)
        : {},
  measure: () => ({ kind: 'fee' }),
  // As in the official examples: an event by its trip_end, a time of day by each completed hour, a duration
  // on leaving.
  mdsRules: ({ policy_name: name, value, fee_properties: fee }, { currency }) => {
    if (fee.parking_fee_type === 'variable_price_schedule')
      return bandsByDays(fee.prices).flatMap(({ days, bands }) =>
        bands.map((band) => ({
          name,
          rule_type: 'time',
          rule_units: 'hours',
          states: parkedStates,
          rate_amount: toMinor(band.price ?? 0, currency),
          rate_recurrence: 'per_complete_time_unit',
          rate_applies_when: 'in_bounds' as const,
          start_time: startsAt(band.start_time),
          end_time: endsAt(band.end_time) === '24:00:00' ? '23:59:59' : band.end_time,
          ...(days.length < 7 ? { days } : {}),
        })),
      )
    if (fee.parking_fee_type === 'variable_price_parking_duration')
      return [...fee.prices_by_duration]
        .sort((a, b) => b.start_duration - a.start_duration)
        .map(({ start_duration: from, end_duration: until, price }) => ({
          name: until === null ? `${name}: ${from} minutes or more` : `${name}: ${from} to ${until} minutes`,
          rule_type: 'time',
          rule_units: 'minutes',
          states: parkedStates,
          minimum: from,
          ...(until === null ? {} : { maximum: until, inclusive_maximum: false }),
          rate_amount: toMinor(price ?? 0, currency),
          rate_recurrence: 'once_on_unmatch',
          rate_applies_when: 'in_bounds' as const,
        }))
    return [
      {
        name,
        rule_type: 'count',
        rule_units: 'devices',
        states: { available: ['trip_end'] },
        rate_amount: toMinor(value ?? 0, currency),
        rate_recurrence: 'once_on_match',
        rate_applies_when: 'in_bounds',
      },
    ]
  },
}
