/** Renders a seamless square of slanted lines, the pattern for "no data". */
export function hatch(color: string, size = 8): { width: number; height: number; data: Uint8ClampedArray } {
  const data = new Uint8ClampedArray(size * size * 4)
  const channels = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const offset = (x + y) % size
      data.set(
        [...channels, offset === 0 ? 255 : offset === 1 || offset === size - 1 ? 110 : 0],
        (y * size + x) * 4,
      )
    }
  }
  return { width: size, height: size, data }
}

/** Name of the hatch image of a scheme. */
export const hatchName = (scheme: string): string => `hatch-${scheme}`
