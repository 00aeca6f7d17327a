import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { testLayer } from '#web/map-page/test-geography.ts'
import { isInView, useFlyTo } from './use-fly-to.ts'

const view = { lon: -75.2, lat: 37.05, zoom: 12 }
const far = {
  ...testLayer,
  shape_layer_uuid: 'far',
  bbox: [-83.2, 39.8, -82.7, 40.2] as [number, number, number, number],
}
const near = {
  ...testLayer,
  shape_layer_uuid: 'near',
  bbox: [-75.3, 37, -75.1, 37.1] as [number, number, number, number],
}

it('moves to an opened layer once it is loaded, unless a part of it is in view', () => {
  const hook = renderHook(({ layer, opened }) => useFlyTo(layer, opened, view), {
    initialProps: { layer: near, opened: null as { layer: string } | null },
  })
  expect(hook.result.current).toBeNull()
  const opened = { layer: 'far' }
  hook.rerender({ layer: near, opened })
  expect(hook.result.current).toBeNull()
  hook.rerender({ layer: far, opened })
  const cameraTarget = hook.result.current
  expect(cameraTarget).toEqual({ box: far.bbox, minZoom: 0 })
  // Another response about the same layer must not move the map.
  hook.rerender({ layer: { ...far }, opened })
  expect(hook.result.current).toBe(cameraTarget)
  hook.rerender({ layer: near, opened: { layer: 'near' } })
  expect(hook.result.current).toBe(cameraTarget)
})

it('determines whether any part of a layer is in view', () => {
  const view = { lon: -75.2, lat: 37.05, zoom: 12 }
  expect(isInView([-75.3, 36.9, -75.1, 37.2], view, 900, 700)).toBe(true)
  expect(isInView([-75.15, 37.06, -75.1, 37.1], view, 900, 700)).toBe(true)
  expect(isInView([-83.2, 39.8, -82.7, 40.2], view, 900, 700)).toBe(false)
  expect(isInView([-75.25, 37.2, -75.15, 37.3], view, 900, 700)).toBe(false)
  expect(isInView([-75.25, 37.2, -75.15, 37.3], { ...view, zoom: 9 }, 900, 700)).toBe(true)
})
