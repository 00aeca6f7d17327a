import { beforeAll, expect, it } from 'vitest'
import i18next from 'i18next'
import { formatLength } from '#web/kit/format.ts'
import { formatArea } from './format-measure.ts'

beforeAll(async () => void (await i18next.init({ lng: 'en-US', resources: {} })))

it('writes areas in units that suit their size', () => {
  expect([900, 99_999, 100_000, 2_500_000].map((area) => formatArea(area, true))).toEqual([
    '900 m²',
    '99,999 m²',
    '0.1 km²',
    '2.5 km²',
  ])
  expect([100, 4046.8564224, 2_589_988.110336].map((area) => formatArea(area, false))).toEqual([
    '1,076 ft²',
    '1 ac',
    '1 mi²',
  ])
})

it('writes lengths in units that suit their size', () => {
  expect([12, 999, 1500].map((length) => formatLength(length, true))).toEqual(['12 m', '999 m', '1.5 km'])
  expect([30.48, 1609.344].map((length) => formatLength(length, false))).toEqual(['100 ft', '1 mi'])
})
