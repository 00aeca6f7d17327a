import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import kit from '#web/kit/kit.en.json' with { type: 'json' }
import { formatChangeWithPercent, formatChange, formatValue, unitAfter } from './format-value.ts'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit } } }))

it('shows counts as integers, other values with one decimal, small ones as 0.1', () => {
  expect([
    formatValue(1234, 'trips'),
    formatValue(12.34, 'vehicles'),
    formatValue(0.02, 'share'),
    formatValue(null, 'hours'),
  ]).toEqual(['1,234', '12.3', '0.1', 'n/a'])
})
it('shows a change with its sign', () => {
  expect([
    formatChange(12, 0),
    formatChange(-3.26, 1),
    formatChange(0, 1),
    formatChange(-0.02, 0),
    formatChange(null, 1),
  ]).toEqual(['+12', '-3.3', '0', '-0.1', 'n/a'])
})
it('shows the percentage after a change, if there is one', () => {
  expect([
    formatChangeWithPercent({ now: 30, before: 20, change: 10, percent: 50 }, 'trips'),
    formatChangeWithPercent({ now: 3, before: 0, change: 3, percent: null }, 'trips'),
  ]).toEqual(['+10 (+50%)', '+3'])
})
it('uses the singular of the unit if the formatted value is 1', () => {
  const after = (value: number | null, unit: 'trips' | 'hours') => unitAfter(value, unit, 'many', 'one')
  expect([after(1, 'trips'), after(2, 'trips'), after(0, 'trips'), after(null, 'trips')]).toEqual([
    'one',
    'many',
    'many',
    '',
  ])
  expect([after(1.04, 'hours'), after(1.06, 'hours')]).toEqual(['one', 'many'])
})
