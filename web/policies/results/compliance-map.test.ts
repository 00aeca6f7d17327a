import { describe, expect, it } from 'vitest'
import { aFact } from '#web/compliance/test-compliance.ts'
import { drawFacts, factFeatureId, parseFactIndex, firstCameraTarget } from './compliance-map.tsx'
import { testLayer, testShape } from '#web/map-page/test-geography.ts'

describe('facts on a map', () => {
  it('have a place and the color of their kind, and are identified by index', () => {
    const drawn = drawFacts(
      [aFact(), aFact({ lon: 2, lat: 3, is_violation: false, is_uncertain: true })],
      'light',
      1,
    )
    expect([...drawn.positions]).toEqual([0.5, 0.5, 2, 3])
    expect([...drawn.colors].slice(0, 3)).not.toEqual([...drawn.colors].slice(4, 7))
    expect([drawn.count, drawn.getId(1), drawn.selected]).toEqual([2, 'fact:1', { lon: 2, lat: 3 }])
    expect([
      parseFactIndex(factFeatureId(7)),
      parseFactIndex('8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'),
    ]).toEqual([7, null])
  })

  it('the first view is around the covered shapes, else around the layer', () => {
    expect(
      firstCameraTarget({ layer: testLayer, covered: [testShape.shape_uuid] }, [testShape])?.box,
    ).toEqual([0, 0, 1, 1])
    expect(firstCameraTarget({ layer: testLayer, covered: null }, null)?.box).toEqual(testLayer.bbox)
    expect(firstCameraTarget({ layer: null, covered: null }, null)).toBeNull()
  })
})
