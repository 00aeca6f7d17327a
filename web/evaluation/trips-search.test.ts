import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tripAggregations } from '#contract/evaluation.ts'
import { vehicleTypeTexts, type VehicleType } from '#contract/mobility.ts'
import { dayOfNumber } from '#contract/period.ts'
import { colorSchemes } from './evaluation-search.ts'
import { periodPresets } from './period-preset.ts'
import { heatPlaces, tripsSearch } from './trips-search.ts'

const layer = '6f1b1d1e-0000-4000-8000-000000000001'

describe('tripsSearch', () => {
  it('is empty where nothing is said', () => expect(tripsSearch({})).toEqual({}))
  it('leaves default values out', () => {
    expect(tripsSearch({ aggregation: 'origins', hours: [0, 24], buffer: 0, colors: 'tide', days: [1, 2, 3, 4, 5, 6, 7], operators: [], results: false })).toEqual({})
  })
  it('reorders swapped days and hours', () => {
    expect(tripsSearch({ startDate: '2026-05-09', endDate: '2026-05-02', hours: [17, 7] })).toEqual({ startDate: '2026-05-02', endDate: '2026-05-09', hours: [7, 17] })
  })
  it('takes one day as a period', () => expect(tripsSearch({ endDate: '2026-05-02' })).toEqual({ startDate: '2026-05-02', endDate: '2026-05-02' }))
  it('sorts weekdays and operators, once each', () => {
    expect(tripsSearch({ days: [7, 3, 3], operators: ['b', 'a', 'b'] })).toEqual({ days: [3, 7], operators: ['a', 'b'] })
  })
  it('takes a lone value for a list', () => expect(tripsSearch({ operators: 'swift', days: 4 })).toEqual({ operators: ['swift'], days: [4] }))
  it('prefers days to a preset', () => expect(tripsSearch({ period: 'this_month', startDate: '2026-05-02' })).not.toHaveProperty('period'))
  it('drops what makes no sense', () => {
    expect(tripsSearch({ hours: [5, 5], buffer: 9000, days: [0, 8], startDate: '2026-02-30', layer: 'x', shape: 7, view: [0, 'x', 4], vehicleType: 'tram', other: 1 })).toEqual({})
  })

  it('knows the lists of the contract', () => {
    for (const aggregation of tripAggregations.slice(1)) expect(tripsSearch({ aggregation })).toEqual({ aggregation })
    for (const vehicleType of Object.keys(vehicleTypeTexts)) expect(tripsSearch({ vehicleType })).toEqual({ vehicleType })
  })

  it('survives anything', () => {
    const keys = ['operators', 'vehicleType', 'period', 'startDate', 'endDate', 'days', 'hours', 'layer', 'aggregation', 'buffer', 'shape', 'colors', 'heat', 'results', 'view']
    fc.assert(fc.property(fc.dictionary(fc.constantFrom(...keys), fc.anything()), (junk) => {
      const read = tripsSearch(junk)
      expect(tripsSearch({ ...read })).toEqual(read)
    }))
  })

  it('comes back from an address as it went in', () => {
    const day = fc.integer({ min: 17_000, max: 22_000 }).map(dayOfNumber)
    const whole = fc.record({
      operators: fc.array(fc.constantFrom('swift', 'orbit', 'lumo')), vehicleType: fc.constantFrom(...(Object.keys(vehicleTypeTexts) as VehicleType[])), period: fc.constantFrom(...periodPresets),
      startDate: day, endDate: day, days: fc.array(fc.integer({ min: 1, max: 7 })), hours: fc.tuple(fc.nat(24), fc.nat(24)), layer: fc.constant(layer), shape: fc.constant(layer),
      aggregation: fc.constantFrom(...tripAggregations), buffer: fc.nat(5000), colors: fc.constantFrom(...colorSchemes), heat: fc.constantFrom(...heatPlaces), results: fc.boolean(),
      view: fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -85, max: 85, noNaN: true }), fc.double({ min: 0, max: 20, noNaN: true })),
    }, { requiredKeys: [] })
    fc.assert(fc.property(whole, (given) => {
      const read = tripsSearch(given)
      expect(tripsSearch(JSON.parse(JSON.stringify(read)))).toEqual(JSON.parse(JSON.stringify(read)))
    }))
  })
})
