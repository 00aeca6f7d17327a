/** A style as another server sends it, with whole addresses. */
export interface FetchedStyle {
  version: 8
  sources: Record<string, Record<string, unknown>>
  layers: { id: string; type: string }[]
  sprite?: unknown
  glyphs?: string
}

/** Why there is no style to draw; `host`: the server that was asked, or the one that the style sends to. */
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

/** Milliseconds after which a server does not answer. */
const styleTimeoutMs = 15_000

/** Asks another server for its map style; no cookie goes along. Throws a MapStyleError. */
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

/** A style as text, whose addresses may be relative to its own. What is asked of it must come from the same server: the browser is told to ask no other. */
export function parseMapStyle(text: string, url: string): FetchedStyle {
  const { host, origin } = new URL(url)
  let style: unknown
  try {
    style = JSON.parse(text)
  } catch {
    throw new MapStyleError('no_style', host)
  }
  const toAbsoluteUrl = (address: string): string => {
    const [, scheme = '', reference = address] = /^(pmtiles:\/\/)(.*)$/.exec(address) ?? []
    // The braces of {z} stay as they are.
    const absolute = URL.canParse(reference, url) ? decodeBraces(new URL(reference, url).href) : ''
    const to = absolute ? new URL(absolute) : null
    if (to?.protocol !== 'data:' && to?.origin !== origin)
      throw new MapStyleError('other_host', to?.host || address.slice(0, 80))
    return scheme + absolute
  }
  const convertSource = (source: unknown): Record<string, unknown> => {
    if (!isRecord(source)) throw new MapStyleError('no_style', host)
    const { url: about, tiles, data } = source
    return {
      ...source,
      ...(typeof about === 'string' ? { url: toAbsoluteUrl(about) } : {}),
      ...(Array.isArray(tiles) ? { tiles: tiles.map((each) => toAbsoluteUrl(String(each))) } : {}),
      ...(typeof data === 'string' ? { data: toAbsoluteUrl(data) } : {}),
    }
  }
  const parseLayers = (value: unknown): FetchedStyle['layers'] | null =>
    Array.isArray(value) &&
    value.every(
      (each) => isRecord(each) && typeof each['id'] === 'string' && typeof each['type'] === 'string',
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
          sprite: sprite.map((each: unknown) =>
            isRecord(each) ? { ...each, url: toAbsoluteUrl(String(each['url'])) } : each,
          ),
        }
      : {}),
    ...(typeof glyphs === 'string' ? { glyphs: toAbsoluteUrl(glyphs) } : {}),
  }
}

const decodeBraces = (address: string): string => address.replaceAll('%7B', '{').replaceAll('%7D', '}')
