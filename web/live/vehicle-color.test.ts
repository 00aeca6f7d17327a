import { expect, it } from 'vitest'
import { rgbaOf } from '#web/map/layers/rgba-of.ts'
import { colorings } from '#web/mobility/live/color-by.ts'
import { FleetColumns } from '#web/mobility/live/fleet-columns.ts'
import { paintFleet } from '#web/mobility/live/paint-fleet.ts'
import { told } from '#web/mobility/live/test-fleet.ts'
import { vehicleColor } from './vehicle-color.ts'

it('is the colour that the map gives it, whatever colours tell', () => {
  const columns = new FleetColumns()
  columns.load(
    told([
      { handle: 0, battery: 5 },
      { handle: 1, operator: 'two', state: 'on_trip', battery: null },
      { handle: 2, operator: 'unnamed', state: 'lost', battery: 100 },
    ]),
  )
  const operatorColors = new Map([
    ['one', '#102030'],
    ['two', '#405060'],
  ])
  for (const by of colorings)
    for (const scheme of ['light', 'dark'] as const) {
      const { colors } = paintFleet(columns, Uint32Array.from([0, 1, 2]), { by, scheme, operatorColors })
      expect(
        [0, 1, 2].map((handle) => rgbaOf(vehicleColor(columns, handle, by, operatorColors, scheme))),
      ).toEqual([0, 1, 2].map((at) => Array.from(colors.subarray(4 * at, 4 * at + 4))))
    }
})
