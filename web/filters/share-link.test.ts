import { expect, it } from 'vitest'
import { hasRelativeDates, shareLink, viewOf } from './share-link.ts'

const page = 'https://city.example/port-meridian/mobility/maps/trips'
const period = { start_date: '2026-10-26', end_date: '2026-11-24' }

it('shares the dates that are shown, whatever they were chosen by', () => {
  const fixed = `${page}?operators=%5B%22tern%22%5D&start_date=2026-10-26&end_date=2026-11-24`
  expect(shareLink(`${page}?period=last_30_days&operators=%5B%22tern%22%5D&hover=a`, period, false)).toBe(
    fixed,
  )
  expect(shareLink(fixed, period, false)).toBe(fixed)
})
it('shares dates that move with today where that is wanted, and pages without dates as they are', () => {
  expect(shareLink(`${page}?period=last_30_days&hover=a`, period, true)).toBe(`${page}?period=last_30_days`)
  expect(shareLink(page, null, false)).toBe(page)
})
it('knows which dates move with today', () => {
  expect(hasRelativeDates(page)).toBe(true)
  expect(hasRelativeDates(`${page}?start_date=2026-10-26`)).toBe(false)
})
it('saves the page below its region, with relative dates as they are', () => {
  expect(viewOf(`${page}?period=last_30_days&hover=a`, 'port-meridian')).toEqual({
    path: 'mobility/maps/trips',
    search: '?period=last_30_days',
  })
})
