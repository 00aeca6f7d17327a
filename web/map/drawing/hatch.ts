/** A square of slanted lines that tiles without a seam; the pattern of "no data". */
export function hatch(color: string, size = 8): { width: number; height: number; data: Uint8ClampedArray } {
  const data = new Uint8ClampedArray(size * size * 4)
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const off = (x + y) % size
      data.set([...channels, off === 0 ? 255 : off === 1 || off === size - 1 ? 110 : 0], (y * size + x) * 4)
    }
  }
  return { width: size, height: size, data }
}

/** Name of the hatch image of a scheme. */
export const hatchName = (scheme: string): string => `hatch-${scheme}`
