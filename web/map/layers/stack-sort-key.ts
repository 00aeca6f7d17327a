import type { ExpressionSpecification } from 'maplibre-gl'

/** Sort key for overlapping shapes from bottom to top, so that the smallest one is visible and clickable. */
export function stackSortKey(stack: readonly string[]): ExpressionSpecification {
  const [first, ...others] = stack
  if (first === undefined) return ['literal', 0] as unknown as ExpressionSpecification
  return [
    'match',
    ['get', 'shape_uuid'],
    first,
    0,
    ...others.flatMap((id, index) => [id, index + 1]),
    0,
  ] as unknown as ExpressionSpecification
}
