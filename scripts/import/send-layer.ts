import path from 'node:path'
import type { Note } from '#contract/boundary-files.ts'
import type { Layer } from '#contract/geography.ts'
import type { ApiClient } from './api-client.ts'

/**
 * Reads the value for one file of an option that is given once for all files or once per file. Throws if it
 * is given another number of times.
 */
export function readOptionValue(
  option: string,
  values: readonly string[] | undefined,
  fileCount: number,
  fileIndex: number,
): string | undefined {
  if (!values) return undefined
  if (values.length !== 1 && values.length !== fileCount)
    throw new Error(
      `--${option} is given ${values.length} times for ${fileCount} files: give it once for all, or once per file in their order.`,
    )
  return (values.length === 1 ? values[0] : values[fileIndex]) || undefined
}

interface NewLayer {
  name: string
  level: string | undefined
  nameProperty: string | undefined
  /** Store features although most of them are outside the region. */
  acceptOutside: boolean | undefined
}

/** Formats a note, with its feature unless the text begins with it ("Feature 3 has …"). */
export function formatNote({ position, name, text }: Note): string {
  const namesFeature = position === null || new RegExp(`^\\p{L}+ ${position}\\b`, 'u').test(text)
  return `  ${namesFeature ? '' : `feature ${position}${name ? ` (${name})` : ''}: `}${text}`
}

/** Sends a boundary file as a new layer, and prints notes about repaired and omitted features. */
export async function sendLayer(
  api: ApiClient,
  region: string,
  file: string,
  newLayer: NewLayer,
): Promise<void> {
  const query = new URLSearchParams({
    file_name: path.basename(file),
    layer_name: newLayer.name,
    ...(newLayer.level ? { level: newLayer.level } : {}),
    ...(newLayer.nameProperty ? { name_property: newLayer.nameProperty } : {}),
    ...(newLayer.acceptOutside ? { accept_outside: 'true' } : {}),
  })
  const { layer, notes } = (await api.sendFile(
    `/v2/regions/${region}/shapes/upload?${query}`,
    file,
  )) as unknown as { layer: Layer; notes: Note[] }
  for (const note of notes) console.log(formatNote(note))
  console.log(`Layer ${layer.layer_name}: ${layer.shape_count} shapes.`)
}
