import { expect, it } from 'vitest'
import { valueOpacity } from '#web/kit/theme.ts'
import { withLayerOpacity } from './use-painting.ts'
import type { Painting } from './painting.ts'

const painting: Painting = {
  binById: new Map(),
  colors: [],
  legend: [
    { key: '0', label: '1 – 9', members: '', swatch: { color: 'teal', opacity: valueOpacity } },
    { key: 'zero', label: '0', members: '', swatch: 'zero' },
  ],
}
const swatches = (geometry: 'area' | 'line' | 'point' | 'mixed') =>
  withLayerOpacity(painting, geometry).legend.map(({ swatch }) => swatch)

it('has opaque colors for lines and points, like the map', () => {
  for (const geometry of ['line', 'point'] as const)
    expect(swatches(geometry)).toEqual([{ color: 'teal', opacity: 1 }, 'zero'])
})
it('has transparent colors for areas, like the map', () => {
  for (const geometry of ['area', 'mixed'] as const)
    expect(swatches(geometry)).toEqual([{ color: 'teal', opacity: valueOpacity }, 'zero'])
})
