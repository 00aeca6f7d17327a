import type { RateRule } from '#server/curb/pricing/propose-rate.ts'

/** The highest price that is tried, in minor units. */
const highest = 2000
const prices = Array.from({ length: highest + 1 }, (_, price) => price)

/** Thousandths of a share, as an integer. */
const toThousandths = (share: number): number => Math.round(share * 1000)

const getNearestIn = (wanted: number, isIn: (price: number) => boolean): number | undefined =>
  prices.filter(isIn).toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0]

/** Reference implementation of the proposed rate: tries all prices. */
export function plainProposal(rule: RateRule, rate: number, occupancy: number): number {
  const step = rule.steps.find(
    ({ from, until }) => occupancy >= from && (until === null || occupancy < until),
  )
  const change = step?.change ?? 0
  const { of, share, base_rate: base, amount } = rule.max_change
  let wanted = rate + change
  if (rule.change_unit === 'menu') {
    wanted = rate
    for (let count = 0; count < Math.abs(change); count++)
      wanted =
        (change > 0
          ? prices.find((price) => price > wanted && rule.menu.includes(price))
          : prices.findLast((price) => price < wanted && rule.menu.includes(price))) ?? wanted
  }
  if (of === 'base' && share !== null && base !== null)
    wanted =
      getNearestIn(wanted, (price) => Math.abs(price - base) * 1000 <= toThousandths(share) * base) ?? wanted
  wanted = getNearestIn(wanted, (price) => price >= (rule.floor ?? 0)) ?? wanted
  wanted = getNearestIn(wanted, (price) => rule.ceiling === null || price <= rule.ceiling) ?? wanted
  const isSmall = (price: number): boolean =>
    (amount === null || Math.abs(price - rate) <= amount) &&
    (of !== 'current' || share === null || Math.abs(price - rate) * 1000 <= toThousandths(share) * rate)
  const canBeSet = (price: number): boolean =>
    rule.change_unit === 'menu' ? rule.menu.includes(price) : price % rule.rounding === 0
  const onTheWay = prices.filter(
    (price) => (rate < price && price <= wanted) || (wanted <= price && price < rate),
  )
  const reached = onTheWay.filter((price) => isSmall(price) && canBeSet(price))
  return reached.toSorted((a, b) => Math.abs(b - rate) - Math.abs(a - rate))[0] ?? rate
}
