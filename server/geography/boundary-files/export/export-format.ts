import type { Layer, Shape } from '#contract/geography.ts'

export type ExportedShape = Pick<
  Shape,
  'shape_uuid' | 'shape_id' | 'shape_name' | 'shape_description' | 'geom' | 'properties'
>

/** A file format for the download of layers. */
export interface ExportFormat {
  /** File name extension. */
  extension: string
  mediaType: string
  /** Writes the file in chunks, so that large files do not block other requests. */
  write(
    layer: Pick<Layer, 'layer_name' | 'layer_slug'>,
    shapes: readonly ExportedShape[],
  ): Iterable<string | Uint8Array>
}

/** The value of a property in a table; lists and objects are JSON text. */
export type Cell = string | number | boolean | null

/** A column in addition to name and description. */
export interface Column {
  name: string
  type: 'text' | 'number' | 'boolean'
  getCell(shape: ExportedShape): Cell
}

/** Reserved columns. Properties with these names, in any case, are omitted. */
const reservedNames = ['name', 'description', 'shape_id', 'shape_uuid']

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}

/** Returns the type that all filled cells of a column have; `text` if they have several. */
function findType(values: Iterable<Cell>): Column['type'] {
  const types = new Set(
    [...values].filter((value) => value !== null && value !== '').map((value) => typeof value),
  )
  const [type] = types
  return types.size === 1 && (type === 'number' || type === 'boolean') ? type : 'text'
}

/** Returns the columns of a layer: its ids, then its properties in the order of their first appearance. */
export function listExportedColumns(shapes: readonly ExportedShape[]): Column[] {
  const names = new Set(shapes.flatMap(({ properties }) => Object.keys(properties)))
  const propertyNames = [...names].filter((name) => !reservedNames.includes(name.toLowerCase()))
  return [
    { name: 'shape_id', type: 'text', getCell: (shape) => shape.shape_id },
    { name: 'shape_uuid', type: 'text', getCell: (shape) => shape.shape_uuid },
    ...propertyNames.map((name): Column => {
      const getCell = ({ properties }: ExportedShape): Cell => toCell(properties[name])
      return { name, type: findType(shapes.map(getCell)), getCell }
    }),
  ]
}
