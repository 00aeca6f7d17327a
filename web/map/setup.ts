import * as maplibregl from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import 'maplibre-gl/dist/maplibre-gl.css'

// MapLibre 6 does not bundle its worker, so the URL must be set before the first map is created.
maplibregl.setWorkerUrl(workerUrl)

export { maplibregl }
