import { describe, expect, it } from 'vitest'
import { aFact } from '#web/compliance/test-compliance.ts'
import { drawFacts, factFeatureId, parseFactIndex, firstCameraTarget } from './compliance-map.tsx'
import { testLayer, testShape } from '#web/map-page/test-geography.ts'

describe('facts on a map', () => {
  const drawn = drawFacts(
    [aFact(), aFact({ lon: 2, lat: 3, is_violation: false, is_uncertain: true })],
    'light',
    1,
  )
  /** Returns red, green and blue of a fact; each fact has four bytes. */
  const getColor = (index: number) => [...drawn.colors].slice(4 * index, 4 * index + 3)

  it('have a place and the color of their kind', () => {
    expect([...drawn.positions]).toEqual([0.5, 0.5, 2, 3])
    expect(getColor(0)).not.toEqual(getColor(1))
  })

  it('are identified by index', () => {
    expect([drawn.count, drawn.getId(1), drawn.selected]).toEqual([2, 'fact:1', { lon: 2, lat: 3 }])
    expect([
      parseFactIndex(factFeatureId(7)),
      parseFactIndex('8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'),
    ]).toEqual([7, null])
  })
})

describe('firstCameraTarget', () => {
  it('is around the covered shapes, else around the layer', () => {
    expect(
      firstCameraTarget({ layer: testLayer, covered: [testShape.shape_uuid] }, [testShape])?.box,
    ).toEqual([0, 0, 1, 1])
    expect(firstCameraTarget({ layer: testLayer, covered: null }, null)?.box).toEqual(testLayer.bbox)
    expect(firstCameraTarget({ layer: null, covered: null }, null)).toBeNull()
  })
})
