import { expect, it } from 'vitest'
import { restingHeight, sheetPixels, stepFrom, sheetCover } from './sheet-heights.ts'

it('has the height of its header, half of the container or all of it, but never more', () => {
  expect(sheetPixels(800, 110)).toEqual({ peek: 110, half: 400, full: 800 })
  expect(sheetPixels(180, 110)).toEqual({ peek: 110, half: 110, full: 180 })
  expect(sheetPixels(90, 110)).toEqual({ peek: 90, half: 90, full: 90 })
})

it('steps up and down, and stops at the ends', () => {
  expect([
    stepFrom('peek', 1),
    stepFrom('half', 1),
    stepFrom('full', 1),
    stepFrom('full', -2),
    stepFrom('peek', -1),
  ]).toEqual(['half', 'full', 'full', 'peek', 'peek'])
})

it('snaps to the nearest height', () => {
  expect([150, 300, 560, 620, 799].map((pixels) => restingHeight(pixels, 0, 800, 110))).toEqual([
    'peek',
    'half',
    'half',
    'full',
    'full',
  ])
})

it('moves in the direction of a flick, however short', () => {
  expect([
    restingHeight(130, 0.9, 800, 110),
    restingHeight(420, 0.9, 800, 110),
    restingHeight(380, -0.9, 800, 110),
    restingHeight(790, -0.9, 800, 110),
  ]).toEqual(['half', 'full', 'peek', 'half'])
  expect([restingHeight(800, 2, 800, 110), restingHeight(100, -2, 800, 110)]).toEqual(['full', 'peek'])
})

const none = { top: 0, right: 0, bottom: 0, left: 0 }

it('covers the lower part in portrait orientation', () => {
  expect([
    sheetCover('peek', false, 390, 844),
    sheetCover('half', false, 390, 844),
    sheetCover('full', false, 390, 844),
  ]).toEqual([
    { ...none, bottom: 110 },
    { ...none, bottom: 398 },
    { ...none, bottom: 398 },
  ])
})

it('covers the left part in landscape orientation', () => {
  expect([
    sheetCover('peek', true, 844, 390),
    sheetCover('half', true, 844, 390),
    sheetCover('full', true, 640, 360),
  ]).toEqual([none, { ...none, left: 368 }, { ...none, left: 315 }])
})
