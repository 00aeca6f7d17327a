/** What a trip costs its rider, in cents: a dollar, and 29 cents for each minute begun. */
export function tripCost(seconds: number): { standard_cost: number; actual_cost: number; currency: string } {
  const cost = 100 + 29 * Math.ceil(Math.max(1, seconds) / 60)
  return { standard_cost: cost, actual_cost: cost, currency: 'USD' }
}
