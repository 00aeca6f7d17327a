interface TiledLayer {
  region_id: string
  shape_layer_uuid: string
  content_hash: string
}

const bucketMs = 30 * 60_000

/**
 * Address of a layer's tiles. The content hash changes with the shapes and the bucket every half hour, so that tiles can be kept long and are never stale.
 * MapLibre asks from a worker, which knows no page to be relative to: the origin must stand in it.
 */
export function tileUrl(layer: TiledLayer, origin: string, at: number): string {
  const path = `/v2/regions/${encodeURIComponent(layer.region_id)}/layers/${layer.shape_layer_uuid}/vector`
  return `${origin}${path}/{z}/{x}/{y}?v=${encodeURIComponent(layer.content_hash)}&bucket=${Math.floor(at / bucketMs)}`
}
