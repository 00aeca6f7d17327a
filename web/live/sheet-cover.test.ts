import { expect, it } from 'vitest'
import { sheetCover } from './sheet-cover.ts'

const none = { top: 0, right: 0, bottom: 0, left: 0 }

it('upright, the sheet covers the lower part', () => {
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

it('on its side, the left part', () => {
  expect([
    sheetCover('peek', true, 844, 390),
    sheetCover('half', true, 844, 390),
    sheetCover('full', true, 640, 360),
  ]).toEqual([none, { ...none, left: 368 }, { ...none, left: 315 }])
})
