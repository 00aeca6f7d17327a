import { type Scheme, tokens } from './theme.ts'

const channels = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) || 0)
const linear = (channel: number): number =>
  channel <= 0.04045 * 255 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4
/** Relative luminance of a color, as in WCAG 2. */
export const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channels(color).map(linear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of two colors as `#RRGGBB`, 1 to 21 (WCAG 2). */
export function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

/** Minimum contrast of graphics to their background (WCAG 1.4.11). */
export const minGraphicsContrast = 3
const steps = 20

/** Lightens a color that was chosen on white, such as that of an operator, as far as dark panels require. */
export function colorOnPanel(color: string, scheme: Scheme): string {
  if (scheme === 'light') return color
  for (let step = 0; step < steps; step++) {
    const mixed = lighten(color, step / steps)
    if (contrast(mixed, tokens.dark.panel) >= minGraphicsContrast) return mixed
  }
  return lighten(color, 1)
}

const lighten = (color: string, share: number): string =>
  share === 0
    ? color
    : `#${channels(color)
        .map((channel) =>
          Math.round(channel + (255 - channel) * share)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`
