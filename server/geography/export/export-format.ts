import type { Layer, Shape } from '#contract/geography.ts'

/** What of a shape is written. */
export type ExportedShape = Pick<
  Shape,
  'shape_uuid' | 'shape_id' | 'shape_name' | 'shape_description' | 'geom' | 'properties'
>

/** A kind of file that a layer is downloaded as. A member never imports the list. */
export interface ExportFormat {
  /** Ending of the file's name. */
  ending: string
  media: string
  /** The file in pieces, so that a long one does not hold up other requests. */
  write(
    layer: Pick<Layer, 'layer_name' | 'layer_slug'>,
    shapes: readonly ExportedShape[],
  ): Iterable<string | Uint8Array>
}
