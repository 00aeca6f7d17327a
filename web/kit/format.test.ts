import fc from 'fast-check'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import kit from './kit.en.json' with { type: 'json' }
import {
  formatBytes,
  formatDistance,
  formatNearDistance,
  formatDateTime,
  formatNumber,
  formatPercent,
  formatInteger,
} from './format.ts'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit } } }))

describe('numbers', () => {
  it('are n/a if missing', () => {
    for (const format of [formatNumber, formatInteger, formatPercent, formatBytes]) {
      expect(format(null)).toBe('n/a')
      expect(format(undefined)).toBe('n/a')
    }
    expect(formatNumber(Number.NaN)).toBe('n/a')
    expect(formatDateTime(null)).toBe('n/a')
  })

  it('show small values as 0.1, zero as 0', () => {
    expect(formatNumber(0.04)).toBe('0.1')
    expect(formatNumber(0)).toBe('0')
    expect(formatNumber(0.14)).toBe('0.1')
    expect(formatNumber(-0.04)).toBe('0')
    expect(formatNumber(-0.06)).toBe('-0.1')
  })

  it('group thousands according to the language', async () => {
    expect(formatInteger(1_204_331)).toBe('1,204,331')
    await i18next.changeLanguage('es')
    expect(formatInteger(1_204_331)).toBe('1.204.331')
    await i18next.changeLanguage('en-US')
  })
})

describe('distances', () => {
  it('are in the units of the region', () => {
    expect(formatNearDistance(56, false)).toBe('180 ft')
    expect(formatNearDistance(160.9344, false)).toBe('0.1 mi')
    expect(formatNearDistance(444, true)).toBe('440 m')
    expect(formatNearDistance(2500, true)).toBe('2.5 km')
    expect(formatDistance(1609.344, false)).toBe('1 mi')
    expect(formatDistance(2500, true)).toBe('2.5 km')
    expect(formatDistance(3, true)).toBe('0.1 km')
    expect(formatDistance(null, true)).toBe('n/a')
  })
})

it('formats shares, sizes and times', () => {
  expect(formatPercent(0.42)).toBe('42%')
  expect(formatPercent(0.004)).toBe('0.4%')
  expect(formatBytes(48_234_123)).toBe('48.2 MB')
  expect([formatBytes(12), formatBytes(1)]).toEqual(['12 bytes', '1 byte'])
  expect(formatDateTime('2026-11-20T15:00:00Z', 'America/New_York')).toBe('Nov 20, 2026, 10:00 AM')
})

describe('any number', () => {
  it('formats a size with at most four digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_000_000_000 }), (bytes) => {
        const [, figures, name] = /^([\d,.]+) (bytes?|kB|MB|GB)$/.exec(formatBytes(bytes))!
        const size = Number(figures!.replaceAll(',', ''))
        expect(size).toBeLessThanOrEqual(1000)
        expect(size * { byte: 1, bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9 }[name as 'byte']).toBeCloseTo(
          bytes,
          -Math.ceil(Math.log10(bytes + 10)),
        )
      }),
    )
  })

  it('never shows a share above zero as 0%', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1, noNaN: true }), (share) => {
        const read = Number(formatPercent(share).replace('%', ''))
        expect(read).toBeGreaterThan(0)
        expect(Math.abs(read - share * 100)).toBeLessThanOrEqual(0.5000001)
      }),
    )
  })

  it('formats numbers accurately to a tenth', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 1e9, noNaN: true }), (value) => {
        expect(Math.abs(Number(formatNumber(value).replaceAll(',', '')) - value)).toBeLessThanOrEqual(
          0.0500001,
        )
      }),
    )
  })
})

describe('times', () => {
  it('are in the time zone, including clock changes', () => {
    expect(formatDateTime('2026-03-08T06:59:00Z', 'America/New_York')).toBe('Mar 8, 2026, 1:59 AM')
    expect(formatDateTime('2026-03-08T07:00:00Z', 'America/New_York')).toBe('Mar 8, 2026, 3:00 AM')
    expect(formatDateTime('2026-12-31T23:30:00Z', 'Asia/Tokyo')).toBe('Jan 1, 2027, 8:30 AM')
  })

  it('are n/a if missing', () => {
    expect(formatDateTime(undefined)).toBe('n/a')
    expect(formatDateTime('')).toBe('n/a')
  })
})
