import { describe, expect, it } from 'vitest'
import { findLayer } from '../test/demo/layer-named.ts'
import { dayNumber } from './day-number.ts'
import { loadCity } from './load-city.ts'
import { operators, isInService } from './operators.ts'

describe('operators', () => {
  it('operators have unique names, slugs and colors', () => {
    expect(operators.length).toBe(4)
    for (const key of ['slug', 'name', 'colorHex'] as const)
      expect(new Set(operators.map((operator) => operator[key])).size).toBe(4)
    for (const { colorHex, slug } of operators) {
      expect(colorHex).toMatch(/^#[0-9A-F]{6}$/)
      expect(slug).toMatch(/^[a-z]+$/)
    }
  })

  it('operators have unique provider IDs, except for the one with GBFS only', () => {
    const ids = operators.map(({ providerId }) => providerId)
    expect(new Set(ids).size).toBe(4)
    expect(operators.filter(({ providerId }) => !providerId).map(({ slug }) => slug)).toEqual(['sandpiper'])
  })

  it('operators serve districts that exist', () => {
    const districts = findLayer(loadCity(), 'Districts').map(({ properties }) => properties.name)
    for (const operator of operators)
      expect(districts).toEqual(expect.arrayContaining([...operator.districts]))
  })

  it('an operator is in service from its launch on', () => {
    const [zephyr, , hopkite] = operators
    const launch = dayNumber(hopkite!.launchedOn!)
    expect(isInService(hopkite!, launch - 1)).toBe(false)
    expect(isInService(hopkite!, launch)).toBe(true)
    expect(isInService(zephyr!, 0)).toBe(true)
  })
})
