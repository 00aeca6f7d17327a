import { describe, expect, it } from 'vitest'
import { polygonsOf } from '../city-check/covers.ts'
import type { CityLayer } from '../city.ts'
import { boardMesh } from '../plane/small-meshes.ts'
import { traceFaces } from '../plane/trace-faces.ts'
import type { Block } from './block.ts'
import { makeLayers } from './make-layers.ts'

const mesh = boardMesh(4, 1000)
const faces = traceFaces(mesh)
const columnOf = (face: number): number => Math.min(...faces.rings[face]![0]!.map(([x]) => x)) / 1000
const rowOf = (face: number): number => Math.min(...faces.rings[face]![0]!.map(([, y]) => y)) / 1000
/** From west to east: a neighbourhood, another one with a park in its middle, and a column of water, country and country. */
const blocks = faces.rings.map((_, face): Block => {
  const [column, row] = [columnOf(face), rowOf(face)]
  const plain = { name: '', parkKind: '', area: 1e6 }
  if (column === 2)
    return row === 0
      ? { ...plain, kind: 'water', neighbourhood: -1, name: 'Bay' }
      : { ...plain, kind: 'outside', neighbourhood: -1 }
  if (row === 1) return { ...plain, kind: 'park', neighbourhood: column, name: 'Green', parkKind: 'park' }
  return { ...plain, kind: 'built', neighbourhood: column }
})
const layers = makeLayers(
  mesh,
  faces,
  blocks,
  [
    { name: 'West', district: 'Town' },
    { name: 'East', district: 'Town' },
  ],
  { lon: 10, lat: 0 },
)
const named = (name: string): CityLayer => layers.find((layer) => layer.name === name)!
const names = (name: string): string[] =>
  named(name)
    .features.map(({ properties }) => properties.name)
    .toSorted()

describe('makeLayers', () => {
  it('makes one primary layer and the areas of the basemap', () => {
    expect(layers.map(({ name, level }) => `${name}:${level}`)).toEqual([
      'Neighbourhoods:l1',
      'Districts:',
      'Blocks:',
      'Water:basemap:water',
      'Parks:basemap:park',
      'Land:basemap:land',
    ])
  })

  it('joins the blocks of a neighbourhood, and the neighbourhoods of a district', () => {
    expect(names('Neighbourhoods')).toEqual(['East', 'West'])
    expect(names('Districts')).toEqual(['Town'])
    const [district] = named('Districts').features
    expect(polygonsOf(district!).length).toBe(1)
    const lons = polygonsOf(district!)[0]![0]!.map(([lon]) => lon!)
    expect(Math.max(...lons) - Math.min(...lons)).toBeCloseTo(2000 / 111_195, 5)
  })

  it('numbers the blocks within their neighbourhood, and those of none not at all', () => {
    expect(names('Blocks')).toEqual([
      'Block 01-001',
      'Block 01-002',
      'Block 01-003',
      'Block 02-001',
      'Block 02-002',
      'Block 02-003',
    ])
  })

  it('parts a park that lies in two neighbourhoods', () => {
    expect(named('Parks').features.map(({ properties }) => properties)).toEqual([
      { name: 'Green', kind: 'park' },
      { name: 'Green', kind: 'park' },
    ])
  })

  it('parts land of the city from land around it, and water from both', () => {
    expect(names('Water')).toEqual(['Bay'])
    expect(
      named('Land')
        .features.map(({ properties }) => properties.kind)
        .toSorted(),
    ).toEqual(['city', 'surroundings'])
  })

  it('draws common borders with the very same vertices', () => {
    const [a, b] = named('Neighbourhoods').features.map(
      (feature) => new Set(polygonsOf(feature).flat(2).map(String)),
    )
    expect([...a!].filter((vertex) => b!.has(vertex)).length).toBe(4)
  })
})
