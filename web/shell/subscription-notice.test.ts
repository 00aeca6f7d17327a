import { describe, expect, it } from 'vitest'
import { getSubscription } from './subscription-notice.tsx'

const dates = { subscriptionStartDate: '2026-01-01', subscriptionEndDate: '2026-12-31' }

describe('the subscription', () => {
  it('is null unless both dates are set', () => {
    expect(getSubscription({}, '2026-06-01')).toBeNull()
    expect(getSubscription({ subscriptionEndDate: '2026-12-31' }, '2026-06-01')).toBeNull()
    expect(getSubscription({ ...dates, subscriptionStartDate: null }, '2026-06-01')).toBeNull()
    expect(getSubscription({ ...dates, subscriptionEndDate: null }, '2026-06-01')).toBeNull()
  })

  it('counts the remaining days up to the last one', () => {
    expect(getSubscription(dates, '2026-12-01')).toEqual({ state: 'left', days: 30 })
    expect(getSubscription(dates, '2026-12-30')).toEqual({ state: 'left', days: 1 })
    expect(getSubscription(dates, '2026-12-31')).toEqual({ state: 'left', days: 0 })
  })

  it('is expired from the day after its end', () => {
    expect(getSubscription(dates, '2027-01-01')).toEqual({ state: 'expired' })
  })
})
