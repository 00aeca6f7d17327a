import { appendTo } from '../group-by.ts'
import { isAmount, toMinor } from '#contract/money.ts'
import type { FeeProperties, PriceBand, PriceDay } from '#contract/policy.ts'
import {
  discountOptions,
  amountOptions,
  writeFeeAsText,
  hasOptions,
  findOptionFaults,
  priceText,
} from './fee-options.ts'
import type { PolicyFaults, PolicyType } from './policy-type.ts'
import { parkedStates } from './mds-states.ts'
import { type MdsDay, mdsDays } from '#contract/mds-policy.ts'

const daysOfWeek = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** Finds the key of the price table for a day (0: Sunday): the day, else Monday to Friday, else all days. */
const findPriceKey = (prices: FeeProperties['prices'], dayIndex: number): PriceDay | null => {
  const candidates: readonly (PriceDay | undefined)[] = [
    daysOfWeek[dayIndex],
    dayIndex >= 1 && dayIndex <= 5 ? 'weekday' : undefined,
    'all',
  ]
  return candidates.find((key) => key !== undefined && prices[key]?.length) ?? null
}

/** Groups weekdays by the price table that applies to them. */
function groupDaysByTable(
  prices: FeeProperties['prices'],
): { days: MdsDay[]; bands: readonly PriceBand[] }[] {
  const daysByKey = new Map<PriceDay, MdsDay[]>()
  mdsDays.forEach((day, index) => {
    const key = findPriceKey(prices, index)
    if (key) appendTo(daysByKey, key, day)
  })
  return [...daysByKey].map(([key, days]) => ({ days, bands: prices[key] ?? [] }))
}

/** Returns the price bands of an ISO weekday, Monday 1 to Sunday 7. */
export const getPriceBands = (prices: FeeProperties['prices'], weekday: number): readonly PriceBand[] => {
  const key = findPriceKey(prices, weekday % 7)
  return key ? (prices[key] ?? []) : []
}

const startTimeText = (time: string | null): string => time ?? '00:00:00'
const endTimeText = (time: string | null): string =>
  time === null || time === '00:00:00' ? '24:00:00' : time

const daySeconds = 86_400
const toSeconds = (time: string): number =>
  time.split(':').reduce((seconds, digits) => seconds * 60 + Number(digits), 0)

/** Converts rows to ranges of seconds after midnight, by start. Overnight ranges end after 86,400. */
const toRanges = (rows: readonly PriceBand[]): { from: number; until: number }[] =>
  rows
    .map(({ start_time: start, end_time: end }) => {
      const [from, until] = [toSeconds(startTimeText(start)), toSeconds(endTimeText(end))]
      return { from, until: until > from ? until : until + daySeconds }
    })
    .toSorted((a, b) => a.from - b.from)

function findScheduleFault({ prices }: FeeProperties, currency: string): PolicyFaults {
  const tables = Object.values(prices).filter((bands) => bands.length)
  if (!tables.length) return { prices: 'one_row' }
  if (tables.flat().some(({ price }) => price === null)) return { prices: 'required' }
  if (tables.flat().some(({ price }) => !isAmount(price ?? 0, currency))) return { prices: 'amount' }
  if (tables.flat().some(({ start_time: start, end_time: end }) => startTimeText(start) === endTimeText(end)))
    return { prices: 'times_overlap' }
  // Rows of one day must not overlap, nor rows that run overnight and the rows of the next day.
  const days = daysOfWeek.map((_, index) => toRanges(getPriceBands(prices, index === 0 ? 7 : index)))
  const overlaps = days.some((today, index) => {
    const tomorrow = days[(index + 1) % 7] ?? []
    const ranges = [
      ...today,
      ...tomorrow.map(({ from, until }) => ({ from: from + daySeconds, until: until + daySeconds })),
    ]
    return ranges.some(({ from }, row) => row > 0 && from < (ranges[row - 1]?.until ?? 0))
  })
  return overlaps ? { prices: 'times_overlap' } : {}
}

/**
 * Sorts bands of minutes and closes gaps of one minute, because users write 0 to 30, 31 to 90 for 0 to 30, 30
 * to 90. Throws a RangeError with the fault if bands overlap, leave a larger gap, or do not define what
 * applies at the end.
 */
export function contiguousBands<Band extends { start: number; end: number | null }>(
  bands: readonly Band[],
  isFreeAfter: boolean,
): Band[] {
  const sorted = bands.toSorted((a, b) => a.start - b.start)
  if (sorted[0]?.start !== 0) throw new RangeError('begin after 0 minutes')
  const contiguous = sorted.map((band, index): Band => {
    const previous = sorted[index - 1]
    if (!previous) return band
    if (previous.end === null || band.start < previous.end)
      throw new RangeError(`overlap at ${band.start} minutes`)
    if (band.start - previous.end > 1)
      throw new RangeError(`have a gap from ${previous.end} to ${band.start} minutes`)
    return { ...band, start: previous.end }
  })
  if (contiguous.some(({ start, end }) => end !== null && end <= start))
    throw new RangeError('end before they start')
  const last = contiguous.at(-1)?.end ?? null
  if (last !== null && !isFreeAfter)
    throw new RangeError(`end at ${last} minutes: say what applies after that, or that it is free`)
  return contiguous
}

