import { afterEach, expect, test, vi } from 'vitest'
import type { PolicyFees } from '#server/billing/fee-days/policy-fees.ts'
import { viewerScope } from '#server/identity/scope.ts'
import { waitForOperatorsByMonth } from './store-demo-invoices.ts'

type Summary = Awaited<ReturnType<PolicyFees['summarize']>>

afterEach(() => vi.useRealTimers())

test('Invoices wait for days that were marked long after the first run', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-27T04:00:00Z') })
  const marked = new Date('2026-11-27T03:55:00Z')
  const computed = Date.parse('2026-11-27T04:10:00Z')
  const toMonth = (month: string): Summary['months'][number] =>
    ({
      month,
      operator: 'zephyr',
      policy_uuid: '8f14e45f-ceea-467f-a0e6-00000000f001',
      policy_name: 'Trip fee',
      policy_type: 'trip_fees',
      accrued: '1.00',
      invoiced: '0.00',
      paid: '0.00',
    }) as unknown as Summary['months'][number]
  const summarize = vi.fn<PolicyFees['summarize']>(async ({ at }) => {
    const isComputed = Date.now() >= computed
    return {
      months: isComputed ? [toMonth('2025-12-01'), toMonth('2026-10-01')] : [toMonth('2026-10-01')],
      as_of: '2026-11-27T04:00:00Z',
      pending_days: isComputed || at < marked ? 0 : 300,
    } as unknown as Summary
  })
  const operators = await waitForOperatorsByMonth({
    context: { fees: { summarize } },
    regionId: 'port-meridian',
    viewer: {
      userId: 'u',
      email: 'admin@portmeridian.example',
      organizationId: 'o',
      permissions: [],
      scope: viewerScope('o', ['port-meridian'], 'u', null),
      allRegions: true,
      mfaEnrollmentRequired: false,
      admin: null,
      sessionId: '',
    },
    today: '2026-11-26',
    pause: async (ms) => void vi.setSystemTime(Date.now() + ms),
  })
  expect([...operators.keys()]).toEqual(['2025-12-01', '2026-10-01'])
})
