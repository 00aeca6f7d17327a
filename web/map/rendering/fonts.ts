import type { StyleSpecification } from 'maplibre-gl'
import italic from '@fontsource/noto-sans/files/noto-sans-latin-400-italic.woff2?url'
import regularExt from '@fontsource/noto-sans/files/noto-sans-latin-ext-400-normal.woff2?url'
import regular from '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2?url'
import mediumExt from '@fontsource/noto-sans/files/noto-sans-latin-ext-500-normal.woff2?url'
import medium from '@fontsource/noto-sans/files/noto-sans-latin-500-normal.woff2?url'

/** Font names of map labels for `text-font`. Only the names of parks and water are italic. */
export const fontStack = {
  regular: ['Noto Sans Regular'],
  medium: ['Noto Sans Medium'],
  italic: ['Noto Sans Italic'],
}

const latin = [
  'U+0-FF',
  'U+131',
  'U+152-153',
  'U+2BB-2BC',
  'U+2C6',
  'U+2DA',
  'U+2DC',
  'U+2000-206F',
  'U+20AC',
  'U+2122',
]
const extended = ['U+100-130', 'U+132-151', 'U+154-2BA', 'U+1E00-1E9F']

/** The map loads fonts in a worker without a base URL, so URLs must be absolute. */
const toAbsoluteUrl = (path: string): string => new URL(path, globalThis.location.href).href

const fontFiles = (plain: string, ext: string | null) => [
  { url: toAbsoluteUrl(plain), 'unicode-range': latin },
  ...(ext === null ? [] : [{ url: toAbsoluteUrl(ext), 'unicode-range': extended }]),
]

/**
 * Returns the label fonts from our own files, so that labels look the same everywhere and no glyph server is needed. A
 * file is loaded when one of its characters is drawn.
 */
export const fontFaces = (): NonNullable<StyleSpecification['font-faces']> => ({
  'Noto Sans Regular': fontFiles(regular, regularExt),
  'Noto Sans Medium': fontFiles(medium, mediumExt),
  'Noto Sans Italic': fontFiles(italic, null),
})
