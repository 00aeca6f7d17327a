import { dataColours, type Scheme } from '#web/kit/theme.ts'
import type { ComparedOutline } from './geography-shapes.ts'

/** One colour for each side of a comparison, and a dash, so that colour alone tells nothing. */
export function comparedStyle(
  scheme: Scheme,
  role: ComparedOutline['role'],
): { color: string; dash: [number, number] } {
  const { categorical } = dataColours[scheme]
  if (role === 'base') return { color: dataColours[scheme].outline, dash: [1, 1.5] }
  return role === 'mine'
    ? { color: categorical[0]!, dash: [1, 0] }
    : { color: categorical[1]!, dash: [4, 1.5] }
}
