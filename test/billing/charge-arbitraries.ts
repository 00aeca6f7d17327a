import fc from 'fast-check'
import type { Pricing } from './plain-charges.ts'

export const price = fc.integer({ min: 0, max: 4000 }).map((thousandths) => String(thousandths / 1000))
export const amount = fc.integer({ min: 0, max: 30_000 }).map((hundredths) => String(hundredths / 100))
/** How a quantity is charged: at one price or by tiers, with a free amount. */
export const pricing = fc
  .record({
    price,
    free: fc.oneof(fc.constant('0'), fc.integer({ min: 0, max: 4 }).map(String)),
    tiers: fc.uniqueArray(fc.record({ from: fc.integer({ min: 0, max: 8 }), price }), {
      maxLength: 3,
      selector: ({ from }) => from,
    }),
    tier_mode: fc.constantFrom('marginal', 'whole'),
  })
  .map(({ tiers, ...others }): Pricing => ({
    ...others,
    tiers: tiers.toSorted((a, b) => a.from - b.from).map((tier) => ({ ...tier, from: String(tier.from) })),
  }))
