import path from 'node:path'
import type { Layer, Note } from '#contract/geography.ts'
import type { ApiClient } from './api-client.ts'

/** The value of an option that is given once for all files or once per file. Throws for any other number. */
export function valueFor(
  option: string,
  values: readonly string[] | undefined,
  files: number,
  at: number,
): string | undefined {
  if (!values) return undefined
  if (values.length !== 1 && values.length !== files)
    throw new Error(
      `--${option} is given ${values.length} times for ${files} files: give it once for all, or once per file in their order.`,
    )
  return (values.length === 1 ? values[0] : values[at]) || undefined
}

interface NewLayer {
  name: string
  level: string | undefined
  nameProperty: string | undefined
  /** Store features although most of them are outside the region. */
  acceptOutside: boolean | undefined
}

/** One line about a note; most texts of a reader begin with the feature already ("Feature 3 has …"). */
export function noteLine({ position, name, text }: Note): string {
  const isNamed = position === null || new RegExp(`^\\p{L}+ ${position}\\b`, 'u').test(text)
  return `  ${isNamed ? '' : `feature ${position}${name ? ` (${name})` : ''}: `}${text}`
}

/** Sends a boundary file as a new layer and prints what was repaired or left out. */
export async function sendLayer(
  api: ApiClient,
  region: string,
  file: string,
  wanted: NewLayer,
): Promise<void> {
  const query = new URLSearchParams({
    file_name: path.basename(file),
    layer_name: wanted.name,
    ...(wanted.level ? { level: wanted.level } : {}),
    ...(wanted.nameProperty ? { name_property: wanted.nameProperty } : {}),
    ...(wanted.acceptOutside ? { accept_outside: 'true' } : {}),
  })
  const { layer, notes } = (await api.sendFile(
    `/v2/regions/${region}/shapes/upload?${query}`,
    file,
  )) as unknown as { layer: Layer; notes: Note[] }
  for (const note of notes) console.log(noteLine(note))
  console.log(`Layer ${layer.layer_name}: ${layer.shape_count} shapes.`)
}
