import * as maplibregl from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import 'maplibre-gl/dist/maplibre-gl.css'

// MapLibre 6 has no worker inside: its address must be known before the first map is made.
maplibregl.setWorkerUrl(workerUrl)

export { maplibregl }
