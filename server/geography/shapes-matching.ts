import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Shapes of a layer with a text in their name (a pattern; null: any) whose box meets a box of west, south, east, north. */
export function shapesMatching(layerId: string, like: string | null, box: readonly number[] | undefined) {
  return (is: ExpressionBuilder<StateTables, 'shape'>): ExpressionWrapper<StateTables, 'shape', SqlBool> => {
    const corner = (at: number) => is.cast<number>(is.ref('shape.bbox', '->').at(at as never), 'float8')
    const [west = -180, south = -90, east = 180, north = 90] = box ?? []
    return is.and([
      is('shape.layer_id', '=', layerId),
      ...(like === null ? [] : [is('shape.name', 'ilike', like)]),
      ...(box
        ? [
            is(corner(0), '<=', east),
            is(corner(2), '>=', west),
            is(corner(1), '<=', north),
            is(corner(3), '>=', south),
          ]
        : []),
    ])
  }
}
