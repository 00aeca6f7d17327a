import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { testLayer } from '#web/map-page/shapes-for-test.ts'
import { useWayTo } from './use-way-to.ts'

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

it('goes to a layer that was opened once it is known, and stays where something of it is in view', () => {
  const hook = renderHook(({ layer, opened }) => useWayTo(layer, opened, view), {
    initialProps: { layer: near, opened: null as { layer: string } | null },
  })
  expect(hook.result.current).toBeNull()
  const opened = { layer: 'far' }
  hook.rerender({ layer: near, opened })
  expect(hook.result.current).toBeNull()
  hook.rerender({ layer: far, opened })
  const goal = hook.result.current
  expect(goal).toEqual({ box: far.bbox, least: 0 })
  // Another answer about the same layer is no reason to move the map again.
  hook.rerender({ layer: { ...far }, opened })
  expect(hook.result.current).toBe(goal)
  hook.rerender({ layer: near, opened: { layer: 'near' } })
  expect(hook.result.current).toBe(goal)
})
