export type Rgba = [red: number, green: number, blue: number, opacity: number]

/** Converts a theme color (#RRGGBB) to channels of 0 to 255. */
export const rgbaOf = (color: string, opacity = 255): Rgba =>
  [...[1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)), opacity] as Rgba
