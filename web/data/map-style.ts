/** A style of another server, with absolute URLs. */
export interface FetchedStyle {
  version: 8
  sources: Record<string, Record<string, unknown>>
  layers: { id: string; type: string }[]
  sprite?: unknown
  glyphs?: string
}

/** Why a style cannot be drawn. `host`: the requested server, or another one that the style refers to. */
export class MapStyleError extends Error {
  override readonly name = 'MapStyleError'
  readonly reason: 'unreachable' | 'no_style' | 'other_host'
  readonly host: string
  constructor(reason: MapStyleError['reason'], host: string) {
    super(`${reason} ${host}`)
    this.reason = reason
    this.host = host
  }
}

const styleTimeoutMs = 15_000
/** The URL of a PMTiles archive: a scheme before another URL. */
const pmtilesPattern = /^(pmtiles:\/\/)(.*)$/

/** Fetches a map style from another server without cookies. Throws a MapStyleError. */
export async function fetchMapStyle(url: string, signal: AbortSignal): Promise<FetchedStyle> {
  const { host } = new URL(url)
  let text: string
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(styleTimeoutMs)]),
    })
    if (!response.ok) throw new MapStyleError('unreachable', host)
    text = await response.text()
  } catch (error) {
    throw error instanceof MapStyleError ? error : new MapStyleError('unreachable', host)
  }
  return parseMapStyle(text, url)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses a style and makes its URLs absolute; they may be relative to the URL of the style. All of them must
 * be on the same server, because the content security policy allows no other.
 */
export function parseMapStyle(text: string, url: string): FetchedStyle {
  const { host, origin } = new URL(url)
  let style: unknown
  try {
    style = JSON.parse(text)
  } catch {
    throw new MapStyleError('no_style', host)
  }
  const toAbsoluteUrl = (address: string): string => {
    const [, scheme = '', reference = address] = pmtilesPattern.exec(address) ?? []
    // Restore the braces of {z}, which URL escapes.
    const absoluteUrl = URL.canParse(reference, url) ? decodeBraces(new URL(reference, url).href) : ''
    const target = absoluteUrl ? new URL(absoluteUrl) : null
    if (target?.protocol !== 'data:' && target?.origin !== origin)
      throw new MapStyleError('other_host', target?.host || address.slice(0, 80))
    return scheme + absoluteUrl
  }
  const convertSource = (source: unknown): Record<string, unknown> => {
    if (!isRecord(source)) throw new MapStyleError('no_style', host)
    const { url: sourceUrl, tiles, data } = source
    return {
      ...source,
      ...(typeof sourceUrl === 'string' ? { url: toAbsoluteUrl(sourceUrl) } : {}),
      ...(Array.isArray(tiles) ? { tiles: tiles.map((entry) => toAbsoluteUrl(String(entry))) } : {}),
      ...(typeof data === 'string' ? { data: toAbsoluteUrl(data) } : {}),
    }
  }
  const parseLayers = (value: unknown): FetchedStyle['layers'] | null =>
    Array.isArray(value) &&
    value.every(
      (entry) => isRecord(entry) && typeof entry['id'] === 'string' && typeof entry['type'] === 'string',
    )
      ? (value as FetchedStyle['layers'])
      : null
  const layers = isRecord(style) && style['version'] === 8 ? parseLayers(style['layers']) : null
  if (!isRecord(style) || !layers || !isRecord(style['sources'])) throw new MapStyleError('no_style', host)
  const { sprite, glyphs } = style
  return {
    version: 8,
    layers,
    sources: Object.fromEntries(
      Object.entries(style['sources']).map(([name, source]) => [name, convertSource(source)]),
    ),
    ...(typeof sprite === 'string' ? { sprite: toAbsoluteUrl(sprite) } : {}),
    ...(Array.isArray(sprite)
      ? {
          sprite: sprite.map((entry: unknown) =>
            isRecord(entry) ? { ...entry, url: toAbsoluteUrl(String(entry['url'])) } : entry,
          ),
        }
      : {}),
    ...(typeof glyphs === 'string' ? { glyphs: toAbsoluteUrl(glyphs) } : {}),
  }
}

const decodeBraces = (address: string): string => address.replaceAll('%7B', '{').replaceAll('%7D', '}')
