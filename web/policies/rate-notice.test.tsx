import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { MdsRule } from '#contract/mds-policy.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { RateNotice, getRateStatus } from './rate-notice.tsx'

const makeRule = (more: Partial<MdsRule>): MdsRule => ({
  name: 'Parking',
  rule_id: 'r',
  rule_type: 'time',
  rule_units: 'hours',
  geographies: ['g'],
  rate_amount: 100,
  rate_recurrence: 'each_time_unit',
  rate_applies_when: 'in_bounds',
  ...more,
})
const getStatusOf = (...rules: MdsRule[]) =>
  getRateStatus({ imported_mds: { rules, currency: 'USD', provider_ids: [], places: [] } }, 'USD')

it('lists the rules whose rates are not charged, and the reason', async () => {
  const status = getStatusOf(
    makeRule({}),
    makeRule({ rule_id: 's', name: 'Cap', rule_type: 'count', rule_units: 'devices', maximum: 5 }),
  )
  expect(status?.isCharged).toBe(false)
  await renderPart(<RateNotice faults={status?.faults ?? []} isCharged={false} />)
  expect(screen.getByText('The rates of this policy are not charged')).toBeInTheDocument()
  expect(screen.getByText(/^Cap: it counts up to a limit/)).toBeInTheDocument()
})

it('the notice is empty if all rates are charged, or if there are none', () => {
  expect(getStatusOf(makeRule({}))).toEqual({ isCharged: true, faults: [] })
  expect(getStatusOf(makeRule({ rate_amount: null }))).toBeNull()
})
