import { expect, it } from 'vitest'
import { hasRelativeDates, shareLink, parseView } from './share-link.ts'

const page = 'https://city.example/port-meridian/mobility/maps/trips'
const period = { start_date: '2026-10-26', end_date: '2026-11-24' }

it('shares the current dates, however they were chosen', () => {
  const fixed = `${page}?operators=%5B%22tern%22%5D&start_date=2026-10-26&end_date=2026-11-24`
  expect(shareLink(`${page}?period=last_30_days&operators=%5B%22tern%22%5D&hover=a`, period, false)).toBe(
    fixed,
  )
  expect(shareLink(fixed, period, false)).toBe(fixed)
})
it('shares relative dates on request, and pages without dates unchanged', () => {
  expect(shareLink(`${page}?period=last_30_days&hover=a`, period, true)).toBe(`${page}?period=last_30_days`)
  expect(shareLink(page, null, false)).toBe(page)
})
it('recognizes relative dates', () => {
  expect(hasRelativeDates(page)).toBe(true)
  expect(hasRelativeDates(`${page}?start_date=2026-10-26`)).toBe(false)
})
it('saves the page below its region, with unchanged relative dates', () => {
  expect(parseView(`${page}?period=last_30_days&hover=a`, 'port-meridian')).toEqual({
    path: 'mobility/maps/trips',
    search: '?period=last_30_days',
  })
})
