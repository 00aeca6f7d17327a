import type { LineRate } from '#contract/line-rates.ts'
import { contiguousBands } from '#contract/policy-types/parking-fees.ts'
import { findDayRows } from './charge-parking.ts'
import { getDiscountShare, type ParkingPart } from './charged-facts.ts'
import type { Rational } from './rational.ts'

const isoWeekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** Finds times or durations at which a parking fee has the price of a line, with or without its discount. */
export function findLineRates(part: ParkingPart, unitPrice: Rational): LineRate[] {
  const { structure, discount } = part
  const isPrice = (price: Rational): boolean =>
    price.compare(unitPrice) === 0 ||
    (discount !== null && price.times(getDiscountShare(part)).compare(unitPrice) === 0)
  if (structure.by === 'duration')
    return contiguousBands(structure.bands, structure.free_after)
      .filter(({ price }) => isPrice(price))
      .map(({ start, end }) => ({ start_duration: start, end_duration: end }))
  if (structure.by !== 'schedule') return []
  const rates = new Map<string, Extract<LineRate, { days: number[] }>>()
  for (const day of isoWeekdays)
    for (const { start_time, end_time, price } of findDayRows(structure, day)) {
      if (!isPrice(price)) continue
      const key = `${start_time} ${end_time}`
      const rate = rates.get(key)
      if (rate) rate.days.push(day)
      else rates.set(key, { days: [day], start_time, end_time })
    }
  return [...rates.values()]
}
