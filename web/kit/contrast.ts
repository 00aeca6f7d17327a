import { type Scheme, tokens } from './theme.ts'

/** Returns the red, green and blue of `#RRGGBB`, 0 to 255. */
const parseChannels = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) || 0)
/** Returns the linear value, 0 to 1, of an sRGB channel from 0 to 255. */
const toLinear = (channel: number): number =>
  channel <= 0.04045 * 255 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4
/** Returns the relative luminance of a color, 0 to 1 (WCAG 2). */
export const computeLuminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = parseChannels(color).map(toLinear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast of two colors `#RRGGBB`, 1 to 21 (WCAG 2). */
export function computeContrast(a: string, b: string): number {
  const lighter = Math.max(computeLuminance(a), computeLuminance(b))
  const darker = Math.min(computeLuminance(a), computeLuminance(b))
  return (lighter + 0.05) / (darker + 0.05)
}

/** Minimum contrast of graphics to their background (WCAG 1.4.11). */
export const minGraphicsContrast = 3
/** Colors are lightened in this many steps, until the contrast is sufficient. */
const lighteningSteps = 20

/** Lightens a color that was chosen on white, such as that of an operator, as far as dark panels require. */
export function colorOnPanel(color: string, scheme: Scheme): string {
  if (scheme === 'light') return color
  for (let step = 0; step < lighteningSteps; step++) {
    const lightened = lighten(color, step / lighteningSteps)
    if (computeContrast(lightened, tokens.dark.panel) >= minGraphicsContrast) return lightened
  }
  return lighten(color, 1)
}

/** Mixes a color with white; a share of 1 is white. */
function lighten(color: string, share: number): string {
  if (share === 0) return color
  const channels = parseChannels(color).map((channel) => Math.round(channel + (255 - channel) * share))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
