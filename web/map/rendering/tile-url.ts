interface TiledLayer {
  region_id: string
  shape_layer_uuid: string
  content_hash: string
}

/** Tiles are requested again after this time, even if the shapes have not changed. */
const bucketMs = 30 * 60_000

/**
 * URL template of a layer's tiles. The content hash changes with the shapes and the bucket every half hour,
 * so that tiles can be cached for a long time and are never stale. MapLibre requests tiles in a worker
 * without a base URL, so the URL includes the origin.
 */
export function tileUrl(layer: TiledLayer, origin: string, nowMs: number): string {
  const path = `/v2/regions/${encodeURIComponent(layer.region_id)}/layers/${layer.shape_layer_uuid}/vector`
  return `${origin}${path}/{z}/{x}/{y}?v=${encodeURIComponent(layer.content_hash)}&bucket=${Math.floor(nowMs / bucketMs)}`
}
