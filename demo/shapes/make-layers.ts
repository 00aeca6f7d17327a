import type { CityFeature, CityLayer } from '../city.ts'
import type { Mesh } from '../plane/mesh.ts'
import { outlineFaces } from '../plane/outline-faces.ts'
import type { Faces } from '../plane/trace-faces.ts'
import { areaFeature } from './area-feature.ts'
import type { Block } from './block.ts'
import type { Neighbourhood } from './name-groups.ts'

/** All layers of areas: neighbourhoods, districts and blocks with common vertices, and the areas of the basemap. */
export function makeLayers(
  mesh: Mesh,
  faces: Faces,
  blocks: readonly Block[],
  neighbourhoods: readonly Neighbourhood[],
  origin: { lon: number; lat: number },
): CityLayer[] {
  const layer = (
    name: string,
    level: string,
    keyOf: (block: Block, face: number) => string,
    propertiesOf: (block: Block, face: number) => CityFeature['properties'],
  ): CityLayer => {
    const groups = new Map<string, number>()
    const first: number[] = []
    const groupOf = blocks.map((block, face) => {
      const key = keyOf(block, face)
      if (key === '') return -1
      if (!groups.has(key)) {
        groups.set(key, first.length)
        first.push(face)
      }
      return groups.get(key)!
    })
    const outlines = outlineFaces(mesh, faces, (face) => groupOf[face]!)
    return {
      name,
      level,
      features: outlines.map((polygons, g) =>
        areaFeature(polygons, propertiesOf(blocks[first[g]!]!, first[g]!), origin),
      ),
    }
  }
  const neighbourhoodOf = (block: Block): Neighbourhood | undefined => neighbourhoods[block.neighbourhood]
  const numbers = numberBlocks(blocks)
  return [
    layer(
      'Neighbourhoods',
      'l1',
      (block) => neighbourhoodOf(block)?.name ?? '',
      (block) => ({ name: neighbourhoodOf(block)!.name }),
    ),
    layer(
      'Districts',
      '',
      (block) => neighbourhoodOf(block)?.district ?? '',
      (block) => ({ name: neighbourhoodOf(block)!.district }),
    ),
    layer(
      'Blocks',
      '',
      (block, face) => (neighbourhoodOf(block) ? `${face}` : ''),
      (_, face) => ({ name: numbers[face]! }),
    ),
    layer(
      'Water',
      'basemap:water',
      (block) => (block.kind === 'water' ? block.name : ''),
      ({ name }) => ({ name }),
    ),
    layer(
      'Parks',
      'basemap:park',
      (block) => (block.kind === 'park' ? `${block.name} ${block.neighbourhood}` : ''),
      ({ name, parkKind }) => ({ name, kind: parkKind }),
    ),
    layer(
      'Land',
      'basemap:land',
      ({ kind, neighbourhood }) => (kind === 'water' ? '' : neighbourhood < 0 ? 'outside' : 'city'),
      ({ neighbourhood }) =>
        neighbourhood < 0
          ? { name: 'Meridian County', kind: 'surroundings' }
          : { name: 'Port Meridian', kind: 'city' },
    ),
  ]
}

/** Block numbers as a census has them: two digits of the neighbourhood, three of the block. */
function numberBlocks(blocks: readonly Block[]): string[] {
  const counts = new Map<number, number>()
  return blocks.map(({ neighbourhood }) => {
    const count = (counts.get(neighbourhood) ?? 0) + 1
    counts.set(neighbourhood, count)
    return `Block ${String(neighbourhood + 1).padStart(2, '0')}-${String(count).padStart(3, '0')}`
  })
}
