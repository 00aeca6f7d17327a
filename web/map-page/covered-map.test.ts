import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { coveredMap } from './covered-map.ts'

beforeEach(() => vi.stubGlobal('window', { innerHeight: 800 }))
afterEach(() => vi.unstubAllGlobals())

const layout = { isSmall: false, isPanelOpen: true, areResultsOpen: false }

it('includes the panel and the bar', () =>
  expect(coveredMap(layout)).toEqual({ top: 0, right: 0, bottom: 44, left: 320 }))
it('has no panel on the left of a phone, and a higher bar', () =>
  expect(coveredMap({ ...layout, isSmall: true })).toEqual({ top: 0, right: 0, bottom: 56, left: 0 }))
it('includes the open results and the axis, so that a shape selected in the table is visible', () => {
  expect(coveredMap({ ...layout, areResultsOpen: true }).bottom).toBe(360)
  expect(coveredMap({ ...layout, isSmall: true, areResultsOpen: true, hasAxis: true }).bottom).toBe(470)
})
it('limits the height of the results in a low window', () => {
  vi.stubGlobal('window', { innerHeight: 500 })
  expect(coveredMap({ ...layout, areResultsOpen: true }).bottom).toBe(310)
})
