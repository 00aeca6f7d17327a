import type { ExpressionSpecification } from 'maplibre-gl'

/** Key by which shapes of a tile are drawn: those of a stack from below to above, so that the smallest is seen and touched. */
export function stackSortKey(stack: readonly string[]): ExpressionSpecification {
  const [first, ...others] = stack
  if (first === undefined) return ['literal', 0] as unknown as ExpressionSpecification
  return [
    'match',
    ['get', 'shape_uuid'],
    first,
    0,
    ...others.flatMap((id, at) => [id, at + 1]),
    0,
  ] as unknown as ExpressionSpecification
}
