import path from 'node:path'
import type { Layer, Note } from '#contract/geography.ts'
import type { ApiClient } from './api-client.ts'

/** Sends a boundary file as a new layer and tells what was repaired or left out. */
export async function sendLayer(api: ApiClient, region: string, file: string, wanted: { name: string; level: string | undefined; nameProperty: string | undefined }): Promise<void> {
  const query = new URLSearchParams({ file_name: path.basename(file), layer_name: wanted.name, ...(wanted.level ? { level: wanted.level } : {}), ...(wanted.nameProperty ? { name_property: wanted.nameProperty } : {}) })
  const { layer, notes } = (await api.sendFile(`/v2/regions/${region}/shapes/upload?${query}`, file)) as unknown as { layer: Layer; notes: Note[] }
  for (const note of notes) console.log(`  ${note.position === null ? '' : `feature ${note.position}: `}${note.text}`)
  console.log(`Layer ${layer.layer_name}: ${layer.shape_count} shapes.`)
}
