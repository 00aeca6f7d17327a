import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { coveredMap } from './covered-map.ts'

beforeEach(() => vi.stubGlobal('window', { innerHeight: 800 }))
afterEach(() => vi.unstubAllGlobals())

const around = { isSmall: false, isPanelOpen: true, areResultsOpen: false }

it('keeps clear of the panel and the bar', () =>
  expect(coveredMap(around)).toEqual({ top: 0, right: 0, bottom: 44, left: 320 }))
it('has no panel at the left on a phone, and a higher bar', () =>
  expect(coveredMap({ ...around, isSmall: true })).toEqual({ top: 0, right: 0, bottom: 56, left: 0 }))
it('keeps clear of the table, so that a shape chosen in it is seen', () => {
  expect(coveredMap({ ...around, areResultsOpen: true }).bottom).toBe(360)
  expect(coveredMap({ ...around, isSmall: true, areResultsOpen: true, hasAxis: true }).bottom).toBe(470)
})
it('knows that the table is lower where the window is', () => {
  vi.stubGlobal('window', { innerHeight: 500 })
  expect(coveredMap({ ...around, areResultsOpen: true }).bottom).toBe(310)
})
