import { describe, expect, it } from 'vitest'
import { subscriptionStatus } from './subscription-notice.tsx'

const dates = { subscriptionStartDate: '2026-01-01', subscriptionEndDate: '2026-12-31' }

describe('the subscription', () => {
  it('is null unless both dates are set', () => {
    expect(subscriptionStatus({}, '2026-06-01')).toBeNull()
    expect(subscriptionStatus({ subscriptionEndDate: '2026-12-31' }, '2026-06-01')).toBeNull()
    expect(subscriptionStatus({ ...dates, subscriptionStartDate: null }, '2026-06-01')).toBeNull()
    expect(subscriptionStatus({ ...dates, subscriptionEndDate: null }, '2026-06-01')).toBeNull()
  })

  it('counts the remaining days up to the last one', () => {
    expect(subscriptionStatus(dates, '2026-12-01')).toEqual({ state: 'left', days: 30 })
    expect(subscriptionStatus(dates, '2026-12-30')).toEqual({ state: 'left', days: 1 })
    expect(subscriptionStatus(dates, '2026-12-31')).toEqual({ state: 'left', days: 0 })
  })

  it('is expired from the day after its end', () => {
    expect(subscriptionStatus(dates, '2027-01-01')).toEqual({ state: 'expired' })
  })
})