function findDurationFault(
  { prices_by_duration: rows, options: { is_free_after: isFreeAfter } }: FeeProperties,
  currency: string,
): PolicyFaults {
  if (!rows.length) return { prices_by_duration: 'one_row' }
  if (rows.some(({ price }) => price === null)) return { prices_by_duration: 'required' }
  if (rows.some(({ price }) => !isAmount(price ?? 0, currency))) return { prices_by_duration: 'amount' }
  if (rows.some(({ start_duration: from, end_duration: until }) => until !== null && until <= from))
    return { prices_by_duration: 'duration_order' }
  const bands = rows.map(({ start_duration: start, end_duration: end }) => ({ start, end }))
  try {
    contiguousBands(bands, true)
  } catch {
    return { prices_by_duration: 'durations_overlap' }
  }
  return isFreeAfter || bands.some(({ end }) => end === null)
    ? {}
    : { prices_by_duration: 'no_last_duration' }
}

/** Fee that an operator pays for parking: per event, by time of day, or by duration. */
export const parkingFees: PolicyType = {
  name: 'parking_fees',
  group: 'parking',
  hasCountLimits: false,
  timeWindowUnit: 'hours',
  isFee: true,
  place: 'shapes',
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
  feeOptions: ({ fee_properties: { parking_fee_type: type } }) => [
    ...amountOptions,
    'maximum_per_vehicle_day',
    ...discountOptions,
    ...(type === 'variable_price_parking_duration' ? (['duration_mode', 'is_free_after'] as const) : []),
  ],
  requiredFields: ({ fee_properties: { parking_fee_type: type } }) => ({
    parking_fee_type: 'required',
    ...(type === 'fixed_price_per_event' ? { value: 'required' } : {}),
  }),
  initialFields: () => ({ parking_fee_type: 'fixed_price_per_event' }),
  faults: ({ fee_properties: fee }, { currency }) => ({
    ...(fee.parking_fee_type === 'variable_price_schedule' && findScheduleFault(fee, currency)),
    ...(fee.parking_fee_type === 'variable_price_parking_duration' && findDurationFault(fee, currency)),
    ...findOptionFaults(fee, currency),
  }),
  measure: () => ({ kind: 'fee' }),
  // Only flat bands are MDS rates: the price of the band that is reached, billed when the vehicle leaves.
  // Prices per parking event, proportional hours and marginal bands are published as text.
  mdsRules: ({ policy_name: name, value, fee_properties: fee }, { currency }) => {
    const { parking_fee_type: type, prices, prices_by_duration: rows, options } = fee
    if (type === 'variable_price_schedule')
      return groupDaysByTable(prices).flatMap(({ days, bands }) =>
        bands.map((band) => ({
          ...writeFeeAsText(`${priceText(band.price, currency)} per hour parked, in proportion`, fee),
          start_time: startTimeText(band.start_time),
          end_time: endTimeText(band.end_time) === '24:00:00' ? '23:59:59' : band.end_time,
          ...(days.length < 7 ? { days } : {}),
        })),
      )
    if (type === 'variable_price_parking_duration') {
      const bands = contiguousBands(
        rows.map(({ start_duration: start, end_duration: end, price }) => ({ start, end, price })),
        true,
      )
      const isExact =
        options.duration_mode === 'flat' &&
        !hasOptions({ options: { ...options, duration_mode: 'marginal', is_free_after: false } })
      return bands.toReversed().map(({ start, end, price }) => {
        const length = end === null ? `${start} minutes or more` : `${start} to ${end} minutes`
        if (!isExact)
          return writeFeeAsText(
            options.duration_mode === 'flat'
              ? `${priceText(price, currency)} for ${length}`
              : options.duration_mode === 'retroactive'
                ? `${priceText(price, currency)} per hour of all the time, for ${length}`
                : `${priceText(price, currency)} per hour within ${length}`,
            fee,
          )
        return {
          name: `${name}: ${length}`,
          rule_type: 'time',
          rule_units: 'minutes',
          states: parkedStates,
          minimum: start,
          ...(start > 0 ? { inclusive_minimum: false } : {}),
          ...(end === null ? {} : { maximum: end }),
          rate_amount: toMinor(price ?? 0, currency),
          rate_recurrence: 'once_on_unmatch',
          rate_applies_when: 'in_bounds' as const,
        }
      })
    }
    return [writeFeeAsText(`${priceText(value, currency)} for each parking event`, fee)]
  },
}
