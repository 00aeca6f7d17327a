import { useEffect, useEffectEvent, useState } from 'react'
import type { Layer } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import type { Viewport } from '#web/map/viewport.ts'

/** Pixels of a tile's side: a map of zoom 0 is one tile. */
const tile = 512

/** Whether anything of a box is on a map of so many pixels. */
export function isInView(
  [west, south, east, north]: Box,
  { lon, lat, zoom }: Viewport,
  width: number,
  height: number,
): boolean {
  const degrees = 360 / (tile * 2 ** zoom)
  const [across, up] = [(degrees * width) / 2, (degrees * Math.cos((lat * Math.PI) / 180) * height) / 2]
  return west <= lon + across && east >= lon - across && south <= lat + up && north >= lat - up
}

/** The box to which the map moves when an opened layer is out of view, such as an imported one of another city. Moves once per opening. */
export function useFlyTo(
  layer: Layer | null,
  opened: { layer: string } | null,
  view: Viewport,
): { box: Box; minZoom: number } | null {
  const [goal, setGoal] = useState<{ box: Box; minZoom: number } | null>(null)
  const id = layer?.shape_layer_uuid
  const go = useEffectEvent(() => {
    if (layer?.bbox && !isInView(layer.bbox, view, window.innerWidth, window.innerHeight))
      setGoal({ box: layer.bbox, minZoom: 0 })
  })
  useEffect(() => {
    if (opened !== null && opened.layer === id) go()
  }, [id, opened])
  return goal
}
