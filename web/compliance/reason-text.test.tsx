import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { ComplianceMeasure, complianceReasons } from '#contract/compliance.ts'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { formatReason } from './reason-text.ts'
import { aBreach, aRecord } from './test-compliance.ts'

beforeAll(async () => {
  await startI18n()
  await loadRoomTexts()
})
const getText = (record: ReturnType<typeof aRecord>): string => formatReason(i18next.t, record)

describe('the reason of a status', () => {
  it('contains the bounds, and by how much they were missed', () => {
    const cap = { measure: 'vehicles', minimum: 100, maximum: 500 } as const
    expect(getText(aRecord({ ...cap, reason_code: 'within', measured: 431.5 }))).toBe(
      '431.5 vehicles (allowed: at least 100 and at most 500).',
    )
    expect(getText(aRecord({ ...cap, reason_code: 'over_maximum', measured: 512.04 }))).toBe(
      '512.04 vehicles: 12.04 over the maximum of 500.',
    )
    expect(getText(aRecord({ ...cap, reason_code: 'under_minimum', measured: 1 }))).toBe(
      '1 vehicle: 99 under the minimum of 100.',
    )
  })

  it('contains what was found, what is uncertain, and what may change', () => {
    expect(getText(aBreach(1))).toBe('1 vehicle parked here.')
    expect(getText(aBreach(3, { measured: 5, uncertain: 2, provisional: true }))).toBe(
      '3 vehicles parked here. 2 more are too close to the boundary to be certain and do not count. This may still change.',
    )
    expect(getText(aBreach(3, { uncertain: 1, counts_uncertain: true }))).toBe(
      '3 vehicles parked here. 1 of them is uncertain: it is closer to the boundary than its GPS accuracy.',
    )
    expect(getText(aRecord())).toBe('No vehicles parked here.')
  })

  it('explains why a day is not applicable, and what was found nevertheless', () => {
    expect(
      getText(aRecord({ status: 'not_applicable', reason_code: 'data_gap', gap_hours: 3, violations: 2 })),
    ).toBe(
      "3 hours are missing from the operator's feed, so the day has no result. 2 violations were found, but they do not count because data is incomplete.",
    )
    expect(
      getText(
        aRecord({ status: 'not_applicable', reason_code: 'day_goes_on', measured: 4, provisional: true }),
      ),
    ).toBe('The day is not over yet: 4 vehicles parked here so far.')
    expect(
      getText(
        aRecord({ status: 'not_applicable', reason_code: 'day_goes_on', measured: null, provisional: true }),
      ),
    ).toBe('The day is not over yet.')
  })

  it('exists for every reason of every measure, in both languages', async () => {
    for (const language of ['en-US', 'es']) {
      await i18next.changeLanguage(language)
      for (const measure of ComplianceMeasure.options)
        for (const reason_code of complianceReasons)
          expect(
            getText(aRecord({ measure, reason_code, measured: 3, maximum: 2, minimum: 5, violations: 3 })),
          ).not.toMatch(/compliance:|reason\.|measures\.|\{\{/)
    }
    await i18next.changeLanguage('en-US')
  })
})
