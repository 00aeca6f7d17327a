import { describe, expect, it } from 'vitest'
import { subscriptionOf } from './subscription-notice.tsx'

const dates = { subscriptionStartDate: '2026-01-01', subscriptionEndDate: '2026-12-31' }

describe('the subscription', () => {
  it('is spoken of only where both dates are there', () => {
    expect(subscriptionOf({}, '2026-06-01')).toBeNull()
    expect(subscriptionOf({ subscriptionEndDate: '2026-12-31' }, '2026-06-01')).toBeNull()
    expect(subscriptionOf({ ...dates, subscriptionStartDate: null }, '2026-06-01')).toBeNull()
    expect(subscriptionOf({ ...dates, subscriptionEndDate: null }, '2026-06-01')).toBeNull()
  })

  it('has its days left, the last day included', () => {
    expect(subscriptionOf(dates, '2026-12-01')).toEqual({ state: 'left', days: 30 })
    expect(subscriptionOf(dates, '2026-12-30')).toEqual({ state: 'left', days: 1 })
    expect(subscriptionOf(dates, '2026-12-31')).toEqual({ state: 'left', days: 0 })
  })

  it('is expired from the day after its end', () => {
    expect(subscriptionOf(dates, '2027-01-01')).toEqual({ state: 'expired' })
  })
})
