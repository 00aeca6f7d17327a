import { describe, expect, it } from 'vitest'
import { zones } from '../plan/zones.ts'
import { streetName } from './street-name.ts'

const numbers = Array.from({ length: 61 }, (_, i) => i - 30)

describe('streetName', () => {
  it.each(zones.map((zone) => [zone.district, zone] as const))(
    'gives the streets of %s names of their own',
    (_, zone) => {
      for (const along of [true, false]) {
        const names = numbers.map((number) => streetName(1, zone, { along, number }))
        expect(new Set(names).size).toBe(names.length)
        for (const name of names) expect(name).toMatch(/^[A-Z0-9][\w ]+ (Street|Road|Avenue|Lane|Place)$/)
      }
    },
  )

  it('counts numbered streets in their order, with the right endings', () => {
    const midtown = zones.find(({ district }) => district === 'Midtown')!
    const names = [1, 2, 3, 4].map((number) => streetName(1, midtown, { along: false, number }))
    expect(names).toEqual(['51st Street', '52nd Street', '53rd Street', '54th Street'])
  })
})
