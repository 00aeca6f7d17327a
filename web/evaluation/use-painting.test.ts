import { expect, it } from 'vitest'
import { asDrawn } from './use-painting.ts'
import type { Painting } from './painting.ts'

const painting: Painting = {
  of: new Map(),
  colors: [],
  legend: [
    { key: '0', label: '1 – 9', members: '', swatch: { color: 'teal', opacity: 0.35 } },
    { key: 'zero', label: '0', members: '', swatch: 'zero' },
  ],
}
const swatches = (geometry: 'area' | 'line' | 'point' | 'mixed') =>
  asDrawn(painting, geometry).legend.map(({ swatch }) => swatch)

it('shows the colours of lines and points in full, as they are drawn', () => {
  for (const geometry of ['line', 'point'] as const)
    expect(swatches(geometry)).toEqual([{ color: 'teal', opacity: 1 }, 'zero'])
})
it('shows those of areas that lie over each other nearly in full', () => {
  expect(asDrawn(painting, 'area', true).legend.map(({ swatch }) => swatch)).toEqual([
    { color: 'teal', opacity: 0.75 },
    'zero',
  ])
})
it('shows those of areas as light as they are drawn', () => {
  for (const geometry of ['area', 'mixed'] as const)
    expect(swatches(geometry)).toEqual([{ color: 'teal', opacity: 0.35 }, 'zero'])
})
