import type { Layer, Shape } from '#contract/geography.ts'

/** The exported fields of a shape. */
export type ExportedShape = Pick<
  Shape,
  'shape_uuid' | 'shape_id' | 'shape_name' | 'shape_description' | 'geom' | 'properties'
>

/** A file format for the download of layers. */
export interface ExportFormat {
  /** File name extension. */
  extension: string
  media: string
  /** The file in chunks, so that a large one does not block other calls. */
  write(
    layer: Pick<Layer, 'layer_name' | 'layer_slug'>,
    shapes: readonly ExportedShape[],
  ): Iterable<string | Uint8Array>
}
