export type Rgba = [red: number, green: number, blue: number, opacity: number]

/** A colour of the theme (#RRGGBB) in channels of 0 to 255. */
export const rgbaOf = (color: string, opacity = 255): Rgba =>
  [...[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)), opacity] as Rgba
