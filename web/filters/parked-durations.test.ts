import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import kit from '#web/kit/kit.en.json' with { type: 'json' }
import evaluation from '#web/evaluation/evaluation.en.json' with { type: 'json' }
import { formatParkedDuration, parkedDurations } from './parked-durations.ts'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit, evaluation } } }))

it('offers the default durations if the layer defines none, and the chosen one', () => {
  expect(parkedDurations([], undefined)).toEqual([1440, 2880, 4320, 14_400])
  expect(parkedDurations([60, 30], 2000)).toEqual([30, 60, 2000])
})
it('formats durations in hours up to three days, in days above', () => {
  const texts = [60, 90, 1440, 2880, 4320, 4321, 14_400].map((minutes) =>
    formatParkedDuration(i18next.t, minutes),
  )
  expect(texts).toEqual(['1 hour', '1.5 hours', '24 hours', '48 hours', '72 hours', '3 days', '10 days'])
})
