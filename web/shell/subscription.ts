import { dayNumber, type LocalDay } from '#contract/period.ts'
import type { OrganizationSettings } from '#contract/settings.ts'

/** What is left of a subscription: days, the last one included; or that it is over. */
export type Subscription = { state: 'left'; days: number } | { state: 'expired' }

/** Only where both dates are there (1-product, section 4). */
export function subscriptionOf(
  { subscriptionStartDate, subscriptionEndDate }: Partial<OrganizationSettings>,
  today: LocalDay,
): Subscription | null {
  if (!subscriptionStartDate || !subscriptionEndDate) return null
  const days = dayNumber(subscriptionEndDate) - dayNumber(today)
  return days < 0 ? { state: 'expired' } : { state: 'left', days }
}
