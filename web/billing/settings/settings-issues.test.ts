import { describe, expect, it } from 'vitest'
import { ApiError } from '#web/data/api-error.ts'
import { formatNumberExample, getSettingsIssues, withCode } from './settings-issues.ts'

describe('invoice settings', () => {
  it("show the server's error at its field", () => {
    const error = new ApiError({
      url: '/v2/regions/port-meridian/billing_settings',
      method: 'PATCH',
      status: 422,
      statusText: '',
      request: null,
      body: {
        detail: 'x',
        issues: [
          { path: 'body.seller.email', message: 'Not an address' },
          { path: 'body.tax_rates.1.code', message: 'The code is used twice' },
        ],
      },
    })
    expect([...getSettingsIssues(error)]).toEqual([
      ['seller.email', 'Not an address'],
      ['tax_rates.1.code', 'The code is used twice'],
    ])
    expect(getSettingsIssues(null).size).toBe(0)
  })

  it('omit an empty code', () => {
    expect(withCode({ default: '4010' }, 'trip_fees', '4020')).toEqual({ default: '4010', trip_fees: '4020' })
    expect(withCode({ default: '4010', trip_fees: '4020' }, 'default', '')).toEqual({ trip_fees: '4020' })
  })

  it('show an example of a number', () => {
    expect(formatNumberExample('{region}-{year}-{seq}', 'ashford', 2026)).toBe('ashford-2026-42')
    expect(formatNumberExample('INV{year}{month}/{seq:5}', 'ashford', 2026)).toBe('INV202611/00042')
  })
})
