import { expect, it } from 'vitest'
import { MapName } from '#contract/regions.ts'
import { mapOrder } from './map-choice.tsx'

it('offers every map of the contract', () => {
  expect([...mapOrder].sort()).toEqual([...MapName.options].sort())
})
