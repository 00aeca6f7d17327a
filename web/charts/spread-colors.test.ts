import { expect, it } from 'vitest'
import { dataColors } from '#web/kit/theme.ts'
import { spreadColors } from './spread-colors.ts'

const scheme = dataColors.light.sequential.tide

it('uses the whole scheme for seven bins', () => expect(spreadColors(scheme, 7)).toEqual(scheme))
it('uses both ends for two bins', () => expect(spreadColors(scheme, 2)).toEqual([scheme[0], scheme[6]]))
it('uses a strong color for one bin, and none without bins', () => {
  expect(spreadColors(scheme, 1)).toEqual([scheme[4]])
  expect(spreadColors(scheme, 0)).toEqual([])
})
it('never uses a color twice', () => {
  for (let bins = 2; bins <= 7; bins++) expect(new Set(spreadColors(scheme, bins)).size).toBe(bins)
})
