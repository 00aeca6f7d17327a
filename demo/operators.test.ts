import { describe, expect, it } from 'vitest'
import { layerNamed } from '../test/demo/layer-named.ts'
import { dayNumber } from './day-number.ts'
import { loadCity } from './load-city.ts'
import { operators, isInService } from './operators.ts'
describe('the operators', () => {
  it('have names, slugs and colours of their own', () => {
    expect(operators.length).toBe(4)
    for (const key of ['slug', 'name', 'colorHex'] as const)
      expect(new Set(operators.map((operator) => operator[key])).size).toBe(4)
    for (const { colorHex, slug } of operators) {
      expect(colorHex).toMatch(/^#[0-9A-F]{6}$/)
      expect(slug).toMatch(/^[a-z]+$/)
    }
  })

  it('have ids of their own in MDS, but for the one that has GBFS only', () => {
    const ids = operators.map(({ providerId }) => providerId)
    expect(new Set(ids).size).toBe(4)
    expect(operators.filter(({ providerId }) => !providerId).map(({ slug }) => slug)).toEqual(['sandpiper'])
  })

  it('serve districts that exist', () => {
    const districts = layerNamed(loadCity(), 'Districts').map(({ properties }) => properties.name)
    for (const operator of operators)
      expect(districts).toEqual(expect.arrayContaining([...operator.districts]))
  })

  it('run when they say', () => {
    const [zephyr, , hopkite] = operators
    const launch = dayNumber(hopkite!.launchedOn!)
    expect(isInService(hopkite!, launch - 1)).toBe(false)
    expect(isInService(hopkite!, launch)).toBe(true)
    expect(isInService(zephyr!, 0)).toBe(true)
  })
})
