/** Channels of a color, each from 0 to 255. */
export type Rgba = [red: number, green: number, blue: number, opacity: number]

/** Red, green and blue of a hex color (#RRGGBB), 0 to 255. */
export const parseHexColor = (color: string): [red: number, green: number, blue: number] => {
  const parseChannel = (start: number): number => Number.parseInt(color.slice(start, start + 2), 16)
  return [parseChannel(1), parseChannel(3), parseChannel(5)]
}

/** Converts a theme color (#RRGGBB) to channels of 0 to 255. */
export const toRgba = (color: string, opacity = 255): Rgba => [...parseHexColor(color), opacity]

/** Renders a seamless square of slanted lines, the pattern for "no data". */
export function hatch(color: string, size = 8): { width: number; height: number; data: Uint8ClampedArray } {
  const data = new Uint8ClampedArray(size * size * 4)
  const channels = parseHexColor(color)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const offset = (x + y) % size
      const isEdge = offset === 1 || offset === size - 1
      // Half transparent edges make the lines look smooth.
      const outerOpacity = isEdge ? 110 : 0
      data.set([...channels, offset === 0 ? 255 : outerOpacity], (y * size + x) * 4)
    }
  }
  return { width: size, height: size, data }
}

export const hatchName = (scheme: string): string => `hatch-${scheme}`
