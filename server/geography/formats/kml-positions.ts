import { BoundaryFileError } from './boundary-file-error.ts'
import { LIMITS } from './limits.ts'

/**
 * The tuples of a KML `coordinates` text: longitude,latitude[,altitude] set apart by blanks.
 * Blanks beside a comma are forgiven. What is no number comes back as NaN, to be refused by name later.
 */
export function kmlPositions(text: string): number[][] {
  const positions: number[][] = []
  const tuples = /[^\s,]+(?:\s*,\s*[^\s,]+)*/g
  for (let found = tuples.exec(text); found !== null; found = tuples.exec(text)) {
    if (positions.length >= LIMITS.positions)
      throw new BoundaryFileError(
        'too-many-positions',
        `The file has more than ${LIMITS.positions.toLocaleString('en')} vertices. Simplify the borders or send the file in parts.`,
      )
    positions.push(found[0].split(',').map(Number))
  }
  return positions
}
