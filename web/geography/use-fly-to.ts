import { useEffect, useEffectEvent, useState } from 'react'
import type { Layer } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import type { Viewport } from '#web/map/viewport.ts'

/** Side of a map tile in pixels: at zoom 0 the map is one tile. */
const tilePixels = 512

/** Whether any part of a box is visible on a map of the given size in pixels. */
export function isInView(
  [west, south, east, north]: Box,
  { lon, lat, zoom }: Viewport,
  width: number,
  height: number,
): boolean {
  const degrees = 360 / (tilePixels * 2 ** zoom)
  const [halfWidth, halfHeight] = [
    (degrees * width) / 2,
    (degrees * Math.cos((lat * Math.PI) / 180) * height) / 2,
  ]
  return (
    west <= lon + halfWidth &&
    east >= lon - halfWidth &&
    south <= lat + halfHeight &&
    north >= lat - halfHeight
  )
}

/** The box to which the map moves if an opened layer (imported, of another city) is out of view. Once. */
export function useFlyTo(
  layer: Layer | null,
  opened: { layer: string } | null,
  view: Viewport,
): { box: Box; minZoom: number } | null {
  const [cameraTarget, setCameraTarget] = useState<{ box: Box; minZoom: number } | null>(null)
  const id = layer?.shape_layer_uuid
  const moveIfOutOfView = useEffectEvent(() => {
    if (layer?.bbox && !isInView(layer.bbox, view, window.innerWidth, window.innerHeight))
      setCameraTarget({ box: layer.bbox, minZoom: 0 })
  })
  useEffect(() => {
    if (opened !== null && opened.layer === id) moveIfOutOfView()
  }, [id, opened])
  return cameraTarget
}
